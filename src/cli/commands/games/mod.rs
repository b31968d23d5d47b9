//! Commands that show, search and convert games.

mod analyse;
mod packs;
pub mod record;
pub mod replay;
mod search_args;

use clap::Subcommand;

use crate::cli::error::CliError;

/// The commands that show, search and convert games.
#[derive(Subcommand, Debug)]
pub enum GamesCommand {
    /// Show a recorded game, search its turns again, play on from one.
    Replay(Box<replay::ReplayArgs>),
    /// Check and convert recorded games, make pages and puzzles of them.
    #[command(subcommand)]
    Record(record::RecordCommand),
    /// Analyse drawn fields: chains, potential, triggers, the skill.
    #[command(alias = "analyze")]
    Analyse(analyse::AnalyseArgs),
    /// Generate the packs of games, check files of packs.
    #[command(subcommand)]
    Packs(packs::PacksCommand),
}

/// Runs `command`.
pub fn run(command: &GamesCommand) -> Result<(), CliError> {
    match command {
        GamesCommand::Replay(args) => replay::run(args),
        GamesCommand::Record(command) => record::run(command),
        GamesCommand::Analyse(args) => analyse::run(args),
        GamesCommand::Packs(command) => packs::run(command),
    }
}
