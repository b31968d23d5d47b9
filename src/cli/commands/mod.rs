//! The commands that need the arena: a folder, or a file, for each group of the help.

pub mod arguments;
pub mod bots;
pub mod classic;
pub mod color;
mod dev;
mod files;
mod format;
mod game_files;
mod games;
pub mod help;
mod output;
mod play;
mod submission;
mod table;

use clap::Subcommand;

pub use crate::util::system::stop::STOPPED;

use super::error::CliError;
use crate::arena::process;
use crate::util::system;

/// The commands that the arena adds to the command line, by the groups of the help.
#[derive(Subcommand, Debug)]
pub enum ArenaCommand {
    #[command(flatten)]
    Play(play::PlayCommand),
    #[command(flatten)]
    Bots(bots::BotsCommand),
    #[command(flatten)]
    Games(games::GamesCommand),
    #[command(flatten)]
    Submission(submission::SubmissionCommand),
    /// Measurements, training, completions, man pages: to develop tensai.
    #[command(subcommand)]
    Dev(Box<dev::DevCommand>),
    /// Supervise a bot. The arena starts this command.
    #[command(hide = true)]
    Supervise,
    /// Become a bot. `supervise` starts this command.
    #[command(hide = true)]
    ExecBot,
    /// Open an address in the browser. `serve` starts this command.
    #[command(hide = true)]
    Browse {
        /// The address.
        url: String,
    },
}

/// Runs `command`. `command_line` makes the whole command line.
pub fn run(command: &ArenaCommand, command_line: fn() -> clap::Command) -> Result<(), CliError> {
    match command {
        ArenaCommand::Play(command) => play::run(command),
        ArenaCommand::Bots(command) => bots::run(command),
        ArenaCommand::Games(command) => games::run(command),
        ArenaCommand::Submission(command) => submission::run(command),
        ArenaCommand::Dev(command) => dev::run(command, command_line),
        ArenaCommand::Supervise => Ok(process::supervise()?),
        ArenaCommand::ExecBot => Ok(process::exec_bot()?),
        ArenaCommand::Browse { url } => Ok(system::browse(url)?),
    }
}
