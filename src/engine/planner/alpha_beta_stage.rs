//! The alpha-beta stage: checks by search whether another action than the chosen one is forced or
//! far better.

use super::stages::DecisionInput;
use crate::engine::time_manager::TimeManager;
use crate::game::{Action, OJAMA_ROW, Seat};
use crate::search::alpha_beta::{self, RootMove};
use crate::search::{DROPS_OF_DEPTH, OjamaTenths, TranspositionTable, threats};

/// Minimum height of the tallest column, due rows included, at which an action may be forced.
const FORCED_HEIGHT: u64 = 13;

/// The search for a forced action starts a depth only if the depth is likely to need at most
/// `1 / FORCED_DIVISOR` of the budget.
const FORCED_DIVISOR: u64 = 20;

/// Absolute value of the alpha-beta search from which a game counts as decided: half the value of
/// our death, or a win by a kill.
const DECIDED_VALUE: OjamaTenths = OjamaTenths(50_000);

/// The result of the alpha-beta search.
pub(super) struct CheckedAction {
    /// The action to play, with its value.
    pub played: RootMove,
    /// Whether `played` is the choice of the stages before.
    pub is_choice: bool,
    /// Depth of the search, in plies.
    pub depth: usize,
    /// All first actions, best first.
    pub root_moves: Vec<RootMove>,
}

/// Returns the only action that does not lose in a short alpha-beta search, if there is exactly
/// one. Searches only under a time limit, outside the opening, if the field is nearly full.
/// `margin` is the margin of [`check`], which would play this action too.
pub(super) fn forced(
    input: &DecisionInput<'_>,
    margin: OjamaTenths,
    table: &mut TranspositionTable,
    time_manager: &mut TimeManager<'_>,
) -> Option<CheckedAction> {
    let own = &input.state[Seat::First];
    let height = u64::from(own.field.tallest()) + own.stock / OJAMA_ROW;
    if !input.is_timed || input.is_opening || height < FORCED_HEIGHT {
        return None;
    }
    let (depth, root_moves) = deepest_search(input, None, FORCED_DIVISOR, table, time_manager)?;
    let (&played, others) = root_moves.split_first()?;
    let loses = |other: &RootMove| other.value <= -DECIDED_VALUE;
    let is_forced = played.value > margin - DECIDED_VALUE && others.iter().all(loses);
    is_forced.then_some(CheckedAction { played, is_choice: false, depth, root_moves })
}

/// Keeps the action `choice` unless another action is better by more than `margin`. Returns `None`
/// if the budget is too small for a search.
///
/// The ojama that a drop sends are no reason to leave the plan, because the exchanges have compared
/// attacks with their counterattacks: a drop counts at most 0 unless it decides the game.
/// Experiment D-09.
pub(super) fn check(
    input: &DecisionInput<'_>,
    choice: Option<Action>,
    margin: OjamaTenths,
    table: &mut TranspositionTable,
    time_manager: &mut TimeManager<'_>,
) -> Option<CheckedAction> {
    let (depth, root_moves) = deepest_search(input, choice, 1, table, time_manager)?;
    let best = root_moves.first()?;
    let chosen = root_moves.iter().find(|root_move| Some(root_move.action) == choice);
    let (best_value, margin) = match best.action {
        // A win is never delayed: no gain of a plan is worth it.
        _ if best.value >= DECIDED_VALUE => (best.value, OjamaTenths(0)),
        Action::Drop(_) => (best.value.min(OjamaTenths(0)), margin),
        Action::Skill => (best.value, margin),
    };
    let kept = chosen.filter(|chosen| chosen.value + margin >= best_value);
    let (played, is_choice) = (*kept.unwrap_or(best), kept.is_some());
    Some(CheckedAction { played, is_choice, depth, root_moves })
}

/// Runs the alpha-beta search at two, three, then four plies while `1 / parts` of the budget
/// suffices for [`DROPS_OF_DEPTH`]. Returns the last completed depth and its root moves.
fn deepest_search(
    input: &DecisionInput<'_>,
    exact: Option<Action>,
    parts: u64,
    table: &mut TranspositionTable,
    time_manager: &mut TimeManager<'_>,
) -> Option<(usize, Vec<RootMove>)> {
    let DecisionInput { state, packs, .. } = input;
    let mut deepest = None;
    for (plies, drops) in (2..=threats::PLIES).zip(DROPS_OF_DEPTH) {
        if time_manager.drops_left() / parts < drops {
            break;
        }
        let budget = time_manager.remaining();
        let threats = threats::search(&state[Seat::Second], packs, plies, table, &budget);
        let Some(threats) = threats else { break };
        let root_moves = alpha_beta::search(state, packs, &threats, exact, table, &budget);
        let Some(root_moves) = root_moves else { break };
        deepest = Some((threats.plies(), root_moves));
        if plies >= packs.len() {
            break;
        }
    }
    deepest
}
