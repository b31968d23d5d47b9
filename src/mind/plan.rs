//! The chain that a player means to set off, and the way there.

use std::collections::VecDeque;

use crate::game::{Action, Cells, Chain, Field, Pack, Placement, Player};
use crate::search::beam::Strike;

/// A way to a strike, followed turn by turn while nothing comes between.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    path: VecDeque<Placement>,
    chain: Chain,
    /// The field that the next turn must begin with for the plan to hold.
    field: Cells,
}

impl Plan {
    /// The plan to set off a strike that was found for this field.
    pub fn new<F: Field>(strike: &Strike, field: &F) -> Self {
        Self {
            path: strike.path.iter().copied().collect(),
            chain: strike.chain,
            field: field.to_cells(),
        }
    }

    /// Turns until it strikes: 0 is the coming one.
    pub fn ply(&self) -> usize {
        self.path.len() - 1
    }

    /// The chain that it sets off.
    pub const fn chain(&self) -> Chain {
        self.chain
    }

    /// The drops that are left.
    pub fn path(&self) -> impl Iterator<Item = Placement> {
        self.path.iter().copied()
    }

    /// The coming turn's action.
    pub fn action(&self) -> Action {
        Action::Drop(self.path[0])
    }

    /// Whether it can be carried out by a player whose turn begins so.
    ///
    /// A plan made under rain, or before it, breaks with the first row that falls otherwise than
    /// foreseen: the field then differs.
    pub fn fits(&self, player: &Player<Cells>) -> bool {
        self.field == player.field
    }

    /// What is left of the plan once the player has carried out its coming action; `None` when
    /// that was the strike.
    pub fn followed(mut self, player: &Player<Cells>, pack: &Pack) -> Option<Self> {
        let step = player.step(pack, self.action()).ok()?;
        self.path.pop_front();
        self.field = step.player.field;
        (!self.path.is_empty()).then_some(self)
    }
}

/// What a strike is worth, in ojama: what it sends, discounted by the turns until then.
pub fn worth(chain: Chain, ply: usize, discount: f64) -> f64 {
    chain.ojama().min(MOST) as f64 * discount.powi(ply as i32)
}

/// More than this hardly makes a difference: it fills the victim's field from the ground.
const MOST: u64 = 160;
