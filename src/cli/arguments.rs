//! Arguments that several commands have, and the parsers of their values.

use std::num::NonZeroUsize;

use super::error::CliError;
pub use super::values::{backend, named};
use crate::engine::{MOST_THREADS, PlannerParameters};
use crate::game::Seat;

/// Parses a number of threads. More than [`MOST_THREADS`] could use up all processes that the
/// system allows.
pub fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let threads = text.parse().ok().filter(|threads: &NonZeroUsize| threads.get() <= MOST_THREADS);
    threads.ok_or_else(|| format!("expected a whole number from 1 to {MOST_THREADS}"))
}

/// Parses a setting of the planner, as NAME=VALUE.
pub fn setting(text: &str) -> Result<String, String> {
    PlannerParameters::default().set(text).map(|()| text.to_owned())
}

/// The parameters of the planner: the default values, changed by `settings` that [`setting`] has parsed.
pub fn planner_parameters(settings: &[String]) -> PlannerParameters {
    let mut parameters = PlannerParameters::default();
    for setting in settings {
        parameters.set(setting).expect("the parser has tried it");
    }
    parameters
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
