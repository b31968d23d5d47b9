//! The beams of later turns: all columns are open, and no chain is a target.

use super::beam::{self, Aim, Answer, Question};
use super::parameters::Shape;
use super::table::TranspositionTable;
use crate::board::Field;
use crate::game::{DropColumns, Pack, Placement, Player, Stock};
use crate::search::Budget;

/// What is asked about one player.
#[derive(Clone, Copy, Debug)]
pub struct Builder<'a> {
    /// Who builds.
    pub player: &'a Player<Field>,
    /// The other's stock.
    pub others_stock: Stock,
    /// The packs from the coming turn on.
    pub packs: &'a [Pack],
}

impl Builder<'_> {
    /// The longest chains that can be built, and the way.
    pub fn chains(&self, shape: Shape, table: &mut TranspositionTable, budget: &Budget) -> Answer {
        beam::search(&self.question(shape), table, budget)
    }

    /// The same after so many ojama have arrived at the end of a ply.
    pub fn chains_under(
        &self,
        attack: (usize, Stock),
        shape: Shape,
        table: &mut TranspositionTable,
        budget: &Budget,
    ) -> Answer {
        let question = Question { attack: Some(attack), ..self.question(shape) };
        beam::search(&question, table, budget)
    }

    /// The same, the first drop being settled.
    pub fn chains_behind(
        &self,
        first: Placement,
        attack: (usize, Stock),
        shape: Shape,
        table: &mut TranspositionTable,
        budget: &Budget,
    ) -> Answer {
        let question =
            Question { first: Some(first), attack: Some(attack), ..self.question(shape) };
        beam::search(&question, table, budget)
    }

    /// The way to a skill that blows up much.
    pub fn skill(&self, shape: Shape, table: &mut TranspositionTable, budget: &Budget) -> Answer {
        let question = Question { aim: Aim::Skill, ..self.question(shape) };
        beam::search(&question, table, budget)
    }

    fn question(&self, shape: Shape) -> Question<'_> {
        Question {
            player: *self.player,
            others_stock: self.others_stock,
            packs: self.packs,
            shape,
            positions: DropColumns::ALL,
            first: None,
            attack: None,
            target: None,
            aim: Aim::Chain { height_limit: None },
        }
    }
}
