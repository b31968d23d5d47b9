//! The command line: one file a subcommand.

#[cfg(feature = "arena")]
mod analyse;
#[cfg(feature = "arena")]
mod arena;
mod bench;
mod bot;
#[cfg(feature = "arena")]
mod check_bot;
mod classic;
#[cfg(feature = "arena")]
mod color;
#[cfg(feature = "arena")]
mod completions;
#[cfg(feature = "arena")]
mod format;
#[cfg(feature = "arena")]
mod human;
#[cfg(feature = "arena")]
mod league;
#[cfg(feature = "arena")]
mod learn;
#[cfg(feature = "arena")]
mod match_;
#[cfg(feature = "arena")]
mod packs;
mod perft;
#[cfg(feature = "arena")]
mod rate;
#[cfg(feature = "arena")]
mod record;
#[cfg(feature = "arena")]
mod replay;
#[cfg(feature = "arena")]
mod search_args;
#[cfg(feature = "arena")]
mod stats;
#[cfg(feature = "arena")]
mod submit;
mod usage_error;
#[cfg(feature = "arena")]
mod view;

#[cfg(feature = "arena")]
pub use match_::MatchOptions;
#[cfg(all(test, feature = "arena", target_os = "linux"))]
pub(crate) use match_::Results;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, Write as _};
use std::num::NonZeroUsize;
use std::path::Path;

use clap::{Args, Parser, Subcommand};
use serde::Serialize;
use thiserror::Error;

use crate::backend::Backend;
use crate::engine::{MOST_THREADS, ServeError};
use crate::foreign_text::{json, screen, shown};
use crate::game::{Gauge, Packs};
use crate::protocol::{InputError, read_packs};
#[cfg(feature = "arena")]
use crate::record::is_standard_output;

/// The end of `--help`.
const EXAMPLES: &str = "Example:
  tensai --threads 1 < input.txt

Turns are numbered from 0 to 499, seats 0 and 1, games and rounds from 1.
Exit codes: 0; 1 if a check does not pass or a bot does not start; 2 if the arguments are wrong or a
file cannot be used; 130 if a signal stopped the program.";

/// A bot for CODE VS Reborn, and an arena to play it in.
///
/// Without a subcommand the bot speaks the contest's protocol on standard input and output.
#[derive(Parser, Debug)]
#[command(name = "tensai", version, args_conflicts_with_subcommands = true, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[cfg(feature = "arena")]
    #[command(flatten)]
    color: color::ColorArgs,
    // Last, as its heading of the classic engine would hold for what follows.
    #[command(flatten)]
    bot: bot::BotArgs,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Measure the simulator's speed; the signature is the same for every backend.
    Bench(bench::BenchArgs),
    /// Count all lines of actions of one player within a few turns.
    Perft(perft::PerftArgs),
    /// Speak the contest's protocol, as without a subcommand; play at random; or let a person play.
    Play(Box<bot::PlayArgs>),
    #[cfg(feature = "arena")]
    #[command(flatten)]
    Arena(arena::ArenaCommand),
}

/// The errors of the commands, with messages for people.
#[derive(Debug, Error)]
pub enum CliError {
    /// The bot's input or output failed.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// A command of the arena failed.
    #[cfg(feature = "arena")]
    #[error(transparent)]
    Arena(arena::ArenaError),
    /// A file of packs is wrong.
    #[error("{path}: {source}")]
    Packs {
        /// The file.
        path: String,
        /// The mistake in it.
        source: InputError,
    },
    /// A file or folder that cannot be read.
    #[error("{path}: cannot read: {source}")]
    Unreadable {
        /// The file or folder.
        path: String,
        /// The reason.
        source: io::Error,
    },
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    Output(io::Error),
    /// The operating system refused something.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The arguments are wrong.
    #[error("{0}")]
    Arguments(String),
    /// The command cannot carry out the request.
    #[error("{0}")]
    Refused(String),
    /// The command has done its work, and what it has checked does not pass.
    #[error("{0}")]
    Failed(String),
}

/// The exit code if a check does not pass, or a bot does not start.
const FAILED: u8 = 1;

/// The exit code if the arguments are wrong, or an input or output cannot be used.
const REFUSED: u8 = 2;

impl CliError {
    /// The exit code: 130 if a signal stopped the program, 1 if a check does not pass or a bot does
    /// not start, else 2. The table is in `docs/cli.md`.
    pub const fn exit_code(&self) -> u8 {
        match self {
            #[cfg(feature = "arena")]
            Self::Arena(error) if error.is_stop() => crate::stop::STOPPED,
            #[cfg(feature = "arena")]
            Self::Arena(error) if error.is_failure() => FAILED,
            Self::Failed(_) => FAILED,
            _ => REFUSED,
        }
    }

