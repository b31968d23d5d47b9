//! Errors in a bot's input.

use std::fmt;
use std::io;

use thiserror::Error;

/// Input that does not follow the protocol.
#[derive(Debug, Error)]
pub enum InputError {
    /// A line that is not the expected one.
    #[error("input line {line}, {part}: expected {expected}, found {found}")]
    Unexpected {
        /// The line, from 1.
        line: u64,
        /// The part of the input that the line belongs to.
        part: InputPart,
        /// The expected content.
        expected: String,
        /// The actual content.
        found: String,
        /// Whether the input ends here: before this line, or with it and without an end of line.
        is_end: bool,
    },
    /// The input could not be read.
    #[error("input line {line}: cannot read: {source}")]
    Unreadable {
        /// The line, from 1.
        line: u64,
        /// The reason.
        source: io::Error,
    },
}

impl InputError {
    /// Whether the input ends within a message, so that all before that message is as it was sent.
    ///
    /// The input of a bot that was killed ends so, also within a line.
    pub const fn is_truncation(&self) -> bool {
        matches!(self, Self::Unexpected { is_end: true, .. })
    }
}

/// The part of the input that a line belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputPart {
    /// A pack of the game, from 0.
    Pack(usize),
    /// The line with a turn's number.
    TurnNumber,
    /// A line about a turn: the turn's number, and the subject of the line.
    Turn(usize, &'static str),
    /// A row of a field at a turn: the turn's number, the owner, and the row from the top, counted
    /// from 1.
    FieldRow(usize, &'static str, usize),
}

impl fmt::Display for InputPart {
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
