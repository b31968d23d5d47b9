//! Commands by which a person plays.

mod human;
mod serve;

use clap::Subcommand;

use crate::cli::error::CliError;

/// The commands by which a person plays.
#[derive(Subcommand, Debug)]
pub enum PlayCommand {
    /// Play against this program in a terminal.
    Play(human::PlayArgs),
    /// Play, watch and analyse games in a browser.
    Serve(serve::ServeArgs),
}

/// Runs `command`.
pub fn run(command: &PlayCommand) -> Result<(), CliError> {
    match command {
        PlayCommand::Play(args) => human::run(args),
        PlayCommand::Serve(args) => serve::run(args),
    }
}
