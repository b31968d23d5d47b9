//! All placements of a pack, before any chain.

use super::super::simd::{Isa, Vector, Work};
use super::encoding::{self, ring};
use super::layout::{AROUND, CELLS, EVERY_FOURTH, Lanes as _, ONES, PAIR, PAIR_OF_FOUR};
use super::rounds::load;
use super::{Children, Field};
use crate::game::{DropColumn, DropColumns, Pack, Placement, Rotation};

/// The blocks of one column of the pack, placed on every column of the field at once.
#[derive(Clone, Copy)]
struct PackColumn<V: Vector> {
    /// The blocks in planes, on top of every column.
    planes: [V; 4],
    /// The placed blocks that vanish in the first round.
    vanishing: V,
}

/// Places the pack in all rotations at the given drop columns, without chains, and finds the cells
/// that vanish first. Returns the set of drops that set off a chain; ignore drops at other
/// drop columns.
///
/// On a stable field, only the pack's blocks can start a chain. For each of the four numbers, the
/// ring around the cells with its complement gives the cells in which the number vanishes, in all
/// columns at once.
#[inline(always)]
pub(super) fn all_placements<I: Isa>(
    isa: I,
    field: &Field,
    pack: &Pack,
    columns: DropColumns,
    children: &mut Children,
) -> u64 {
    let pack = pack.codes();
    let parent = load(isa, &field.planes);
    let filled = encoding::filled(&parent);
    // One more than a lane filled from the bottom is its lowest empty cell.
    let low = filled.plus(isa.splat(ONES));
    let high = low.up();
    let levels = [low, high];

    // Rings of the two landing cells of every fourth column, which do not overlap.
    let mut rings = [[high; 2]; 4];
    let mut class = 0;
    while class < 4 {
        let ring = ring(high & isa.load(&EVERY_FOURTH[class]));
        // Bits that this moves into guards meet no partner.
        rings[class] = [ring.down(), ring];
        class += 1;
    }

    // By block: the cells of its complement, and the cells in which the block vanishes.
    let mut partners = [isa.splat(0); 4];
    let mut fires = [isa.splat(0); 4];
    let mut i = 0;
    while i < 4 {
        let number = pack[i];
        // The complement of an empty cell is 10, which no cell holds.
        partners[i] = encoding::number(isa, &field.planes, 10 - number);
        fires[i] = ring(partners[i]);
        i += 1;
    }
    let inner = has_inner_pair(pack);

    let mut firing = 0;
    let mut rotation = 0;
    while rotation < Rotation::ALL.len() {
        let order = landing_order(pack, rotation);
        let mut sides = [PackColumn { planes: [isa.splat(0); 4], vanishing: isa.splat(0) }; 2];
        let mut side = 0;
        while side < 2 {
            let mut level = 0;
            while level < 2 {
                let cell = order[2 * side + level];
                let code = &encoding::MASKS[usize::from(pack[cell])];
                let mut i = 0;
                while i < 4 {
                    sides[side].planes[i] =
                        sides[side].planes[i] | (levels[level] & isa.load(&code[i]));
                    i += 1;
                }
                sides[side].vanishing = sides[side].vanishing | (levels[level] & fires[cell]);
                level += 1;
            }
            side += 1;
        }
        if inner {
            add_inner_pairs(isa, pack, order, levels, &mut sides);
        }
        let [left, right] = sides;

        // A lane with a bit carries into its guard bit.
        let full = isa.splat(CELLS | CELLS << 1);
        let fired = (left.vanishing.plus(full) | right.vanishing.plus(full).to_left()).guards()
            & ((1 << DropColumn::COUNT) - 1);

        // A pack covers an even and an odd column: one blend serves all drop columns of the
        // same parity.
        let mut blends = [left; 2];
        let mut i = 0;
        while i < 4 {
            blends[0].planes[i] = left.planes[i].alternate(right.planes[i]);
            blends[1].planes[i] = right.planes[i].alternate(left.planes[i]);
            i += 1;
        }
        blends[0].vanishing = left.vanishing.alternate(right.vanishing);
        blends[1].vanishing = right.vanishing.alternate(left.vanishing);

        // The cells that vanish first, for every fourth drop column at once: the pack's blocks and
        // their partners.
        let mut holes = [low; 4];
        let mut class = 0;
        while class < 4 {
            let (left, right) = (&rings[class], &rings[(class + 1) % 4]);
            holes[class] = (blends[class % 2].vanishing & isa.load(&PAIR_OF_FOUR[class]))
                | ((left[0] & partners[order[0]]) | (left[1] & partners[order[1]]))
                | ((right[0] & partners[order[2]]) | (right[1] & partners[order[3]]));
            class += 1;
        }

        let turned = Turned { parent: &parent, blends: &blends, holes: &holes, rotation };
        if columns == DropColumns::ALL {
            // Unrolled, so that each drop column is a constant for the compiler.
            turned.put(isa, 0, children);
            turned.put(isa, 1, children);
            turned.put(isa, 2, children);
            turned.put(isa, 3, children);
            turned.put(isa, 4, children);
            turned.put(isa, 5, children);
            turned.put(isa, 6, children);
            turned.put(isa, 7, children);
            turned.put(isa, 8, children);
        } else {
            let mut column = columns.first.get();
            while column <= columns.last.get() {
                turned.put(isa, column.into(), children);
                column += 1;
            }
        }
        firing |= spread(fired) << rotation;
        rotation += 1;
    }
    children.chains = [0; Placement::COUNT + 1];
    firing
}

