//! The messages about a running request to its host, and the control by which the host stops it.

use std::sync::Arc;

use serde::Serialize;

use super::puzzle_data::PuzzleData;
use super::reviewed_turn::ReviewedTurn;
use crate::search::SearchControl;

/// A message about a running request.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ProgressReport {
    /// Simulated drops of the running search; a host makes this message from
    /// [`SearchControl::nodes`].
    Nodes {
        /// The number of drops since the request began.
        nodes: u64,
    },
    /// A turn was reviewed.
    Turn {
        /// The turn, 0 to 499.
        turn: usize,
        /// The number of turns that are done.
        done: usize,
        /// The number of turns of the request.
        of: usize,
        /// The review of the turn.
        review: Box<ReviewedTurn>,
    },
    /// A turn was searched for puzzles.
    Puzzles {
        /// The number of turns that are done.
        done: usize,
        /// The number of turns of the request.
        of: usize,
        /// The puzzles of the turn.
        found: Vec<PuzzleData>,
    },
}

/// The host of a request.
pub trait Progress {
    /// Takes a message.
    fn report(&mut self, progress: ProgressReport);

    /// The control of the request's searches. A host sets its stop flag, possibly from another
    /// thread, to end the request with [`ErrorCode::Stopped`](super::ErrorCode::Stopped).
    fn control(&self) -> &Arc<SearchControl>;
}

/// A host that takes no messages and stops no request.
#[derive(Debug, Default)]
pub struct NoProgress(Arc<SearchControl>);

impl Progress for NoProgress {
    fn report(&mut self, _: ProgressReport) {}

    fn control(&self) -> &Arc<SearchControl> {
        &self.0
    }
}
