//! The longest chain that the removal of one block sets off, for several fields at once.

use super::super::simd::{Isa, Vector, Words, Work};
use super::encoding::{self, each, ring};
use super::layout::{ABOVE, CELL, FIELD, KEYS, LANE, Lanes as _, ONES};
use super::rounds::{close, count, load, load_wide, narrow, run, store_wide, wide};
use super::shared::{MOST_SHARED, Shared, share};
use super::{Field, FieldSummary, Planes};
use crate::game::{Chain, Pack, Placement, Potential, ROWS, WIDTH, hash};

/// The number of slots of a [`Workspace`], one for each bit of a word. Fields with more triggers in
/// all take further passes.
pub(super) const SLOTS: usize = 64;

/// The number of triggers that are listed at once.
const AT_ONCE: usize = 4;

/// The length of the list of triggers: at least [`SLOTS`] and [`AT_ONCE`] more; a power of two, so
/// that a masked index needs no check.
const LISTED: usize = 128;

/// The most fields of a [`Workspace`]: all children of a field.
pub(super) const MOST_FIELDS: usize = Placement::COUNT;

/// The entry of the parent of the fields, behind the empty one.
pub(super) const PARENT: usize = MOST_FIELDS + 1;

/// The chains of the parent run if they may serve at least as many children. Experiment B-35.
const LEAST_FAMILY: u32 = 9;

/// The entry of an unused slot: no block is removed from the empty field.
const NONE: (u8, u8) = (MOST_FIELDS as u8, 0);

/// A field of a [`Workspace`], and the known part of its potential.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) planes: Planes,
    pub(super) triggers: Triggers<Words>,
    /// By column, the height of the lower neighbouring column after the rows. A block remains a
    /// trigger if the cell on top of it is not lower than this.
    pub(super) beside: [u8; WIDTH],
    /// Bits 24 to 31: rounds of the longest chain. Bits 8 to 23: [`KEYS`] of its trigger. Bits 0 to
    /// 7: its slot. The maximum is the longest chain with the leftmost, then lowest trigger.
    pub(super) best: u32,
    /// The longest chain after the rows.
    pub(super) after_rain: u8,
    /// The cells that vanish in the second round of the best chain.
    second: Words,
    /// See [`Potential::near`].
    near: u32,
    /// `best` before the present slots.
    before: u32,
    /// The index of the best chain among the chains of the parent, if it is one of them.
    pub(super) shared: Option<u8>,
    summary: FieldSummary,
}

impl Entry {
    const EMPTY: Self = Self {
        planes: [Words::EMPTY; 4],
        triggers: Triggers {
            fire: Words::EMPTY,
            right: Words::EMPTY,
            left: Words::EMPTY,
            between: Words::EMPTY,
        },
        beside: [0; WIDTH],
        best: 0,
        after_rain: 0,
        second: Words::EMPTY,
        near: 0,
        before: 0,
        shared: None,
        summary: FieldSummary { heights: [0; WIDTH], blocks: 0 },
    };
}

/// The fields whose potential is searched, and the memory of the search; make it once and reuse it.
pub struct Workspace {
    /// The last entry but one is empty. A vector of two fields takes it beside the last one of an
    /// odd number of fields. The last entry is the parent.
    pub(super) entries: [Entry; PARENT + 1],
    /// The number of fields.
    fields: usize,
    /// The last slot is empty, as the last entry is.
    pub(super) planes: [Planes; SLOTS + 1],
    pub(super) holes: [Words; SLOTS + 1],
    /// The cells that vanish in the second round of each chain.
    pub(super) seconds: [Words; SLOTS + 1],
    pub(super) chains: [u8; SLOTS + 1],
    /// The entry of each slot's field, and the word and the bit of the removed block.
    pub(super) removed: [(u8, u8); LISTED],
    pub(super) shared: Shared,
}

