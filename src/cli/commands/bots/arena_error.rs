//! The errors of the commands that need the arena.

use std::path::PathBuf;

use thiserror::Error;

use crate::arena::league::LeagueError;
use crate::arena::submission::SubmissionError;
use crate::arena::tuning::TuningError;
use crate::arena::{Failure, FolderError, StartError};
use crate::cli::error::CliError;
use crate::record::RecordError;
use crate::record::official::ReplayError;
use crate::util::numbers::counted;
use crate::util::sanitize::shown;
use crate::web::server::ServerError;

/// The errors of the commands that need the arena.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// The command of a bot is wrong or cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The record of a game is wrong or cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file of the official client is wrong or cannot be used.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The folder of a match is wrong or cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The folder of a league is wrong or cannot be used.
    #[error(transparent)]
    League(#[from] LeagueError),
    /// The server does not start.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// The folder of a tuning is wrong or cannot be used.
    #[error(transparent)]
    Tuning(#[from] TuningError),
    /// A submission is wrong or cannot be made.
    #[error(transparent)]
    Submission(#[from] SubmissionError),
    /// A signal, such as that of Ctrl-C, ended a game that is not kept.
    #[error("stopped before the end of the game")]
    Stopped,
    /// A signal, such as that of Ctrl-C, ended the command before all was done.
    #[error("stopped: {0}")]
    StoppedAfter(String),
    /// The commands in the folder of a match were not given by this user.
    #[error(
        "{}: its commands may not be yours: the match was started by another user, on another \
         machine or in another working folder, or was changed since; add --trust to run {commands}",
        shown(path)
    )]
    Untrusted {
        /// The folder of the match.
        path: PathBuf,
        /// The engines' commands.
        commands: String,
    },
    /// A failure ended the match early.
    #[error(
        "{failure}; {} played, {kept} kept{}",
        counted(.played, "game"),
        resume.as_ref().map_or_else(String::new, |resume| format!("; resume with: {resume}"))
    )]
    Broken {
        /// The failure.
        failure: Failure,
        /// Number of finished games.
        played: usize,
        /// Number of games that have a record.
        kept: usize,
        /// The command that plays the remaining games; `None` if the folder is gone.
        resume: Option<String>,
    },
    /// A signal, such as that of Ctrl-C, ended the match.
    #[error(
        "stopped after {}; finished games are kept; resume with: {resume}",
        counted(.played, "game")
    )]
    Interrupted {
        /// Number of finished games.
        played: usize,
        /// The command that plays the remaining games.
        resume: String,
    },
}

impl ArenaError {
    /// Whether the error means that a signal stopped the program.
    pub const fn is_stop(&self) -> bool {
        matches!(
            self,
            Self::Stopped
                | Self::StoppedAfter(_)
                | Self::Interrupted { .. }
                | Self::Submission(SubmissionError::Stopped)
        )
    }

    /// Whether the error is the result of the command: a bot that does not start by its own fault, or a submission
    /// that fails on the runner.
    pub const fn is_failure(&self) -> bool {
        let start = match self {
            Self::Start(start)
            | Self::Broken { failure: Failure::Start(start), .. }
            | Self::Tuning(TuningError::Game(Failure::Start(start))) => start,
            Self::Broken { failure: Failure::NoStart(_), .. } => return true,
            Self::Submission(error) => return matches!(error, SubmissionError::Failed { .. }),
            _ => return false,
        };
        !matches!(
            start,
            StartError::Words(_) | StartError::NotLinux(_) | StartError::Machine { .. }
        )
    }

    /// Whether the error is about the content of a file that could be read.
    pub const fn is_about_content(&self) -> bool {
        match self {
            Self::Record(error) | Self::Replay(ReplayError::File(error)) => {
                matches!(error, RecordError::Format { .. } | RecordError::OtherKind { .. })
            }
            Self::Replay(_) | Self::Folder(FolderError::WrongManifest { .. }) => true,
            _ => false,
        }
    }
}

impl<E: Into<ArenaError>> From<E> for CliError {
    fn from(error: E) -> Self {
        Self::Arena(error.into())
    }
}
