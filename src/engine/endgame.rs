//! What the engine asks about the end of a game: whether it can win for certain, and how to live.

use serde::Serialize;

use crate::board::Field;
use crate::game::{Action, OJAMA_ROW, Pack, Placement, Player, State};
use crate::search::Budget;
use crate::search::beam::Attack;
use crate::search::endgame::survival::{End, SurvivalResult, survive};
use crate::search::endgame::{self, Mate, MateSearch};

/// What was found about the end of the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EndgameReport {
    /// `mate`: the opponent dies, whatever it does; `survival`: the plan would have been fatal.
    pub kind: &'static str,
    /// Whether everything was tried; else a beam has found nothing against it.
    pub proven: bool,
    /// Turns that the opponent, or we, live through at most, as far as was seen.
    pub plies: usize,
}

impl EndgameReport {
    /// What there is to say of a mate.
    pub const fn of_mate(mate: &Mate) -> Self {
        Self { kind: "mate", proven: mate.proven, plies: mate.plies }
    }

    /// What there is to say of a way to live, or to live longer.
    pub fn of_survival(fate: &SurvivalResult) -> Self {
        Self { kind: "survival", proven: fate.end == End::SurelyDies, plies: fate.plies }
    }
}

/// Attacks that may be set off at once and are tried for a mate: those that send most.
const ATTACKS_NOW: usize = 3;

/// An attack so many turns away, or sooner, is tried too.
const ATTACKS_LATER: usize = 3;

/// Looks for a win: by what waits for the opponent already, by an attack now, or by one of the known
/// attacks. The own choice is tried first.
pub fn mate(
    state: &State<Field>,
    packs: &[Pack],
    choice: Option<Action>,
    attacks: &[Attack],
    budget: &Budget,
) -> Option<Mate> {
    let [own, _] = &state.players;
    let pack = packs.first()?;
    let mut lines: Vec<Vec<Action>> = choice.into_iter().map(|action| vec![action]).collect();
    lines.push(Vec::new());
    let mut now: Vec<(u64, Action)> = Action::all()
        .filter_map(|action| Some((own.step(pack, action).ok()?, action)))
        .filter(|(step, action)| {
            Some(*action) != choice && step.sent() > 0 && !step.player.field.is_over()
        })
        .map(|(step, action)| (step.sent(), action))
        .collect();
    now.sort_by_key(|&(sent, action)| (std::cmp::Reverse(sent), action));
    lines.extend(now.into_iter().take(ATTACKS_NOW).map(|(_, action)| vec![action]));
    let later = attacks.iter().filter(|attack| (1..=ATTACKS_LATER).contains(&attack.ply()));
    lines.extend(later.map(|attack| drops(&attack.path)));
    endgame::mate(state, packs, &lines, budget)
}

/// A way to live, or to live longer, where the way that was chosen is fatal, though the opponent only
/// drops where it stays lowest. `None` if there is no danger, or the chosen way is as good as any.
pub fn survival(
    state: &State<Field>,
    packs: &[Pack],
    chosen: &[Placement],
    budget: &Budget,
) -> Option<SurvivalResult> {
    let [own, opponent] = &state.players;
    let mut siege = MateSearch::new(opponent, own, packs, Vec::new());
    if own.stock < OJAMA_ROW || !siege.is_dangerous() {
        return None;
    }
    let half = budget.part(2);
    let mut fate = |path: &[Action]| {
        let each = half.budget();
        let fate = survive(&mut siege, path, &each);
        half.book(&each);
        fate
    };
    let planned = fate(&drops(chosen));
    if !planned.is_death() {
        return None;
    }
    let free = fate(&[]);
    (free.rank() > planned.rank() && !free.path.is_empty()).then_some(free)
}

fn drops(path: &[Placement]) -> Vec<Action> {
    path.iter().map(|&placement| Action::Drop(placement)).collect()
}

/// The first action of a line, which is the lowest drop where it names none.
pub fn first_action(path: &[Action], own: &Player<Field>, pack: &Pack) -> Action {
    let lowest = || Action::Drop(endgame::lowest(&own.rained(), pack));
    path.first().copied().unwrap_or_else(lowest)
}
