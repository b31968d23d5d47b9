//! One drop, and the skill.

use super::super::simd::{Isa, Vector as _, Work};
use super::rounds::{close, count, load, store};
use super::{Field, encoding, layout};
use crate::game::{Chain, Dropped, Exploded, Explosion, Pack, Placement, ROWS};

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
        let chain = settle(isa, &mut field);
        Dropped { field, chain }
    }
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
        let chain = settle(isa, &mut field);
        Exploded { field, explosion: Explosion(count(isa, gone) as u8), chain }
    }
}

/// Runs the chain, if there is one.
#[inline(always)]
fn settle<I: Isa>(isa: I, field: &mut Field) -> Chain {
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
