//! The errors of the commands, and their exit codes.

use std::fmt::Display;
use std::io;

use super::commands::STOPPED;
use crate::engine::ServeError;
use thiserror::Error;

/// The errors of the commands, with messages for people.
#[derive(Debug, Error)]
pub enum CliError {
    /// The bot's input or output failed.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// The arguments are wrong, or the command cannot carry out the request.
    #[error("{0}")]
    Refused(String),
    /// The content of a file is wrong that could be read.
    #[error("{0}")]
    WrongContent(String),
    /// The command has done its check, and the checked file or bot does not pass.
    #[error("{0}")]
    Failed(String),
    /// A signal, such as that of Ctrl-C, ended the command before all was done.
    #[error("{0}")]
    Stopped(String),
}

/// The exit code if a check does not pass, or a bot does not start.
const FAILED: u8 = 1;

/// The exit code if the arguments are wrong, or an input or output cannot be used.
const REFUSED: u8 = 2;

impl CliError {
    /// The error of a command that a signal ended, with what it has `done`.
    pub fn stopped(done: impl Display) -> Self {
        Self::Stopped(format!("stopped: {done}"))
    }

    /// The error of a file or folder that cannot be read.
    pub fn unreadable(path: impl Display) -> impl Fn(io::Error) -> Self {
        move |source| Self::Refused(format!("{path}: cannot read: {source}"))
    }

    /// The exit code: 130 if a signal stopped the program, 1 if a check does not pass or a bot does
    /// not start, else 2. The table is in `docs/cli.md`.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Stopped(_) => STOPPED,
            Self::Failed(_) => FAILED,
            _ => REFUSED,
        }
    }

    /// Whether the error is about the content of a file that could be read.
    pub const fn is_about_content(&self) -> bool {
        matches!(self, Self::Failed(_) | Self::WrongContent(_))
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        Self::Refused(error.to_string())
    }
}
