//! What a cell of a field can hold.

use std::fmt;

/// The number on a block, 1 to 9.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number(u8);

impl Number {
    /// The number whose blocks, and whose neighbours, the skill makes explode.
    pub const FIVE: Number = Number(5);

    /// A number, or `None` outside 1..=9.
    #[inline]
    pub const fn new(number: u8) -> Option<Self> {
        if 1 <= number && number <= 9 { Some(Self(number)) } else { None }
    }

    /// Its value, 1 to 9.
    #[inline]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The number with which it sums to ten, and vanishes.
    #[inline]
    #[must_use]
    pub const fn complement(self) -> Self {
        Self(10 - self.0)
    }

    /// All nine, ascending.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=9).map(Self)
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A cell of a field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Cell {
    /// Nothing.
    #[default]
    Empty,
    /// A block with a number on it.
    Block(Number),
    /// Ojama, also called obstacle or garbage: it never vanishes.
    Ojama,
}

impl Cell {
    /// How the protocol writes ojama.
    const OJAMA_CODE: u8 = 11;

    /// The cell that the protocol writes as `code`: 0, 1 to 9, or 11. `None` for any other.
    pub const fn from_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(Self::Empty),
            Self::OJAMA_CODE => Some(Self::Ojama),
            _ => match Number::new(code) {
                Some(number) => Some(Self::Block(number)),
                None => None,
            },
        }
    }

    /// How the protocol writes the cell: 0 for empty, the number, or 11 for ojama.
    pub const fn code(self) -> u8 {
        match self {
            Self::Empty => 0,
            Self::Block(number) => number.0,
            Self::Ojama => Self::OJAMA_CODE,
        }
    }

    /// Whether nothing stands here.
    #[inline]
    pub const fn is_empty(self) -> bool {
        matches!(self, Self::Empty)
    }

    /// The number of the block that stands here, if one does.
    #[inline]
    pub const fn number(self) -> Option<Number> {
        match self {
            Self::Block(number) => Some(number),
            Self::Empty | Self::Ojama => None,
        }
    }

    /// The cell that a drawing shows as `symbol`: `.` (or a blank's stand-in `0`), a digit, `#`.
    pub const fn from_symbol(symbol: char) -> Option<Self> {
        match symbol {
            '.' | '0' => Some(Self::Empty),
            '#' => Some(Self::Ojama),
            '1'..='9' => Self::from_code(symbol as u8 - b'0'),
            _ => None,
        }
    }

    /// How a drawing shows the cell: `.`, a digit, or `#` for ojama.
    pub const fn symbol(self) -> char {
        match self {
            Self::Empty => '.',
            Self::Block(number) => (b'0' + number.0) as char,
            Self::Ojama => '#',
        }
    }
}
