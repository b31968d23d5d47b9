//! What stands for `commands` in a build of the bot alone: no command, no option.

use clap::{Args, Subcommand};

use super::error::CliError;

/// The exit code of a command that SIGINT, SIGTERM or SIGHUP has stopped.
pub const STOPPED: u8 = 130;

/// No command.
#[derive(Subcommand, Debug)]
pub enum ArenaCommand {}

/// Runs no command.
pub fn run(command: &ArenaCommand, _: fn() -> clap::Command) -> Result<(), CliError> {
    match *command {}
}

/// Colors: the bot prints none.
pub mod color {
    use super::Args;

    /// No option.
    #[derive(Args, Debug)]
    pub struct ColorArgs {}

    impl ColorArgs {
        /// Does nothing.
        pub const fn choose(&self) {}
    }
}

/// The classic engine, which a build of the bot alone leaves out.
pub mod classic {
    use super::Args;
    use crate::engine::Engine;

    /// No option.
    #[derive(Args, Debug, Clone)]
    pub struct ClassicArgs {}

    impl ClassicArgs {
        /// Never called: no value of `--engine` selects the classic engine.
        pub fn engine(&self) -> Box<dyn Engine> {
            unreachable!("no value of --engine selects the classic engine")
        }
    }
}

/// The help, which lists no commands.
pub mod help {
    /// Returns the command as it is.
    pub fn grouped(command: clap::Command) -> clap::Command {
        command
    }
}
