//! The subcommands that need the arena, and the functions that they share.

use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde::Serialize;
use thiserror::Error;

use super::{
    CliError, analyse, check_bot, completions, league, learn, match_, packs, print, print_json,
    rate, record, replay, stats, submit, view,
};
use crate::arena::{Failure, Folder, FolderError, StartError, process};
use crate::foreign_text::shown;
use crate::league::LeagueError;
use crate::message;
use crate::record::RecordError;
use crate::record::official::ReplayError;
use crate::stop::Stop;
use crate::submission::SubmissionError;
use crate::wording::counted;

/// The subcommands that the arena adds to the command line.
#[derive(Subcommand, Debug)]
pub enum ArenaCommand {
    /// Play bots against each other over the contest's protocol.
    Match(Box<match_::MatchArgs>),
    /// Play a bot through situations in which bots fail, and report what it does wrong.
    CheckBot(check_bot::CheckBotArgs),
    /// Rate the engines of many matches in one list.
    Rate(rate::RateArgs),
    /// Compute statistics of recorded games, or write their positions for other programs.
    Stats(stats::StatsArgs),
    /// Run a league: engines come and go, and one list rates them all.
    #[command(subcommand)]
    League(Box<league::LeagueCommand>),
    /// Show recorded games, check them, and turn them into other forms.
    #[command(subcommand)]
    Record(record::RecordCommand),
    /// Show a recorded game turn by turn, and search its turns again.
    Replay(Box<replay::ReplayArgs>),
    /// Analyse one or two drawn fields: chains, potential, triggers, the skill.
    #[command(visible_alias = "analyze")]
    Analyse(analyse::AnalyseArgs),
    /// Make a page of recorded games that a browser plays like a video.
    View(view::ViewArgs),
    /// Draw the packs of games, and check files of packs.
    #[command(subcommand)]
    Packs(packs::PacksCommand),
    /// Learn the win probability from recorded games and the weights of the beam, and measure both.
    #[command(subcommand)]
    Learn(learn::LearnCommand),
    /// Make the zip of the submission, or check one as the contest's runner does.
    Submit(submit::SubmitArgs),
    /// Print the completions of a shell for this program.
    Completions(completions::CompletionsArgs),
    /// Write the manual pages of all commands.
    Man(completions::ManArgs),
    /// Supervise a bot. `match` starts this command.
    #[command(hide = true)]
    Keep,
    /// Become a bot. `keep` starts this command.
    #[command(hide = true)]
    Become,
}

impl ArenaCommand {
    /// Whether a signal may end the command at any moment, because it has nothing to report or to
    /// remove. The other commands handle signals themselves.
    const fn ends_at_once(&self) -> bool {
        match self {
            Self::Match(_)
            | Self::CheckBot(_)
            | Self::Packs(_)
            | Self::Learn(_)
            | Self::Keep
            | Self::Become => false,
            Self::Stats(args) => args.ends_at_once(),
            Self::Replay(args) => args.ends_at_once(),
            Self::Submit(args) => args.ends_at_once(),
            Self::League(command) => command.ends_at_once(),
            Self::Rate(_)
            | Self::Record(_)
            | Self::Analyse(_)
            | Self::View(_)
            | Self::Completions(_)
            | Self::Man(_) => true,
        }
    }
}

/// The errors of these commands.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// The command of a bot is wrong or cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The record of a game is wrong or cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file of the official client is wrong or cannot be used.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The folder of a match is wrong or cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The folder of a league is wrong or cannot be used.
    #[error(transparent)]
    League(#[from] LeagueError),
    /// A submission is wrong or cannot be made.
    #[error(transparent)]
    Submission(#[from] SubmissionError),
    /// A signal, such as that of Ctrl-C, ended a game that is not kept.
    #[error("stopped before the end of the game")]
    Stopped,
    /// A signal, such as that of Ctrl-C, ended the command before all was done.
    #[error("stopped: {0}")]
    StoppedAfter(String),
    /// The commands in the folder of a match were not given by this user.
    #[error(
        "{}: its commands may not be yours: the match was started by another user, on another \
         machine or in another working folder, or was changed since; add --trust to run {commands}",
        shown(path)
    )]
    Untrusted {
        /// The folder of the match.
        path: PathBuf,
        /// The engines' commands.
        commands: String,
    },
    /// A failure ended the match early.
    #[error(
        "{failure}; {} played, {kept} kept{}",
        counted(.played, "game"),
        resume.as_ref().map_or_else(String::new, |resume| format!("; resume with: {resume}"))
    )]
    Broken {
        /// The failure.
        failure: Failure,
        /// Number of finished games.
        played: usize,
        /// Number of games that have a record.
        kept: usize,
        /// The command that plays the remaining games; `None` if the folder is gone.
        resume: Option<String>,
    },
    /// A signal, such as that of Ctrl-C, ended the match.
    #[error(
        "stopped after {}; finished games are kept; resume with: {resume}",
        counted(.played, "game")
    )]
    Interrupted {
        /// Number of finished games.
        played: usize,
        /// The command that plays the remaining games.
        resume: String,
    },
}

impl ArenaError {
    /// Whether the error means that a signal stopped the program.
    pub const fn is_stop(&self) -> bool {
        matches!(
            self,
            Self::Stopped
                | Self::StoppedAfter(_)
                | Self::Interrupted { .. }
                | Self::Submission(SubmissionError::Stopped)
        )
    }
}

