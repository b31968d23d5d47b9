//! The actions of a player.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{DropColumn, Placement, Rotation};

/// The action of a player in a turn. Displayed and parsed as in the protocol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Drop the turn's pack.
    Drop(Placement),
    /// Use the skill; the turn's pack is discarded.
    Skill,
}

/// An answer that is not an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected `POSITION ROTATION` (0 to 8, 0 to 3) or `S`")]
pub struct ParseActionError;

impl FromStr for Action {
    type Err = ParseActionError;

    /// Parses an answer. Blanks around and between the words are ignored; signs, leading zeros, a
    /// lower-case `s` and further words are errors.
    fn from_str(answer: &str) -> Result<Self, ParseActionError> {
        let digit = |word: &str| match word.as_bytes() {
            [digit @ b'0'..=b'9'] => Some(digit - b'0'),
            _ => None,
        };
        let mut words = answer.split_ascii_whitespace();
        // Not collected: an answer in a file may have millions of words.
        match [words.next(), words.next(), words.next()] {
            [Some("S"), None, None] => Some(Self::Skill),
            [Some(column), Some(rotation), None] => (|| {
                let column = DropColumn::new(digit(column)?)?;
                let rotation = Rotation::new(digit(rotation)?)?;
                Some(Self::Drop(Placement { column, rotation }))
            })(),
            _ => None,
        }
        .ok_or(ParseActionError)
    }
}

impl Action {
    /// The drops of `path`, as actions.
    pub fn drops(path: &[Placement]) -> impl Iterator<Item = Self> {
        path.iter().copied().map(Self::Drop)
    }

    /// All actions: the drops, then the skill.
    pub fn all() -> impl Iterator<Item = Self> {
        Placement::all().map(Self::Drop).chain([Self::Skill])
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Drop(placement) => write!(f, "{placement:?}"),
            Self::Skill => f.write_str("S"),
        }
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_reads_back() {
        for action in Action::all() {
            assert_eq!(action.to_string().parse(), Ok(action));
            assert_eq!(format!("  {action}\r\n").parse(), Ok(action));
            assert_eq!(format!("{action} 0").parse::<Action>(), Err(ParseActionError));
        }
    }

    #[test]
    fn invalid_answers_are_refused() {
        for answer in ["", "s", "S S", "9 0", "0 4", "+3 0", "03 0", "3", "3 0 1", "-1 0", "3,0"] {
            assert_eq!(answer.parse::<Action>(), Err(ParseActionError), "{answer:?}");
        }
    }
}
