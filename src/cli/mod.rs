//! The command line: one file a subcommand.

mod bench;
mod bot;
mod match_;
mod perft;

use std::ffi::OsString;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::Duration;

use clap::{Parser, Subcommand};
use thiserror::Error;

use crate::arena::StartError;
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
    Match(match_::MatchArgs),
    /// Measure the simulator's speed; the signature is the same for every backend.
    Bench(bench::BenchArgs),
    /// Count all that one player can do within a few turns.
    Perft(perft::PerftArgs),
    /// Speak the contest's protocol, as without a subcommand; or play at random.
    Play(bot::PlayArgs),
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
    /// Something asked for that cannot be done.
    #[error("{0}")]
    Refused(String),
}

/// Runs the program with the given arguments, the first being its name.
///
/// # Errors
/// Whatever ends the command early. Wrong arguments, `--help` and `--version` end the process
/// instead, with exit code 2 for the former.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Result<(), CliError> {
    let cli = Cli::parse_from(arguments);
    match &cli.command {
        None => bot::serve(&cli.bot),
        Some(Command::Play(args)) => bot::play(args),
        Some(Command::Match(args)) => match_::run(args),
        Some(Command::Perft(args)) => perft::run(args),
        Some(Command::Bench(args)) => {
            bench::run(args);
            Ok(())
        }
    }
}

/// Parses a duration such as `180s`, `3m` or `250ms`; a bare number is seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.map_or_else(
        || {
            humantime::parse_duration(text)
                .map_err(|_| "expected a duration such as `10s`, `3m` or `250ms`".to_owned())
        },
        Ok,
    )
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

    #[test]
    fn durations_have_units() {
        assert_eq!(duration("10"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("3m"), Ok(Duration::from_secs(180)));
        assert!(duration("-1").is_err() && duration("soon").is_err());
    }
}
