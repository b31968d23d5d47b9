//! Step 3: wins that are certain, and ways to live.

use super::{Planner, Position};
use crate::game::{Action, Placement, Seat};
use crate::mind::allowance::Allowance;
use crate::mind::{EndgameReport, Report, endings};
use crate::search::Budget;

/// Shares of a turn's budget, of what the duel would have, where somebody may die of what waits or
/// of a strike now.
const MATE: f64 = 0.07;
const SURVIVAL: f64 = 0.05;

/// With fewer drops left than this the duel has them all: half of it for the duel of two plies, which
/// sees kills as well.
const LEAST: u64 = 40_000;

impl Planner {
    /// Step 3, a win: the action that begins it, if it is certain.
    pub(super) fn win(
        &self,
        position: &Position<'_>,
        choice: Option<Action>,
        allowance: &mut Allowance<'_>,
        report: &mut Report,
    ) -> Option<Action> {
        let Position { state, packs, .. } = position;
        let strikes = self.memory[0].strikes();
        let search = |budget: &Budget| endings::mate(state, packs, choice, strikes, budget);
        let mate = spared(allowance, MATE, search)?;
        report.endgame = Some(EndgameReport::of_mate(&mate));
        if !mate.proven {
            return None;
        }
        report.source = "mate";
        Some(endings::first_action(&mate.path, &state[Seat::First], &packs[0]))
    }
}

/// Step 3, survival: the action to begin with if the chosen path would be fatal.
pub(super) fn live(
    position: &Position<'_>,
    path: &[Placement],
    allowance: &mut Allowance<'_>,
    report: &mut Report,
) -> Option<Action> {
    let Position { state, packs, .. } = position;
    let search = |budget: &Budget| endings::survival(state, packs, path, budget);
    let fate = spared(allowance, SURVIVAL, search)?;
    report.endgame = Some(EndgameReport::of_survival(&fate));
    report.source = "survival";
    fate.path.first().copied()
}

/// Lets a search have a part, unless the duel needs what is left.
fn spared<T>(
    allowance: &mut Allowance<'_>,
    part: f64,
    search: impl FnOnce(&Budget) -> Option<T>,
) -> Option<T> {
    if allowance.drops_left() < LEAST { None } else { allowance.aside(part, search) }
}
