//! The threads and the backend of a measurement.

use std::num::NonZeroUsize;
use std::thread;

use clap::Args;

use crate::board::Backend;
use crate::cli::commands::arguments::{backend, threads};

/// The threads and the backend of a measurement.
#[derive(Args, Debug)]
pub struct WorkArgs {
    /// Number of threads; it does not change the result [default: one for each core].
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,

    /// The backend that simulates drops [default: the fastest on this processor].
    #[arg(long, value_parser = backend())]
    pub backend: Option<Backend>,
}

impl WorkArgs {
    /// The number of threads.
    pub fn threads(&self) -> NonZeroUsize {
        let threads = self.threads.or_else(|| thread::available_parallelism().ok());
        threads.unwrap_or(NonZeroUsize::MIN)
    }

    /// Chooses the backend of this process and returns it.
    pub fn choose_backend(&self) -> Backend {
        Backend::choose(self.backend)
    }
}
