//! The longest chain that the removal of one block sets off.

use super::super::simd::{Isa, Vector, Words, Work};
use super::encoding::{self, each, ring};
use super::layout::{ABOVE, FIELD, LANE, Lanes as _, ONES, TABLE_ROWS};
use super::rounds::{close, count, load, run, run_one, store};
use super::{Field, Planes};
use crate::game::{Chain, Potential, ROWS, WIDTH, hash};

/// The number of slots of a [`Workspace`], one a bit of a word. Fields with more triggers take
/// further passes.
const SLOTS: usize = 64;

/// The memory of the search for a potential; make it once and reuse it.
pub struct Workspace {
    planes: [Planes; SLOTS],
    holes: [Words; SLOTS],
    /// The cells that vanish in the second round of each chain.
    seconds: [Words; SLOTS],
    chains: [u8; SLOTS],
    /// Column from the left and row from the bottom of each removed block.
    triggers: [(u8, u8); SLOTS],
}

impl Workspace {
    /// An empty workspace. Inlined, so that it is made in place: 13 kB are not copied.
    #[inline(always)]
    pub(in super::super) fn new() -> Self {
        Self {
            planes: [[Words::EMPTY; 4]; SLOTS],
            holes: [Words::EMPTY; SLOTS],
            seconds: [Words::EMPTY; SLOTS],
            chains: [0; SLOTS],
            triggers: [(0, 0); SLOTS],
        }
    }
}

/// See [`Potential::near`].
#[inline(always)]
fn near_pairs<I: Isa>(isa: I, planes: &[I::V; 4]) -> u32 {
    let upper = each!(&each!(planes, down), down);
    count(isa, encoding::tens(planes, &upper))
        + count(isa, encoding::tens(planes, &each!(&upper, to_left)))
        + count(isa, encoding::tens(planes, &each!(&upper, to_right)))
}

/// The search for a field's potential and its potential after rain.
pub struct Search<'a> {
    field: &'a Field,
    /// By column, the height of the lower neighbouring column after the rows. A block remains a
    /// trigger if the cell on top of it is not lower than this.
    beside: [u8; WIDTH],
    workspace: &'a mut Workspace,
}

impl<'a> Search<'a> {
    /// The search for the potential alone; the chain after rain in its output is invalid.
    pub const fn now(field: &'a Field, workspace: &'a mut Workspace) -> Self {
        Self { field, beside: [0; WIDTH], workspace }
    }

    /// The search for the potential, and for its chain after `rows` rows. `field` must be settled:
    /// then no chain begins with the top of a column.
    pub fn after(field: &'a Field, rows: u8, workspace: &'a mut Workspace) -> Self {
        let heights = field.heights();
        let rows = rows.min(ROWS as u8 - heights.into_iter().max().unwrap_or(0));
        // A block has a cell above it, so the last neighbour that rows fill is the one a row above
        // the block in the lower of the columns beside it.
        let beside = std::array::from_fn(|x| {
            let columns = [x.wrapping_sub(1), x + 1];
            columns.iter().filter_map(|&x| heights.get(x)).min().unwrap_or(&0) + rows
        });
        Self { field, beside, workspace }
    }
}

/// Marks the highest given cell of each lane, and every cell below it.
#[inline(always)]
fn fill_down<I: Isa>(isa: I, cells: I::V) -> I::V {
    // Bits that leave a lane reach the top rows of the lane before and are masked off.
    let rows = |count: u32| isa.splat(ONES * ((1 << (ROWS as u32 - count)) - 1));
    let cells = cells | (cells.down() & rows(1));
    let cells = cells | (cells.down_by::<2>() & rows(2));
    let cells = cells | (cells.down_by::<4>() & rows(4));
    let cells = cells | (cells.down_by::<8>() & rows(8));
    cells | (cells.down_by::<16>() & rows(16))
}

/// All triggers of a field at once. On a settled field, a removal sets off a chain only if a block
/// above it, fallen by one row, meets its complement in a neighbouring column, which is two rows
/// below that block before the fall; or if the blocks directly above and below the removed block
/// sum to ten.
#[derive(Clone, Copy)]
struct Triggers<V> {
    /// Cells whose removal sets off a chain.
    fire: V,
    /// Cells that meet their complement in the column on the right, or on the left, once they have
    /// fallen by one row.
    right: V,
    left: V,
    /// Cells between two that sum to ten.
    between: V,
}

