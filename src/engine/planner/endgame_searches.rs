//! Endgame searches of the engine: a forced win (mate), and survival of an attack.

use crate::board::Field;
use crate::engine::{EndgameKind, EndgameReport};
use crate::game::{Action, OJAMA_ROW, Pack, Placement, Player, State};
use crate::search::beam::Attack;
use crate::search::endgame::survival::{SurvivalEnd, SurvivalResult, survive};
use crate::search::endgame::{self, Mate, MateSearch};
use crate::search::{Budget, TranspositionTable};

impl EndgameReport {
    /// Reports a mate.
    pub const fn of_mate(mate: &Mate) -> Self {
        Self { kind: EndgameKind::Mate, proven: mate.proven, plies: mate.plies }
    }

    /// Reports a path that survives, or survives longer.
    pub fn of_survival(result: &SurvivalResult) -> Self {
        Self {
            kind: EndgameKind::Survival,
            proven: result.end == SurvivalEnd::SurelyDies,
            plies: result.plies,
        }
    }
}

/// The number of immediate attacks that are tried for a mate, those with the most ojama.
const ATTACKS_NOW: usize = 3;

/// The maximum number of turns to a known attack that is tried for a mate.
const ATTACKS_LATER: usize = 3;

/// Searches for a mate by the opponent's present stock, by an attack in this turn, or by one of the
/// known `attacks`. The action `choice` is tried first.
pub fn mate(
    state: &State<Field>,
    packs: &[Pack],
    choice: Option<Action>,
    attacks: &[Attack],
    table: &mut TranspositionTable,
    budget: &Budget,
) -> Option<Mate> {
    let [own, _] = &state.players;
    let pack = packs.first()?;
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
    endgame::mate(state, packs, &scripts, table, budget)
}

/// Searches for a path that survives, or survives longer, if the path `chosen` is fatal even though
/// the opponent only plays the drops that keep it lowest. Returns `None` if there is no danger, or
/// if no path survives longer than `chosen`.
pub fn survival(
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

/// Returns the first action of `path`; if `path` is empty, the drop that keeps `own` lowest.
pub fn first_action(path: &[Action], own: &Player<Field>, pack: &Pack) -> Action {
    let lowest = || Action::Drop(endgame::lowest(&own.rained(), pack));
    path.first().copied().unwrap_or_else(lowest)
}
