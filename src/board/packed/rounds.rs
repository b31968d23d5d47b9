//! The rounds of many chains at once.

use super::super::simd::{Isa, Vector, Words};
use super::Planes;
use super::encoding::{self, each};
use super::layout::{GUARDS, ONES};

/// Closes the holes `gone`: the cells above a hole fall. The planes must not have the unsettled
/// flag.
#[inline(always)]
pub(super) fn close<I: Isa>(isa: I, planes: &mut [I::V; 4], gone: I::V) {
    raise(isa, planes, gone);
    lower(planes);
}

/// Closes the holes `gone` and returns the cells that vanish next.
#[inline(always)]
pub(super) fn round<I: Isa>(isa: I, planes: &mut [I::V; 4], gone: I::V) -> I::V {
    // The search for pairs runs on planes that are raised by one row. Planes raised by two, one and
    // no rows are then those of the row below, the row itself and the row above, so the neighbours
    // need no further shift.
    raise(isa, planes, gone);
    let below = *planes;
    let middle = each!(&below, down);
    lower(planes);
    let found = encoding::vanishing_of(&below, &middle, planes);
    found.cells.down() | found.under
}

/// Moves all cells down by two.
#[inline(always)]
fn lower<V: Vector>(planes: &mut [V; 4]) {
    let mut i = 0;
    while i < 4 {
        planes[i] = planes[i].down_by::<2>();
        i += 1;
    }
}

/// Closes holes upside down: the cells below a hole move up into it, the lowest hole first, two
/// holes in every lane. The two guards of a lane count as holes above its rows, so that a lane with
/// fewer holes needs no mask of its own: afterwards every cell lies two rows too high. A move up is
/// one addition, `x + (x & below)`, which never carries because the hole is empty. A column with
/// more than two holes (8 % of rounds have one) takes another pass.
#[inline(always)]
fn raise<I: Isa>(isa: I, planes: &mut [I::V; 4], gone: I::V) {
    let mut gone = gone;
    let mut left = raise_two(isa, planes, gone);
    while left.meets(gone) {
        // The remaining holes lie above the second one, and move down by two with the cells.
        lower(planes);
        gone = (left & gone).down_by::<2>();
        left = raise_two(isa, planes, gone);
    }
}

/// Closes the two lowest holes of each lane; returns the holes and guards left.
#[inline(always)]
fn raise_two<I: Isa>(isa: I, planes: &mut [I::V; 4], gone: I::V) -> I::V {
    let (guards, ones) = (isa.splat(GUARDS), isa.splat(ONES));
    let holes = gone | guards;
    // One less in each lane at once: the cells below the lowest hole are set, the hole is not.
    let less = holes.minus(ones);
    let below_first = less.without(holes);
    let left = holes & less;
    let less = left.minus(ones);
    let below_second = less.without(left);
    let mut i = 0;
    while i < 4 {
        let raised = planes[i].without(holes).plus(planes[i] & below_first);
        planes[i] = raised.plus(raised & below_second);
        i += 1;
    }
    less & left
}

/// Loads all planes.
#[inline(always)]
pub(super) fn load<I: Isa>(isa: I, words: &Planes) -> [I::V; 4] {
    let mut planes = [isa.splat(0); 4];
    let mut i = 0;
    while i < 4 {
        planes[i] = isa.load(&words[i]);
        i += 1;
    }
    planes
}

/// Stores all planes.
#[inline(always)]
pub(super) fn store<I: Isa>(isa: I, planes: &[I::V; 4], words: &mut Planes) {
    let mut i = 0;
    while i < 4 {
        isa.store(planes[i], &mut words[i]);
        i += 1;
    }
}

/// Returns the number of cells.
#[inline(always)]
pub(super) fn count<I: Isa>(isa: I, cells: I::V) -> u32 {
    let mut words = Words::EMPTY;
    isa.store(cells, &mut words);
    words.count()
}

/// Runs the chains of the slots in `firing` to their ends.
///
/// Runs one round of each chain in turn rather than one chain after the other, because the rounds
/// of a chain depend on each other and the end of a chain cannot be predicted.
#[inline(always)]
pub(super) fn run<I: Isa>(
    isa: I,
    firing: u64,
    slots: &mut [Planes],
    holes: &mut [Words],
    chains: &mut [u8],
) {
    let mut current = firing;
    while current != 0 {
        current = run_one(isa, current, slots, holes, chains, None);
    }
}

/// Runs one round of each slot in `firing`; returns the slots that have another round. Before and
/// after the round, `holes` has the cells that vanish next; afterwards `copies`, if given, has them
/// too.
#[inline(always)]
pub(super) fn run_one<I: Isa>(
    isa: I,
    firing: u64,
    slots: &mut [Planes],
    holes: &mut [Words],
    chains: &mut [u8],
    mut copies: Option<&mut [Words]>,
) -> u64 {
    let (mut current, mut next) = (firing, 0);
    while current != 0 {
        let i = current.trailing_zeros() as usize;
        current &= current - 1;
        let slot = &mut slots[i];
        let mut planes = load(isa, slot);
        let gone = round(isa, &mut planes, isa.load(&holes[i]));
        store(isa, &planes, slot);
        isa.store(gone, &mut holes[i]);
        if let Some(copies) = &mut copies {
            isa.store(gone, &mut copies[i]);
        }
        chains[i] += 1;
        next |= u64::from(holes[i].any()) << i;
    }
    next
}
