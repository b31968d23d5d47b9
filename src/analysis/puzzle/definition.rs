//! The parts of a puzzle: its goal, its packs, its solutions.

use serde::{Deserialize, Serialize};

use crate::board::Field;
use crate::game::{Action, Cells, Chain, Pack, State, Step};

/// The kind of a puzzle's goal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PuzzleKind {
    /// Set off a chain of a given length. The opponent does nothing.
    Chain,
    /// Stay below the danger line under the rows that are due. The opponent does nothing.
    Survive,
    /// Win against every reply of the opponent.
    Kill,
}

impl PuzzleKind {
    /// The name, as in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chain => "chain",
            Self::Survive => "survive",
            Self::Kill => "kill",
        }
    }
}

/// The most packs of a puzzle: with four, a position has 2 million lines of one player.
pub const MOST_PACKS: usize = 4;

/// A goal within the packs of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The kind.
    pub kind: PuzzleKind,
    /// The rounds of the chain to set off; 0 for the other kinds.
    pub chain: Chain,
}

impl Goal {
    /// Whether a step reaches the goal, with `left` packs after it.
    pub(super) fn is_reached(self, step: &Step<Field>, left: usize) -> bool {
        let lives = !step.player.field.is_over();
        match self.kind {
            PuzzleKind::Chain => lives && step.chain >= self.chain,
            PuzzleKind::Survive => lives && left == 0,
            PuzzleKind::Kill => false,
        }
    }
}

/// A puzzle. The player of the first seat solves it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The position.
    pub state: State<Cells>,
    /// The packs, one a turn.
    pub packs: Vec<Pack>,
    /// The goal.
    pub goal: Goal,
    /// The number of solutions.
    pub solutions: u64,
    /// The first solution; against the longest resistance, if the opponent resists.
    pub solution: Vec<Action>,
    /// The difficulty, 1 to 5: the decimal logarithm of the lines that were tried for each
    /// solution, less one, and one more for a long chain.
    pub difficulty: u8,
}
