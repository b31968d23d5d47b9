//! The contents of a cell of a field.

use std::fmt;

/// The number on a block, 1 to 9.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number(u8);

impl Number {
    /// The number whose blocks explode in the skill, together with the blocks beside them.
    pub const FIVE: Number = Number(5);

    /// A number, or `None` outside 1..=9.
    #[inline]
    pub const fn new(number: u8) -> Option<Self> {
        if 1 <= number && number <= 9 { Some(Self(number)) } else { None }
    }

    /// The value, 1 to 9.
    #[inline]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The number that makes a sum of ten, with which a block vanishes.
    #[inline]
    #[must_use]
    pub const fn complement(self) -> Self {
        Self(10 - self.0)
    }

    /// All nine numbers, ascending.
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
    /// An empty cell.
    #[default]
    Empty,
    /// A block with a number on it.
    Block(Number),
    /// Ojama, also called obstacle or garbage: it never vanishes.
    Ojama,
}

impl Cell {
    /// The code of ojama in the protocol.
    const OJAMA_CODE: u8 = 11;

    /// The cell with the code `code` in the protocol: 0, 1 to 9, or 11. `None` for any other code.
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

    /// The code in the protocol: 0 for empty, the number, or 11 for ojama.
    pub const fn code(self) -> u8 {
        match self {
            Self::Empty => 0,
            Self::Block(number) => number.0,
            Self::Ojama => Self::OJAMA_CODE,
        }
    }

    /// Whether the cell is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        matches!(self, Self::Empty)
    }

    /// The number of the block, `None` for another cell.
    #[inline]
    pub const fn number(self) -> Option<Number> {
        match self {
            Self::Block(number) => Some(number),
            Self::Empty | Self::Ojama => None,
        }
    }

    /// The cell with the symbol `symbol` in drawings: `.` or `0` for empty, a digit, `#` for ojama.
    pub const fn from_symbol(symbol: char) -> Option<Self> {
        match symbol {
            '.' | '0' => Some(Self::Empty),
            '#' => Some(Self::Ojama),
            '1'..='9' => Self::from_code(symbol as u8 - b'0'),
            _ => None,
        }
    }

    /// The symbol in drawings: `.`, a digit, or `#` for ojama.
    pub const fn symbol(self) -> char {
        match self {
            Self::Empty => '.',
            Self::Block(number) => (b'0' + number.0) as char,
            Self::Ojama => '#',
        }
    }
}