impl Workspace {
    /// An empty workspace. Inlined, so that it is made in place: 30 kB are not copied.
    #[inline(always)]
    pub(in super::super) fn new() -> Self {
        Self {
            entries: [Entry::EMPTY; PARENT + 1],
            fields: 0,
            planes: [[Words::EMPTY; 4]; SLOTS + 1],
            holes: [Words::EMPTY; SLOTS + 1],
            seconds: [Words::EMPTY; SLOTS + 1],
            chains: [0; SLOTS + 1],
            removed: [NONE; LISTED],
            shared: Shared::EMPTY,
        }
    }

    /// Removes all fields.
    pub(in super::super) const fn clear(&mut self) {
        self.fields = 0;
        self.shared.children = 0;
    }

    /// Names the stable parent of the children that are added by [`Self::add_child`], and the pack
    /// that is dropped on it.
    #[inline]
    pub(in super::super) fn set_parent(&mut self, field: &Field, pack: &Pack) {
        self.entries[PARENT].planes = field.planes;
        self.shared.pack.set(pack);
    }

    /// As [`Self::add`], for the field after a drop on the parent without a chain, and after the row
    /// that falls next. Rows change no chain: the chains of the parent need none.
    #[inline]
    pub(in super::super) fn add_child(&mut self, field: &Field, rows: u8, placement: Placement) {
        let index = placement.index();
        self.shared.children |= 1 << index;
        self.shared.entries[index] = self.fields as u8;
        self.add(field, rows);
    }

    /// Adds a stable field, for its potential now and after `rows` rows. On a stable field the
    /// removal of a column's top block sets off no chain, so that rows on top of it add no trigger.
    /// Rows change no chain either, because they lie on top of all blocks.
    ///
    /// # Panics
    /// If there are [`Placement::COUNT`] fields.
    #[inline]
    pub(in super::super) fn add(&mut self, field: &Field, rows: u8) {
        assert!(self.fields < MOST_FIELDS, "a batch has at most {MOST_FIELDS} fields");
        let entry = &mut self.entries[self.fields];
        self.fields += 1;
        entry.planes = field.planes;
        entry.beside = [0; WIDTH];
        (entry.best, entry.after_rain, entry.shared) = (0, 0, None);
        if rows > 0 {
            let heights = field.heights();
            let rows = rows.min(ROWS as u8 - heights.into_iter().max().unwrap_or(0));
            // A block has a cell above it, so the last neighbour that rows fill is the one a row
            // above the block in the lower of the columns beside it.
            entry.beside = std::array::from_fn(|x| {
                let columns = [x.wrapping_sub(1), x + 1];
                columns.iter().filter_map(|&x| heights.get(x)).min().unwrap_or(&0) + rows
            });
        }
    }

    /// The potential of the field of index `index`, and its longest chain after rows, once
    /// [`Potentials`] has run.
    #[inline]
    pub(in super::super) fn result(&self, index: usize) -> (Potential, Chain) {
        let Entry { best, after_rain, second, near, .. } = &self.entries[index];
        let [_, row, column, chain] = best.to_le_bytes();
        let potential = Potential {
            chain: Chain(chain),
            trigger: (chain > 0).then_some((!column, !row)),
            second: (chain > 1).then(|| hash::of_cells(&second.0)),
            near: if chain > 0 { *near } else { 0 },
        };
        (potential, Chain(*after_rain))
    }
}

impl Workspace {
    /// The summary of the field of index `index`, once [`Potentials`] has run.
    #[inline]
    pub(in super::super) const fn summary(&self, index: usize) -> &FieldSummary {
        &self.entries[index].summary
    }
}

/// Pairs of blocks that sum to ten and would become neighbours if the upper one fell by a row:
/// straight below it, to its left, to its right.
#[inline(always)]
fn near_pairs<V: Vector>(planes: &[V; 4]) -> [V; 3] {
    let upper = each!(&each!(planes, down), down);
    [
        encoding::tens(planes, &upper),
        encoding::tens(planes, &each!(&upper, to_left)),
        encoding::tens(planes, &each!(&upper, to_right)),
    ]
}

