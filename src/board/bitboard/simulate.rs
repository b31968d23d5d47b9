//! Drops, vanishing and falls on planes, written once for all instruction sets.

use super::super::simd::{Isa, Vector, Work};
use super::BitBoard;
use super::planes::{ContentPlanes, LANE, LANE_PAIR, Plane};
use crate::game::{
    Chain, DropColumns, Dropped, Exploded, Explosion, Number, Pack, Placement, Potential, ROWS,
    WIDTH,
};

/// Pairs of numbers that sum to ten, as a set of bits: bit n for n and its complement, n up to 5.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Pairs(u8);

impl Pairs {
    const NONE: Self = Self(0);
    const ALL: Self = Self(0b11_1110);

    /// The pair that a number belongs to.
    #[inline(always)]
    const fn of(number: usize) -> Self {
        Self(1 << if number > 5 { 10 - number } else { number })
    }

    #[inline(always)]
    const fn contains(self, number: usize) -> bool {
        self.0 >> number & 1 == 1
    }

    #[inline(always)]
    const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// All drops of a pack at some drop columns; calls `take` with each placement and its result.
pub struct BitBoardDrops<'a, I, T> {
    pub board: &'a BitBoard<I>,
    pub pack: &'a Pack,
    pub columns: DropColumns,
    pub take: T,
}

impl<I: Isa, T: FnMut(Placement, Dropped<BitBoard<I>>)> Work<I> for BitBoardDrops<'_, I, T> {
    type Output = ();

    #[inline(always)]
    fn run(mut self, isa: I) {
        for placement in self.columns.placements() {
            (self.take)(placement, drop_pack(isa, self.board, self.pack, placement));
        }
    }
}

/// One drop.
pub struct BitBoardDrop<'a, I> {
    pub board: &'a BitBoard<I>,
    pub pack: &'a Pack,
    pub placement: Placement,
}

impl<I: Isa> Work<I> for BitBoardDrop<'_, I> {
    type Output = Dropped<BitBoard<I>>;

    #[inline(always)]
    fn run(self, isa: I) -> Self::Output {
        drop_pack(isa, self.board, self.pack, self.placement)
    }
}

/// The skill.
pub struct BitBoardSkill<'a, I>(pub &'a BitBoard<I>);

impl<I: Isa> Work<I> for BitBoardSkill<'_, I> {
    type Output = Exploded<BitBoard<I>>;

    #[inline(always)]
    fn run(self, isa: I) -> Self::Output {
        let mut planes = self.0.planes;
        let blown_up = explosion(isa, &planes);
        let dirty = fall(isa, &mut planes, &blown_up);
        let chain = run_chain(isa, &mut planes, dirty.or(self.0.unstable()));
        Exploded {
            field: BitBoard::stable(isa, planes),
            explosion: Explosion(blown_up.count() as u8),
            chain,
        }
    }
}

/// See [`crate::game::Potential`].
pub struct FindPotential<'a, I>(pub &'a BitBoard<I>);

impl<I: Isa> Work<I> for FindPotential<'_, I> {
    type Output = Potential;

    #[inline(always)]
    fn run(self, isa: I) -> Potential {
        let board = self.0;
        let any = load(isa, &board.planes.0[ContentPlanes::ANY]);
        let empty = load(isa, &INSIDE).without(any);
        let numbers = any.without(load(isa, &board.planes.0[ContentPlanes::OJAMA]));
        let triggers = store(isa, numbers & any.shifted_down() & around(empty));
        let mut best = Potential::default();
        for x in 0..WIDTH {
            let mut rows = triggers.lane(x);
            while rows != 0 {
                let y = rows.trailing_zeros();
                rows &= rows - 1;
                let mut removed = Plane::EMPTY;
                removed.set(x, y as usize);
                let mut planes = board.planes;
                let dirty = fall(isa, &mut planes, &removed);
                let dirty = dirty.or(board.unstable());
                let mut left = planes;
                let chain = run_chain(isa, &mut left, dirty);
                if chain > best.chain {
                    let second = second_round(isa, planes, dirty).map(|cells| cells.hash());
                    let near = near_pairs(isa, &left);
                    best = Potential { chain, trigger: Some((x as u8, y as u8)), second, near };
                }
            }
        }
        best
    }
}

