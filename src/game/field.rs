//! The interface through which rules and search see a field.

use std::fmt;

use super::{Cells, Chain, Explosion, HEIGHT, Pack, Placement, Position, Rotation, WIDTH};

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

/// What a field promises: the longest chain that the removal of one block would set off, as some
/// later pack may remove it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Potential {
    /// The rounds in which blocks would vanish; the removal is not one.
    pub chain: Chain,
    /// The block whose removal does it: its column from the left and row from the bottom. Of
    /// several, the one furthest left, then lowest. `None` if the chain is 0.
    pub trigger: Option<(u8, u8)>,
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
    /// its eight neighbours (inside the field's [`super::ROWS`] rows), and returns the longest
    /// chain.
    fn potential(&self) -> Potential;

    /// Drops a pack in the four ways of one position, in the order of rotations, and appends what
    /// comes of it to `children`.
    fn children_at(&self, pack: &Pack, position: Position, children: &mut Vec<Dropped<Self>>) {
        let placements = Rotation::ALL.map(|rotation| Placement { position, rotation });
        children.extend(placements.map(|placement| self.drop_pack(pack, placement)));
    }

    /// Drops a pack in all [`Placement::COUNT`] ways, in the order of [`Placement::all`], into
    /// `children`, whose former content is lost.
    fn children(&self, pack: &Pack, children: &mut Vec<Dropped<Self>>) {
        children.clear();
        for position in Position::all() {
            self.children_at(pack, position, children);
        }
    }

    /// The chain of each way to drop a pack, in the order of [`Placement::all`].
    fn chains(&self, pack: &Pack) -> [Chain; Placement::COUNT] {
        let mut placements = Placement::all();
        std::array::from_fn(|_| {
            placements.next().map_or(Chain(0), |placement| self.drop_pack(pack, placement).chain)
        })
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
