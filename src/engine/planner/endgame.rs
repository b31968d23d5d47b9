//! The endgame stage: proven wins, and survival paths.

use super::decision_input::DecisionInput;
use super::endgame_searches;
use super::parameters::BudgetShares;
use crate::engine::EndgameReport;
use crate::engine::time_manager::TimeManager;
use crate::game::{Action, Placement, Seat};
use crate::search::beam::Attack;
use crate::search::{Budget, TranspositionTable};

/// Minimum drops left for an endgame search; below it the alpha-beta search gets them all. Half of
/// it suffices for the two-ply alpha-beta search, which sees kills as well.
const LEAST_DROPS: u64 = 40_000;

/// The result of the endgame searches.
#[derive(Default)]
pub(super) struct EndgameResult {
    /// The first action of a proven win.
    pub win: Option<Action>,
    /// The first action of a survival path, if the plan is fatal. `None` with a proven win.
    pub survival: Option<Action>,
    /// The path found last: a win, proven or not, or a survival path.
    pub report: Option<EndgameReport>,
}

/// Searches for a win: by the first drop of `path`, the planned drops, by the stock of the
/// opponent, by an attack of this turn, or by the known own `attacks`. Without a proven win,
/// searches for a survival path if `path` is fatal.
pub(super) fn search(
    position: &DecisionInput<'_>,
    path: &[Placement],
    attacks: &[Attack],
    shares: &BudgetShares,
    table: &mut TranspositionTable,
    time_manager: &mut TimeManager<'_>,
) -> EndgameResult {
    let DecisionInput { state, packs, .. } = position;
    let mut result = EndgameResult::default();
    let choice = path.first().copied().map(Action::Drop);
    let budget = spared(time_manager, shares.mate);
    let mate = budget
        .and_then(|budget| endgame_searches::mate(state, packs, choice, attacks, table, &budget));
    if let Some(mate) = mate {
        result.report = Some(EndgameReport::of_mate(&mate));
        if mate.proven {
            let first = endgame_searches::first_action(&mate.path, &state[Seat::First], &packs[0]);
            result.win = Some(first);
            return result;
        }
    }
    let budget = spared(time_manager, shares.survival);
    if let Some(survival) =
        budget.and_then(|budget| endgame_searches::survival(state, packs, path, &budget))
    {
        result.report = Some(EndgameReport::of_survival(&survival));
        result.survival = survival.path.first().copied();
    }
    result
}

/// The budget of `share`, unless the alpha-beta search needs all remaining drops.
fn spared(time_manager: &mut TimeManager<'_>, share: f64) -> Option<Budget> {
    (time_manager.drops_left() >= LEAST_DROPS).then(|| time_manager.share(share))
}