/// Marks the highest given cell of each lane, and every cell below it. `splat` repeats a word.
#[inline(always)]
fn fill_down<V: Vector>(splat: impl Fn(u64) -> V, cells: V) -> V {
    // Bits that leave a lane reach the top rows of the lane before and are masked off.
    let rows = |count: u32| splat(ONES * ((1 << (ROWS as u32 - count)) - 1));
    let cells = cells | (cells.down() & rows(1));
    let cells = cells | (cells.down_by::<2>() & rows(2));
    let cells = cells | (cells.down_by::<4>() & rows(4));
    let cells = cells | (cells.down_by::<8>() & rows(8));
    cells | (cells.down_by::<16>() & rows(16))
}

/// All triggers of a field at once. On a stable field, a removal sets off a chain only if a block
/// above it, fallen by one row, meets its complement in a neighbouring column, which is two rows
/// below that block before the fall; or if the blocks directly above and below the removed block
/// sum to ten.
#[derive(Clone, Copy)]
pub(super) struct Triggers<V> {
    /// Cells whose removal sets off a chain.
    pub(super) fire: V,
    /// Cells that meet their complement in the column on the right, or on the left, once they have
    /// fallen by one row.
    pub(super) right: V,
    pub(super) left: V,
    /// Cells between two that sum to ten.
    pub(super) between: V,
}

/// The number blocks that [`Field::potential`] removes: a cell lies on them, and one of their eight
/// neighbours within `inside` is empty.
#[inline(always)]
fn candidates<V: Vector>(inside: V, planes: &[V; 4]) -> V {
    let filled = encoding::filled(planes);
    encoding::blocks(planes) & filled.down() & ring(inside.without(filled))
}

#[inline(always)]
pub(super) fn triggers<V: Vector>(
    splat: impl Fn(u64) -> V,
    inside: V,
    planes: &[V; 4],
) -> Triggers<V> {
    let below = each!(planes, up);
    let lower = each!(&below, up);
    let right = encoding::tens(planes, &each!(&lower, to_left));
    let left = encoding::tens(planes, &each!(&lower, to_right));
    let between = encoding::tens(&each!(planes, down), &below);
    let under = fill_down(splat, right | left).down();
    let fire = candidates(inside, planes) & (between | under);
    Triggers { fire, right, left, between }
}

/// The search for the potentials of all fields of a [`Workspace`].
///
/// The removals of all fields share the slots. Vectors of two fields then find two chains that
/// still run, and a pass over the running chains, which costs one unpredictable end, covers more
/// chains (S-11).
pub struct Potentials<'a>(pub &'a mut Workspace);

impl<I: Isa> Work<I> for Potentials<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, isa: I) {
        let Self(workspace) = self;
        let fields = workspace.fields.min(MOST_FIELDS);
        // 1. Find the triggers of all fields.
        let inside = isa.load_wide(&FIELD, &FIELD);
        let mut field = 0;
        while field < fields {
            let entries = &mut workspace.entries;
            let other = if I::FIELDS == 2 && field + 1 < fields { field + 1 } else { MOST_FIELDS };
            let planes = load_wide(isa, &entries[field].planes, &entries[other].planes);
            let all = triggers(|word| isa.splat_wide(word), inside, &planes);
            let found = &mut entries[field].triggers;
            isa.store_first(all.fire, &mut found.fire);
            isa.store_first(all.right, &mut found.right);
            isa.store_first(all.left, &mut found.left);
            isa.store_first(all.between, &mut found.between);
            let found = &mut entries[other].triggers;
            isa.store_second(all.fire, &mut found.fire);
            isa.store_second(all.right, &mut found.right);
            isa.store_second(all.left, &mut found.left);
            isa.store_second(all.between, &mut found.between);
            entries[field].summary = FieldSummary::of(&entries[field].planes);
            entries[other].summary = FieldSummary::of(&entries[other].planes);
            field += I::FIELDS;
        }

        // 2. Run the chains of the parent, and give a slot to each child that leaves one.
        let mut shared = (0, 0);
        if workspace.shared.children.count_ones() >= LEAST_FAMILY {
            shared = share(isa, workspace);
        }

