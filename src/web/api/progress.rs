//! The messages about a request: those of a running one, by which its host can stop it, and the
//! lines that a host writes.

use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;

use super::client_error::ApiError;
use super::puzzle_data::PuzzleData;
use super::reviewed_turn::ReviewedTurn;
use crate::search::SearchControl;

/// A message of a host about a request, with its kind as the only key: any number of `progress`,
/// then one `result` or `error`.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Message<'a> {
    /// The request runs.
    Progress(&'a ProgressReport),
    /// The request has this result.
    Result(&'a RawValue),
    /// The request has no result.
    Error(&'a ApiError),
}

impl<'a> Message<'a> {
    /// The last message about a request.
    pub fn of(outcome: &'a Result<Box<RawValue>, ApiError>) -> Self {
        outcome.as_deref().map_or_else(Self::Error, Self::Result)
    }

    /// The message as JSON in one line, without a line break.
    pub fn json(&self) -> String {
        // The keys of all parts are strings, so that this cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

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
    /// A turn was reviewed, or more is known about it.
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
