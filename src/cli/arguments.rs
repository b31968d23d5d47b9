//! Arguments that several commands have, and the parsers of their values.

use std::num::NonZeroUsize;

use clap::builder::{EnumValueParser, TypedValueParser};

use super::error::CliError;
use crate::board::backend::Backend;
use crate::engine::MOST_THREADS;
use crate::game::Seat;

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

/// The parser of a backend, which must be available here.
pub fn backend() -> impl TypedValueParser<Value = Backend> {
    EnumValueParser::<Backend>::new().try_map(|backend| match backend.is_available() {
        true => Ok(backend),
        false => Err("this processor lacks its instructions".to_owned()),
    })
}
