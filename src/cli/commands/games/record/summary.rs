//! A game in a few words.

use serde::Serialize;

use crate::game::Seat;
use crate::record::Record;

/// A game in a few words.
#[derive(Serialize)]
pub struct RecordSummary {
    #[serde(skip)]
    /// The game in one line.
    pub summary: String,
    /// The players' names, by seat.
    names: [String; 2],
    /// The result and how the game ended, in words.
    outcome: String,
    /// Number of turns that were played.
    turns: usize,
    /// The players' scores, by seat.
    scores: [u64; 2],
}

impl RecordSummary {
    /// Describes the game of `record`.
    pub fn of(record: &Record) -> Self {
        Self {
            summary: summary(record),
            names: Seat::BOTH.map(|seat| record.name(seat)),
            outcome: record.outcome(),
            turns: record.turns.len(),
            scores: record.result.scores.map(Into::into),
        }
    }
}

/// Describes the players and the result of a game.
pub fn summary(record: &Record) -> String {
    let [first, second] = Seat::BOTH.map(|seat| record.name(seat));
    format!("{first} - {second}: {}", record.outcome())
}
