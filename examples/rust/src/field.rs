//! A field: falls, chains and explosions.

use crate::simulator::{Pack, OJAMA, WIDTH};

/// The columns from the left. A column holds its cells from the bottom: 1 to 9 or [`OJAMA`]. Empty
/// cells are not stored, because nothing floats.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Field(pub [Vec<u8>; WIDTH]);

impl Field {
    pub fn tallest(&self) -> usize {
        self.0.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Lets the blocks of a pack fall, each in its column, the lower row first.
    pub fn drop_pack(&mut self, pack: Pack, position: usize, rotation: usize) {
        // One quarter turn makes [c a; d b] of [a b; c d].
        let [a, b, c, d] = (0..rotation).fold(pack, |[a, b, c, d], _| [c, a, d, b]);
        for (x, block) in [(position, c), (position + 1, d), (position, a), (position + 1, b)] {
            if block != 0 {
                self.0[x].push(block);
            }
        }
    }

    /// Lets one row of ojama fall, one on top of each column.
    pub fn drop_ojama_row(&mut self) {
        self.0.iter_mut().for_each(|column| column.push(OJAMA));
    }

    /// Removes all pairs that sum to 10, round by round, and returns the number of rounds.
    pub fn run_chain(&mut self) -> u32 {
        let in_pair = |field: &Self, x: usize, y: usize| {
            field.any_neighbour(x, y, |other| field.0[x][y] + other == 10)
        };
        let mut chain = 0;
        while self.remove(in_pair) > 0 {
            chain += 1;
        }
        chain
    }

    /// Blows up each 5 and the blocks around it, and returns the number of blocks.
    pub fn explode(&mut self) -> u32 {
        self.remove(|field, x, y| {
            field.0[x][y] == 5 || field.any_neighbour(x, y, |other| other == 5)
        })
    }

    /// Removes the blocks for which `vanishes(field, column, row)` holds, all at once; what is above
    /// falls. Ojama stay. Returns the number of removed blocks.
    fn remove(&mut self, vanishes: impl Fn(&Self, usize, usize) -> bool) -> u32 {
        let before = self.clone();
        let mut removed = 0;
        for (x, column) in self.0.iter_mut().enumerate() {
            let mut y = 0;
            column.retain(|&cell| {
                let goes = cell != OJAMA && vanishes(&before, x, y);
                y += 1;
                removed += u32::from(goes);
                !goes
            });
        }
        removed
    }

    /// Whether one of the up to eight cells around a cell is `wanted`.
    fn any_neighbour(&self, x: usize, y: usize, wanted: impl Fn(u8) -> bool) -> bool {
        (x.saturating_sub(1)..=(x + 1).min(WIDTH - 1)).any(|nx| {
            let mut rows = y.saturating_sub(1)..=y + 1;
            rows.any(|ny| {
                (nx, ny) != (x, y) && self.0[nx].get(ny).is_some_and(|&cell| wanted(cell))
            })
        })
    }
}