        // 3. Give each trigger a slot. Run the slots when the free ones do not suffice for a word.
        let (mut field, mut word) = (0, 0);
        while field < fields {
            let first = if shared.0 > 0 { 0 } else { field };
            let mut used = shared.0;
            while field < fields {
                let mut bits = workspace.entries[field].triggers.fire.0[word % 4];
                let count = bits.count_ones() as usize;
                if used + count > SLOTS {
                    break;
                }
                // Lists four entries at once: most words have fewer triggers, and their number
                // cannot be predicted. The next word overwrites the entries that are no triggers.
                let mut listed = 0;
                loop {
                    let mut i = 0;
                    while i < AT_ONCE {
                        let bit = (bits.trailing_zeros() % 64) as u8;
                        bits &= bits.wrapping_sub(1);
                        let index = 64 * (word % 4) as u8 + bit;
                        workspace.removed[(used + listed + i) % LISTED] = (field as u8, index);
                        i += 1;
                    }
                    listed += AT_ONCE;
                    if listed >= count {
                        break;
                    }
                }
                used += count;
                word += 1;
                field += word / 4;
                word %= 4;
            }
            let last = if shared.0 > 0 { fields } else { fields.min(field + 1) };
            run_slots(isa, workspace, shared, used, first..last);
            shared = (0, 0);
        }

        // 4. Finish the fields whose best chain is the parent's.
        let Workspace { entries, shared, .. } = workspace;
        let mut rest = shared.children;
        while rest != 0 {
            let child = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let entry = &mut entries[usize::from(shared.entries[child % MOST_FIELDS])];
            if let Some(chain) = entry.shared {
                let chain = usize::from(chain) % MOST_SHARED;
                let end = load(isa, &shared.planes[chain]);
                let pairs = near_pairs(&shared.pack.put(isa, &end, child));
                entry.near = 0;
                let mut i = 0;
                while i < 3 {
                    entry.near += count(isa, pairs[i]);
                    i += 1;
                }
                entry.second = shared.seconds[chain];
            }
        }
    }
}

