//! Step 3: proven wins, and survival paths.

use super::{Planner, Position};
use crate::engine::time_manager::TimeManager;
use crate::engine::{EndgameReport, Report, endgame};
use crate::game::{Action, Placement, Seat};
use crate::search::Budget;

/// Shares of a turn's budget, taken from the alpha-beta search's share, where either side may die
/// of its stock or of an attack now.
const MATE: f64 = 0.07;
const SURVIVAL: f64 = 0.05;

/// Minimum drops left for an endgame search; below it the alpha-beta search gets them all. Half of
/// it suffices for the two-ply alpha-beta search, which sees kills as well.
const LEAST: u64 = 40_000;

impl Planner {
    /// Step 3, mate: returns the first action of a proven win.
    pub(super) fn win(
        &mut self,
        position: &Position<'_>,
        choice: Option<Action>,
        time_manager: &mut TimeManager<'_>,
        report: &mut Report,
    ) -> Option<Action> {
        let Position { state, packs, .. } = position;
        let attacks = self.memory[0].attacks();
        let table = &mut self.table;
        let search = |budget: &Budget| endgame::mate(state, packs, choice, attacks, table, budget);
        let mate = spared(time_manager, MATE, search)?;
        report.endgame = Some(EndgameReport::of_mate(&mate));
        if !mate.proven {
            return None;
        }
        report.source = "mate";
        Some(endgame::first_action(&mate.path, &state[Seat::First], &packs[0]))
    }
}

/// Step 3, survival: returns the first action of a survival path if `path` would be fatal.
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

/// Runs `search` with the share `part`, unless the alpha-beta search needs all remaining drops.
fn spared<T>(
    time_manager: &mut TimeManager<'_>,
    part: f64,
    search: impl FnOnce(&Budget) -> Option<T>,
) -> Option<T> {
    if time_manager.drops_left() < LEAST { None } else { time_manager.aside(part, search) }
}
