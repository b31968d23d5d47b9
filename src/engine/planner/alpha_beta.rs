//! Checks a choice by alpha-beta search: whether another action is forced or far better.

use super::{Planner, Position};
use crate::engine::time_manager::TimeManager;
use crate::engine::{Candidate, Report};
use crate::game::{Action, OJAMA_ROW, Seat};
use crate::search::alpha_beta::{self, Verdict};
use crate::search::beam::Answer;
use crate::search::{DROPS_OF_DEPTH, TranspositionTable, threats};

/// Minimum height of the tallest column, due rows included, at which an action may be forced.
const HIGH: u64 = 13;

/// The search for a forced action starts a depth only if the depth is likely to need at most
/// `1 / SHORT` of the budget.
const SHORT: u64 = 20;

/// Absolute value of the alpha-beta search, in tenths of an ojama, from which a game counts as
/// decided: half the value of our burial, or a win by a kill.
const DECIDED: i64 = 50_000;

/// Maximum number of first actions in the report.
const CANDIDATES: usize = 6;

impl Planner {
    /// Returns the only action that does not lose in a short alpha-beta search, if there is exactly
    /// one.
    pub(super) fn forced(
        &mut self,
        position: &Position<'_>,
        time_manager: &mut TimeManager<'_>,
        report: &mut Report,
    ) -> Option<Action> {
        let own = &position.state[Seat::First];
        let height = u64::from(own.field.tallest()) + own.stock / OJAMA_ROW;
        if !position.is_timed || position.is_quiet || height < HIGH {
            return None;
        }
        let (depth, verdicts) =
            deepest_search(position, None, SHORT, &mut self.table, time_manager)?;
        let [best, others @ ..] = &verdicts[..] else { return None };
        // The margin of `check`, which would play this action too.
        let forces = |other: &Verdict| other.value <= -DECIDED;
        if best.value <= self.settings.margin - DECIDED || !others.iter().all(forces) {
            return None;
        }
        // Carry the memories over to this turn without a search.
        let followed = [&self.followed[..], &[]];
        let sides = position.state.players.iter().zip(&mut self.memory).zip(followed);
        for ((player, memory), followed) in sides {
            let attacks = vec![None; self.settings.depth.min(position.packs.len())];
            let mut nothing_new = Answer { attacks, ..Answer::default() };
            let tree = memory.tree(player);
            memory.renew(player, position.packs, followed, &mut nothing_new, tree);
        }
        let is_followed =
            self.followed.first().is_some_and(|&drop| Action::Drop(drop) == best.action);
        self.followed = if is_followed { self.followed.split_off(1) } else { Vec::new() };
        report.source = "alpha_beta";
        report.stop = Some("forced");
        report.depth = Some(depth);
        report.value = Some(best.value);
        report.best_value = Some(best.value);
        report.candidates = candidates(&verdicts);
        Some(best.action)
    }

    /// Step 4: the alpha-beta search. Keeps `choice` unless another action is better by more than
    /// the margin. Returns `None` if there is no choice and no searched action.
    pub(super) fn check(
        &mut self,
        position: &Position<'_>,
        choice: Option<Action>,
        time_manager: &mut TimeManager<'_>,
        report: &mut Report,
    ) -> Option<Action> {
        let found = deepest_search(position, choice, 1, &mut self.table, time_manager);
        let Some((depth, verdicts)) = found else {
            return choice;
        };
        let best = verdicts.first()?;
        let chosen = verdicts.iter().find(|verdict| Some(verdict.action) == choice);
        // A win is never delayed: no gain of a plan is worth it.
        let margin = if best.value >= DECIDED { 0 } else { self.settings.margin };
        let kept = chosen.filter(|chosen| chosen.value + margin >= best.value);
        if kept.is_none() {
            report.source = "alpha_beta";
        }
        report.depth = Some(depth);
        report.value = Some(kept.unwrap_or(best).value);
        report.best_value = Some(best.value);
        report.candidates = candidates(&verdicts);
        Some(kept.unwrap_or(best).action)
    }
}

/// The best [`CANDIDATES`] actions for the report.
fn candidates(verdicts: &[Verdict]) -> Vec<Candidate> {
    let reported = verdicts
        .iter()
        .take(CANDIDATES)
        .map(|verdict| Candidate { action: verdict.action.to_string(), value: verdict.value });
    reported.collect()
}

/// Runs the alpha-beta search at two, three, then four plies while `1 / parts` of the budget
/// suffices for [`DROPS_OF_DEPTH`]. Returns the last completed depth and its verdicts.
fn deepest_search(
    position: &Position<'_>,
    exact: Option<Action>,
    parts: u64,
    table: &mut TranspositionTable,
    time_manager: &mut TimeManager<'_>,
) -> Option<(usize, Vec<Verdict>)> {
    let Position { state, packs, .. } = position;
    let mut deepest = None;
    for (plies, drops) in (2..=threats::PLIES).zip(DROPS_OF_DEPTH) {
        if time_manager.drops_left() / parts < drops {
            break;
        }
        let verdicts = time_manager.rest(|budget| {
            let threats = threats::search(&state[Seat::Second], packs, plies, table, budget)?;
            alpha_beta::search(state, packs, &threats, exact, table, budget)
        });
        match verdicts {
            Some(verdicts) => deepest = Some((plies, verdicts)),
            None => break,
        }
    }
    deepest
}
