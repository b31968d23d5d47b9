//! `tensai match`: bots against each other.

mod engines;
mod merge;
mod new_match;
mod options;
mod options_file;
mod play;
mod progress;
mod ratings;
mod report;
mod results;
mod resume;
mod serve;
pub(in crate::cli) mod slots;
pub(in crate::cli) mod spectator;

use clap::{Args, Subcommand};

pub(in crate::cli) use report::APART;
pub(in crate::cli) use spectator::faults;

pub(in crate::cli) use self::engines::EngineConfigs;
use self::merge::MergeArgs;
use self::new_match::NewMatchArgs;
pub(in crate::cli) use self::new_match::pack_source;
pub use self::options::MatchOptions;
pub(in crate::cli) use self::options::{
    CLOCKS, ENGINES, RESULTS, RUNNING, SCHEDULE, ServeArgs, SlotArgs,
};
#[cfg(test)]
pub(crate) use self::results::Results;
use self::resume::ResumeArgs;
pub(in crate::cli) use self::serve::{Listening, LivePage};
use crate::arena::{EngineConfig, Manifest, Standing, Starts};
use crate::cli::error::CliError;
use crate::record::plain;
use crate::util::numbers::counted;
use crate::util::sanitize::{LINE, NAME, visible};

/// The end of the help.
const TURNS: &str = "Example:
  tensai match --engine cmd=./bot name=mine --engine cmd=tensai --rounds 10

Turns are numbered from 0 to 499, seats 0 and 1, games and rounds from 1.";

/// Arguments of `tensai match`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
#[command(after_help = TURNS)]
pub struct MatchArgs {
    #[command(subcommand)]
    command: Option<MatchCommand>,

    #[command(flatten)]
    new: NewMatchArgs,
}

/// The subcommands of `tensai match`.
#[derive(Subcommand, Debug)]
enum MatchCommand {
    /// Play a new match, as without a subcommand.
    #[command(hide = true, after_help = TURNS)]
    Run(Box<NewMatchArgs>),
    /// Play the games of a match that are missing.
    Resume(Box<ResumeArgs>),
    /// Merge the parts of a match, and report the results.
    Merge(MergeArgs),
}

/// Plays the games and prints the results, or merges parts of a match.
pub fn run(args: &MatchArgs) -> Result<(), CliError> {
    match &args.command {
        None => args.new.plan()?.play(),
        Some(MatchCommand::Run(args)) => args.plan()?.play(),
        Some(MatchCommand::Resume(args)) => args.plan()?.play(),
        Some(MatchCommand::Merge(args)) => merge::run(args),
    }
}

/// Checks that each engine has started in at least one of its games: the results of an engine that
/// never starts say nothing about its strength.
pub(in crate::cli) fn check_starts(starts: &Starts) -> Result<(), CliError> {
    let engines: Vec<String> = starts
        .never()
        .map(|(name, games, reason)| {
            format!("{name} has not started in {}: {}", counted(games, "game"), plain(reason))
        })
        .collect();
    if engines.is_empty() { Ok(()) } else { Err(CliError::Failed(engines.join("; "))) }
}

/// Refuses to test games in which an engine did not start: they say nothing about strength, and a
/// broken program of one version would make the test accept the other version.
pub(in crate::cli) fn check_tested(
    manifest: &Manifest,
    standing: &Standing,
) -> Result<(), CliError> {
    let found = standing.first_no_start().filter(|_| manifest.sprt.is_some());
    let Some((game, engine, reason)) = found else { return Ok(()) };
    let (engine, reason) = (visible(engine, NAME), plain(reason));
    Err(CliError::Refused(format!(
        "--sprt: {engine} did not start in game {game} ({reason}): a test does not count such games: \
         correct the engine, remove their records, and play them again"
    )))
}

/// Quotes the commands of `engines`, which stand in the file `file`. Only the first few are quoted,
/// to limit the length of the message.
pub(in crate::cli) fn quoted_commands(engines: &[EngineConfig], file: &str) -> String {
    const LISTED: usize = 6;
    let commands = engines.iter().take(LISTED).map(quoted_command);
    let commands = commands.collect::<Vec<_>>().join(", ");
    match engines.len().checked_sub(LISTED) {
        None | Some(0) => commands,
        Some(more) => format!("{commands} and {more} more in {file}"),
    }
}

/// Quotes the command of `engine`, with its variables and folder.
fn quoted_command(engine: &EngineConfig) -> String {
    let dir = engine
        .dir
        .as_ref()
        .map_or_else(String::new, |dir| format!(" in {}", visible(&dir.to_string_lossy(), NAME)));
    let env = engine.env.iter().map(|(name, value)| format!("{name}={value} "));
    let command = env.collect::<String>() + &engine.cmd;
    format!("`{}`{dir}", visible(&command, LINE))
}
