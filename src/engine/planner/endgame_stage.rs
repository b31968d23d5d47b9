//! The endgame stage: a proven win, or survival where the plan is fatal.

use super::parameters::BudgetShares;
use super::stages::DecisionInput;
use crate::board::Field;
use crate::engine::time_manager::TimeManager;
use crate::engine::{EndgameKind, EndgameReport};
use crate::game::{Action, OJAMA_ROW, Pack, Placement, Seat, State};
use crate::search::beam::Attack;
use crate::search::endgame::survival::{SurvivalEnd, SurvivalResult, survive};
use crate::search::endgame::{self, Mate, MateSearch};
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

/// The number of immediate attacks that are tried for a mate, those with the most ojama.
const ATTACKS_NOW: usize = 3;

/// The maximum number of turns to a known attack that is tried for a mate.
const ATTACKS_LATER: usize = 3;

/// Searches for a win: by the first drop of `path`, the planned drops, by the stock of the
/// opponent, by an attack of this turn, or by the known own `attacks`. Without a proven win,
/// searches for a survival path if `path` is fatal.
pub(super) fn search(
    input: &DecisionInput<'_>,
    path: &[Placement],
    attacks: &[Attack],
    shares: &BudgetShares,
    table: &mut TranspositionTable,
    time_manager: &mut TimeManager<'_>,
) -> EndgameResult {
    let DecisionInput { state, packs, .. } = input;
    let mut result = EndgameResult::default();
    let choice = path.first().copied().map(Action::Drop);
    let mate = spared(time_manager, shares.mate).and_then(|budget| {
        let scripts = scripts(state, &packs[0], choice, attacks);
        endgame::mate(state, packs, &scripts, table, &budget)
    });
    if let Some(Mate { path, plies, proven }) = mate {
        result.report = Some(EndgameReport { kind: EndgameKind::Mate, proven, plies });
        if proven {
            let own = &state[Seat::First];
            let lowest = || Action::Drop(endgame::lowest(&own.rained(), &packs[0]));
            result.win = Some(path.first().copied().unwrap_or_else(lowest));
            return result;
        }
    }
    let survival = spared(time_manager, shares.survival)
        .and_then(|budget| survival(state, packs, path, &budget));
    if let Some(SurvivalResult { path, plies, end }) = survival {
        let proven = end == SurvivalEnd::SurelyDies;
        result.report = Some(EndgameReport { kind: EndgameKind::Survival, proven, plies });
        result.survival = path.first().copied();
    }
    result
}

/// The budget of `share`, unless the alpha-beta search needs all remaining drops.
fn spared(time_manager: &mut TimeManager<'_>, share: f64) -> Option<Budget> {
    (time_manager.drops_left() >= LEAST_DROPS).then(|| time_manager.share(share))
}

/// The own first actions that may kill: `choice`, none but the opponent's present stock, the
/// attacks of this turn with `pack`, and the known `attacks`.
fn scripts(
    state: &State<Field>,
    pack: &Pack,
    choice: Option<Action>,
    attacks: &[Attack],
) -> Vec<Vec<Action>> {
    let own = &state[Seat::First];
    let mut scripts: Vec<Vec<Action>> = choice.into_iter().map(|action| vec![action]).collect();
    scripts.push(Vec::new());
    let mut now: Vec<(u64, Action)> = Action::all()
        .filter_map(|action| Some((own.step(pack, action).ok()?, action)))
        .filter(|(step, action)| {
            Some(*action) != choice && step.sent() > 0 && !step.player.field.is_over()
        })
        .map(|(step, action)| (step.sent(), action))
        .collect();
    now.sort_by_key(|&(sent, action)| (std::cmp::Reverse(sent), action));
    scripts.extend(now.into_iter().take(ATTACKS_NOW).map(|(_, action)| vec![action]));
    let later = attacks.iter().filter(|attack| (1..=ATTACKS_LATER).contains(&attack.ply()));
    scripts.extend(later.map(|attack| Action::drops(&attack.path).collect()));
    scripts
}

/// Searches for a path that survives, or survives longer, if the path `chosen` is fatal even though
/// the opponent only plays the drops that keep it lowest. Returns `None` if there is no danger, or
/// if no path survives longer than `chosen`.
fn survival(
    state: &State<Field>,
    packs: &[Pack],
    chosen: &[Placement],
    budget: &Budget,
) -> Option<SurvivalResult> {
    let [own, opponent] = &state.players;
    let mut mate_search = MateSearch::new(opponent, own, packs, Vec::new());
    if own.stock < OJAMA_ROW || !mate_search.is_dangerous() {
        return None;
    }
    // The first half of the drops and of the time; the other drops, until the end of the time.
    let (first, second) = (budget.split(2), budget.limit(budget.drops_left() / 2));
    let path: Vec<Action> = Action::drops(chosen).collect();
    let planned = survive(&mut mate_search, &path, &first);
    if !planned.is_death() {
        return None;
    }
    let free = survive(&mut mate_search, &[], &second);
    (free.rank() > planned.rank() && !free.path.is_empty()).then_some(free)
}
