//! The subcommands that need the arena, and what they share.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use thiserror::Error;

use super::{CliError, analyse, learn, match_, packs, print, rate, record, replay, submit, view};
use crate::arena::{Failure, Folder, FolderError, StartError, Stop, keeper};
use crate::foreign_text::shown;
use crate::message;
use crate::record::RecordError;
use crate::record::official::ReplayError;
use crate::submission::SubmissionError;
use crate::wording::counted;

/// What the arena adds to the command line.
#[derive(Subcommand, Debug)]
pub enum ArenaCommand {
    /// Play bots against each other, over the contest's protocol.
    Match(Box<match_::MatchArgs>),
    /// Rate the engines of many matches in one list.
    Rate(rate::RateArgs),
    /// Show recorded games, check them, and turn them into other forms.
    #[command(subcommand)]
    Record(record::RecordCommand),
    /// Look at a game that was played, turn by turn, and think about its turns again.
    Replay(Box<replay::ReplayArgs>),
    /// Say what a drawn field, or two, holds: chains, potential, triggers, the skill.
    Analyse(analyse::AnalyseArgs),
    /// Make a page of recorded games, which a browser plays like a video.
    View(view::ViewArgs),
    /// Draw the packs of games, and check files of packs.
    #[command(subcommand)]
    Packs(packs::PacksCommand),
    /// Learn the chance to win from recorded games, and what a beam goes by; see how good it is.
    #[command(subcommand)]
    Learn(learn::LearnCommand),
    /// Make the zip that is handed in, and do with it what the contest's runner does.
    Submit(submit::SubmitArgs),
    /// Look after a bot: what `match` starts.
    #[command(hide = true)]
    Keep,
    /// Become a bot: what `keep` starts.
    #[command(hide = true)]
    Become,
}

impl ArenaCommand {
    /// Whether a signal may end the command at any moment, as it has nothing to report or to
    /// remove. The others look at signals themselves.
    const fn ends_at_once(&self) -> bool {
        match self {
            Self::Match(_) | Self::Packs(_) | Self::Learn(_) | Self::Keep | Self::Become => false,
            Self::Replay(args) => args.ends_at_once(),
            Self::Submit(args) => args.ends_at_once(),
            Self::Rate(_) | Self::Record(_) | Self::Analyse(_) | Self::View(_) => true,
        }
    }
}

/// Whatever ends one of these commands early.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// A bot's command.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A game's record.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file of the official client's.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A match's folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A submission.
    #[error(transparent)]
    Submission(#[from] SubmissionError),
    /// Ctrl-C, or the like, while a game was played that is not kept.
    #[error("stopped before the end of the game")]
    Stopped,
    /// Ctrl-C, or the like, before all was done.
    #[error("stopped: {0}")]
    StoppedAfter(String),
    /// A match's folder whose commands this user has not given.
    #[error(
        "{}: its commands are not known to be yours: the match was begun by another user, on another \
         machine or in another working folder, or changed since; add --trust to run {commands}",
        shown(path)
    )]
    Untrusted {
        /// The folder.
        path: PathBuf,
        /// The engines' commands.
        commands: String,
    },
    /// Something that ends a match early.
    #[error(
        "{failure}; {} played, {kept} kept{}",
        counted(.played, "game"),
        resume.as_ref().map_or_else(String::new, |resume| format!("; go on with: {resume}"))
    )]
    Broken {
        /// What it is.
        failure: Failure,
        /// Games that are finished.
        played: usize,
        /// Games that have a record.
        kept: usize,
        /// The command that plays the others; none if the folder is gone.
        resume: Option<String>,
    },
    /// Ctrl-C, or the like.
    #[error("stopped after {}; what is finished is kept; go on with: {resume}", counted(.played, "game"))]
    Interrupted {
        /// Games that are finished.
        played: usize,
        /// The command that plays the others.
        resume: String,
    },
}

impl ArenaError {
    /// Whether it tells that somebody stopped the program.
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

impl<E: Into<ArenaError>> From<E> for CliError {
    fn from(error: E) -> Self {
        Self::Arena(error.into())
    }
}

/// Runs one of these commands.
pub fn run(command: &ArenaCommand) -> Result<(), CliError> {
    if command.ends_at_once() {
        Stop::at_once()?;
    }
    match command {
        ArenaCommand::Match(args) => match_::run(args),
        ArenaCommand::Rate(args) => rate::run(args),
        ArenaCommand::Record(command) => record::run(command),
        ArenaCommand::Replay(args) => replay::run(args),
        ArenaCommand::Analyse(args) => analyse::run(args),
        ArenaCommand::View(args) => view::run(args),
        ArenaCommand::Packs(command) => packs::run(command),
        ArenaCommand::Learn(command) => learn::run(command),
        ArenaCommand::Submit(args) => submit::run(args),
        ArenaCommand::Keep => Ok(keeper::keep()?),
        ArenaCommand::Become => Ok(keeper::become_bot()?),
    }
}

/// The file itself, or all files in the folder in the order of their names, of which there must be
/// one.
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
        return Err(CliError::Refused(format!("{path}: no file is in it")));
    }
    Ok(files)
}

/// The file itself, or all records in the folder, of which there must be one: its files `*.json` but
/// the one in which the folder of a match says what the match is.
pub fn records_in(path: &Path) -> Result<Vec<PathBuf>, CliError> {
    let mut files = files_in(path)?;
    if path.is_dir() {
        files.retain(|file| {
            file.extension().is_some_and(|kind| kind == "json") && !Folder::is_manifest(file)
        });
    }
    if files.is_empty() {
        return Err(CliError::Refused(format!("{}: no game record is in it", shown(path))));
    }
    Ok(files)
}

/// Looks at one file after the other, whatever is wrong with those before: what there is to say
/// about each goes to standard output, a line each, and errors to standard error, the last one by
/// the caller.
pub fn check_each<T>(
    files: impl IntoIterator<Item = T>,
    look: impl Fn(T) -> Result<String, CliError>,
) -> Result<(), CliError> {
    let mut failed = None;
    for file in files {
        match look(file) {
            Ok(said) => print(&format!("{said}\n"))?,
            Err(error) => {
                if let Some(earlier) = failed.replace(error) {
                    message::line(format_args!("tensai: {earlier}"));
                }
            }
        }
    }
    failed.map_or(Ok(()), Err)
}
