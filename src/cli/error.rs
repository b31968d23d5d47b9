//! The errors of the commands, and their exit codes.

use std::io;

use super::commands::{ArenaError, STOPPED};
use crate::engine::ServeError;
use crate::protocol::InputError;
use thiserror::Error;

/// The errors of the commands, with messages for people.
#[derive(Debug, Error)]
pub enum CliError {
    /// The bot's input or output failed.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// A command of the arena failed.
    #[error(transparent)]
    Arena(ArenaError),
    /// A file of packs is wrong.
    #[error("{path}: {source}")]
    Packs {
        /// The file.
        path: String,
        /// The mistake in it.
        source: Box<InputError>,
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
    /// The command has done its check, and the checked file or bot does not pass.
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
            Self::Arena(error) if error.is_stop() => STOPPED,
            Self::Arena(error) if error.is_failure() => FAILED,
            Self::Failed(_) => FAILED,
            _ => REFUSED,
        }
    }

    /// Whether the error is about the content of a file that could be read.
    pub fn is_about_content(&self) -> bool {
        match self {
            Self::Failed(_) => true,
            Self::Packs { source, .. } => !matches!(**source, InputError::Unreadable { .. }),
            Self::Arena(error) => error.is_about_content(),
            _ => false,
        }
    }
}
