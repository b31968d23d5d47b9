//! The chains of a field's triggers, followed for all drops of a pack at once.
//!
//! After a drop without a chain, the new field is the parent's with the pack's blocks on top of two
//! columns. A trigger of the parent then sets off the same chain, with the blocks riding on their
//! columns, until a round in which one of them has a partner. The chain therefore runs once on the
//! parent, and each child continues from the first round in which its pack takes part.

use super::super::simd::{Isa, Vector as _, Words};
use super::Planes;
use super::encoding::{self, ring};
use super::layout::{ABOVE, CELL, CELLS, FIELD, KEYS, Lanes as _, ONES, PAIR};
use super::placements::landing_order;
use super::potential::{MOST_FIELDS, PARENT, SLOTS, Workspace, triggers};
use super::rounds::{load, narrow, store};
use crate::game::{DropColumn, Pack, Placement, Rotation, WIDTH};

/// A chain of the parent continues for at least as many children: a round and the search for the
/// children that leave the chain take as long as about two rounds. Chosen by hand.
const LEAST_CHILDREN: u32 = 3;

/// The most triggers of a parent that are shared with its children; the others run on each child.
pub(super) const MOST_SHARED: usize = 16;

/// The codes of a rotated pack's lower and upper blocks in the two columns that it lands in, over
/// whole columns.
#[derive(Clone, Copy)]
struct Stacks {
    lower: Planes,
    upper: Planes,
}

impl Stacks {
    const EMPTY: Self = Self { lower: [Words::EMPTY; 4], upper: [Words::EMPTY; 4] };
}

/// A pack in all rotations.
#[derive(Clone, Copy)]
pub(super) struct TurnedPack {
    codes: [u8; 4],
    /// By rotation and the parity of the drop column.
    stacks: [[Stacks; 2]; Rotation::ALL.len()],
    /// By rotation: the pairs of a left and a right block that sum to ten, as bits 2 * left + right,
    /// where 1 is the upper one.
    tens: [u8; Rotation::ALL.len()],
}

impl TurnedPack {
    pub(super) const EMPTY: Self = Self {
        codes: [0; 4],
        stacks: [[Stacks::EMPTY; 2]; Rotation::ALL.len()],
        tens: [0; Rotation::ALL.len()],
    };

    /// Turns `pack`, unless it is the pack of the last call.
    #[inline]
    pub(super) fn set(&mut self, pack: &Pack) {
        let codes = pack.codes();
        if self.codes == codes {
            return;
        }
        self.codes = codes;
        for rotation in 0..Rotation::ALL.len() {
            let numbers = landing_order(codes, rotation).map(|cell| codes[cell]);
            let [left, left_upper, right, right_upper] = numbers;
            let blend = |left: u8, right: u8| -> Planes {
                std::array::from_fn(|i| {
                    let [left, right] =
                        [left, right].map(|number| encoding::MASKS[usize::from(number)][i].0[0]);
                    Words([left, right, left, right])
                })
            };
            self.stacks[rotation] = [
                Stacks { lower: blend(left, right), upper: blend(left_upper, right_upper) },
                Stacks { lower: blend(right, left), upper: blend(right_upper, left_upper) },
            ];
            self.tens[rotation] = 0;
            for pair in 0..4 {
                let is_ten = numbers[pair / 2] + numbers[2 + pair % 2] == 10;
                self.tens[rotation] |= u8::from(is_ten) << pair;
            }
        }
    }

    /// `planes` with the blocks of the drop of index `child` on top of their columns.
    #[inline(always)]
    pub(super) fn put<I: Isa>(&self, isa: I, planes: &[I::V; 4], child: usize) -> [I::V; 4] {
        let (column, rotation) = (child / Rotation::ALL.len(), child % Rotation::ALL.len());
        let Stacks { lower, upper } = &self.stacks[rotation][column % 2];
        let low = encoding::filled(planes).plus(isa.splat(ONES)) & isa.load(&PAIR[column]);
        let high = low.up();
        let mut all = *planes;
        let mut i = 0;
        while i < 4 {
            all[i] = all[i] | (low & isa.load(&lower[i])) | (high & isa.load(&upper[i]));
            i += 1;
        }
        all
    }

