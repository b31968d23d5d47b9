//! Options of the commands that search.

use std::num::{NonZeroU64, NonZeroUsize};

use clap::Args;

use crate::board::Backend;
use crate::cli::commands::arguments::{backend, start_threads, threads};
use crate::cli::error::CliError;

/// The limits, threads and backend of a search.
#[derive(Args, Debug, Clone)]
pub struct SearchArgs {
    /// Simulated drops for a decision, instead of time.
    ///
    /// With one thread the result is then the same on every machine.
    #[arg(long, value_name = "N")]
    pub nodes: Option<NonZeroU64>,

    /// Number of search threads [default: one for each core].
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZeroUsize>,

    /// The backend that simulates drops [default: the fastest on this processor].
    #[arg(long, value_parser = backend())]
    backend: Option<Backend>,
}

impl SearchArgs {
    /// Starts the search threads and selects the backend of the process.
    pub fn start(&self) -> Result<(), CliError> {
        start_threads(self.threads)?;
        Backend::choose(self.backend);
        Ok(())
    }

    /// The number of threads, if it is given.
    pub const fn threads(&self) -> Option<NonZeroUsize> {
        self.threads
    }

    /// The backend, if it is given.
    pub const fn backend(&self) -> Option<Backend> {
        self.backend
    }
}
