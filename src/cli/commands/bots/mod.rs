//! Commands that play, check, rate and tune bots.

pub mod arena_error;
mod check_bot;
mod league;
mod logs;
pub mod match_;
mod stats;
mod tune;

use clap::Subcommand;

use crate::cli::error::CliError;

/// The commands that play, check, rate and tune bots.
#[derive(Subcommand, Debug)]
pub enum BotsCommand {
    /// Play bots against each other.
    Match(Box<match_::MatchArgs>),
    /// Run a league: engines come and go, one list rates them all.
    #[command(subcommand)]
    League(Box<league::LeagueCommand>),
    /// Tune parameters of an engine by games (SPSA).
    Tune(Box<tune::TuneArgs>),
    /// Check that a bot follows the protocol, edge cases included.
    CheckBot(check_bot::CheckBotArgs),
    /// Statistics, ratings and positions of recorded games.
    #[command(subcommand)]
    Stats(stats::StatsCommand),
}

/// Runs `command`.
pub fn run(command: &BotsCommand) -> Result<(), CliError> {
    match command {
        BotsCommand::Match(args) => match_::run(args),
        BotsCommand::League(command) => league::run(command),
        BotsCommand::Tune(args) => tune::run(args),
        BotsCommand::CheckBot(args) => check_bot::run(args),
        BotsCommand::Stats(command) => stats::run(command),
    }
}
