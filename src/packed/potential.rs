//! The greatest chain that one block's removal starts.

use super::Packed;
use super::encoding::{Encoding, each, ring};
use super::layout::{ABOVE, FIELD, LANE, ONES, TABLE_ROWS};
use super::rounds::{close, count, load, run, run_one, store};
use crate::game::{Chain, Field, Potential, ROWS, WIDTH, hash};
use crate::simd::{Isa, Vector, Words, Work};

/// Slots of a [`Workspace`]: bits of a word. Fields with more triggers take another turn.
const SLOTS: usize = 64;

/// Room for the chains of a field's triggers. Made once and used again.
pub struct Workspace<const N: usize> {
    planes: [[Words; N]; SLOTS],
    holes: [Words; SLOTS],
    /// What vanishes in the second round of each chain.
    seconds: [Words; SLOTS],
    chains: [u8; SLOTS],
    /// Column from the left and row from the bottom of each removed block.
    triggers: [(u8, u8); SLOTS],
}

impl<const N: usize> Default for Workspace<N> {
    fn default() -> Self {
        Workspace {
            planes: [[Words::EMPTY; N]; SLOTS],
            holes: [Words::EMPTY; SLOTS],
            seconds: [Words::EMPTY; SLOTS],
            chains: [0; SLOTS],
            triggers: [(0, 0); SLOTS],
        }
    }
}

impl<E: Encoding<N>, I: Isa, const N: usize> Packed<E, I, N> {
    /// See [`crate::game::Field::potential`].
    pub(super) fn longest_promise(&self, room: &mut Workspace<N>) -> Potential {
        self.isa.run(Search { field: self, beside: [0; WIDTH], room }).0
    }

    /// See [`crate::game::Field::potential_after`]; of a settled field, on which no chain begins
    /// with the top of a column.
    pub(super) fn promises_after(&self, rows: u8, room: &mut Workspace<N>) -> (Potential, Chain) {
        let heights = self.heights();
        let rows = rows.min(ROWS as u8 - heights.into_iter().max().unwrap_or(0));
        // A block has a cell above it, so the last of its neighbours that rows fill is the one
        // above it in the lower of the columns beside it.
        let beside = std::array::from_fn(|x| {
            let columns = [x.wrapping_sub(1), x + 1];
            columns.iter().filter_map(|&x| heights.get(x)).min().unwrap_or(&0) + rows
        });
        self.isa.run(Search { field: self, beside, room })
    }
}

/// See [`Potential::near`].
#[inline(always)]
fn near_pairs<I: Isa, E: Encoding<N>, const N: usize>(isa: I, planes: &[I::V; N]) -> u32 {
    let upper = each!(&each!(planes, down), down);
    count(isa, E::tens(planes, &upper))
        + count(isa, E::tens(planes, &each!(&upper, to_left)))
        + count(isa, E::tens(planes, &each!(&upper, to_right)))
}

/// The work of [`Packed::longest_promise`] and [`Packed::promises_after`].
struct Search<'a, E, I, const N: usize> {
    field: &'a Packed<E, I, N>,
    /// By columns, how high the lower of those beside it will be: a block's promise lasts if the
    /// cell on top of the block is no lower.
    beside: [u8; WIDTH],
    room: &'a mut Workspace<N>,
}

/// Marks every cell of a lane below the highest one given, and that one.
#[inline(always)]
fn fill_down<I: Isa>(isa: I, cells: I::V) -> I::V {
    // What leaves a lane lands in the top rows of the one before and is masked off.
    let rows = |count: u32| isa.splat(ONES * ((1 << (ROWS as u32 - count)) - 1));
    let cells = cells | (cells.down() & rows(1));
    let cells = cells | (cells.down_by::<2>() & rows(2));
    let cells = cells | (cells.down_by::<4>() & rows(4));
    let cells = cells | (cells.down_by::<8>() & rows(8));
    cells | (cells.down_by::<16>() & rows(16))
}

/// All triggers of a field at once. On a settled field a removal fires only if a block above it,
/// fallen by one row, meets its complement two rows lower in a column beside, or if the blocks
/// above and below it meet.
#[derive(Clone, Copy)]
struct Triggers<V> {
    /// Cells whose removal fires.
    fire: V,
    /// Cells that meet their complement in the column on the right, or on the left, once they have
    /// fallen by one row.
    right: V,
    left: V,
    /// Cells between two that sum to ten.
    between: V,
}

#[inline(always)]
fn candidates<I: Isa, E: Encoding<N>, const N: usize>(isa: I, planes: &[I::V; N]) -> I::V {
    let filled = E::filled(planes);
    let empty = isa.load(&FIELD).without(filled);
    filled.without(E::ojama(planes)) & filled.down() & ring(empty)
}

