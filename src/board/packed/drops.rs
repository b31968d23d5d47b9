//! All drops of a pack.

use super::super::simd::{Isa, Work};
use super::children::Children;
use super::place::{place, place_unsettled};
use super::rounds::run;
use super::{Field, field};
use crate::game::{DropColumns, Pack, Placement};

/// Computes the chain and the field of every drop of `pack` at `columns`, with `HASHES` also the
/// hash of each field. The results in `children` for other drop columns become invalid.
///
/// No column of `field` may have more than 17 cells, which no field of a running game has:
/// otherwise all results are invalid.
///
/// Chains alone, for a leaf, are not faster without the fields: to visit only the drops that set
/// off a chain is slower, because these drops cannot be predicted, while nine straight runs of code
/// can. Experiment S-07.
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
