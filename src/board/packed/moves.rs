//! The entry points that are compiled for each instruction set, except for potentials: one drop, all
//! drops of a pack, the skill.

use super::super::simd::{Isa, Vector as _, Words, Work};
use super::placements::{all_placements, all_placements_unstable};
use super::rounds::{close, count, load, run, store};
use super::{Field, Planes, encoding, field, layout};
use crate::game::{Chain, DropColumns, Dropped, Exploded, Explosion, Pack, Placement, ROWS};

/// Drops a pack and lets the chain run.
pub struct DropOne<'a> {
    /// The field that the pack falls on.
    pub field: &'a Field,
    /// The pack.
    pub pack: &'a Pack,
    /// The drop column and rotation of the pack.
    pub placement: Placement,
}

impl<I: Isa> Work<I> for DropOne<'_> {
    type Output = Dropped<Field>;

    #[inline(always)]
    fn run(self, isa: I) -> Dropped<Field> {
        let Self { field, pack, placement } = self;
        let filled = field.filled();
        let mut field = *field;
        let left = usize::from(placement.column.get());
        for (x, (lower, upper)) in (left..).zip(pack.columns(placement.rotation)) {
            let height = layout::lane(&filled, x).trailing_ones() as usize;
            assert!(height + 2 <= ROWS, "a drop on a column of {height} cells");
            for (y, number) in (height..).zip([lower, upper].into_iter().flatten()) {
                field.add(x, y, number.get());
            }
        }
        let chain = run_chain(isa, &mut field);
        Dropped { field, chain }
    }
}

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

    /// The hash of each field, if [`Drops`] with hashes has filled `self`.
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
        let firing = if field.is_unstable() {
            all_placements_unstable(isa, field, pack, children)
        } else {
            all_placements(isa, field, pack, columns, children)
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

/// Uses the skill and lets the chain run.
pub struct Explode<'a>(pub &'a Field);

impl<I: Isa> Work<I> for Explode<'_> {
    type Output = Exploded<Field>;

    #[inline(always)]
    fn run(self, isa: I) -> Exploded<Field> {
        let mut field = *self.0;
        let mut planes = load(isa, &field.cells());
        let gone = encoding::blown_up(&planes);
        close(isa, &mut planes, gone);
        store(isa, &planes, &mut field.planes);
        let chain = run_chain(isa, &mut field);
        Exploded { field, explosion: Explosion(count(isa, gone) as u8), chain }
    }
}

/// Runs the chain, if there is one.
#[inline(always)]
fn run_chain<I: Isa>(isa: I, field: &mut Field) -> Chain {
    let mut planes = load(isa, &field.cells());
    let mut chain = Chain(0);
    loop {
        let gone = encoding::vanishing(&planes);
        if !gone.any() {
            break;
        }
        close(isa, &mut planes, gone);
        chain.0 += 1;
    }
    store(isa, &planes, &mut field.planes);
    chain
}