    /// Whether the error is about the content of a file that could be read.
    #[cfg(feature = "arena")]
    const fn is_about_content(&self) -> bool {
        match self {
            Self::Failed(_) => true,
            Self::Packs { source, .. } => !matches!(source, InputError::Unreadable { .. }),
            Self::Arena(error) => error.is_about_content(),
            _ => false,
        }
    }
}

/// Runs the program with the given arguments, the first being its name.
///
/// # Errors
/// The error that ended the command early. If arguments are missing and the help is printed
/// instead, the process ends here.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Result<(), CliError> {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return usage_error::error(&error),
    };
    #[cfg(feature = "arena")]
    cli.color.choose();
    match &cli.command {
        None => bot::serve(&cli.bot),
        Some(Command::Play(args)) => bot::play(args),
        Some(Command::Perft(args)) => perft::run(args),
        Some(Command::Bench(args)) => bench::run(args),
        #[cfg(feature = "arena")]
        Some(Command::Arena(command)) => arena::run(command),
    }
}

/// The option `--json` of the commands that report.
#[derive(Args, Debug, Clone, Copy)]
struct JsonFlag {
    /// Print the report as JSON; docs/cli.md lists its keys.
    #[arg(long)]
    json: bool,
}

/// Reads a file of packs.
fn packs_file(path: &Path) -> Result<Packs, CliError> {
    let name = || shown(path).to_string();
    let file = File::open(path).map_err(|source| CliError::Unreadable { path: name(), source })?;
    read_packs(BufReader::new(file)).map_err(|source| CliError::Packs { path: name(), source })
}

/// Prints text for people on standard output, made safe for a terminal ([`screen`]). A closed pipe
/// is no error, because its reader wants no more.
fn print(text: &str) -> Result<(), CliError> {
    print_data(&screen(text))
}

/// Writes text for programs to standard output, byte by byte.
fn print_data(text: &str) -> Result<(), CliError> {
    let mut output = io::stdout().lock();
    written(output.write_all(text.as_bytes()).and_then(|()| output.flush()))
}

/// Turns the result of a write to standard output into that of a command. A closed pipe is no
/// error, because its reader wants no more.
fn written(result: io::Result<()>) -> Result<(), CliError> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(CliError::Output(error)),
        _ => Ok(()),
    }
}

/// Prints `value` as JSON on standard output, with what a terminal would take for codes as
/// `\u001b`.
fn print_json(value: &impl Serialize) -> Result<(), CliError> {
    let text = serde_json::to_string_pretty(value).map_err(io::Error::from)?;
    print_data(&(json(&text) + "\n"))
}

/// Prints a message about the file `output` that was written: on standard output, or on standard
/// error if the file itself went to standard output.
#[cfg(feature = "arena")]
fn print_beside(output: &Path, text: &str) -> Result<(), CliError> {
    if is_standard_output(output) {
        text.lines().for_each(crate::message::line);
        return Ok(());
    }
    print(text)
}

/// Parses a number of threads. More than [`MOST_THREADS`] could use up all processes that the
/// system allows.
fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let threads = text.parse().ok().filter(|threads: &NonZeroUsize| threads.get() <= MOST_THREADS);
    threads.ok_or_else(|| format!("expected a whole number from 1 to {MOST_THREADS}"))
}

/// Starts the search threads: `threads`, or one for each core.
fn start_threads(threads: Option<NonZeroUsize>) -> Result<(), CliError> {
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = threads {
        pool = pool.num_threads(threads.get());
    }
    let pool = pool.build_global();
    pool.map_err(|error| CliError::Refused(format!("cannot start threads: {error}")))
}

/// Parses a gauge.
fn gauge(text: &str) -> Result<Gauge, String> {
    let gauge = text.parse().ok().and_then(Gauge::new);
    gauge.ok_or_else(|| "expected a gauge, 0 to 100".to_owned())
}

/// The values of `--backend`.
const BACKENDS: &str = if cfg!(feature = "arena") {
    "avx512|avx2|portable|bitboard|reference"
} else {
    "avx512|avx2|portable"
};

/// Parses a backend, which must be available here.
fn backend(text: &str) -> Result<Backend, String> {
    let backend: Backend = clap::ValueEnum::from_str(text, false)
        .map_err(|_| "expected one of these names".to_owned())?;
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
