//! A field of four planes, and its queries in plain words.

use std::fmt;
use std::str::FromStr;

use super::super::simd::{Isa as _, Portable, Vector as _, Words};
use super::layout::{FIELD, LANE, ONES, UNSTABLE};
use super::rounds::{count, load};
use super::{Planes, encoding, layout};
use crate::game::{Cell, Cells, CellsError, Explosion, HEIGHT, ROWS, WIDTH, hash};

/// A player's field: four planes of 256 bits. See [`layout`] for the bits.
///
/// Queries of a few instructions are here, in plain words, compiled once. Drops, the skill and
/// potentials use vectors and go through [`super::super::Backend`].
///
/// A field made from cells may be *unstable*: it may hold neighbours that already sum to ten,
/// which vanish with the next action's chain. No turn of a game ends with such a field.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Field {
    pub(super) planes: Planes,
}

/// The heights of a field and the number of its blocks, in one pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldSummary {
    /// Blocks and ojama in each column, from the left.
    pub heights: [u8; WIDTH],
    /// Number blocks on the field, without ojama.
    pub blocks: u32,
}

impl FieldSummary {
    /// The summary of planes without the unstable flag. Compiled with `popcnt` where an
    /// instruction set has it.
    #[inline(always)]
    pub(super) fn of([a, b, c, _]: &Planes) -> Self {
        const COLUMN: u64 = (1 << LANE) - 1;
        let (mut heights, mut blocks) = ([0; WIDTH], 0);
        let mut word = 0;
        while word < 4 {
            let (a, b, c) = (a.0[word], b.0[word], c.0[word]);
            let filled = a | b | c;
            blocks += (filled & !(b & c)).count_ones();
            heights[word] = (filled & COLUMN).count_ones() as u8;
            heights[word + 4] = (filled & (COLUMN << LANE)).count_ones() as u8;
            if word < 2 {
                heights[word + 8] = (filled & (COLUMN << (2 * LANE))).count_ones() as u8;
            }
            word += 1;
        }
        Self { heights, blocks }
    }

    /// The height of the tallest column.
    #[inline]
    pub fn tallest(&self) -> u8 {
        self.heights.iter().fold(0, |most, &height| most.max(height))
    }
}

impl Field {
    /// The empty field, with which a game starts.
    pub const EMPTY: Self = Self { planes: [Words::EMPTY; 4] };

    /// The field of the given cells.
    pub fn from_cells(cells: &Cells) -> Self {
        let mut field = Self::EMPTY;
        for (x, y, cell) in cells.occupied() {
            field.add(x, y, cell.code());
        }
        if encoding::vanishing(&load(Portable, &field.planes)).any() {
            field.planes[0].0[3] |= UNSTABLE;
        }
        field
    }

    /// The stable field with the given planes.
    #[inline(always)]
    pub(in super::super) const fn from_planes(planes: Planes) -> Self {
        Self { planes }
    }

    /// The field in plain form.
    pub fn to_cells(&self) -> Cells {
        let planes = self.cells();
        let cell = |x: usize, y: usize| {
            let bit = |i: usize| (layout::lane(&planes[i], x) >> y & 1) as u8;
            let code = bit(0) | bit(1) << 1 | bit(2) << 2 | bit(3) << 3;
            let number = (0..=11).find(|&number| hash::CODES[usize::from(number)] == code);
            number.and_then(Cell::from_code).unwrap_or_default()
        };
        let columns = std::array::from_fn(|x| std::array::from_fn(|y| cell(x, y)));
        Cells::from_columns(columns).expect("a field has no gaps")
    }

    /// Whether the field holds neighbours that sum to ten; never after a chain.
    #[inline(always)]
    pub const fn is_unstable(&self) -> bool {
        self.planes[0].0[3] & UNSTABLE != 0
    }

