//! The beam of the first turn, which finds the plan.

use super::beam::{self, Aim, Answer, Question, Target};
use super::parameters::Parameters;
use super::table::TranspositionTable;
use crate::board::Field;
use crate::game::{DropColumns, Pack, State};
use crate::search::Budget;

/// Searches as the seed did at the start of a game: two columns on each side closed, nothing built
/// into row 14, and of the first layer that can set off 12 only fields that can set off 12 or 11.
pub fn search(
    state: &State<Field>,
    packs: &[Pack],
    parameters: &Parameters,
    table: &mut TranspositionTable,
    budget: &Budget,
) -> Answer {
    let [own, opponent] = &state.players;
    let question = Question {
        player: *own,
        others_stock: opponent.stock,
        packs,
        shape: parameters.opening,
        positions: DropColumns::without_sides(parameters.closed),
        first: None,
        attack: None,
        target: Some(Target {
            chain: parameters.target,
            kept: parameters.kept,
            last: parameters.final_target,
        }),
        aim: Aim::Chain { height_limit: Some(parameters.height_limit) },
    };
    beam::search(&question, table, budget)
}
