//! The BitBoard: a field as planes of 256 bits, one for each content of a cell.
//!
//! This is the board of the main seed, kept as a rival and an oracle; search uses
//! [`crate::packed::FourPlanes`], which is several times as fast (`notes/experiments.md`).
//!
//! * [`Plane`], [`Planes`]: the layout;
//! * `simulate`: drops, vanishing (in vectors) and falls (`pext`), written once against
//!   [`crate::simd::Isa`].

mod planes;
mod simulate;

pub use planes::{LANE, LANE_PAIR, Plane, Planes};

use crate::game::hash::{self, CodePlanes};
use crate::game::{
    Cells, Dropped, Exploded, Explosion, Field, Number, Pack, Placement, PlainRoom, Positions,
    Potential, ROWS, WIDTH,
};
use crate::simd::Isa;

/// A field as a bit in each of twenty planes for every cell.
///
/// Eleven planes are kept ([`Planes`]): any block, the numbers 1 to 9, ojama. The other nine, the
/// neighbourhoods of the numbers, are computed when asked for ([`BitBoard::neighbourhood`]): a
/// block vanishes if it lies in the neighbourhood of its complement. Keeping them would nearly
/// double the bytes that every drop copies, while a neighbourhood costs about twenty instructions
/// and only those of numbers that moved are ever looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BitBoard<I> {
    planes: Planes,
    /// Neighbours sum to ten before anything was dropped; see [`Field`].
    is_unsettled: bool,
    isa: I,
}

impl<I: Isa> BitBoard<I> {
    /// The plane of the cells around the blocks of a number.
    pub fn neighbourhood(&self, number: Number) -> Plane {
        self.isa.run(simulate::Around(&self.planes.0[usize::from(number.get())]))
    }

    /// A board on which nothing is left to vanish.
    #[inline(always)]
    const fn settled(isa: I, planes: Planes) -> Self {
        Self { planes, is_unsettled: false, isa }
    }
}

impl<I: Isa> Field for BitBoard<I> {
    type Room = PlainRoom<Self>;

    /// # Panics
    /// If the processor lacks the instruction set.
    fn from_cells(cells: &Cells) -> Self {
        let isa = I::expect();
        let planes = Planes::from_cells(cells);
        Self { planes, is_unsettled: isa.run(simulate::IsUnsettled(&planes)), isa }
    }

    fn to_cells(&self) -> Cells {
        self.planes.to_cells()
    }

    fn heights(&self) -> [u8; WIDTH] {
        std::array::from_fn(|x| self.planes.height(x) as u8)
    }

    fn blocks(&self) -> u32 {
        self.planes.0[Planes::ANY].count() - self.ojama()
    }

    fn ojama(&self) -> u32 {
        self.planes.0[Planes::OJAMA].count()
    }

    fn explosion(&self) -> Explosion {
        Explosion(self.isa.run(simulate::ExplosionMask(&self.planes)).count() as u8)
    }

    fn hash(&self) -> u64 {
        let mut codes = CodePlanes::default();
        for (content, plane) in self.planes.0.iter().enumerate().skip(1) {
            let code = hash::CODES[if content == Planes::OJAMA { 11 } else { content }];
            for x in 0..WIDTH {
                let (group, bit) = hash::place(x, 0);
                for (i, words) in codes.iter_mut().enumerate() {
                    words[group] |= (plane.lane(x) << bit) * u64::from(code >> i & 1);
                }
            }
        }
        hash::finish(&codes)
    }

    fn rain(&mut self) {
        for x in 0..WIDTH {
            let y = self.planes.height(x) as usize;
            assert!(y < ROWS, "ojama fall on a column of {ROWS} cells");
            self.planes.0[Planes::ANY].set(x, y);
            self.planes.0[Planes::OJAMA].set(x, y);
        }
    }

    fn drop_pack(&self, pack: &Pack, placement: Placement) -> Dropped<Self> {
        self.isa.run(simulate::DropOne { board: self, pack, placement })
    }

    fn explode(&self) -> Exploded<Self> {
        self.isa.run(simulate::Explode(self))
    }

    fn potential(&self, _: &mut PlainRoom<Self>) -> Potential {
        self.isa.run(simulate::FindPotential(self))
    }

    fn children(&self, pack: &Pack, positions: Positions, room: &mut PlainRoom<Self>) {
        self.isa.run(simulate::Children { board: self, pack, positions, room });
    }
}

impl<I: Isa> std::fmt::Debug for BitBoard<I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.to_cells())
    }
}
