//! The BitBoard: a field as planes of 256 bits, and its fast simulation.
//!
//! * [`Plane`], [`Planes`]: the layout;
//! * [`Isa`]: what is needed of a processor; [`Avx2`] and [`Portable`] provide it;
//! * `simulate`: drops, vanishing and falls, written once against [`Isa`];
//! * [`Backend`]: which of them this process uses, and whether the processor suits the binary.
//!
//! Unsafe code is in `avx2.rs` and nowhere else in the crate.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod backend;
mod isa;
mod planes;
mod portable;
mod simulate;

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
pub use backend::{Backend, WithField, check_processor};
pub use isa::{Isa, Kernel};
pub use planes::{LANE, Plane, Planes};
pub use portable::Portable;

use crate::game::hash;
use crate::game::{
    Cells, Chain, Dropped, Exploded, Explosion, Field, Number, Pack, Placement, Position,
    Potential, ROWS, WIDTH,
};

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
    /// The planes that are kept.
    pub const fn planes(&self) -> &Planes {
        &self.planes
    }

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
    /// # Panics
    /// If the processor lacks the instruction set. [`Backend`] names one that it has.
    fn from_cells(cells: &Cells) -> Self {
        let isa =
            I::detect().unwrap_or_else(|| panic!("the processor has no {} instructions", I::NAME));
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
        let planes = self.planes.0.map(|plane| plane.words());
        let or = |codes: &[usize]| {
            std::array::from_fn(|word| {
                codes.iter().fold(0, |bits, &code| bits | planes[code][word])
            })
        };
        hash::finish(&[
            or(&[1, 3, 5, 7, 9]),
            or(&[2, 3, 6, 7, 10]),
            or(&[4, 5, 6, 7]),
            or(&[8, 9, 10]),
        ])
    }

    fn rain(&mut self) {
        for x in 0..WIDTH {
            let y = self.planes.height(x) as usize;
            self.planes.0[Planes::ANY].set(x, y);
            self.planes.0[Planes::OJAMA].set(x, y);
        }
    }

    fn drop_pack(&self, pack: &Pack, placement: Placement) -> Dropped<Self> {
        self.isa.run(simulate::Drop { board: self, pack, placement })
    }

    fn explode(&self) -> Exploded<Self> {
        self.isa.run(simulate::Explode(self))
    }

    fn potential(&self) -> Potential {
        self.isa.run(simulate::FindPotential(self))
    }

    fn children_at(&self, pack: &Pack, position: Position, children: &mut Vec<Dropped<Self>>) {
        self.isa.run(simulate::ChildrenAt { board: self, pack, position, children });
    }

    fn children(&self, pack: &Pack, children: &mut Vec<Dropped<Self>>) {
        self.isa.run(simulate::Children { board: self, pack, children });
    }

    fn chains(&self, pack: &Pack) -> [Chain; Placement::COUNT] {
        self.isa.run(simulate::Chains { board: self, pack })
    }
}

impl<I: Isa> std::fmt::Debug for BitBoard<I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.to_cells())
    }
}