impl ArenaError {
    /// Whether the error is the result of the command: a bot that does not start, or a submission
    /// that fails on the runner.
    pub const fn is_failure(&self) -> bool {
        let start = match self {
            Self::Start(start) | Self::Broken { failure: Failure::Start(start), .. } => start,
            Self::Submission(error) => return matches!(error, SubmissionError::Failed { .. }),
            _ => return false,
        };
        !matches!(start, StartError::Words(_) | StartError::NotLinux(_))
    }

    /// Whether the error is about the content of a file that could be read.
    pub const fn is_about_content(&self) -> bool {
        match self {
            Self::Record(error) | Self::Replay(ReplayError::File(error)) => {
                matches!(error, RecordError::Format { .. })
            }
            Self::Replay(_) => true,
            _ => false,
        }
    }
}

impl<E: Into<ArenaError>> From<E> for CliError {
    fn from(error: E) -> Self {
        Self::Arena(error.into())
    }
}

/// Runs `command`.
pub fn run(command: &ArenaCommand) -> Result<(), CliError> {
    if command.ends_at_once() {
        Stop::at_once()?;
    }
    match command {
        ArenaCommand::Match(args) => match_::run(args),
        ArenaCommand::CheckBot(args) => check_bot::run(args),
        ArenaCommand::Rate(args) => rate::run(args),
        ArenaCommand::Stats(args) => stats::run(args),
        ArenaCommand::League(command) => league::run(command),
        ArenaCommand::Record(command) => record::run(command),
        ArenaCommand::Replay(args) => replay::run(args),
        ArenaCommand::Analyse(args) => analyse::run(args),
        ArenaCommand::View(args) => view::run(args),
        ArenaCommand::Packs(command) => packs::run(command),
        ArenaCommand::Learn(command) => learn::run(command),
        ArenaCommand::Submit(args) => submit::run(args),
        ArenaCommand::Completions(args) => completions::completions(args),
        ArenaCommand::Man(args) => completions::man(args),
        ArenaCommand::Keep => Ok(process::keep()?),
        ArenaCommand::Become => Ok(process::become_bot()?),
    }
}

/// Returns `path` itself if it is no folder, else all files in it, sorted by name.
///
/// # Errors
/// The folder cannot be read or has no file.
pub fn files_in(path: &Path) -> Result<Vec<PathBuf>, CliError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(path).and_then(|entries| {
        entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>, io::Error>>()
    });
    let path = shown(path).to_string();
    let mut files =
        entries.map_err(|source| CliError::Unreadable { path: path.clone(), source })?;
    files.retain(|file| file.is_file());
    files.sort();
    if files.is_empty() {
        return Err(CliError::Refused(format!("{path}: it contains no file")));
    }
    Ok(files)
}

/// Returns `path` itself if it is no folder, else all records in it: its `*.json` files except the
/// manifest of a match.
///
/// # Errors
/// The folder cannot be read or has no record.
pub fn records_in(path: &Path) -> Result<Vec<PathBuf>, CliError> {
    let mut files = files_in(path)?;
    if path.is_dir() {
        files.retain(|file| {
            file.extension().is_some_and(|kind| kind == "json") && !Folder::is_manifest(file)
        });
    }
    if files.is_empty() {
        return Err(CliError::Refused(format!("{}: it contains no game record", shown(path))));
    }
    Ok(files)
}

/// A file that a command has checked, as `--json` prints it (docs/cli.md).
#[derive(Serialize)]
struct CheckedFile<T> {
    /// The file; null for a folder that cannot be read, which `error` names.
    file: Option<String>,
    /// What is wrong with it; null for a good file.
    error: Option<String>,
    /// What a good file contains.
    #[serde(flatten)]
    found: Option<T>,
}

/// Calls `look` for each of `files`, whether or not an earlier one failed. Prints each result as a
/// line on standard output, or all as JSON, and each error but the last on standard error.
///
/// # Errors
/// The last error, which the caller prints. It has exit code 1 if all files could be read, so that
/// only their content is wrong, else 2.
pub fn check_each<T: Display + Serialize>(
    files: impl IntoIterator<Item = Result<PathBuf, CliError>>,
    json: bool,
    look: impl Fn(&Path) -> Result<T, CliError>,
) -> Result<(), CliError> {
    let (mut failed, mut all_read, mut list) = (None::<String>, true, Vec::new());
    for file in files {
        let name = file.as_ref().ok().map(|file| shown(file).to_string());
        let mut checked = CheckedFile { file: name, error: None, found: None };
        match file.and_then(|file| look(&file)) {
            Ok(found) => {
                if !json {
                    print(&format!("{found}\n"))?;
                }
                checked.found = Some(found);
            }
            Err(error) => {
                all_read &= error.is_about_content();
                let error = error.to_string();
                checked.error = Some(error.clone());
                if let Some(earlier) = failed.replace(error) {
                    message::line(format_args!("tensai: {earlier}"));
                }
            }
        }
        list.push(checked);
    }
    if json {
        print_json(&list)?;
    }
    match failed {
        None => Ok(()),
        Some(error) if all_read => Err(CliError::Failed(error)),
        Some(error) => Err(CliError::Refused(error)),
    }
}
