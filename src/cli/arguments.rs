//! Arguments that several commands have, and the parsers of their values.

use std::num::NonZeroUsize;

#[cfg(feature = "arena")]
use clap::Args;
use clap::builder::{EnumValueParser, TypedValueParser};

use super::error::CliError;
use crate::backend::Backend;
use crate::engine::MOST_THREADS;
#[cfg(feature = "arena")]
use crate::game::Gauge;
use crate::game::Seat;

/// The option `--json` of the commands that report.
#[cfg(feature = "arena")]
#[derive(Args, Debug, Clone, Copy)]
pub struct JsonFlag {
    /// Print the report as JSON; docs/cli.md lists its keys.
    #[arg(long)]
    pub json: bool,
}

/// Parses a number of threads. More than [`MOST_THREADS`] could use up all processes that the
/// system allows.
pub fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let threads = text.parse().ok().filter(|threads: &NonZeroUsize| threads.get() <= MOST_THREADS);
    threads.ok_or_else(|| format!("expected a whole number from 1 to {MOST_THREADS}"))
}

/// Parses a seat.
pub fn seat(text: &str) -> Result<Seat, String> {
    let seat = Seat::BOTH.into_iter().find(|seat| seat.index().to_string() == text);
    seat.ok_or_else(|| "expected 0 or 1".to_owned())
}

/// Starts the search threads: `threads`, or one for each core.
pub fn start_threads(threads: Option<NonZeroUsize>) -> Result<(), CliError> {
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = threads {
        pool = pool.num_threads(threads.get());
    }
    let pool = pool.build_global();
    pool.map_err(|error| CliError::Refused(format!("cannot start threads: {error}")))
}

/// Parses a gauge.
#[cfg(feature = "arena")]
pub fn gauge(text: &str) -> Result<Gauge, String> {
    let gauge = text.parse().ok().and_then(Gauge::new);
    gauge.ok_or_else(|| "expected a gauge, 0 to 100".to_owned())
}

/// The parser of a backend, which must be available here.
pub fn backend() -> impl TypedValueParser<Value = Backend> {
    EnumValueParser::<Backend>::new().try_map(|backend| match backend.is_available() {
        true => Ok(backend),
        false => Err("this processor lacks its instructions".to_owned()),
    })
}
