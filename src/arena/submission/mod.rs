//! The zip that is submitted, and a copy of the contest's runner to check it.
//!
//! The contest's runner unpacks a zip on a machine with one core, 1 GB of memory and no network,
//! runs `compile.sh`, then `run.sh`, and shows almost nothing of a failure. In this module
//!
//! * [`pack()`] makes the zip of a commit: the bot's sources ([`cargo_manifest`]), all crates that they
//!   need, and binaries for a machine without Rust;
//! * [`archive`] writes the zip, with equal bytes for equal files;
//! * [`check()`] builds and plays the zip as the contest's runner does, on a [`ContestRunner`] with
//!   the runner's limits, and reports each step.

pub mod archive;
pub mod cargo_manifest;
mod check_zip;
mod pack;
mod runner;
mod work_folder;

use std::io;
use std::path::Path;

use crate::util::sanitize::shown;
use thiserror::Error;

pub use check_zip::{CheckOptions, CheckStep, ScriptRun, check};
pub use pack::{Packed, SubmissionKind, pack};
pub use runner::ContestRunner;

/// The file whose presence makes a submission a self-test.
pub const SELFTEST: &str = "SELFTEST";

/// The reasons why a zip cannot be made or fails the check.
#[derive(Debug, Error)]
pub enum SubmissionError {
    /// A file or program cannot be used, or a requirement is not met.
    #[error("{0}")]
    Refused(String),
    /// A signal, such as that of Ctrl-C, stopped the command.
    #[error("stopped")]
    Stopped,
    /// The submission fails on the runner.
    #[error("{file}: {reason}")]
    Failed {
        /// The script or file of the submission.
        file: String,
        /// The failure.
        reason: String,
    },
}

impl SubmissionError {
    /// Makes an error about a file from an error of the operating system.
    fn file(path: &Path, verb: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Refused(format!("{}: cannot {verb}: {source}", shown(path)))
    }
}