/// Runs the chains of the first `used` slots and stores the results in the entries `fields` of their
/// fields. The first slots are `shared`, their number and those that run; the removed blocks of the
/// others are chosen.
#[inline(always)]
fn run_slots<I: Isa>(
    isa: I,
    workspace: &mut Workspace,
    shared: (usize, u64),
    used: usize,
    fields: std::ops::Range<usize>,
) {
    let Workspace { entries, planes: slots, holes, seconds, chains, removed, .. } = workspace;
    let used = used.min(SLOTS);
    let constants = wide(isa);
    let mut field = fields.start;
    while field < fields.end.min(MOST_FIELDS) {
        entries[field].before = entries[field].best;
        field += 1;
    }
    // 1. Remove each block and run the first round: every chosen removal sets off a chain.
    let (mut slot, mut firing) = shared;
    while slot < used {
        let other = if I::FIELDS == 2 && slot + 1 < used { slot + 1 } else { SLOTS };
        let (first, second) = (removed[slot], if other == SLOTS { NONE } else { removed[other] });
        let indices = (usize::from(first.1), usize::from(second.1));
        let [first, second] =
            [first, second].map(|(field, _)| &entries[usize::from(field).min(MOST_FIELDS)]);
        let of = |words: fn(&Triggers<Words>) -> &Words| {
            isa.load_wide(words(&first.triggers), words(&second.triggers))
        };
        let cell = isa.load_wide(&CELL[indices.0], &CELL[indices.1]);
        let above = isa.load_wide(&ABOVE[indices.0], &ABOVE[indices.1]);
        // The removal and the first round close their holes together.
        let (right, left) = (of(|all| &all.right) & above, of(|all| &all.left) & above);
        let between = of(|all| &all.between) & cell;
        let partners = (right.to_right() | left.to_left()).down_by::<2>();
        let vanishing = cell | right | left | partners | between.up() | between.down();
        let mut planes = load_wide(isa, &first.planes, &second.planes);
        let gone = constants.round(&mut planes, vanishing);
        store_wide(isa, &planes, slots, (slot, other));
        isa.store_first(gone, &mut holes[slot]);
        isa.store_second(gone, &mut holes[other]);
        isa.store_first(gone, &mut seconds[slot]);
        isa.store_second(gone, &mut seconds[other]);
        let (any_first, any_second) = isa.any_wide(gone);
        (chains[slot], chains[other]) = (1, 1);
        firing |= u64::from(any_first) << slot | u64::from(any_second) << (other % SLOTS);
        slot += I::FIELDS;
    }
    // The removal of nothing leaves the empty slot empty.
    debug_assert!(slots[SLOTS] == [Words::EMPTY; 4] && holes[SLOTS] == Words::EMPTY);

    // 2. Run the chains.
    run(isa, firing, slots, holes, chains);

    // 3. Take the slot of the longest chain, then of the lowest column and the lowest row.
    let mut slot = 0;
    while slot < used {
        let (field, index) = removed[slot];
        let entry = &mut entries[usize::from(field).min(MOST_FIELDS)];
        let key = KEYS[usize::from(index)];
        let [_, row, column, _] = key.to_le_bytes();
        entry.best = entry.best.max(u32::from(chains[slot]) << 24 | key | slot as u32);
        if !row + 1 >= entry.beside[usize::from(!column) % WIDTH] {
            entry.after_rain = entry.after_rain.max(chains[slot]);
        }
        slot += 1;
    }
    // The best chain may have run in an earlier call, in a slot that is reused.
    let is_new = |entry: &Entry| entry.best != entry.before;
    let mut field = fields.start;
    while field < fields.end.min(MOST_FIELDS) {
        let other = if I::FIELDS == 2 && field + 1 < fields.end { field + 1 } else { MOST_FIELDS };
        let [first, second] = [field, other].map(|field| entries[field].best as usize % SLOTS);
        let pairs = near_pairs(&load_wide(isa, &slots[first], &slots[second]));
        let mut counts = [0; 2];
        let mut i = 0;
        while i < 3 {
            let (mut first, mut second) = (Words::EMPTY, Words::EMPTY);
            isa.store_first(pairs[i], &mut first);
            isa.store_second(pairs[i], &mut second);
            counts[0] += first.count();
            counts[1] += second.count();
            i += 1;
        }
        for (field, slot, near) in [(field, first, counts[0]), (other, second, counts[1])] {
            let entry = &mut entries[field];
            if is_new(entry) {
                (entry.second, entry.near, entry.shared) = (seconds[slot], near, None);
            }
        }
        field += I::FIELDS;
    }
}

/// The potential of an unstable field, one removal after the other.
pub struct UnstablePotential<'a>(pub &'a Field);

impl<I: Isa> Work<I> for UnstablePotential<'_> {
    type Output = Potential;

    #[inline(always)]
    fn run(self, isa: I) -> Potential {
        let whole = load(isa, &self.0.cells());
        let mut all = Words::EMPTY;
        isa.store(candidates(isa.load(&FIELD), &whole), &mut all);
        let mut best = Potential::default();
        let mut index = 0;
        // In order of columns and rows: the first of the longest chains counts.
        while index < WIDTH * ROWS {
            let (column, row) = (index / ROWS, index % ROWS);
            let (word, bit) = (column % 4, LANE * (column / 4) + row);
            index += 1;
            if all.0[word] >> bit & 1 == 0 {
                continue;
            }
            let mut planes = whole;
            close(isa, &mut planes, isa.load(&CELL[64 * word + bit]));
            let mut gone = encoding::vanishing(&planes);
            let (mut chain, mut second) = (0, Words::EMPTY);
            while gone.any() {
                chain += 1;
                if chain == 2 {
                    isa.store(gone, &mut second);
                }
                gone = narrow(isa).round(&mut planes, gone);
            }
            if chain > best.chain.0 {
                best = Potential {
                    chain: Chain(chain),
                    trigger: Some((column as u8, row as u8)),
                    second: (chain > 1).then(|| hash::of_cells(&second.0)),
                    near: near_pairs(&planes).map(|cells| count(isa, cells)).iter().sum(),
                };
            }
        }
        best
    }
}
