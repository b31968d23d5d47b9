//! Stage 1: a beam search for each side.

use super::decision_input::DecisionInput;
use super::parameters::PlannerParameters;
use crate::engine::planner::memory::Memory;
use crate::engine::planner::side_beams;
use crate::engine::time_manager::TimeManager;
use crate::game::Placement;
use crate::search::beam::{self, BeamResult};

/// The results of both sides' beam searches, own side first.
pub(super) struct BothSearches {
    /// The attacks within reach, the remembered ones included.
    pub found: [BeamResult; 2],
    /// Number of fields that each beam reused from the previous turn's tree.
    pub reused: [usize; 2],
    /// Whether the own beam ended because it found nothing new.
    pub is_settled: bool,
}

/// Searches the attacks of both sides, and renews both memories. `followed` are the remaining drops
/// of the followed plan.
pub(super) fn search_both_sides(
    position: &DecisionInput<'_>,
    memory: &mut [Memory; 2],
    followed: &[Placement],
    parameters: &PlannerParameters,
    time_manager: &mut TimeManager<'_>,
) -> BothSearches {
    let [own, opponent] = &position.state.players;
    let [own_memory, opponents_memory] = memory;
    let known = [own_memory.tree(own), opponents_memory.tree(opponent)];
    let reused = [known[0].fields(), known[1].fields()];

    let shares = &parameters.shares;
    let share = if position.is_quiet { shares.quiet_own_beam() } else { shares.own_beam };
    let request = side_beams::own_request(
        own.field,
        own.stock,
        position.packs,
        parameters.depth_at(position.state.turn),
        position.is_quiet,
    );
    let budget = time_manager.beam(share);
    let (mut ours, own_tree) = beam::search_on(&request, &known[0], &budget);
    let is_settled = time_manager.end_beam(budget);

    let factor = if position.is_pressed { shares.pressed } else { 1.0 };
    let share = factor * shares.opponents_beam;
    let request = side_beams::opponents_request(opponent.field, opponent.stock, position.packs);
    let budget = time_manager.beam(share);
    let (mut theirs, opponents_tree) = beam::search_on(&request, &known[1], &budget);
    time_manager.end_beam(budget);

    own_memory.renew(own, position.packs, followed, &mut ours, own_tree);
    opponents_memory.renew(opponent, position.packs, &[], &mut theirs, opponents_tree);
    BothSearches { found: [ours, theirs], reused, is_settled }
}

/// Carries both memories over to this turn without a search. `followed` are the remaining drops of
/// the followed plan.
pub(super) fn skip_both_searches(
    position: &DecisionInput<'_>,
    memory: &mut [Memory; 2],
    followed: &[Placement],
    parameters: &PlannerParameters,
) {
    let depth = parameters.depth_at(position.state.turn);
    let sides = position.state.players.iter().zip(memory).zip([followed, &[]]);
    for ((player, memory), followed) in sides {
        let attacks = vec![None; depth.min(position.packs.len())];
        let mut nothing_new = BeamResult { attacks, ..BeamResult::default() };
        let tree = memory.tree(player);
        memory.renew(player, position.packs, followed, &mut nothing_new, tree);
    }
}
