//! The planes of a BitBoard, and the position of a cell's bit.

use super::super::packed::layout;
use super::super::simd::Words;
use crate::game::{Cell, Cells, Number, ROWS, WIDTH, hash};

/// Bits of a column's lane in a plane.
pub const LANE: usize = 24;

/// One bit for each cell of a field: 256 bits, of which column `x` (from the left) has the
/// [`LANE`] bits from `24 * x` on, its row `y` (from the bottom) being bit `24 * x + y`.
///
/// A column needs 19 rows, and ten columns of 24 bits fit 256 bits. The five bits above the rows
/// stay clear, so that a shift by one row never reaches the next column. Columns 2 and 5 lie in two
/// words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Plane(pub Words);

impl Plane {
    /// No cell.
    pub const EMPTY: Self = Self(Words::EMPTY);

    /// Returns the `count` bits, at most 64, from bit `from` on, in the low bits of the result.
    #[inline(always)]
    const fn bits(&self, from: usize, count: usize) -> u64 {
        let words = &self.0.0;
        let (word, shift) = (from / 64, from % 64);
        let low = words[word] >> shift;
        let high = if shift + count > 64 { words[word + 1] << (64 - shift) } else { 0 };
        (low | high) & (u64::MAX >> (64 - count))
    }

    /// The bits of column `x`, row 0 lowest.
    #[inline(always)]
    pub const fn lane(&self, x: usize) -> u64 {
        self.bits(x * LANE, LANE)
    }

    /// The bits of columns `2 * pair` and, from bit [`LANE`] on, `2 * pair + 1`.
    #[inline(always)]
    pub const fn lane_pair(&self, pair: usize) -> u64 {
        self.bits(pair * 2 * LANE, 2 * LANE)
    }

    /// Replaces columns `2 * pair` and `2 * pair + 1`.
    #[inline(always)]
    pub const fn set_lane_pair(&mut self, pair: usize, lanes: u64) {
        let words = &mut self.0.0;
        let (word, shift) = (pair * 2 * LANE / 64, pair * 2 * LANE % 64);
        words[word] = words[word] & !(LANE_PAIR << shift) | lanes << shift;
        if shift + 2 * LANE > 64 {
            let high = 64 - shift;
            words[word + 1] = words[word + 1] & !(LANE_PAIR >> high) | lanes >> high;
        }
    }

    /// Sets the bits of column `x`, which must be empty. Ignores the bits of `cells` above the
    /// lane.
    const fn set_lane(&mut self, x: usize, cells: u64) {
        let cells = cells & ((1 << LANE) - 1);
        let (word, shift) = (x * LANE / 64, x * LANE % 64);
        self.0.0[word] |= cells << shift;
        if shift + LANE > 64 {
            self.0.0[word + 1] |= cells >> (64 - shift);
        }
    }

    /// Sets the bit of column `x`, row `y`.
    #[inline(always)]
    pub const fn set(&mut self, x: usize, y: usize) {
        let bit = x * LANE + y;
        self.0.0[bit / 64] |= 1 << (bit % 64);
    }

    /// Whether the bit of column `x`, row `y` is set.
    pub const fn contains(&self, x: usize, y: usize) -> bool {
        self.lane(x) >> y & 1 == 1
    }

    /// See [`hash::of_cells`].
    pub fn hash(&self) -> u64 {
        let mut groups = [0; 4];
        for x in 0..WIDTH {
            let (group, bit) = hash::bit_of(x, 0);
            groups[group] |= self.lane(x) << bit;
        }
        hash::of_cells(&groups)
    }

    /// The number of set bits.
    pub const fn count(&self) -> u32 {
        self.0.count()
    }
}

/// The bits of the two columns of a [`Plane::lane_pair`].
pub const LANE_PAIR: u64 = (1 << (2 * LANE)) - 1;

/// The planes of a field: any block or ojama, the numbers 1 to 9, ojama. See [`super::BitBoard`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ContentPlanes(pub [Plane; 11]);

impl ContentPlanes {
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

    /// Converts the four planes `codes`, in the layout of
    /// [`packed::layout`](super::super::packed::layout).
    pub(super) fn from_codes(codes: &[Words; 4]) -> Self {
        let mut planes = Self::default();
        for x in 0..WIDTH {
            let bits = codes.each_ref().map(|plane| layout::lane(plane, x));
            let mut put = |plane: usize, cells: u64| planes.0[plane].set_lane(x, cells);
            put(Self::ANY, bits[0] | bits[1] | bits[2]);
            for (number, &code) in hash::CODES.iter().enumerate() {
                let differs = |i: usize| bits[i] ^ 0u64.wrapping_sub(u64::from(code >> i & 1));
                match number {
                    1..=9 => put(number, !(differs(0) | differs(1) | differs(2) | differs(3))),
                    11 => put(Self::OJAMA, bits[1] & bits[2]),
                    _ => {}
                }
            }
        }
        planes
    }

    /// The reverse of [`Self::from_codes`].
    pub(super) fn to_codes(self) -> [Words; 4] {
        let mut codes = [Words::EMPTY; 4];
        for (content, plane) in self.0.iter().enumerate().skip(1) {
            let code = hash::CODES[if content == Self::OJAMA { 11 } else { content }];
            for x in 0..WIDTH {
                let (word, bit) = hash::bit_of(x, 0);
                for (i, words) in codes.iter_mut().enumerate() {
                    words.0[word] |= (plane.lane(x) << bit) * u64::from(code >> i & 1);
                }
            }
        }
        codes
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
