//! The position of a cell in 256 bits.
//!
//! A plane holds one bit for each cell, in four 64-bit words of three 21-bit lanes. Column `c` is
//! lane `c / 4` of word `c % 4`; in a lane, bit 0 is the bottom row, bits 0 to 18 are the rows,
//! bits 19 and 20 are guards that stay 0.
//!
//! ```text
//!            bits 0..20   bits 21..41  bits 42..62   bit 63
//! word 0:    column 0     column 4     column 8
//! word 1:    column 1     column 5     column 9
//! word 2:    column 2     column 6     (empty)
//! word 3:    column 3     column 7     (empty)       unstable flag, in one plane
//! ```
//!
//! Reasons: A step up or down is a shift of all words by one bit, and the guards take the bits that
//! leave a lane. A step to the left or right is one rotation of the words and a shift by 21 bits in
//! the word that wraps. Even columns are words 0 and 2, odd columns words 1 and 3, so that a blend
//! always separates the two columns of a pack. A lane has 21 bits because three lanes must fit a
//! word and the highest cell within a turn is in row 19 (from 1). The two guard bits let additions
//! and subtractions run in all lanes at once, and holes close without masks.

use super::super::simd::{Vector, Words};
use crate::game::{DropColumn, ROWS, WIDTH};

/// The number of bits of a lane.
pub const LANE: usize = 21;
/// Bit 0 of each lane.
pub const ONES: u64 = 1 | 1 << LANE | 1 << (2 * LANE);
/// The two guard bits of each lane.
pub const GUARDS: u64 = ONES * (0b11 << ROWS);
/// The rows of each lane, used or not.
pub const CELLS: u64 = ONES * ((1 << ROWS) - 1);
/// Bit 63 of word 3 of plane 0 is set on a board that may already hold neighbours that sum to ten.
/// The bit lies outside all lanes and costs no space.
pub const UNSTABLE: u64 = 1 << 63;

/// Moves of all cells to the side, and the guards: operations of [`Vector`] for lanes of [`LANE`]
/// bits.
pub trait Lanes: Vector {
    /// Moves every cell to the column on its right.
    #[must_use]
    fn to_right(self) -> Self;

    /// Moves every cell to the column on its left.
    #[must_use]
    fn to_left(self) -> Self;

    /// The upper guard bit of each lane, as a set of columns.
    fn guards(self) -> u32;
}

impl<V: Vector> Lanes for V {
    #[inline(always)]
    fn to_right(self) -> Self {
        self.words_up::<{ LANE as u32 }>()
    }

    #[inline(always)]
    fn to_left(self) -> Self {
        self.words_down::<{ LANE as u32 }>()
    }

    #[inline(always)]
    fn guards(self) -> u32 {
        self.lane_tops::<{ LANE as u32 }>()
    }
}

/// Bits `low..high` of the column's lane.
const fn rows(column: usize, low: usize, high: usize) -> Words {
    let mut words = [0; 4];
    words[column % 4] = ((1 << high) - (1 << low)) << (LANE * (column / 4));
    Words(words)
}

/// The lane of a column, in the low bits.
#[inline(always)]
pub const fn lane(words: &Words, column: usize) -> u64 {
    words.0[column % 4] >> (LANE * (column / 4)) & ((1 << LANE) - 1)
}

/// All cells of the ten columns.
pub static FIELD: Words = {
    let mut words = Words::EMPTY;
    let mut column = 0;
    while column < WIDTH {
        words = words.or(rows(column, 0, ROWS));
        column += 1;
    }
    words
};

/// By drop column: the two columns that a pack lands in, guards included.
pub static PAIR: [Words; DropColumn::COUNT] = {
    let mut table = [Words::EMPTY; DropColumn::COUNT];
    let mut left = 0;
    while left < DropColumn::COUNT {
        table[left] = rows(left, 0, LANE).or(rows(left + 1, 0, LANE));
        left += 1;
    }
    table
};

/// By drop column: the two columns of a pack and the columns beside them, guards included.
pub static AROUND: [Words; DropColumn::COUNT] = {
    let mut table = [Words::EMPTY; DropColumn::COUNT];
    let mut left = 0;
    while left < DropColumn::COUNT {
        let mut column = if left == 0 { 0 } else { left - 1 };
        while column < WIDTH && column <= left + 2 {
            table[left] = table[left].or(rows(column, 0, LANE));
            column += 1;
        }
        left += 1;
    }
    table
};

/// Columns `class`, `class + 4` and `class + 8`. The rings of cells in them do not touch, and so
/// one register serves three columns.
pub static EVERY_FOURTH: [Words; 4] = {
    let mut table = [Words::EMPTY; 4];
    let mut class = 0;
    while class < 4 {
        table[class].0[class] = u64::MAX >> 1;
        class += 1;
    }
    table
};

/// The columns of packs at the drop columns `class`, `class + 4` and `class + 8`; for class 3 also
/// column 0, which no such pack touches.
pub static PAIR_OF_FOUR: [Words; 4] = {
    let mut table = [Words::EMPTY; 4];
    let mut class = 0;
    while class < 4 {
        table[class] = EVERY_FOURTH[class].or(EVERY_FOURTH[(class + 1) % 4]);
        class += 1;
    }
    table
};

/// By word and bit of a cell, 64 bits a word: the cell.
pub static CELL: [Words; 256] = {
    let mut table = [Words::EMPTY; 256];
    let mut index = 0;
    while index < 256 {
        table[index].0[index / 64] = 1 << (index % 64);
        index += 1;
    }
    table
};

/// By word and bit of a cell, 64 bits a word: the cells above it in its column.
pub static ABOVE: [Words; 256] = {
    let mut table = [Words::EMPTY; 256];
    let mut index = 0;
    while index < 256 {
        let (lane, row) = (index % 64 / LANE, index % 64 % LANE);
        if lane < 3 && row < ROWS {
            table[index].0[index / 64] = ((1 << ROWS) - (2 << row)) << (LANE * lane);
        }
        index += 1;
    }
    table
};

/// By cell (64 * word + bit): bits 16 to 23 hold 255 minus the column, bits 8 to 15 hold 255 minus
/// the row. The leftmost, then lowest cell has the greatest key.
pub static KEYS: [u32; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let (word, bit) = (index / 64, index % 64);
        let (column, row) = (4 * (bit / LANE) + word, bit % LANE);
        table[index] = ((!(column as u8) as u32) << 16) | ((!(row as u8) as u32) << 8);
        index += 1;
    }
    table
};
