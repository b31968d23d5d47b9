//! What can be wrong with a bot's input.

use std::fmt;
use std::io;

use thiserror::Error;

/// Input that is not what the protocol says.
#[derive(Debug, Error)]
pub enum InputError {
    /// A line that is not what was due.
    #[error("input line {line}, {part}: expected {expected}, found {found}")]
    Unexpected {
        /// The line, from 1.
        line: u64,
        /// What it belongs to.
        part: Part,
        /// What was due.
        expected: String,
        /// What was there.
        found: String,
    },
    /// The input could not be read.
    #[error("input line {line}: cannot read: {source}")]
    Unreadable {
        /// The line, from 1.
        line: u64,
        /// Why.
        source: io::Error,
    },
}

/// The part of the input that a line belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// A pack of the game, from 0.
    Pack(usize),
    /// The line with a turn's number, after so many packs and turns.
    TurnNumber,
    /// A line about a turn: its number, and what the line is about.
    Turn(usize, &'static str),
    /// A row of a field at a turn: whose, and which from the top, from 1.
    FieldRow(usize, &'static str, usize),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pack(pack) => write!(f, "pack {pack}"),
            Self::TurnNumber => f.write_str("start of a turn"),
            Self::Turn(turn, about) => write!(f, "turn {turn}, {about}"),
            Self::FieldRow(turn, whose, row) => {
                write!(f, "turn {turn}, {whose} field, row {row} from the top")
            }
        }
    }
}
