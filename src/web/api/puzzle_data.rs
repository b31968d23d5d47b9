//! Puzzles as pages and files have them.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::client_error::ApiError;
use super::game_data::{PositionData, packs_of};
use crate::analysis::PuzzleKind;
use crate::analysis::puzzle::{MOST_PACKS, Puzzle};
use crate::game::{Action, Cells, Pack, State, TURNS};
use crate::record;
use crate::util::sanitize::quoted;

/// A puzzle. The player of the first seat solves it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PuzzleData {
    /// A name for the puzzle, unique among the puzzles of the same games.
    pub id: String,
    /// The position, with the packs of the puzzle.
    pub position: PositionData,
    /// The kind of the goal.
    pub kind: PuzzleKind,
    /// The rounds of the chain to set off, for [`PuzzleKind::Chain`]; else 0.
    #[serde(default)]
    pub goal: u8,
    /// The number of packs, which is the number of turns.
    pub packs: usize,
    /// The difficulty, 1 to 5.
    pub difficulty: u8,
    /// The number of solutions, found by trying all actions.
    pub solutions: u64,
    /// The first solution.
    pub solution: Vec<String>,
}

/// A file of puzzles.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PuzzleFile {
    /// `tensai record puzzles`.
    pub format: String,
    /// The version of the format: 1.
    pub version: u32,
    /// The puzzles.
    pub puzzles: Vec<PuzzleData>,
}

/// The value of `format` in a file of puzzles.
const FORMAT: &str = "tensai puzzles";

/// The newest version of the format.
const VERSION: u32 = 1;

/// The values of [`PuzzleData::difficulty`].
const DIFFICULTIES: RangeInclusive<u8> = 1..=5;

/// The most puzzles of a file.
const MOST_PUZZLES: usize = 100_000;

impl PuzzleData {
    /// Describes `puzzle`, named `id`.
    pub fn of(puzzle: &Puzzle, id: String) -> Self {
        let solution = puzzle.solution.iter().map(Action::to_string);
        Self {
            id,
            position: PositionData::of(&puzzle.state, &puzzle.packs, None),
            kind: puzzle.goal.kind,
            goal: puzzle.goal.chain.0,
            packs: puzzle.packs.len(),
            difficulty: puzzle.difficulty,
            solutions: puzzle.solutions,
            solution: solution.collect(),
        }
    }

    /// Returns the state and the packs.
    ///
    /// # Errors
    /// The position is none, or has too few packs. The error names `place`.
    pub fn position(&self, place: &str) -> Result<(State<Cells>, Vec<Pack>), ApiError> {
        let state = self.position.state(&format!("{place}position"))?;
        let packs = packs_of(&self.position.packs, &format!("{place}position.packs"))?;
        let most = MOST_PACKS.min(TURNS - state.turn).min(packs.len());
        if !(1..=most).contains(&self.packs) {
            let found = self.packs;
            let reason = format!("`{place}packs`: expected 1 to {most}, found {found}");
            return Err(ApiError::bad_request(reason));
        }
        Ok((state, packs[..self.packs].to_vec()))
    }

    /// Checks what a page shows of the puzzle. The error names `place`.
    fn check(&self, place: &str) -> Result<(), ApiError> {
        let (_, packs) = self.position(place)?;
        let invalid = |reason: String| Err(ApiError::bad_request(format!("`{place}{reason}")));
        if !DIFFICULTIES.contains(&self.difficulty) {
            return invalid(format!("difficulty`: expected 1 to 5, found {}", self.difficulty));
        }
        if self.solution.len() > packs.len() {
            let (most, found) = (packs.len(), self.solution.len());
            return invalid(format!("solution`: expected at most {most} actions, found {found}"));
        }
        for (index, action) in self.solution.iter().enumerate() {
            if let Err(error) = action.parse::<Action>() {
                let action = quoted(action);
                return invalid(format!("solution[{index}]`: {error}, found {action}"));
            }
        }
        Ok(())
    }
}

impl PuzzleFile {
    /// The file of these puzzles.
    pub fn new(puzzles: Vec<PuzzleData>) -> Self {
        Self { format: FORMAT.to_owned(), version: VERSION, puzzles }
    }

    /// Reads a file of puzzles. Solutions are not proven again.
    ///
    /// # Errors
    /// The text is no such file, or a position in it is none; the message says why, in one line.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let file: Self = record::parse(text, FORMAT, VERSION)?;
        if file.puzzles.len() > MOST_PUZZLES {
            let found = file.puzzles.len();
            return Err(format!("expected at most {MOST_PUZZLES} puzzles, found {found}"));
        }
        for (index, puzzle) in file.puzzles.iter().enumerate() {
            puzzle.check(&format!("puzzles[{index}].")).map_err(|error| error.message)?;
        }
        Ok(file)
    }
}
