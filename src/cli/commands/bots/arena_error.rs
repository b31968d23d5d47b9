//! The errors of the arena and of its files as errors of commands, with their exit codes.

use std::path::Path;

use crate::arena::submission::SubmissionError;
use crate::arena::{Failure, FolderError, OtherKind, StartError};
use crate::cli::error::CliError;
use crate::protocol::InputError;
use crate::record::RecordError;
use crate::record::official::ReplayError;
use crate::util::numbers::counted;
use crate::util::sanitize::shown;
use crate::web::server::ServerError;

impl From<StartError> for CliError {
    fn from(error: StartError) -> Self {
        kind_of_start(&error)(error.to_string())
    }
}

/// A bot that does not start by its own fault is a result.
const fn kind_of_start(error: &StartError) -> fn(String) -> CliError {
    match error {
        StartError::Words(_) | StartError::NotLinux(_) | StartError::Machine { .. } => {
            CliError::Refused
        }
        _ => CliError::Failed,
    }
}

const fn kind_of_failure(failure: &Failure) -> fn(String) -> CliError {
    match failure {
        Failure::Start(start) => kind_of_start(start),
        Failure::NoStart(_) => CliError::Failed,
        _ => CliError::Refused,
    }
}

impl From<RecordError> for CliError {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Format { .. } | RecordError::OtherKind { .. } => {
                Self::WrongContent(error.to_string())
            }
            error => Self::Refused(error.to_string()),
        }
    }
}

impl From<ReplayError> for CliError {
    fn from(error: ReplayError) -> Self {
        match error {
            ReplayError::File(error) => error.into(),
            error => Self::WrongContent(error.to_string()),
        }
    }
}

impl From<FolderError> for CliError {
    fn from(error: FolderError) -> Self {
        match error {
            FolderError::WrongManifest { .. } => Self::WrongContent(error.to_string()),
            error => Self::Refused(error.to_string()),
        }
    }
}

impl From<OtherKind> for CliError {
    fn from(error: OtherKind) -> Self {
        Self::Refused(error.to_string())
    }
}

impl From<Failure> for CliError {
    fn from(failure: Failure) -> Self {
        kind_of_failure(&failure)(failure.to_string())
    }
}

impl From<SubmissionError> for CliError {
    fn from(error: SubmissionError) -> Self {
        let kind = match error {
            SubmissionError::Stopped => Self::Stopped,
            SubmissionError::Failed { .. } => Self::Failed,
            _ => Self::Refused,
        };
        kind(error.to_string())
    }
}

impl From<ServerError> for CliError {
    fn from(error: ServerError) -> Self {
        Self::Refused(error.to_string())
    }
}

/// The error of the packs in `path`.
pub fn wrong_packs(path: &Path, error: &InputError) -> CliError {
    let kind = match error {
        InputError::Unreadable { .. } => CliError::Refused,
        _ => CliError::WrongContent,
    };
    kind(format!("{}: {error}", shown(path)))
}

/// The error of commands in the folder `path` that were not given by this user.
pub fn untrusted(path: &Path, commands: &str) -> CliError {
    CliError::Refused(format!(
        "{}: its commands may not be yours: the match was started by another user, on another \
         machine or in another working folder, or was changed since; add --trust to run {commands}",
        shown(path)
    ))
}

/// The error of a `failure` that ended games early, of which `played` are finished and `kept` have a
/// record. `resume` is the command that plays the others; `None` if the folder is gone.
pub fn broken(failure: &Failure, played: usize, kept: usize, resume: Option<String>) -> CliError {
    let resume = resume.map_or_else(String::new, |resume| format!("; resume with: {resume}"));
    let played = counted(played, "game");
    kind_of_failure(failure)(format!("{failure}; {played} played, {kept} kept{resume}"))
}

/// The error of games that a signal ended, of which `played` are finished.
pub fn interrupted(played: usize, resume: &str) -> CliError {
    let played = counted(played, "game");
    CliError::Stopped(format!(
        "stopped after {played}; finished games are kept; resume with: {resume}"
    ))
}