    /// The drops, by [`Placement::index`], after which blocks of the pack vanish next: on top of
    /// their columns in `planes`, they have a partner. Blocks in one column are no partners of each
    /// other, because they would have vanished at once.
    #[inline(always)]
    pub(super) fn meeting<I: Isa>(&self, isa: I, words: &Planes, planes: &[I::V; 4]) -> u64 {
        let low = encoding::filled(planes).plus(isa.splat(ONES));
        let high = low.up();
        // By block: the cells in which it vanishes.
        let mut lower = [low; 4];
        let mut upper = [low; 4];
        let mut i = 0;
        while i < 4 {
            let fires = ring(encoding::number(isa, words, 10 - self.codes[i]));
            lower[i] = low & fires;
            upper[i] = high & fires;
            i += 1;
        }
        // A lane with a bit carries into its upper guard, which a rotation then has for itself.
        let full = isa.splat(CELLS | CELLS << 1);
        let guard = isa.splat(ONES << 20);
        let mut meeting = isa.splat(0);
        let mut rotation = 0;
        while rotation < Rotation::ALL.len() {
            let [left, left_upper, right, right_upper] = landing_order(self.codes, rotation);
            let left = lower[left] | upper[left_upper];
            let right = lower[right] | upper[right_upper];
            let mut cells = left | right.to_left();
            let tens = self.tens[rotation];
            if tens != 0 {
                let levels = [low, high];
                let mut pair = 0;
                while pair < 4 {
                    if tens >> pair & 1 != 0 {
                        let beside = levels[pair % 2];
                        let beside = (beside | beside.up() | beside.down()).to_left();
                        cells = cells | (levels[pair / 2] & beside);
                    }
                    pair += 1;
                }
            }
            meeting = meeting.down() | (cells.plus(full) & guard);
            rotation += 1;
        }
        let mut found = Words::EMPTY;
        isa.store(meeting, &mut found);
        let mut children = 0;
        let mut word = 0;
        while word < 4 {
            // Bits 17 to 20 of each lane, three lanes in word 0 and two in the others.
            let from = 0xf << 17 | 0xf << 38 | if word == 0 { 0xf << 59 } else { 0 };
            let to = (0xf | 0xf << 16 | if word == 0 { 0xf << 32 } else { 0 }) << (4 * word);
            children |= isa.compact(found.0[word], from, to);
            word += 1;
        }
        children
    }
}

const _: () = assert!(DropColumn::COUNT == 9 && Rotation::ALL.len() == 4);

/// The chains of a parent, and its children.
pub(super) struct Shared {
    pub pack: TurnedPack,
    /// The children without a chain.
    pub children: u64,
    /// The entry of each of them.
    pub entries: [u8; Placement::COUNT],
    /// By trigger: the field before the next round, and the cells that vanish in it.
    pub planes: [Planes; MOST_SHARED],
    pub holes: [Words; MOST_SHARED],
    /// The cells that vanish in the second round.
    pub seconds: [Words; MOST_SHARED],
    /// The cell.
    pub cells: [u8; MOST_SHARED],
    /// The children whose chain is the parent's so far.
    pub alike: [u64; MOST_SHARED],
}

impl Shared {
    pub(super) const EMPTY: Self = Self {
        pack: TurnedPack::EMPTY,
        children: 0,
        entries: [0; Placement::COUNT],
        planes: [[Words::EMPTY; 4]; MOST_SHARED],
        holes: [Words::EMPTY; MOST_SHARED],
        seconds: [Words::EMPTY; MOST_SHARED],
        cells: [0; MOST_SHARED],
        alike: [0; MOST_SHARED],
    };
}

