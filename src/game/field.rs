//! The interface through which rules and search see a field.

use std::fmt;

use super::{Cells, Chain, Explosion, HEIGHT, Pack, Placement, Positions, ROWS, Stock, WIDTH};

/// A field after a drop, when the chain is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dropped<F> {
    /// What remains.
    pub field: F,
    /// The rounds in which blocks vanished.
    pub chain: Chain,
}

/// A field after the skill, when the chain is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exploded<F> {
    /// What remains.
    pub field: F,
    /// The blocks blown up.
    pub explosion: Explosion,
    /// The rounds in which blocks vanished afterwards.
    pub chain: Chain,
}

impl<F> Exploded<F> {
    /// The ojama that it sends, for the explosion and for the chain.
    pub const fn sent(&self) -> Stock {
        self.explosion.ojama() + self.chain.ojama()
    }
}

/// What a field promises: the longest chain that the removal of one block would set off, as some
/// later pack may remove it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Potential {
    /// The rounds in which blocks would vanish; the removal is not one.
    pub chain: Chain,
    /// The block whose removal does it: its column from the left and row from the bottom. Of
    /// several, the one furthest left, then lowest. `None` if the chain is 0.
    pub trigger: Option<(u8, u8)>,
    /// The cells that vanish in the chain's second round, where they are then, hashed the same way
    /// in every encoding ([`super::hash::of_cells`]). `None` if there is no second round.
    pub second: Option<u64>,
    /// Of what the chain would leave, the pairs of blocks that sum to ten and would become neighbours
    /// if the upper one fell by a row: it stands two rows above the other, in the same column or in
    /// one beside it. 0 if the chain is 0.
    pub near: u32,
}

/// What the drops of a pack have made of a field.
pub trait Room<F>: Send {
    /// Empty room.
    fn new() -> Self;

    /// What the given placement made, if it was among those dropped last; worthless otherwise.
    fn child(&self, placement: Placement) -> Dropped<F>;

    /// The chain of that child.
    fn chain(&self, placement: Placement) -> Chain;
}

/// [`Room`] for encodings that drop one pack after the other.
pub struct PlainRoom<F>([Dropped<F>; Placement::COUNT]);

impl<F: Field> Room<F> for PlainRoom<F> {
    fn new() -> Self {
        let empty = Dropped { field: F::from_cells(&Cells::EMPTY), chain: Chain(0) };
        Self([empty; Placement::COUNT])
    }

    fn child(&self, placement: Placement) -> Dropped<F> {
        self.0[placement.index()]
    }

    fn chain(&self, placement: Placement) -> Chain {
        self.0[placement.index()].chain
    }
}

impl<F: Field> PlainRoom<F> {
    /// Keeps what a placement made.
    pub fn put(&mut self, placement: Placement, child: Dropped<F>) {
        self.0[placement.index()] = child;
    }
}

/// [`Field::potential_after`] by its definition.
pub fn potential_after<F: Field>(field: &F, rows: u8, room: &mut F::Room) -> (Potential, Chain) {
    let now = field.potential(room);
    if rows == 0 {
        return (now, now.chain);
    }
    let mut later = *field;
    (0..rows.min(ROWS as u8 - field.tallest())).for_each(|_| later.rain());
    (now, later.potential(room).chain)
}

/// A player's field, in whatever encoding.
///
/// Rules and search are written against this trait alone, so that one encoding can take the place
/// of another; all of them must behave as the plain one, [`Cells`], does, for every field whose
/// columns hold at most 16 cells before a row of ojama and 17 before a drop.
///
/// A field may be *unsettled* when it is made from cells, that is, hold neighbours that sum to ten
/// already; they vanish with the next action's chain. In a game no turn ends so.
pub trait Field: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// Room for all children of a field. Made once by each thread and used again.
    type Room: Room<Self>;

    /// The field in this encoding.
    fn from_cells(cells: &Cells) -> Self;

    /// The field in plain form.
    fn to_cells(&self) -> Cells;

    /// Blocks and ojama in each column, from the left.
    fn heights(&self) -> [u8; WIDTH];

    /// The number blocks on the field.
    fn blocks(&self) -> u32;

    /// The ojama on the field.
    fn ojama(&self) -> u32;

    /// The blocks that the skill would blow up.
    fn explosion(&self) -> Explosion;

    /// A hash of the cells, the same in every encoding: equal cells hash equally.
    fn hash(&self) -> u64;

    /// One row of ojama falls, one on top of each column.
    fn rain(&mut self);

    /// Drops a pack and lets the chain run.
    fn drop_pack(&self, pack: &Pack, placement: Placement) -> Dropped<Self>;

    /// Uses the skill and lets the chain run.
    fn explode(&self) -> Exploded<Self>;

    /// Removes in turn each number block that has a block or ojama on it and an empty cell among
    /// its eight neighbours (inside the field's [`ROWS`] rows), and returns the longest chain.
    fn potential(&self, room: &mut Self::Room) -> Potential;

    /// [`Field::potential`], and its chain when so many rows of ojama have fallen, or as many as the
    /// field's [`ROWS`] rows have room for. Rows lie on what there is and change no chain, but a
    /// block around which they leave no empty cell is not to be removed any more.
    fn potential_after(&self, rows: u8, room: &mut Self::Room) -> (Potential, Chain) {
        potential_after(self, rows, room)
    }

    /// Drops a pack at the given positions, in all rotations; what comes of it is then in `room`,
    /// whose former content is lost.
    fn children(&self, pack: &Pack, positions: Positions, room: &mut Self::Room);

    /// Drops a pack in all ways, with the hash of each child made along, where that is faster
    /// than to ask for it; returns all hashes together, xored.
    fn children_hashed(&self, pack: &Pack, room: &mut Self::Room) -> u64 {
        self.children(pack, Positions::ALL, room);
        Placement::all().fold(0, |all, placement| all ^ room.child(placement).field.hash())
    }

    /// The height of the tallest column.
    fn tallest(&self) -> u8 {
        self.heights().into_iter().max().unwrap_or(0)
    }

    /// Whether a block stands in the danger line (row 17) or above it: at the end of a turn, the
    /// player has lost.
    fn is_over(&self) -> bool {
        usize::from(self.tallest()) > HEIGHT
    }
}
