//! Puzzles: positions in which a few packs suffice for a goal, proven by trying all actions.
//!
//! Two actions with the same effect count once: actions are compared by the field, the gauge and
//! the ojama that they leave.
//!
//! * In [`PuzzleKind::Chain`] and [`PuzzleKind::Survive`] the opponent sends no ojama, and none
//!   falls on it. A solution is a line of actions up to the goal.
//! * In [`PuzzleKind::Kill`] both players act at once. A solution is a first action after which the
//!   player can win within the packs of the puzzle against every reply of the opponent.

mod attempt;
mod definition;
mod exhaustive;
mod find;
#[cfg(test)]
mod tests;

pub use attempt::{Attempt, AttemptError, AttemptState, attempt};
pub use definition::{Goal, MOST_PACKS, Puzzle, PuzzleKind};
pub use find::find;
