//! What a field could do (step 4): the longest chain that one more block would set off.

use crate::field::Field;
use crate::simulator::{HEIGHT, WIDTH};

/// The longest chain after one block from 1 to 9 falls into a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Potential {
    pub chain: u32,
    /// Blocks that vanish.
    pub vanished: u32,
    /// Column and row, from 0, in which the block lands.
    pub trigger: (usize, usize),
}

impl Potential {
    /// Drops 1 to 9 into each column. A number that makes no pair where it lands is left out.
    pub fn of(field: &Field) -> Self {
        let mut best = Self::default();
        for x in 0..WIDTH {
            let y = field.height(x);
            if y >= HEIGHT {
                continue;
            }
            for number in numbers_with_a_pair(field, x, y) {
                let mut after = *field;
                after.push(x, number);
                let (chain, vanished) = after.run_chain(1 << x);
                if (chain, vanished) > (best.chain, best.vanished) {
                    best = Self { chain, vanished, trigger: (x, y) };
                }
            }
        }
        best
    }
}

/// The numbers that sum to 10 with a neighbour of the cell.
fn numbers_with_a_pair(field: &Field, x: usize, y: usize) -> impl Iterator<Item = u8> {
    let mut found = 0_u32;
    for column in x.saturating_sub(1)..(x + 2).min(WIDTH) {
        for row in y.saturating_sub(1)..y + 2 {
            found |= 1 << (10 - field.cell(column, row)); // empty: bit 10, ojama: bit 0
        }
    }
    (1..10).filter(move |number| found >> number & 1 != 0)
}

/// Random numbers for each column, row and cell, by Zobrist: the hash of a field is the XOR of those
/// of its cells.
pub struct Zobrist(Vec<[[u64; 16]; 24]>);

impl Default for Zobrist {
    fn default() -> Self {
        let mut random = crate::random::Random(10);
        let mut cell = || [0; 16].map(|_: u8| random.number());
        Self((0..WIDTH).map(|_| [0; 24].map(|_: u8| cell())).collect())
    }
}

impl Zobrist {
    pub fn hash(&self, field: &Field) -> u64 {
        let mut hash = 0;
        for (x, rows) in self.0.iter().enumerate() {
            for (y, cells) in rows.iter().enumerate().take(field.height(x)) {
                hash ^= cells[usize::from(field.cell(x, y))];
            }
        }
        hash
    }
}
