//! All drops of a pack.

use super::super::simd::{Isa, Words, Work};
use super::place::{place, place_unsettled};
use super::rounds::run;
use super::{Field, Planes, field};
use crate::game::{Chain, DropColumns, Dropped, Pack, Placement};

/// The results of the drops of one pack, by [`Placement::index`]; make it once and reuse it.
///
/// Behind the last field stands an empty one, which runs beside an odd one.
pub struct Children {
    pub(super) planes: [Planes; Placement::COUNT + 1],
    /// The cells of each field that vanish next.
    pub(super) holes: [Words; Placement::COUNT + 1],
    pub(super) chains: [u8; Placement::COUNT + 1],
    hashes: [u64; Placement::COUNT],
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

    /// The hash of each field, if [`Drops`] with hashes has filled `self`.
    #[inline(always)]
    pub const fn hashes(&self) -> &[u64; Placement::COUNT] {
        &self.hashes
    }

    /// Stores the result of a slower simulator for one placement, and its hash.
    #[cfg(feature = "arena")]
    pub(in super::super) fn put(&mut self, placement: Placement, child: &Dropped<Field>) {
        let index = placement.index();
        self.planes[index] = child.field.cells();
        self.chains[index] = child.chain.0;
        self.hashes[index] = child.field.hash();
    }
}

/// Computes the chain and the field of every drop of `pack` at `columns`, with `HASHES` also the
/// hash of each field. The results in `children` for other positions become invalid.
///
/// No column of `field` may have more than 17 cells, which no field of a running game has:
/// otherwise all results are invalid.
///
/// Chains alone, for a leaf, are not faster without the fields: visiting only the drops that set
/// off a chain was slower (0.98), because these drops cannot be predicted, while nine straight runs
/// of code can.
pub struct Drops<'a, const HASHES: bool> {
    /// The field that the pack falls on.
    pub field: &'a Field,
    /// The pack.
    pub pack: &'a Pack,
    /// The drop columns; all of them with `HASHES`.
    pub columns: DropColumns,
    /// The buffer for the results.
    pub children: &'a mut Children,
}

impl<I: Isa, const HASHES: bool> Work<I> for Drops<'_, HASHES> {
    type Output = ();

    #[inline(always)]
    fn run(self, isa: I) {
        let Drops { field, pack, columns, children } = self;
        let firing = if field.is_unsettled() {
            place_unsettled(isa, field, pack, children)
        } else {
            place(isa, field, pack, columns, children)
        };
        let Children { planes, holes, chains, .. } = children;
        run(isa, firing & mask(columns), planes, holes, chains);
        if HASHES {
            let mut child = 0;
            while child < Placement::COUNT {
                children.hashes[child] = field::hash_of(&children.planes[child]);
                child += 1;
            }
        }
    }
}

/// Returns the set of the placements at `columns`, by index.
#[inline(always)]
const fn mask(columns: DropColumns) -> u64 {
    let (first, last) = (columns.first.get(), columns.last.get());
    (1 << (4 * (last + 1))) - (1 << (4 * first))
}
