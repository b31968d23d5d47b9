//! The command line: one file a subcommand.

mod bench;
mod bot;
mod match_;
mod one_line;
mod perft;
mod rate;

use std::ffi::OsString;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use clap::{Parser, Subcommand};
use thiserror::Error;

use crate::arena::{Failure, FolderError, StartError, keeper};
use crate::backend::Backend;
use crate::game::Packs;
use crate::protocol::{InputError, ServeError, read_packs};
use crate::record::RecordError;

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
    /// Speak the contest's protocol, as without a subcommand; or play at random.
    Play(bot::PlayArgs),
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
        source: std::io::Error,
    },
    /// A match's folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The system.
    #[error(transparent)]
    Io(#[from] std::io::Error),
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
