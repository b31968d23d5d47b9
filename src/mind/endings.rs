//! What the mind asks about the end of a game: whether it can win for certain, and how to live.

use serde::Serialize;

use crate::board::Field;
use crate::game::{Action, OJAMA_ROW, Pack, Placement, Player, State};
use crate::search::Budget;
use crate::search::beam::Strike;
use crate::search::endgame::survival::{End, Fate, survive};
use crate::search::endgame::{self, Mate, Siege};

/// What was found about the end of the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
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
    pub fn of_survival(fate: &Fate) -> Self {
        Self { kind: "survival", proven: fate.end == End::SurelyDies, plies: fate.plies }
    }
}

/// Strikes that may be set off at once and are tried for a mate: those that send most.
const STRIKES_NOW: usize = 3;

/// A strike so many turns away, or sooner, is tried too.
const STRIKES_LATER: usize = 3;

/// Looks for a win: by what waits for the opponent already, by a strike now, or by one of the known
/// strikes. The own choice is tried first.
pub fn mate(
    state: &State<Field>,
    packs: &[Pack],
    choice: Option<Action>,
    strikes: &[Strike],
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
    lines.extend(now.into_iter().take(STRIKES_NOW).map(|(_, action)| vec![action]));
    let later = strikes.iter().filter(|strike| (1..=STRIKES_LATER).contains(&strike.ply()));
    lines.extend(later.map(|strike| drops(&strike.path)));
    endgame::mate(state, packs, &lines, budget)
}

/// A way to live, or to live longer, where the way that was chosen is fatal, though the opponent only
/// drops where it stays lowest. `None` if there is no danger, or the chosen way is as good as any.
pub fn survival(
    state: &State<Field>,
    packs: &[Pack],
    chosen: &[Placement],
    budget: &Budget,
) -> Option<Fate> {
    let [own, opponent] = &state.players;
    let mut siege = Siege::new(opponent, own, packs, Vec::new());
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
