//! The zip that is handed in, and the runner that it has to please.
//!
//! The contest's runner unpacks a zip on a machine with one core, 1 GB of memory and no network,
//! runs `compile.sh`, then `run.sh`, and shows next to nothing of what goes wrong. Here
//!
//! * [`pack`] makes the zip of a commit: the bot's sources ([`manifest`]), all crates that they
//!   need, and binaries for a machine without Rust;
//! * [`archive`] writes it, the same bytes for the same files;
//! * [`check`] does what the runner does, on a [`Runner`] as poor as that one, and tells of it.

pub mod archive;
pub mod check;
pub mod manifest;
mod pack;
mod runner;

use std::io;
use std::path::{Path, PathBuf};

use crate::foreign_text::shown;
use thiserror::Error;

pub use pack::{Kind, Packed, pack};
pub use runner::Runner;

/// The file whose presence makes a submission a self-test.
pub const SELFTEST: &str = "SELFTEST";

/// Why there is no zip, or why one does not do.
#[derive(Debug, Error)]
pub enum SubmissionError {
    /// A program that is needed does not start, or fails.
    #[error("`{command}` {what}")]
    Tool {
        /// The program and what it was to do.
        command: String,
        /// What came of it.
        what: String,
    },
    /// A file cannot be read or written.
    #[error("{}: cannot {verb}: {source}", shown(path))]
    File {
        /// The file.
        path: PathBuf,
        /// What was tried.
        verb: &'static str,
        /// Why it failed.
        source: io::Error,
    },
    /// An archive that cannot be read or written.
    #[error("{}: {source}", shown(path))]
    Zip {
        /// The archive.
        path: PathBuf,
        /// What is wrong with it.
        source: zip::result::ZipError,
    },
    /// The project's manifest.
    #[error("Cargo.toml: {0}")]
    Manifest(String),
    /// Something is not as it must be.
    #[error("{0}")]
    Refused(String),
    /// Ctrl-C, or the like.
    #[error("stopped")]
    Stopped,
    /// The submission does not do on the runner.
    #[error("{file}: {what}")]
    Failed {
        /// The part of it.
        file: String,
        /// What is wrong.
        what: String,
    },
}

impl SubmissionError {
    /// An error about a file, from what the system says.
    fn file(path: &Path, verb: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { path: path.to_owned(), verb, source }
    }
}