/// Runs the chains of the parent's triggers, as long as a child has the same chain. Takes a slot for
/// each child that leaves a chain, and removes the triggers of all others from their entries.
///
/// Returns the number of slots, and those whose chains run.
#[inline(always)]
pub(super) fn share<I: Isa>(isa: I, workspace: &mut Workspace) -> (usize, u64) {
    let Workspace { entries, planes: slots, holes, seconds, chains, removed, shared, .. } =
        workspace;
    let constants = narrow(isa);
    let parent = load(isa, &entries[PARENT].planes);
    let own = triggers(|word| isa.splat(word), isa.load(&FIELD), &parent);
    let mut fire = Words::EMPTY;
    let (mut right, mut left) = (Words::EMPTY, Words::EMPTY);
    isa.store(own.fire, &mut fire);
    isa.store(own.right, &mut right);
    isa.store(own.left, &mut left);

    // 1. Find the children with the same first round, and run it.
    let mut count = 0;
    let mut word = 0;
    while word < 4 {
        let mut bits = fire.0[word];
        while bits != 0 && count < MOST_SHARED {
            let bit = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let index = 64 * word + bit;
            let (cell, above) = (CELL[index].0[word], ABOVE[index].0[word]);
            let mut alike = 0;
            let mut rest = shared.children;
            while rest != 0 {
                let child = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let entry = usize::from(shared.entries[child % MOST_FIELDS]);
                let found = &entries[entry.min(MOST_FIELDS)].triggers;
                let other =
                    (found.right.0[word] ^ right.0[word]) | (found.left.0[word] ^ left.0[word]);
                let is_alike = found.fire.0[word] & cell != 0 && other & above == 0;
                alike |= u64::from(is_alike) << child;
            }
            if alike.count_ones() < LEAST_CHILDREN {
                continue;
            }
            let mut rest = alike;
            while rest != 0 {
                let child = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let entry = usize::from(shared.entries[child % MOST_FIELDS]);
                entries[entry.min(MOST_FIELDS)].triggers.fire.0[word] &= !cell;
            }
            let cell = isa.load(&CELL[index]);
            let above = isa.load(&ABOVE[index]);
            let (right, left) = (own.right & above, own.left & above);
            let between = own.between & cell;
            let partners = (right.to_right() | left.to_left()).down_by::<2>();
            let vanishing = cell | right | left | partners | between.up() | between.down();
            let mut planes = parent;
            let gone = constants.round(&mut planes, vanishing);
            store(isa, &planes, &mut shared.planes[count]);
            isa.store(gone, &mut shared.holes[count]);
            isa.store(gone, &mut shared.seconds[count]);
            shared.cells[count] = index as u8;
            shared.alike[count] = alike;
            count += 1;
        }
        word += 1;
    }

    // 2. Run the other rounds, one of each chain in turn.
    let (mut used, mut firing) = (0, 0);
    let mut round = 1;
    let mut current: u32 = (1 << count) - 1;
    while current != 0 {
        let mut rest = current;
        while rest != 0 {
            let chain = rest.trailing_zeros() as usize % MOST_SHARED;
            rest &= rest - 1;
            let mut planes = load(isa, &shared.planes[chain]);
            let gone = isa.load(&shared.holes[chain]);
            let index = shared.cells[chain];
            let alike = shared.alike[chain];
            let mut leaving = alike & shared.pack.meeting(isa, &shared.planes[chain], &planes);
            if gone.any() && (alike & !leaving).count_ones() < LEAST_CHILDREN {
                leaving = alike;
            }
            let alike = alike & !leaving;
            while leaving != 0 {
                let child = leaving.trailing_zeros() as usize;
                leaving &= leaving - 1;
                let entry = shared.entries[child % MOST_FIELDS];
                if used == SLOTS {
                    // Its chain runs from the start.
                    let found = &mut entries[usize::from(entry).min(MOST_FIELDS)].triggers;
                    found.fire.0[usize::from(index / 64)] |= 1 << (index % 64);
                    continue;
                }
                let planes = shared.pack.put(isa, &planes, child);
                let gone = encoding::vanishing(&planes);
                store(isa, &planes, &mut slots[used]);
                isa.store(gone, &mut holes[used]);
                seconds[used] = shared.seconds[chain];
                if round == 1 {
                    isa.store(gone, &mut seconds[used]);
                }
                chains[used] = round;
                removed[used] = (entry, index);
                firing |= u64::from(gone.any()) << used;
                used += 1;
            }
            shared.alike[chain] = alike;
            if alike == 0 {
                current &= !(1 << chain);
            } else if gone.any() {
                let gone = constants.round(&mut planes, gone);
                store(isa, &planes, &mut shared.planes[chain]);
                isa.store(gone, &mut shared.holes[chain]);
            } else {
                current &= !(1 << chain);
                let key = KEYS[usize::from(index)];
                let [_, row, column, _] = key.to_le_bytes();
                let best = u32::from(round) << 24 | key;
                let mut rest = alike;
                while rest != 0 {
                    let child = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    let entry = usize::from(shared.entries[child % MOST_FIELDS]);
                    let entry = &mut entries[entry.min(MOST_FIELDS)];
                    if best > entry.best {
                        (entry.best, entry.shared) = (best, Some(chain as u8));
                    }
                    if !row + 1 >= entry.beside[usize::from(!column) % WIDTH] {
                        entry.after_rain = entry.after_rain.max(round);
                    }
                }
            }
        }
        round += 1;
    }
    (used, firing)
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use rand::SeedableRng as _;
    use rand::seq::IteratorRandom as _;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use crate::board::{Backend, ChildBuffer, Field};
    use crate::game::{Chain, DropColumns, Dropped, Pack, Packs, Placement};

    /// Compares the potentials of all children of `field` with those of each child alone, after a
    /// row if `rows` are due. Returns the children and their longest chains.
    fn check(
        field: &Field,
        pack: &Pack,
        rows: u8,
        [shared, alone]: [&mut ChildBuffer; 2],
    ) -> Vec<(Dropped<Field>, Chain)> {
        field.children(pack, DropColumns::ALL, shared);
        shared.clear_potentials();
        shared.set_parent(field, pack);
        let mut children = Vec::new();
        for placement in Placement::all() {
            let child = shared.child(placement);
            if child.field.is_over() {
                continue;
            }
            let mut later = child.field;
            if rows > 0 {
                later.rain();
            }
            if child.chain == Chain(0) {
                shared.add_child_potential(&later, rows, placement);
            } else {
                shared.add_potential(&later, rows);
            }
            children.push((child, later));
        }
        shared.run_potentials();
        let compare = |(index, (child, later)): (usize, &(Dropped<Field>, Field))| {
            let found = shared.potential(index);
            assert_eq!(found, later.potential_after(rows, alone), "{later:?}");
            (*child, found.0.chain)
        };
        children.iter().enumerate().map(compare).collect()
    }

    /// The children of fields on the way to long chains, in some turns after a row.
    #[test]
    fn the_chains_of_a_parent_serve_its_children() {
        for backend in Backend::available() {
            let (mut shared, mut alone) = (ChildBuffer::of(backend), ChildBuffer::of(backend));
            let mut longest = Chain(0);
            for seed in 0..6 {
                let packs = Packs::from_seed(seed);
                let mut field = Field::EMPTY;
                for (turn, pack) in packs.from_turn(0).iter().take(16).enumerate() {
                    let rows = (turn % 3) as u8;
                    let children = check(&field, pack, rows, [&mut shared, &mut alone]);
                    longest = longest.max(children.iter().map(|child| child.1).max().unwrap());
                    let fits = children.iter().filter(|(child, _)| {
                        child.chain == Chain(0) && child.field.tallest() <= 14
                    });
                    let best = fits.max_by_key(|(child, potential)| {
                        (*potential, Reverse(child.field.tallest()))
                    });
                    let Some((child, _)) = best else { break };
                    field = child.field;
                }
            }
            assert!(longest > Chain(4), "{backend}: {longest:?}");
        }
    }

    /// The children of fields with blocks and ojama anywhere, up to full ones with many triggers.
    #[test]
    fn the_chains_of_a_full_parent_serve_its_children() {
        for backend in Backend::available().filter(|backend| backend.is_packed()) {
            let (mut shared, mut alone) = (ChildBuffer::of(backend), ChildBuffer::of(backend));
            let mut full = 0;
            for seed in 0..40 {
                let packs = Packs::from_seed(seed);
                let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
                let mut field = Field::EMPTY;
                for (turn, pack) in packs.from_turn(0).iter().enumerate() {
                    let rows = (turn % 4) as u8;
                    let children = check(&field, pack, rows, [&mut shared, &mut alone]);
                    let quiet = children.iter().filter(|(child, _)| child.chain == Chain(0));
                    let Some((child, _)) = quiet.choose(&mut random) else { break };
                    field = child.field;
                    if turn % 12 == 11 {
                        field.rain();
                    }
                    if field.is_over() {
                        break;
                    }
                    full += usize::from(field.tallest() > 14);
                }
            }
            assert!(full > 40, "{backend}: {full} full fields");
        }
    }
}
