//! The command line: one file a subcommand.

mod analyse;
mod bench;
mod bot;
mod classic;
mod human;
mod match_;
mod one_line;
mod packs;
mod perft;
mod rate;
mod record;
mod replay;
mod telling;
mod thinking;

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufReader, Write as _};
use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};
use thiserror::Error;

use crate::arena::{Failure, FolderError, StartError, keeper};
use crate::backend::Backend;
use crate::game::Packs;
use crate::protocol::{InputError, ServeError, read_packs};
use crate::record::RecordError;
use crate::record::official::ReplayError;

/// A bot for CODE VS Reborn, and an arena to play it in.
///
/// Without a subcommand the bot speaks the contest's protocol on standard input and output.
#[derive(Parser, Debug)]
#[command(name = "tensai", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    bot: bot::BotArgs,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Play two bots against each other, over the contest's protocol.
    Match(Box<match_::MatchArgs>),
    /// Rate the engines of many matches in one list.
    Rate(rate::RateArgs),
    /// Measure the simulator's speed; the signature is the same for every backend.
    Bench(bench::BenchArgs),
    /// Count all that one player can do within a few turns.
    Perft(perft::PerftArgs),
    /// Speak the contest's protocol, as without a subcommand; or play at random; or let a person
    /// play.
    Play(Box<bot::PlayArgs>),
    /// Show recorded games, check them, and turn them into other forms.
    #[command(subcommand)]
    Record(record::RecordCommand),
    /// Look at a game that was played, turn by turn, and think about its turns again.
    Replay(Box<replay::ReplayArgs>),
    /// Say what a drawn field, or two, holds: chains, potential, triggers, the skill.
    Analyse(analyse::AnalyseArgs),
    /// Draw the packs of games, and check files of packs.
    #[command(subcommand)]
    Packs(packs::PacksCommand),
    /// Look after a bot: what `match` starts.
    #[command(hide = true)]
    Keep,
    /// Become a bot: what `keep` starts.
    #[command(hide = true)]
    Become,
}

/// Whatever ends a command early, with a message for people.
#[derive(Debug, Error)]
pub enum CliError {
    /// The bot's input or output.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// A bot's command.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A game's record.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file of the official client's.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A file of packs.
    #[error("{path}: {source}")]
    Packs {
        /// The file.
        path: String,
        /// What is wrong with it.
        source: InputError,
    },
    /// A file or folder that cannot be read.
    #[error("{path}: cannot read: {source}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    Output(io::Error),
    /// A match's folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The system.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The arguments.
    #[error("{0}")]
    Arguments(String),
    /// Ctrl-C, or the like.
    #[error("stopped after {played} games, which are kept; go on with: {resume}")]
    Interrupted {
        /// Games that are finished.
        played: usize,
        /// The command that plays the others.
        resume: String,
    },
    /// Something asked for that cannot be done.
    #[error("{0}")]
    Refused(String),
}

impl CliError {
    /// The exit code that tells of it: 130 where somebody stopped the program, else 2.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Interrupted { .. } => 130,
            _ => 2,
        }
    }
}

impl From<Failure> for CliError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Start(error) => error.into(),
            Failure::Folder(error) => error.into(),
        }
    }
}

/// Runs the program with the given arguments, the first being its name.
///
/// # Errors
/// Whatever ends the command early. `--help` and `--version` end the process instead.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Result<(), CliError> {
    let cli = Cli::try_parse_from(arguments).map_err(one_line::error)?;
    match &cli.command {
        None => bot::serve(&cli.bot),
        Some(Command::Play(args)) => bot::play(args),
        Some(Command::Match(args)) => match_::run(args),
        Some(Command::Rate(args)) => rate::run(args),
        Some(Command::Keep) => Ok(keeper::keep()?),
        Some(Command::Become) => Ok(keeper::become_bot()?),
        Some(Command::Perft(args)) => perft::run(args),
        Some(Command::Record(command)) => record::run(command),
        Some(Command::Replay(args)) => replay::run(args),
        Some(Command::Analyse(args)) => analyse::run(args),
        Some(Command::Packs(command)) => packs::run(command),
        Some(Command::Bench(args)) => {
            bench::run(args);
            Ok(())
        }
    }
}

/// Reads a file of packs.
fn packs_file(path: &Path) -> Result<Packs, CliError> {
    let name = || path.display().to_string();
    let file = File::open(path).map_err(|source| CliError::Unreadable { path: name(), source })?;
    read_packs(BufReader::new(file)).map_err(|source| CliError::Packs { path: name(), source })
}

/// Writes to standard output. A reader that is gone has seen enough.
fn print(text: &str) -> Result<(), CliError> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(CliError::Output(error)),
        _ => Ok(()),
    }
}

/// The file itself, or all files in the folder in the order of their names, of which there must be
/// one.
fn files_in(path: &Path) -> Result<Vec<PathBuf>, CliError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(path).and_then(|entries| {
        entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>, io::Error>>()
    });
    let path = path.display().to_string();
    let mut files =
        entries.map_err(|source| CliError::Unreadable { path: path.clone(), source })?;
    files.retain(|file| file.is_file());
    files.sort();
    if files.is_empty() {
        return Err(CliError::Refused(format!("{path}: no file is in it")));
    }
    Ok(files)
}

/// Looks at one file after the other, whatever is wrong with those before: what there is to say
/// about each goes to standard output, a line each, and errors to standard error, the last one by
/// the caller.
fn check_each<T>(
    files: impl IntoIterator<Item = T>,
    look: impl Fn(T) -> Result<String, CliError>,
) -> Result<(), CliError> {
    let mut failed = None;
    for file in files {
        match look(file) {
            Ok(said) => print(&format!("{said}\n"))?,
            Err(error) => {
                if let Some(earlier) = failed.replace(error) {
                    eprintln!("tensai: {earlier}");
                }
            }
        }
    }
    failed.map_or(Ok(()), Err)
}

/// Parses a backend, which must be available here.
fn backend(text: &str) -> Result<Backend, String> {
    let backend: Backend = clap::ValueEnum::from_str(text, false)?;
    if backend.is_available() {
        Ok(backend)
    } else {
        Err("this processor lacks its instructions".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }
}
