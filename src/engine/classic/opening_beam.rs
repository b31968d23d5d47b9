//! The beam of the first turn, which finds the plan.

use super::beam::{self, Aim, ClassicBeamRequest, ClassicBeamResult, Target};
use super::parameters::Parameters;
use crate::board::Field;
use crate::game::{DropColumns, Pack, State};
use crate::search::{Budget, TranspositionTable};

/// Searches as y.s.'s bot does at the start of a game. Two columns on each side are closed, and a
/// field with a block in row 14 or above is worth nothing. The first layer that can set off a chain
/// of 12 keeps only fields that can set off a chain of 12 or 11.
pub fn search(
    state: &State<Field>,
    packs: &[Pack],
    parameters: &Parameters,
    table: &mut TranspositionTable,
    budget: &Budget,
) -> ClassicBeamResult {
    let [own, opponent] = &state.players;
    let request = ClassicBeamRequest {
        player: *own,
        others_stock: opponent.stock,
        packs,
        shape: parameters.opening,
        columns: DropColumns::without_sides(parameters.closed),
        first: None,
        attack: None,
        target: Some(Target {
            chain: parameters.target,
            kept: parameters.kept,
            last: parameters.final_target,
        }),
        aim: Aim::Chain { height_limit: Some(parameters.height_limit) },
    };
    beam::search(&request, table, budget)
}
