//! Options of the commands that search, and whether drawings have colors.

use std::io::{self, IsTerminal as _};
use std::num::{NonZeroU64, NonZeroUsize};
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::{BACKENDS, CliError, backend, start_threads, threads};
use crate::analysis::draw::Colors;
use crate::backend::Backend;
use crate::duration;

/// The limits, threads and backend of a search.
#[derive(Args, Debug, Clone)]
pub struct SearchArgs {
    /// Simulated drops for a decision, instead of time. With one thread the result is then the same
    /// on every machine.
    #[arg(long, value_name = "N")]
    pub nodes: Option<NonZeroU64>,

    /// Number of search threads [default: one for each core].
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZeroUsize>,

    /// The backend that simulates drops [default: the fastest on this processor].
    #[arg(long, value_name = BACKENDS, value_parser = backend)]
    backend: Option<Backend>,
}

/// Whether a drawing has colors.
#[derive(Args, Debug, Clone, Copy)]
pub struct Coloring {
    /// Draw with colors; auto: if standard output is a terminal.
    #[arg(long, value_enum, value_name = "auto|always|never", default_value = "auto")]
    color: When,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
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
}

impl Coloring {
    /// Returns whether drawings on the present standard output have colors.
    pub fn colors(self) -> Colors {
        let colored = match self.color {
            When::Auto => io::stdout().is_terminal(),
            When::Always => true,
            When::Never => false,
        };
        if colored { Colors::On } else { Colors::Off }
    }
}

/// Parses a duration longer than zero.
pub fn some_time(text: &str) -> Result<Duration, String> {
    let time = duration::parse(text)?;
    if time.is_zero() { Err("expected a time above 0, such as `5s`".to_owned()) } else { Ok(time) }
}
