//! `tensai stats`: statistics, ratings, positions and foresight of recorded games.

mod engines;
mod foresight;
mod positions;
pub mod ratings;
mod text;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::cli::error::CliError;
use crate::game::TURNS;
use crate::util::system::stop::Stop;

/// The end of the help of `tensai stats`.
const EXAMPLE: &str = "Example:
  tensai stats engines games/A
  tensai stats ratings games/A games/B --anchor random=0";

/// The subcommands of `tensai stats`.
#[derive(Subcommand, Debug)]
#[command(after_help = EXAMPLE)]
pub enum StatsCommand {
    /// Statistics of engines: how games end, attacks, openings, time.
    Engines(engines::EnginesArgs),
    /// Rate the engines of all games in one list.
    Ratings(ratings::RatingsArgs),
    /// Write the positions of games for other programs, as JSON Lines.
    Positions(positions::PositionsArgs),
    /// What engines foresaw: counterattacks to first attacks, values of plans.
    Foresight(foresight::ForesightArgs),
}

/// The games of a command that reads those of many matches.
#[derive(Args, Debug)]
struct GamesArgs {
    /// Folders of matches and leagues, records of games, any folders of records, and files of the
    /// official client with their packs beside them. Engines are identified by their names. Games
    /// that were stopped are left out; a game with several equal records counts once.
    #[arg(value_name = "FOLDER|FILE", required = true)]
    paths: Vec<PathBuf>,
}

fn turns(text: &str) -> Result<NonZeroUsize, String> {
    let turns = text.parse().ok().filter(|turns: &NonZeroUsize| turns.get() <= TURNS);
    turns.ok_or_else(|| format!("expected a whole number from 1 to {TURNS}"))
}

/// Runs `command`.
pub fn run(command: &StatsCommand) -> Result<(), CliError> {
    // A draft of a file of positions is removed.
    if !matches!(command, StatsCommand::Positions(_)) {
        Stop::at_once()?;
    }
    match command {
        StatsCommand::Engines(args) => engines::run(args),
        StatsCommand::Ratings(args) => ratings::run(args),
        StatsCommand::Positions(args) => positions::run(args),
        StatsCommand::Foresight(args) => foresight::run(args),
    }
}
