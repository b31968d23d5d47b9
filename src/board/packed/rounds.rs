//! The rounds of many chains at once.

use super::super::simd::{Isa, Vector, Words};
use super::Planes;
use super::encoding::{self, each};
use super::layout::{GUARDS, ONES};

/// The constants of a round.
#[derive(Clone, Copy)]
pub(super) struct RoundConstants<V> {
    guards: V,
    ones: V,
}

/// The constants for vectors of one field.
#[inline(always)]
pub(super) fn narrow<I: Isa>(isa: I) -> RoundConstants<I::V> {
    RoundConstants { guards: isa.splat(GUARDS), ones: isa.splat(ONES) }
}

/// The constants for vectors of [`Isa::FIELDS`] fields.
#[inline(always)]
pub(super) fn wide<I: Isa>(isa: I) -> RoundConstants<I::Wide> {
    RoundConstants { guards: isa.splat_wide(GUARDS), ones: isa.splat_wide(ONES) }
}

/// Closes the holes `gone`: the cells above a hole fall. The planes must not have the unstable
/// flag.
#[inline(always)]
pub(super) fn close<I: Isa>(isa: I, planes: &mut [I::V; 4], gone: I::V) {
    narrow(isa).raise(planes, gone);
    lower(planes);
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

impl<V: Vector> RoundConstants<V> {
    /// Closes the holes `gone` and returns the cells that vanish next.
    #[inline(always)]
    pub(super) fn round(self, planes: &mut [V; 4], gone: V) -> V {
        // The search for pairs runs on planes that are raised by one row. Planes raised by two, one
        // and no rows are then those of the row below, the row itself and the row above, so the
        // neighbours need no further shift.
        self.raise(planes, gone);
        let below = *planes;
        let middle = each!(&below, down);
        lower(planes);
        let found = encoding::vanishing_of(&below, &middle, planes);
        found.cells.down() | found.under
    }

    /// Closes holes upside down: the cells below a hole move up into it, the lowest hole first, two
    /// holes in every lane. The two guards of a lane count as holes above its rows, so that a lane
    /// with fewer holes needs no mask of its own: afterwards every cell lies two rows too high. A
    /// move up is one addition, `x + (x & below)`, which never carries because the hole is empty. A
    /// column with more than two holes (8 % of rounds have one) takes another pass.
    #[inline(always)]
    fn raise(self, planes: &mut [V; 4], gone: V) {
        let mut gone = gone;
        let mut left = self.raise_two(planes, gone);
        while left.meets(gone) {
            // The remaining holes lie above the second one, and move down by two with the cells.
            lower(planes);
            gone = (left & gone).down_by::<2>();
            left = self.raise_two(planes, gone);
        }
    }

    /// Closes the two lowest holes of each lane; returns the holes and guards left.
    #[inline(always)]
    fn raise_two(self, planes: &mut [V; 4], gone: V) -> V {
        let Self { guards, ones } = self;
        let holes = gone | guards;
        // Subtracts 1 from each lane: the cells below the lowest hole are set, the hole is not.
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

/// Loads all planes of two fields; of the first alone if vectors have no room for two.
#[inline(always)]
pub(super) fn load_wide<I: Isa>(isa: I, first: &Planes, second: &Planes) -> [I::Wide; 4] {
    let mut planes = [isa.splat_wide(0); 4];
    let mut i = 0;
    while i < 4 {
        planes[i] = isa.load_wide(&first[i], &second[i]);
        i += 1;
    }
    planes
}

/// Stores all planes of two fields, in the slots `first` and `second`, which differ.
#[inline(always)]
pub(super) fn store_wide<I: Isa>(
    isa: I,
    planes: &[I::Wide; 4],
    slots: &mut [Planes],
    (first, second): (usize, usize),
) {
    let mut i = 0;
    while i < 4 {
        isa.store_first(planes[i], &mut slots[first][i]);
        isa.store_second(planes[i], &mut slots[second][i]);
        i += 1;
    }
}

/// Runs the chains of the slots in `firing` to their ends. The last slot, after at most 64 others,
/// is empty: a vector of two fields takes it beside the last one of an odd number of slots.
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
    let constants = wide(isa);
    let idle = slots.len() - 1;
    let mut current = firing;
    while current != 0 {
        let mut rest = current;
        let mut next = 0;
        while rest != 0 {
            let first = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let mut second = idle;
            if I::FIELDS == 2 {
                second = (rest.trailing_zeros() as usize).min(idle);
                rest &= rest.wrapping_sub(1);
            }
            let mut planes = load_wide(isa, &slots[first], &slots[second]);
            let gone = isa.load_wide(&holes[first], &holes[second]);
            let gone = constants.round(&mut planes, gone);
            store_wide(isa, &planes, slots, (first, second));
            isa.store_first(gone, &mut holes[first]);
            isa.store_second(gone, &mut holes[second]);
            let (any_first, any_second) = isa.any_wide(gone);
            chains[first] += 1;
            next |= u64::from(any_first) << first;
            if I::FIELDS == 2 {
                chains[second] = chains[second].wrapping_add(1);
                next |= u64::from(any_second) << (second % 64);
            }
        }
        current = next;
    }
}
