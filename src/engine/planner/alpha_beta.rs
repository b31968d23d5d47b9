//! Checks a choice by alpha-beta: whether another action is the only one possible, or far better.

use super::{Planner, Position};
use crate::engine::time_manager::TimeManager;
use crate::engine::{Candidate, Report};
use crate::game::{Action, OJAMA_ROW, Seat};
use crate::search::alpha_beta::{self, Verdict};
use crate::search::beam::Answer;
use crate::search::threats;

/// A field with this height, rows that wait included, may force an action.
const HIGH: u64 = 13;

/// The short alpha-beta that looks for a forced action is begun if it is likely to need no more than one such
/// part of the budget.
const SHORT: u64 = 20;

/// The four-ply alpha-beta simulates some 15 million drops, the three-ply one half a million. They are
/// tried in turn while this many drops, or the time for them, are left.
const DROPS_OF_DEPTH: [u64; 3] = [20_000, 400_000, 17_000_000];

/// A value of the alpha-beta's, in tenths of an ojama, from which on a game is as good as decided: half of
/// what our burial counts, or won by a kill.
const DECIDED: i64 = 50_000;

/// First actions that are told of.
const CANDIDATES: usize = 6;

impl Planner {
    /// The only action that does not lose, as far as a short alpha-beta sees, if there is just one.
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
        let (depth, verdicts) = deepest_search(position, None, SHORT, time_manager)?;
        let [best, others @ ..] = &verdicts[..] else { return None };
        // The margin of the alpha-beta search at the end, which would play it too.
        let forces = |other: &Verdict| other.value <= -DECIDED;
        if best.value <= self.settings.margin - DECIDED || !others.iter().all(forces) {
            return None;
        }
        // What is remembered goes on without a search.
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

    /// Step 4: the alpha-beta, which keeps the choice unless something else is better by the margin.
    /// `None` if there is neither a choice nor anything to compare it with.
    pub(super) fn check(
        &self,
        position: &Position<'_>,
        choice: Option<Action>,
        time_manager: &mut TimeManager<'_>,
        report: &mut Report,
    ) -> Option<Action> {
        let Some((depth, verdicts)) = deepest_search(position, choice, 1, time_manager) else {
            return choice;
        };
        let best = verdicts.first()?;
        let chosen = verdicts.iter().find(|verdict| Some(verdict.action) == choice);
        // What wins is not put off: nothing that a plan gains is worth it.
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

/// The best actions, as they are told of.
fn candidates(verdicts: &[Verdict]) -> Vec<Candidate> {
    let told = verdicts
        .iter()
        .take(CANDIDATES)
        .map(|verdict| Candidate { action: verdict.action.to_string(), value: verdict.value });
    told.collect()
}

/// The alpha-beta as deep as one of so many equal parts of the budget allows: two plies, then three, then
/// four.
fn deepest_search(
    position: &Position<'_>,
    exact: Option<Action>,
    parts: u64,
    time_manager: &mut TimeManager<'_>,
) -> Option<(usize, Vec<Verdict>)> {
    let Position { state, packs, .. } = position;
    let mut deepest = None;
    for (plies, drops) in (2..=threats::PLIES).zip(DROPS_OF_DEPTH) {
        if time_manager.drops_left() / parts < drops {
            break;
        }
        let verdicts = time_manager.rest(|budget| {
            let threats = threats::search(&state[Seat::Second], packs, plies, budget)?;
            alpha_beta::search(state, packs, &threats, exact, budget)
        });
        match verdicts {
            Some(verdicts) => deepest = Some((plies, verdicts)),
            None => break,
        }
    }
    deepest
}