/// The cells around the cells of a plane; see [`BitBoard::neighbourhood`].
pub struct Around<'a>(pub &'a Plane);

impl<I: Isa> Work<I> for Around<'_> {
    type Output = Plane;

    #[inline(always)]
    fn run(self, isa: I) -> Plane {
        store(isa, around(load(isa, self.0)))
    }
}

/// Whether neighbours on the board sum to ten.
pub struct IsUnstable<'a>(pub &'a ContentPlanes);

impl<I: Isa> Work<I> for IsUnstable<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self, isa: I) -> bool {
        vanishing(isa, self.0, Pairs::ALL).is_some()
    }
}

impl<I: Isa> BitBoard<I> {
    /// The pairs that may vanish before any block has moved.
    #[inline(always)]
    const fn unstable(&self) -> Pairs {
        if self.is_unstable { Pairs::ALL } else { Pairs::NONE }
    }
}

#[inline(always)]
fn load<I: Isa>(isa: I, plane: &Plane) -> I::V {
    isa.load(&plane.0)
}

#[inline(always)]
fn store<I: Isa>(isa: I, vector: I::V) -> Plane {
    let mut plane = Plane::EMPTY;
    isa.store(vector, &mut plane.0);
    plane
}

/// Returns the eight cells around each given cell. A given cell is included only as the neighbour
/// of another one. Cells outside the field may be included: above [`ROWS`] and right of the last
/// column.
#[inline(always)]
fn around<V: Vector>(cells: V) -> V {
    let beside = cells.shifted_up() | cells.shifted_down();
    let three = beside | cells;
    beside | three.shifted_up_3_bytes() | three.shifted_down_3_bytes()
}

/// Fives, and numbers beside a five.
#[inline(always)]
fn explosion<I: Isa>(isa: I, planes: &ContentPlanes) -> Plane {
    let fives = load(isa, &planes.0[usize::from(Number::FIVE.get())]);
    let any = load(isa, &planes.0[ContentPlanes::ANY]);
    let numbers = any.without(load(isa, &planes.0[ContentPlanes::OJAMA]));
    store(isa, fives | (around(fives) & numbers))
}

#[inline(always)]
fn drop_pack<I: Isa>(
    isa: I,
    board: &BitBoard<I>,
    pack: &Pack,
    placement: Placement,
) -> Dropped<BitBoard<I>> {
    let mut planes = board.planes;
    let left = usize::from(placement.column.get());
    let mut landed = [(0, 0, 0); 4];
    let mut count = 0;
    for (x, (lower, upper)) in (left..).zip(pack.columns(placement.rotation)) {
        let height = board.planes.height(x) as usize;
        for (y, number) in (height..).zip([lower, upper].into_iter().flatten()) {
            let number = usize::from(number.get());
            planes.0[number].set(x, y);
            planes.0[ContentPlanes::ANY].set(x, y);
            landed[count] = (x, y, number);
            count += 1;
        }
    }
    // On a stable board only a block that landed can have found a partner, and most find none.
    let mut dirty = board.unstable();
    for &(x, y, number) in &landed[..count] {
        if load(isa, &planes.0[10 - number]).meets(load(isa, &AROUND[x][y])) {
            dirty = dirty.or(Pairs::of(number));
        }
    }
    let chain = if dirty == Pairs::NONE { Chain(0) } else { run_chain(isa, &mut planes, dirty) };
    Dropped { field: BitBoard::stable(isa, planes), chain }
}

/// Lets pairs vanish until none is left, and returns the number of rounds.
///
/// A pair that is not in `dirty` has no two neighbouring blocks. After each round, `dirty` holds
/// the pairs of which a block has moved.
#[inline(always)]
fn run_chain<I: Isa>(isa: I, planes: &mut ContentPlanes, mut dirty: Pairs) -> Chain {
    let mut chain = Chain(0);
    while let Some(gone) = vanishing(isa, planes, dirty) {
        chain.0 += 1;
        dirty = fall(isa, planes, &gone);
    }
    chain
}

