//! Step 3: wins that are certain, and ways to live.

use super::{Planner, Position};
use crate::engine::time_manager::TimeManager;
use crate::engine::{EndgameReport, Report, endgame};
use crate::game::{Action, Placement, Seat};
use crate::search::Budget;

/// Shares of a turn's budget, of what the alpha-beta would have, where somebody may die of what waits or
/// of an attack now.
const MATE: f64 = 0.07;
const SURVIVAL: f64 = 0.05;

/// With fewer drops left than this the alpha-beta has them all: half of it for the alpha-beta of two plies, which
/// sees kills as well.
const LEAST: u64 = 40_000;

impl Planner {
    /// Step 3, a win: the action that begins it, if it is certain.
    pub(super) fn win(
        &self,
        position: &Position<'_>,
        choice: Option<Action>,
        time_manager: &mut TimeManager<'_>,
        report: &mut Report,
    ) -> Option<Action> {
        let Position { state, packs, .. } = position;
        let attacks = self.memory[0].attacks();
        let search = |budget: &Budget| endgame::mate(state, packs, choice, attacks, budget);
        let mate = spared(time_manager, MATE, search)?;
        report.endgame = Some(EndgameReport::of_mate(&mate));
        if !mate.proven {
            return None;
        }
        report.source = "mate";
        Some(endgame::first_action(&mate.path, &state[Seat::First], &packs[0]))
    }
}

/// Step 3, survival: the action to begin with if the chosen path would be fatal.
pub(super) fn live(
    position: &Position<'_>,
    path: &[Placement],
    time_manager: &mut TimeManager<'_>,
    report: &mut Report,
) -> Option<Action> {
    let Position { state, packs, .. } = position;
    let search = |budget: &Budget| endgame::survival(state, packs, path, budget);
    let fate = spared(time_manager, SURVIVAL, search)?;
    report.endgame = Some(EndgameReport::of_survival(&fate));
    report.source = "survival";
    fate.path.first().copied()
}

/// Lets a search have a part, unless the alpha-beta search needs what is left.
fn spared<T>(
    time_manager: &mut TimeManager<'_>,
    part: f64,
    search: impl FnOnce(&Budget) -> Option<T>,
) -> Option<T> {
    if time_manager.drops_left() < LEAST { None } else { time_manager.aside(part, search) }
}
