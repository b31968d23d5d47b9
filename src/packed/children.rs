//! All drops of a pack.

use std::marker::PhantomData;

use super::Packed;
use super::encoding::Encoding;
use super::place::{place, place_unsettled};
use super::rounds::run;
use crate::game::{Field as _, Pack, Placement, Positions, ROWS};
use crate::simd::{Isa, Words, Work};

/// What the drops of one pack made, by [`Placement::index`]. Made once and used again.
pub struct Children<E, I, const N: usize> {
    pub(super) planes: [[Words; N]; Placement::COUNT],
    /// What vanishes next, of each field.
    pub(super) holes: [Words; Placement::COUNT],
    pub(super) chains: [u8; Placement::COUNT],
    hashes: [u64; Placement::COUNT],
    isa: I,
    encoding: PhantomData<E>,
}

impl<E: Encoding<N>, I: Isa, const N: usize> Children<E, I, N> {
    /// Room, filled with empty fields.
    pub const fn new(isa: I) -> Self {
        Self {
            planes: [[Words::EMPTY; N]; Placement::COUNT],
            holes: [Words::EMPTY; Placement::COUNT],
            chains: [0; Placement::COUNT],
            hashes: [0; Placement::COUNT],
            isa,
            encoding: PhantomData,
        }
    }

    /// The field after a drop and its chain.
    #[inline(always)]
    pub const fn field(&self, placement: Placement) -> Packed<E, I, N> {
        let planes = self.planes[placement.index()];
        Packed { planes, isa: self.isa, encoding: PhantomData }
    }

    /// The rounds of each drop's chain.
    #[inline(always)]
    pub const fn chains(&self) -> &[u8; Placement::COUNT] {
        &self.chains
    }

    /// The hash of each field, if [`Packed::drop_everywhere_hashed`] has filled this.
    #[inline(always)]
    pub const fn hashes(&self) -> &[u64; Placement::COUNT] {
        &self.hashes
    }
}

impl<E: Encoding<N>, I: Isa, const N: usize> Packed<E, I, N> {
    /// The chain and the field of every drop of a pack at the given positions; what stands in
    /// `children` of other positions is worthless afterwards.
    ///
    /// No column may have more than 17 cells, as none has in a game that goes on: else all results
    /// are worthless.
    #[inline]
    pub fn drop_everywhere(
        &self,
        pack: &Pack,
        positions: Positions,
        children: &mut Children<E, I, N>,
    ) {
        debug_assert!(usize::from(self.tallest()) + 2 <= ROWS, "no room for a pack: {self:?}");
        self.isa.run(Drops::<E, I, N, false> { field: self, pack, positions, children });
    }

    /// [`Packed::drop_everywhere`] at all positions, with the hash of each field.
    #[inline]
    pub fn drop_everywhere_hashed(&self, pack: &Pack, children: &mut Children<E, I, N>) {
        debug_assert!(usize::from(self.tallest()) + 2 <= ROWS, "no room for a pack: {self:?}");
        let positions = Positions::ALL;
        self.isa.run(Drops::<E, I, N, true> { field: self, pack, positions, children });
    }
}

/// The work of both.
///
/// Chains alone, for a leaf, are found no faster than with the fields: walking only the drops that
/// fire was slower (0.98), as which fire cannot be predicted, and nine straight runs of code can.
struct Drops<'a, E, I, const N: usize, const HASHES: bool> {
    field: &'a Packed<E, I, N>,
    pack: &'a Pack,
    positions: Positions,
    children: &'a mut Children<E, I, N>,
}

impl<E: Encoding<N>, I: Isa, const N: usize, const HASHES: bool> Work<I>
    for Drops<'_, E, I, N, HASHES>
{
    type Output = ();

    #[inline(always)]
    fn run(self, isa: I) {
        let Drops { field, pack, positions, children } = self;
        let firing = if field.is_unsettled() {
            place_unsettled(isa, field, pack, children)
        } else {
            place(isa, field, pack, positions, children)
        };
        let Children { planes, holes, chains, .. } = children;
        run::<I, E, N>(isa, firing & mask(positions), planes, holes, chains);
        if HASHES {
            let mut child = 0;
            while child < Placement::COUNT {
                children.hashes[child] = super::hash_of::<E, I, N>(isa, &children.planes[child]);
                child += 1;
            }
        }
    }
}

/// The placements at some positions, as a set by index.
#[inline(always)]
const fn mask(positions: Positions) -> u64 {
    let (first, last) = (positions.first.get(), positions.last.get());
    (1 << (4 * (last + 1))) - (1 << (4 * first))
}