#[inline(always)]
fn candidates<I: Isa>(isa: I, planes: &[I::V; 4]) -> I::V {
    let filled = encoding::filled(planes);
    let empty = isa.load(&FIELD).without(filled);
    encoding::blocks(planes) & filled.down() & ring(empty)
}

#[inline(always)]
fn triggers<I: Isa>(isa: I, planes: &[I::V; 4]) -> Triggers<I::V> {
    let below = each!(planes, up);
    let lower = each!(&below, up);
    let right = encoding::tens(planes, &each!(&lower, to_left));
    let left = encoding::tens(planes, &each!(&lower, to_right));
    let between = encoding::tens(&each!(planes, down), &below);
    let under = fill_down(isa, right | left).down();
    let fire = candidates::<I>(isa, planes) & (between | under);
    Triggers { fire, right, left, between }
}

impl<I: Isa> Work<I> for Search<'_> {
    /// The potential, and the longest chain after rain.
    type Output = (Potential, Chain);

    #[inline(always)]
    fn run(self, isa: I) -> (Potential, Chain) {
        let Search { field, beside, workspace } = self;
        let unsettled = field.is_unsettled();
        let planes = load(isa, &field.cells());
        let (mut best, mut lasting) = (0, 0);
        let (mut second, mut near) = (Words::EMPTY, 0);
        let all = triggers::<I>(isa, &planes);
        let mut fire = Words::EMPTY;
        isa.store(if unsettled { candidates::<I>(isa, &planes) } else { all.fire }, &mut fire);
        let mut word = 0;
        while word < 4 {
            // 1. Remove each block in a slot of its own, until no block or no slot is left.
            let mut used = 0;
            while word < 4 && used < SLOTS {
                let bits = fire.0[word];
                if bits == 0 {
                    word += 1;
                    continue;
                }
                fire.0[word] = bits & (bits - 1);
                let bit = bits.trailing_zeros() as usize;
                // A cell's column and row; the remainders let the compiler drop the bounds checks.
                let (lane, row) = (bit / LANE, bit % LANE);
                let column = (4 * lane + word) % WIDTH;
                let mut cell = Words::EMPTY;
                cell.0[word] = 1 << bit;
                let cell = isa.load(&cell);
                if unsettled {
                    let mut planes = planes;
                    close(isa, &mut planes, cell);
                    store(isa, &planes, &mut workspace.planes[used]);
                    isa.store(encoding::vanishing(&planes), &mut workspace.holes[used]);
                } else {
                    // The removal and the first round close their holes together.
                    let above = isa.load(&ABOVE[column][row % TABLE_ROWS]);
                    let (right, left) = (all.right & above, all.left & above);
                    let between = all.between & cell;
                    let partners = (right.to_right() | left.to_left()).down_by::<2>();
                    let holes = cell | right | left | partners | between.up() | between.down();
                    store(isa, &planes, &mut workspace.planes[used]);
                    isa.store(holes, &mut workspace.holes[used]);
                }
                workspace.chains[used] = 0;
                workspace.triggers[used] = (column as u8, row as u8);
                used += 1;
            }

            // 2. Run the chains. On a settled field, every chosen removal sets one off.
            let mut firing = if used == 0 { 0 } else { u64::MAX >> (SLOTS - used) };
            let mut slot = 0;
            while unsettled && slot < used {
                firing &= !(u64::from(!workspace.holes[slot].any()) << slot);
                slot += 1;
            }
            let Workspace { planes: slots, holes, seconds, chains, .. } = &mut *workspace;
            firing = run_one(isa, firing, slots, holes, chains, Some(seconds));
            run(isa, firing, slots, holes, chains);

            // 3. Take the slot of the longest chain, then of the lowest column and the lowest row.
            let before = best;
            let mut slot = 0;
            while slot < used {
                let (column, row) = workspace.triggers[slot];
                let rest = u32::from(!column) << 16 | u32::from(!row) << 8 | slot as u32;
                best = best.max(u32::from(workspace.chains[slot]) << 24 | rest);
                if row + 1 >= beside[usize::from(column)] {
                    lasting = lasting.max(workspace.chains[slot]);
                }
                slot += 1;
            }
            if best != before {
                let slot = best as usize % SLOTS;
                second = workspace.seconds[slot];
                near = near_pairs::<I>(isa, &load(isa, &workspace.planes[slot]));
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
