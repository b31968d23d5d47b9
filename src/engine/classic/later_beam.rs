//! The beams of later turns. All columns are open, and the beam has no target.

use super::beam::{self, Aim, ClassicBeamRequest, ClassicBeamResult};
use super::parameters::Shape;
use crate::board::Field;
use crate::game::{DropColumns, Pack, Placement, Player, Stock};
use crate::search::{Budget, TranspositionTable};

/// The player that a beam searches for, and its packs.
#[derive(Clone, Copy, Debug)]
pub struct Builder<'a> {
    /// The player that builds.
    pub player: &'a Player<Field>,
    /// The other player's stock.
    pub others_stock: Stock,
    /// The packs from the coming turn on.
    pub packs: &'a [Pack],
}

impl Builder<'_> {
    /// Searches for the longest chains.
    pub fn chains(
        &self,
        shape: Shape,
        table: &mut TranspositionTable,
        budget: &Budget,
    ) -> ClassicBeamResult {
        beam::search(&self.request(shape), table, budget)
    }

    /// Searches for the longest chains under `attack`: a ply, and the ojama that arrive at its end.
    pub fn chains_under(
        &self,
        attack: (usize, Stock),
        shape: Shape,
        table: &mut TranspositionTable,
        budget: &Budget,
    ) -> ClassicBeamResult {
        let request = ClassicBeamRequest { attack: Some(attack), ..self.request(shape) };
        beam::search(&request, table, budget)
    }

    /// Like [`Self::chains_under`], with `first` as the first drop.
    pub fn chains_behind(
        &self,
        first: Placement,
        attack: (usize, Stock),
        shape: Shape,
        table: &mut TranspositionTable,
        budget: &Budget,
    ) -> ClassicBeamResult {
        let request =
            ClassicBeamRequest { first: Some(first), attack: Some(attack), ..self.request(shape) };
        beam::search(&request, table, budget)
    }

    /// Searches for a skill that blows up many blocks.
    pub fn skill(
        &self,
        shape: Shape,
        table: &mut TranspositionTable,
        budget: &Budget,
    ) -> ClassicBeamResult {
        let request = ClassicBeamRequest { aim: Aim::Skill, ..self.request(shape) };
        beam::search(&request, table, budget)
    }

    fn request(&self, shape: Shape) -> ClassicBeamRequest<'_> {
        ClassicBeamRequest {
            player: *self.player,
            others_stock: self.others_stock,
            packs: self.packs,
            shape,
            columns: DropColumns::ALL,
            first: None,
            attack: None,
            target: None,
            aim: Aim::Chain { height_limit: None },
        }
    }
}