/// Returns the cells that vanish in the second round, if any. Only the pairs in `dirty` can vanish
/// in the first round.
#[inline(always)]
fn second_round<I: Isa>(isa: I, mut planes: ContentPlanes, dirty: Pairs) -> Option<Plane> {
    let first = vanishing(isa, &planes, dirty)?;
    let dirty = fall(isa, &mut planes, &first);
    vanishing(isa, &planes, dirty)
}

/// See [`Potential::near`].
#[inline(always)]
fn near_pairs<I: Isa>(isa: I, planes: &ContentPlanes) -> u32 {
    let of_number = |number: usize| {
        let upper = load(isa, &planes.0[10 - number]).shifted_down().shifted_down();
        let lower = load(isa, &planes.0[number]);
        let columns = [upper, upper.shifted_up_3_bytes(), upper.shifted_down_3_bytes()];
        columns.into_iter().map(|upper| store(isa, lower & upper).count()).sum::<u32>()
    };
    (1..=9).map(of_number).sum()
}

/// Returns the cells of the given pairs that vanish, if any.
#[inline(always)]
fn vanishing<I: Isa>(isa: I, planes: &ContentPlanes, pairs: Pairs) -> Option<Plane> {
    let mut gone = isa.splat(0);
    for number in 1..=5 {
        if !pairs.contains(number) {
            continue;
        }
        let low = load(isa, &planes.0[number]);
        let high = load(isa, &planes.0[10 - number]);
        let high_gone = high & around(low);
        if high_gone.any() {
            // The low blocks that vanish are exactly the partners of the vanishing high blocks.
            gone = gone | high_gone | (low & around(high_gone));
        }
    }
    if gone.any() { Some(store(isa, gone)) } else { None }
}

/// Removes cells and lets the cells above them fall. Returns the pairs of which a block moved.
#[inline(always)]
fn fall<I: Isa>(isa: I, planes: &mut ContentPlanes, gone: &Plane) -> Pairs {
    let mut moved = Pairs::NONE;
    for pair in 0..WIDTH / 2 {
        let gone = gone.lane_pair(pair);
        if gone == 0 {
            continue;
        }
        let stays = planes.0[ContentPlanes::ANY].lane_pair(pair) & LANE_PAIR & !gone;
        let ones = |lane: u64| (1u64 << lane.count_ones()) - 1;
        let low_lane = (1 << LANE) - 1;
        let packed = ones(stays & low_lane) | ones(stays & !low_lane) << LANE;
        planes.0[ContentPlanes::ANY].set_lane_pair(pair, packed);
        for (number, plane) in planes.0.iter_mut().enumerate().skip(1) {
            let before = plane.lane_pair(pair);
            if before == 0 {
                continue;
            }
            let after = isa.compact(before & stays, stays, packed);
            if after != before {
                plane.set_lane_pair(pair, after);
                // A block that only vanished counts as moved: this costs a test and is correct.
                if number != ContentPlanes::OJAMA {
                    moved = moved.or(Pairs::of(number));
                }
            }
        }
    }
    moved
}

/// All cells of a field.
static INSIDE: Plane = {
    let mut plane = Plane::EMPTY;
    let mut cell = 0;
    while cell < WIDTH * ROWS {
        plane.set(cell / ROWS, cell % ROWS);
        cell += 1;
    }
    plane
};

/// The eight cells around each cell, by column and row; for a block that lands.
static AROUND: [[Plane; ROWS]; WIDTH] = {
    let mut table = [[Plane::EMPTY; ROWS]; WIDTH];
    let mut cell = 0;
    while cell < WIDTH * ROWS {
        let (x, y) = (cell / ROWS, cell % ROWS);
        let mut neighbour = 0;
        while neighbour < 9 {
            let (nx, ny) = (x + neighbour / 3, y + neighbour % 3); // both one too high
            let inside = nx >= 1 && nx <= WIDTH && ny >= 1 && ny <= ROWS;
            if inside && neighbour != 4 {
                table[x][y].set(nx - 1, ny - 1);
            }
            neighbour += 1;
        }
        cell += 1;
    }
    table
};
