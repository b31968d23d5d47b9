//! The buffer for the results of all drops of a pack.

use super::super::simd::Words;
use super::{Field, Planes};
use crate::game::{Chain, Dropped, Placement};

/// The results of the drops of one pack, by [`Placement::index`]; make it once and reuse it.
///
/// The last slot holds an empty field. A vector of two fields takes it beside the last one of an
/// odd number of fields.
pub struct Children {
    pub(super) planes: [Planes; Placement::COUNT + 1],
    /// The cells of each field that vanish next.
    pub(super) holes: [Words; Placement::COUNT + 1],
    pub(super) chains: [u8; Placement::COUNT + 1],
    pub(super) hashes: [u64; Placement::COUNT],
}

impl Children {
    /// Empty fields. Inlined, so that it is made in place: 6 kB are not copied.
    #[inline(always)]
    pub(in super::super) fn new() -> Self {
        Self {
            planes: [[Words::EMPTY; 4]; Placement::COUNT + 1],
            holes: [Words::EMPTY; Placement::COUNT + 1],
            chains: [0; Placement::COUNT + 1],
            hashes: [0; Placement::COUNT],
        }
    }

    /// The field after a drop, and its chain.
    #[inline(always)]
    pub const fn child(&self, placement: Placement) -> Dropped<Field> {
        let field = Field::from_planes(self.planes[placement.index()]);
        Dropped { field, chain: self.chain(placement) }
    }

    /// The chain of a drop.
    #[inline(always)]
    pub const fn chain(&self, placement: Placement) -> Chain {
        Chain(self.chains[placement.index()])
    }

    /// The hash of each field, if [`Drops`](super::Drops) with hashes has filled `self`.
    #[inline(always)]
    pub const fn hashes(&self) -> &[u64; Placement::COUNT] {
        &self.hashes
    }

    /// Stores the result of a slower simulator for one placement, and its hash.
    pub(in super::super) fn put(&mut self, placement: Placement, child: &Dropped<Field>) {
        let index = placement.index();
        self.planes[index] = child.field.cells();
        self.chains[index] = child.chain.0;
        self.hashes[index] = child.field.hash();
    }
}