/// A rotated pack, ready for any drop column.
struct Turned<'a, V: Vector> {
    parent: &'a [V; 4],
    blends: &'a [PackColumn<V>; 2],
    /// By drop column modulo four.
    holes: &'a [V; 4],
    rotation: usize,
}

impl<V: Vector> Turned<'_, V> {
    /// Stores the field after the drop at the drop column `column`, and the cells that vanish
    /// first.
    #[inline(always)]
    fn put<I: Isa<V = V>>(&self, isa: I, column: usize, children: &mut Children) {
        let child = column * Rotation::ALL.len() + self.rotation;
        let blend = &self.blends[column % 2];
        let pair = isa.load(&PAIR[column]);
        let mut i = 0;
        while i < 4 {
            let blocks = blend.planes[i] & pair;
            isa.store(self.parent[i] | blocks, &mut children.planes[child][i]);
            i += 1;
        }
        let holes = self.holes[column % 4] & isa.load(&AROUND[column]);
        isa.store(holes, &mut children.holes[child]);
    }
}

/// Moves bit `i` of nine to bit `4 * i`.
#[inline(always)]
fn spread(bits: u32) -> u64 {
    let bits = u64::from(bits);
    let bits = (bits | bits << 24) & 0x1_0000_00ff;
    let bits = (bits | bits << 12) & 0x1_000f_000f;
    let bits = (bits | bits << 6) & 0x1_0303_0303;
    (bits | bits << 3) & 0x1_1111_1111
}

/// Indices of the pack's cells in landing order: left column lower and upper, right column lower
/// and upper. An empty cell comes last in its column.
#[inline(always)]
pub(super) fn landing_order(pack: [u8; 4], rotation: usize) -> [usize; 4] {
    let [a, b, c, d] = match rotation {
        0 => [0, 1, 2, 3],
        1 => [2, 0, 3, 1],
        2 => [3, 2, 1, 0],
        _ => [1, 3, 0, 2],
    };
    let (left, left_upper) = if pack[c] == 0 { (a, c) } else { (c, a) };
    let (right, right_upper) = if pack[d] == 0 { (b, d) } else { (d, b) };
    [left, left_upper, right, right_upper]
}

/// Whether two blocks of the pack sum to ten.
#[inline(always)]
fn has_inner_pair(pack: [u8; 4]) -> bool {
    let [a, b, c, d] = pack;
    (a + b == 10) | (a + c == 10) | (a + d == 10) | (b + c == 10) | (b + d == 10) | (c + d == 10)
}

/// Adds the pairs inside the pack to the cells that vanish first, where the heights of the two
/// columns make the blocks neighbours.
#[inline(always)]
fn add_inner_pairs<I: Isa>(
    isa: I,
    pack: [u8; 4],
    order: [usize; 4],
    levels: [I::V; 2],
    sides: &mut [PackColumn<I::V>; 2],
) {
    let number = |i: usize| pack[order[i]];
    let when = |yes: bool| isa.splat(0u64.wrapping_sub(u64::from(yes)));
    let column = |cells: I::V| cells | cells.up() | cells.down();
    let mut side = 0;
    while side < 2 {
        let stacked = when(number(2 * side) + number(2 * side + 1) == 10);
        sides[side].vanishing = sides[side].vanishing | ((levels[0] | levels[1]) & stacked);
        side += 1;
    }
    let mut i = 0;
    while i < 4 {
        let (left, right) = (i / 2, i % 2);
        let pair = when(number(left) + number(2 + right) == 10);
        let left_cells = levels[left] & column(levels[right]).to_left();
        let right_cells = levels[right] & column(levels[left]).to_right();
        sides[0].vanishing = sides[0].vanishing | (left_cells & pair);
        sides[1].vanishing = sides[1].vanishing | (right_cells & pair);
        i += 1;
    }
}

/// As [`all_placements`], at all drop columns of an unstable field, on which blocks vanish after
/// any drop. The cells that vanish first are computed from the whole field.
#[cold]
#[inline(never)]
pub(super) fn all_placements_unstable<I: Isa>(
    isa: I,
    field: &Field,
    pack: &Pack,
    children: &mut Children,
) -> u64 {
    isa.run(AllPlacementsUnstable { field, pack, children });
    (1 << Placement::COUNT) - 1
}

/// The work of [`all_placements_unstable`].
struct AllPlacementsUnstable<'a> {
    field: &'a Field,
    pack: &'a Pack,
    children: &'a mut Children,
}

impl<I: Isa> Work<I> for AllPlacementsUnstable<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, isa: I) {
        let Self { field, pack, children } = self;
        let stable = Field::from_planes(field.cells());
        all_placements(isa, &stable, pack, DropColumns::ALL, children);
        let mut child = 0;
        while child < Placement::COUNT {
            let gone = encoding::vanishing(&load(isa, &children.planes[child]));
            isa.store(gone, &mut children.holes[child]);
            child += 1;
        }
    }
}
