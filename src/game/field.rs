//! The results of actions on a field, and the interface by which the rules use a field.

use std::fmt;

use super::{Cells, Chain, Explosion, Pack, Placement, Stock};

/// A field after a drop, when the chain is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dropped<F> {
    /// The field that remains.
    pub field: F,
    /// The rounds in which blocks vanished.
    pub chain: Chain,
}

/// A field after the skill, when the chain is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exploded<F> {
    /// The field that remains.
    pub field: F,
    /// The blocks that the skill blew up.
    pub explosion: Explosion,
    /// The rounds in which blocks vanished afterwards.
    pub chain: Chain,
}

impl<F> Exploded<F> {
    /// The ojama sent, for the explosion and for the chain.
    pub const fn sent(&self) -> Stock {
        self.explosion.ojama() + self.chain.ojama()
    }
}

/// The potential of a field: the longest chain that the removal of one block would set off, as a
/// later pack may remove it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Potential {
    /// The rounds in which blocks would vanish; the removal is not one.
    pub chain: Chain,
    /// The block whose removal sets off the chain: its column from the left and row from the
    /// bottom. Of several blocks, the leftmost, then the lowest. `None` if the chain is 0.
    pub trigger: Option<(u8, u8)>,
    /// The cells that vanish in the chain's second round, at their places in that round, hashed
    /// equally in every encoding ([`super::hash::of_cells`]). `None` if there is no second round.
    pub second: Option<u64>,
    /// In the field after the chain, the number of pairs of blocks that sum to ten and would become
    /// neighbours if the upper one fell by a row: the upper one is two rows above the other, in the
    /// same column or in an adjacent one. 0 if the chain is 0.
    pub near: u32,
}

/// A field that turns can be played on.
///
/// The rules of a turn ([`super::Player::step`], [`super::State::play`]) are written once against
/// this trait. [`Cells`] implements it for the referee and as the reference. The fast field of the
/// bot implements it too, and behaves as the plain one for every field whose columns hold at most
/// 16 cells before a row of ojama and 17 before a drop.
pub trait Simulate: Copy + Eq + fmt::Debug {
    /// The field in this encoding.
    fn from_cells(cells: &Cells) -> Self;

    /// The field in plain form.
    fn to_cells(&self) -> Cells;

    /// Lets one row of ojama fall, one on top of each column.
    fn rain(&mut self);

    /// Drops a pack and lets the chain run.
    fn drop_pack(&self, pack: &Pack, placement: Placement) -> Dropped<Self>;

    /// Uses the skill and lets the chain run.
    fn explode(&self) -> Exploded<Self>;

    /// Whether a block stands in the danger line (row 17) or above it: at the end of a turn, the
    /// player has lost.
    fn is_over(&self) -> bool;
}
