//! The planes of a BitBoard: where a cell's bit is.

use crate::game::{Cell, Cells, Number, ROWS, WIDTH};

/// Bits of a column's lane in a plane.
pub const LANE: usize = 24;

/// One bit for each cell of a field: 256 bits, of which column `x` (from the left) has the
/// [`LANE`] bits from `24 * x` on, its row `y` (from the bottom) being bit `24 * x + y`.
///
/// 19 rows are needed and the field is ten columns wide, so that 24 bits a column fit in 256 and
/// begin at a whole byte. The five bits above the rows stay clear, so that a shift by one row never
/// reaches the next column. Bit 0 is the lowest bit of byte 0: the bytes are little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C, align(32))]
pub struct Plane(pub [u8; 32]);

impl Plane {
    /// No cell.
    pub const EMPTY: Self = Self([0; 32]);

    /// The bits of column `x`, row 0 lowest.
    #[inline(always)]
    pub fn lane(&self, x: usize) -> u32 {
        let at = (x * LANE / 8).min(29);
        u32::from(self.0[at]) | u32::from(self.0[at + 1]) << 8 | u32::from(self.0[at + 2]) << 16
    }

    /// The bits of columns `2 * pair` and, from bit [`LANE`] on, `2 * pair + 1`. What is in the
    /// bits above those depends on the next columns.
    #[inline(always)]
    pub fn lane_pair(&self, pair: usize) -> u64 {
        let at = pair * 2 * LANE / 8;
        u64::from_le_bytes(self.0[at..at + 8].try_into().unwrap_or_default())
    }

    /// Replaces columns `2 * pair` and `2 * pair + 1`; bits above theirs in `lanes` are ignored.
    #[inline(always)]
    pub fn set_lane_pair(&mut self, pair: usize, lanes: u64) {
        let at = pair * 2 * LANE / 8;
        let kept = self.lane_pair(pair) & !LANE_PAIR;
        self.0[at..at + 8].copy_from_slice(&(kept | lanes & LANE_PAIR).to_le_bytes());
    }

    /// Sets the bit of column `x`, row `y`.
    #[inline(always)]
    pub fn set(&mut self, x: usize, y: usize) {
        let bit = x * LANE + y;
        self.0[bit / 8] |= 1 << (bit % 8);
    }

    /// Whether the bit of column `x`, row `y` is set.
    pub fn contains(&self, x: usize, y: usize) -> bool {
        self.lane(x) >> y & 1 == 1
    }

    /// Set bits.
    pub fn count(&self) -> u32 {
        self.words().iter().map(|word| word.count_ones()).sum()
    }

    /// The plane as four words, the lowest bits first.
    pub fn words(&self) -> [u64; 4] {
        std::array::from_fn(|word| {
            u64::from_le_bytes(std::array::from_fn(|byte| self.0[word * 8 + byte]))
        })
    }

    /// The plane of the given words, the lowest bits first.
    pub fn from_words(words: [u64; 4]) -> Self {
        let bytes = words.map(u64::to_le_bytes);
        Self(std::array::from_fn(|byte| bytes[byte / 8][byte % 8]))
    }
}

/// The bits of the two columns of a [`Plane::lane_pair`].
pub const LANE_PAIR: u64 = (1 << (2 * LANE)) - 1;

/// The planes of a field: any block, the numbers 1 to 9, ojama. See [`super::BitBoard`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Planes(pub [Plane; 11]);

impl Planes {
    /// Any block or ojama.
    pub const ANY: usize = 0;

    /// Ojama.
    pub const OJAMA: usize = 10;

    /// The planes of the given cells.
    pub fn from_cells(cells: &Cells) -> Self {
        let mut planes = Self::default();
        for (x, y, cell) in cells.occupied() {
            planes.0[Self::ANY].set(x, y);
            planes.0[cell.number().map_or(Self::OJAMA, |n| n.get().into())].set(x, y);
        }
        planes
    }

    /// The cells of the planes.
    pub fn to_cells(self) -> Cells {
        let cell = |x, y| {
            let number = Number::all().find(|n| self.0[usize::from(n.get())].contains(x, y));
            match number {
                Some(number) => Cell::Block(number),
                None if self.0[Self::OJAMA].contains(x, y) => Cell::Ojama,
                None => Cell::Empty,
            }
        };
        let columns: [[Cell; ROWS]; WIDTH] =
            std::array::from_fn(|x| std::array::from_fn(|y| cell(x, y)));
        Cells::from_columns(columns).expect("a BitBoard has no gaps")
    }

    /// Blocks and ojama in column `x`.
    #[inline(always)]
    pub fn height(&self, x: usize) -> u32 {
        self.0[Self::ANY].lane(x).trailing_ones()
    }
}