    /// The planes with the flag cleared.
    #[inline(always)]
    pub(in super::super) const fn cells(&self) -> Planes {
        let mut planes = self.planes;
        planes[0].0[3] &= !UNSTABLE;
        planes
    }

    /// Adds a cell with the protocol's `code`.
    #[inline(always)]
    pub(super) const fn add(&mut self, x: usize, y: usize, code: u8) {
        let bits = hash::CODES[code as usize];
        let mut i = 0;
        while i < 4 {
            self.planes[i].0[x % 4] |= ((bits >> i & 1) as u64) << (LANE * (x / 4) + y);
            i += 1;
        }
    }

    /// Filled cells.
    #[inline]
    pub(super) fn filled(&self) -> Words {
        let mut words = Words::EMPTY;
        Portable.store(encoding::filled(&load(Portable, &self.cells())), &mut words);
        words
    }

    /// Blocks and ojama in each column, from the left.
    #[inline]
    pub fn heights(&self) -> [u8; WIDTH] {
        let filled = self.filled();
        std::array::from_fn(|x| layout::lane(&filled, x).trailing_ones() as u8)
    }

    /// The height of the tallest column.
    #[inline]
    pub fn tallest(&self) -> u8 {
        let filled = self.filled().0;
        // A row is occupied if its bit is set in any lane of any word.
        let rows =
            filled.iter().fold(0, |rows, word| rows | word | word >> LANE | word >> (2 * LANE));
        (rows & ((1 << LANE) - 1)).trailing_ones() as u8
    }

    /// Whether a block stands in the danger line (row 17) or above it: at the end of a turn, the
    /// player has lost.
    #[inline]
    pub fn is_over(&self) -> bool {
        usize::from(self.tallest()) > HEIGHT
    }

    /// The heights and the number of blocks.
    pub fn summary(&self) -> FieldSummary {
        FieldSummary::of(&self.cells())
    }

    /// Number blocks on the field, without ojama.
    #[inline]
    pub fn blocks(&self) -> u32 {
        count(Portable, encoding::blocks(&load(Portable, &self.cells())))
    }

    /// The number of ojama on the field.
    #[inline]
    pub fn ojama(&self) -> u32 {
        count(Portable, encoding::ojama(&load(Portable, &self.cells())))
    }

    /// The blocks that the skill would blow up.
    pub fn explosion(&self) -> Explosion {
        Explosion(count(Portable, encoding::blown_up(&load(Portable, &self.cells()))) as u8)
    }

    /// A hash of the cells, as [`hash`] defines it: equal cells hash equally.
    #[inline]
    pub fn hash(&self) -> u64 {
        hash_of(&self.cells())
    }

    /// Lets one row of ojama fall, one ojama on top of each column.
    ///
    /// # Panics
    /// If a column holds [`ROWS`] cells.
    pub fn rain(&mut self) {
        let filled = self.filled();
        for (word, &filled) in filled.0.iter().enumerate() {
            // One more than a lane filled from the bottom is its lowest empty cell. Words 2 and 3
            // have only two columns.
            let columns = if word < 2 { ONES } else { ONES & !(ONES << (2 * LANE)) };
            let landing = filled + columns;
            assert!(landing & !FIELD.0[word] == 0, "ojama fall on a column of {ROWS} cells");
            for (i, plane) in self.planes.iter_mut().enumerate() {
                plane.0[word] |= landing * u64::from(hash::CODES[11] >> i & 1);
            }
        }
    }
}

/// The hash of planes without the unstable flag.
#[inline(always)]
pub(super) fn hash_of([a, b, c, d]: &Planes) -> u64 {
    hash::finish(&[a.0, b.0, c.0, d.0])
}

impl FromStr for Field {
    type Err = CellsError;

    /// The field of a drawing, as [`Cells`] reads it.
    fn from_str(drawing: &str) -> Result<Self, CellsError> {
        drawing.parse().map(|cells| Self::from_cells(&cells))
    }
}

impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_cells())
    }
}