#[inline(always)]
fn triggers<I: Isa, E: Encoding<N>, const N: usize>(isa: I, planes: &[I::V; N]) -> Triggers<I::V> {
    let below = each!(planes, up);
    let lower = each!(&below, up);
    let right = E::tens(planes, &each!(&lower, to_left));
    let left = E::tens(planes, &each!(&lower, to_right));
    let between = E::tens(&each!(planes, down), &below);
    let under = fill_down(isa, right | left).down();
    let fire = candidates::<I, E, N>(isa, planes) & (between | under);
    Triggers { fire, right, left, between }
}

impl<E: Encoding<N>, I: Isa, const N: usize> Work<I> for Search<'_, E, I, N> {
    /// The potential, and the longest chain that lasts.
    type Output = (Potential, Chain);

    #[inline(always)]
    fn run(self, isa: I) -> (Potential, Chain) {
        let Search { field, beside, room } = self;
        let unsettled = field.is_unsettled();
        let planes = load(isa, &field.cells());
        let (mut best, mut lasting) = (0, 0);
        let (mut second, mut near) = (Words::EMPTY, 0);
        let all = triggers::<I, E, N>(isa, &planes);
        let mut fire = Words::EMPTY;
        isa.store(
            if unsettled { candidates::<I, E, N>(isa, &planes) } else { all.fire },
            &mut fire,
        );
        let mut word = 0;
        while word < 4 {
            // 1. Remove the blocks, each in a slot of its own, until none or no slot is left.
            let mut used = 0;
            while word < 4 && used < SLOTS {
                let bits = fire.0[word];
                if bits == 0 {
                    word += 1;
                    continue;
                }
                fire.0[word] = bits & (bits - 1);
                let bit = bits.trailing_zeros() as usize;
                // A cell's column and row; the remainders tell the compiler that tables suffice.
                let (lane, row) = (bit / LANE, bit % LANE);
                let column = (4 * lane + word) % WIDTH;
                let mut cell = Words::EMPTY;
                cell.0[word] = 1 << bit;
                let cell = isa.load(&cell);
                if unsettled {
                    let mut planes = planes;
                    close(isa, &mut planes, cell);
                    store(isa, &planes, &mut room.planes[used]);
                    isa.store(E::vanishing(&planes), &mut room.holes[used]);
                } else {
                    // The removal and the first round close their holes together.
                    let above = isa.load(&ABOVE[column][row % TABLE_ROWS]);
                    let (right, left) = (all.right & above, all.left & above);
                    let between = all.between & cell;
                    let partners = (right.to_right() | left.to_left()).down_by::<2>();
                    let holes = cell | right | left | partners | between.up() | between.down();
                    store(isa, &planes, &mut room.planes[used]);
                    isa.store(holes, &mut room.holes[used]);
                }
                room.chains[used] = 0;
                room.triggers[used] = (column as u8, row as u8);
                used += 1;
            }

            // 2. Run the chains. On a settled field every removal chosen sets one off.
            let mut firing = if used == 0 { 0 } else { u64::MAX >> (SLOTS - used) };
            let mut slot = 0;
            while unsettled && slot < used {
                firing &= !(u64::from(!room.holes[slot].any()) << slot);
                slot += 1;
            }
            let Workspace { planes: slots, holes, seconds, chains, .. } = &mut *room;
            firing = run_one::<I, E, N>(isa, firing, slots, holes, chains, Some(seconds));
            run::<I, E, N>(isa, firing, slots, holes, chains);

            // 3. The longest chain, then the lowest column, then the lowest row; its slot besides.
            let before = best;
            let mut slot = 0;
            while slot < used {
                let (column, row) = room.triggers[slot];
                let rest = u32::from(!column) << 16 | u32::from(!row) << 8 | slot as u32;
                best = best.max(u32::from(room.chains[slot]) << 24 | rest);
                if row + 1 >= beside[usize::from(column)] {
                    lasting = lasting.max(room.chains[slot]);
                }
                slot += 1;
            }
            if best != before {
                let slot = best as usize % SLOTS;
                second = room.seconds[slot];
                near = near_pairs::<I, E, N>(isa, &load(isa, &room.planes[slot]));
            }
        }
        let [_, row, column, chain] = best.to_le_bytes();
        let best = Potential {
            chain: Chain(chain),
            trigger: (chain > 0).then_some((!column, !row)),
            second: (chain > 1).then(|| hash::of_cells(&second.0)),
            near: if chain > 0 { near } else { 0 },
        };
        (best, Chain(lasting))
    }
}
