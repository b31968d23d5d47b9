//! A field: falls, chains and explosions. A column is one number with four bits for each cell, so one
//! subtraction and one XOR compare all cells of two columns.

use crate::simulator::{Pack, WIDTH};

/// Garbage, which never vanishes. The protocol writes 11; 10 lets the sum of a pair tell it apart.
pub const OJAMA: u8 = 10;
/// Bits of a cell.
const CELL: u32 = 4;
/// The number 1 in each cell.
const ONES: u128 = u128::MAX / 15;
/// The number 10 in each cell.
const TENS: u128 = 10 * ONES;

/// The columns from the left, each from the lowest bits up: 1 to 9 or [`OJAMA`], 0 above its top.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Field(pub [u128; WIDTH]);

/// Marks the cells in which two columns are equal: 1 in the cell.
fn equal(a: u128, b: u128) -> u128 {
    let differs = (a ^ b) | (a ^ b) >> 1;
    !(differs | differs >> 2) & ONES
}

/// Marks the cells that hold a number from 1 to 9.
fn numbers(column: u128) -> u128 {
    !equal(column, 0) & !equal(column, TENS) & ONES
}

/// Marks the cells of column `a` that sum to 10 with the cell of column `b` that is `up` rows higher.
fn pairs(a: u128, b: u128, up: i32) -> u128 {
    let other = if up < 0 { b << (CELL * up.unsigned_abs()) } else { b >> (CELL * up as u32) };
    equal(a, TENS - other) & numbers(a)
}

impl Field {
    pub fn height(&self, x: usize) -> usize {
        (u128::BITS - self.0[x].leading_zeros()).div_ceil(CELL) as usize
    }

    pub fn tallest(&self) -> usize {
        (0..WIDTH).map(|x| self.height(x)).max().unwrap_or(0)
    }

    /// The cell in column `x` and row `y`, both from 0; 0 is empty.
    pub fn cell(&self, x: usize, y: usize) -> u8 {
        (self.0[x] >> (CELL * y as u32) & 15) as u8
    }

    /// Puts a cell on top of a column.
    pub fn push(&mut self, x: usize, cell: u8) {
        self.0[x] |= u128::from(cell) << (CELL * self.height(x) as u32);
    }

    /// Cells that hold `cell`.
    pub fn count(&self, cell: u8) -> u32 {
        let same = u128::from(cell) * ONES;
        self.0.iter().map(|&column| equal(column, same).count_ones()).sum()
    }

    /// Cells that hold a number from 1 to 9.
    pub fn blocks(&self) -> u32 {
        self.0.iter().map(|&column| numbers(column).count_ones()).sum()
    }

    /// Pairs of cells that sum to 10, `dx` columns and `up` rows apart, to the left and to the right.
    pub fn pairs_apart(&self, dx: usize, up: i32) -> u32 {
        let count = |x: usize, up| pairs(self.0[x], self.0[x + dx], up).count_ones();
        let mirrored = dx > 0 && up != 0;
        (0..WIDTH - dx).map(|x| count(x, up) + if mirrored { count(x, -up) } else { 0 }).sum()
    }

    /// Lets the blocks of a pack fall, each in its column, the lower row first. Returns the changed
    /// columns, a bit each.
    pub fn drop_pack(&mut self, pack: Pack, position: usize, rotation: usize) -> u32 {
        // One quarter turn makes [c a; d b] of [a b; c d].
        let [a, b, c, d] = (0..rotation).fold(pack, |[a, b, c, d], _| [c, a, d, b]);
        for (x, block) in [(position, c), (position + 1, d), (position, a), (position + 1, b)] {
            self.push(x, block);
        }
        0b11 << position
    }

    /// Lets one row of ojama fall, one on top of each column.
    pub fn drop_ojama_row(&mut self) {
        (0..WIDTH).for_each(|x| self.push(x, OJAMA));
    }

    /// Removes all pairs that sum to 10, round by round. Only pairs with a cell of a `changed` column
    /// can be new. Returns the rounds and the blocks that vanished.
    pub fn run_chain(&mut self, mut changed: u32) -> (u32, u32) {
        let (mut chain, mut vanished) = (0, 0);
        while changed != 0 {
            let marks = self.vanishing(changed);
            changed = 0;
            for (x, &marks) in marks.iter().enumerate().filter(|(_, &marks)| marks != 0) {
                changed |= 1 << x;
                vanished += marks.count_ones();
                self.remove(x, marks);
            }
            chain += u32::from(changed != 0);
        }
        (chain, vanished)
    }

    /// Marks the cells that belong to a pair, for all pairs with a cell of a `changed` column.
    fn vanishing(&self, changed: u32) -> [u128; WIDTH] {
        let mut marks = [0; WIDTH];
        for x in 0..WIDTH {
            let column = self.0[x];
            if changed >> x & 1 != 0 {
                let lower = pairs(column, column, 1);
                marks[x] |= lower | lower << CELL;
            }
            if x + 1 < WIDTH && changed >> x & 0b11 != 0 {
                for up in [-1, 0, 1] {
                    let found = pairs(column, self.0[x + 1], up);
                    marks[x] |= found;
                    marks[x + 1] |=
                        if up < 0 { found >> CELL } else { found << (CELL * up as u32) };
                }
            }
        }
        marks
    }

    /// Blows up each 5 and the blocks around it. Returns the number of blocks and the changed columns.
    pub fn explode(&mut self) -> (u32, u32) {
        let spread = self.0.map(|column| {
            let fives = equal(column, 5 * ONES);
            fives | fives << CELL | fives >> CELL
        });
        let (mut blocks, mut changed) = (0, 0);
        for x in 0..WIDTH {
            let near = &spread[x.saturating_sub(1)..(x + 2).min(WIDTH)];
            let marks = near.iter().fold(0, |all, marks| all | marks) & numbers(self.0[x]);
            if marks != 0 {
                blocks += marks.count_ones();
                changed |= 1 << x;
                self.remove(x, marks);
            }
        }
        (blocks, changed)
    }

    /// Removes the marked cells of a column from the top; what is above falls.
    fn remove(&mut self, x: usize, mut marks: u128) {
        while marks != 0 {
            let bit = u128::BITS - 1 - marks.leading_zeros();
            let below = (1 << bit) - 1;
            self.0[x] = self.0[x] & below | self.0[x] >> CELL & !below;
            marks ^= 1 << bit;
        }
    }
}
