//! Builds the report on a decision from the results of its stages.

use std::time::Duration;

use super::alpha_beta_stage::CheckedAction;
use super::selection::Selection;
use super::stages::{BothSearches, Choice, DecisionInput, Plans, Stages};
use crate::board::{ChildBuffer, Field};
use crate::engine::win_probability::{Features, WinProbability};
use crate::engine::{ActionSource, EarlyStop, PlanReport, Report, RootMoveReport};
use crate::game::Action;
use crate::search::beam::BeamResult;
use crate::search::exchange::Plan;
use crate::search::{Payoff, Probability};
use crate::util::duration::milliseconds;

/// Maximum number of first actions in the report.
const CANDIDATES: usize = 6;

/// The maximum number of rows of [`potential_by_rows`]: an attack of 80 ojama.
const ROWS: usize = 8;

/// The time and the drops of a decision.
pub(super) struct Effort {
    /// Whether the turn gets less time because it is calm.
    pub is_calm: bool,
    /// Planned time of the turn.
    pub planned: Duration,
    /// The opponent's time left for the game.
    pub opponent_left: Duration,
    /// Time of the decision, in milliseconds.
    pub time_ms: u64,
    /// Simulated drops.
    pub nodes: u64,
    /// Simulated drops during the opponent's time.
    pub pondered: Option<u64>,
}

/// Builds the report on the decision for `action`, which `source` found.
pub(super) fn build(
    input: &DecisionInput<'_>,
    stages: &Stages,
    (action, source): (Action, ActionSource),
    effort: &Effort,
) -> Report {
    let timed = |time| input.is_timed.then(|| milliseconds(time));
    let mut report = Report {
        turn: input.state.turn,
        action: action.to_string(),
        source,
        endgame: stages.endgame.report.clone(),
        stop: stop(input, stages, effort),
        nodes: effort.nodes,
        pondered: effort.pondered,
        time_ms: effort.time_ms,
        planned_ms: timed(effort.planned),
        opponent_left_ms: timed(effort.opponent_left),
        ..Report::default()
    };
    if let Some(choice) = &stages.choice {
        add_searches(&mut report, input, &choice.searches);
        add_plans(&mut report, &choice.plans, &choice.selection);
        add_choice(&mut report, choice);
        report.chance = Some(Probability(rounded(win_probability(input, choice).0)));
    }
    if let Some(checked) = &stages.checked {
        add_alpha_beta(&mut report, checked);
    }
    report
}

/// Why the search took less time.
fn stop(input: &DecisionInput<'_>, stages: &Stages, effort: &Effort) -> Option<EarlyStop> {
    match &stages.choice {
        None => Some(EarlyStop::Forced),
        Some(choice) if choice.searches.found_nothing_new => Some(EarlyStop::Stable),
        Some(_) => (input.is_timed && effort.is_calm).then_some(EarlyStop::Calm),
    }
}

fn add_searches(report: &mut Report, input: &DecisionInput<'_>, searches: &BothSearches) {
    let players = &input.state.players;
    let [ours, theirs] = &searches.found;
    let strongest = theirs.attacks.iter().flatten().max_by_key(|attack| attack.chain);
    report.width = Some(ours.width);
    report.known = Some(searches.reused);
    report.opponent_chain = strongest.map(|attack| attack.chain.0);
    report.opponent_turn = strongest.map(|attack| report.turn + attack.ply());
    report.potential_by_rows =
        Some(players.each_ref().map(|player| potential_by_rows(&player.field)));
}

/// The win probability from both sides' attacks and from the value of the selected plan.
fn win_probability(input: &DecisionInput<'_>, choice: &Choice) -> Probability {
    let turn = input.state.turn;
    let [own, opponent] = &input.state.players;
    let [ours, theirs] = choice.searches.found.each_ref().map(BeamResult::most_sent);
    // Over more turns, the curve of one player would be the better one.
    let turns = ours.len().min(theirs.len());
    let features = Features::of(own, opponent, [&ours[..turns], &theirs[..turns]], turn);
    WinProbability::learned().of(&features.with_plan(choice.selection.value(), turn))
}

fn add_plans(report: &mut Report, plans: &Plans, selection: &Selection) {
    let payoffs = &selection.payoffs;
    let turn = report.turn;
    let common = |plan: &Plan, shares: &[Probability], index: usize| PlanReport {
        chain: plan.attack.chain.0,
        turn: turn + plan.ply(),
        share: shares.get(index).map(|share| Probability(rounded(share.0))),
        path: plan.attack.path.clone(),
        ..PlanReport::default()
    };
    let [own_shares, opponents_shares] = &payoffs.shares;
    let own =
        plans.own.iter().zip(payoffs.outcomes()).enumerate().map(|(index, (plan, outcomes))| {
            PlanReport {
                value: Some(Payoff(rounded(payoffs.values[index].0))),
                balances: outcomes.iter().map(|outcome| outcome.balance).collect(),
                counterattacks: outcomes.iter().map(|outcome| outcome.counterattack).collect(),
                ..common(plan, own_shares, index)
            }
        });
    report.plans = own.collect();
    let opponent = plans.opponent.iter().enumerate().map(|(index, plan)| PlanReport {
        likely: Some(Probability(rounded(plans.likelihoods[index].0))),
        ..common(plan, opponents_shares, index)
    });
    report.opponent_plans = opponent.collect();
}

fn add_choice(report: &mut Report, choice: &Choice) {
    if let Some(attack) = choice.plan() {
        report.plan_chain = Some(attack.chain.0);
        report.plan_turn = Some(report.turn + attack.ply());
        report.plan = Action::drops(&attack.path).map(|drop| drop.to_string()).collect();
    }
}

fn add_alpha_beta(report: &mut Report, checked: &CheckedAction) {
    report.depth = Some(checked.depth);
    report.value = Some(checked.played.value);
    report.best_value = checked.root_moves.first().map(|best| best.value);
    let candidates = checked.root_moves.iter().take(CANDIDATES);
    report.candidates = candidates
        .map(|root_move| RootMoveReport {
            action: root_move.action.to_string(),
            value: root_move.value,
        })
        .collect();
}

/// Rounds to three decimals.
fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

/// Returns the potential of `field` after 0, 1, 2, ... rows, up to 8 rows or the last row that
/// does not end the game.
///
/// A row puts an ojama on top of each column. Low blocks are enclosed after fewer rows than blocks
/// that stand above their neighbours. An attack with few rows is worth little against a field that
/// keeps its chain under many rows, and much against a field that loses it under the first row.
pub fn potential_by_rows(field: &Field) -> Vec<u8> {
    let (mut field, mut buffer) = (*field, ChildBuffer::new());
    let mut chains = Vec::with_capacity(ROWS + 1);
    while chains.len() <= ROWS && !field.is_over() {
        chains.push(field.potential(&mut buffer).chain.0);
        field.rain();
    }
    chains
}

#[cfg(test)]
mod tests {
    use super::*;

    fn potentials_of(drawing: &str) -> Vec<u8> {
        potential_by_rows(&drawing.parse().unwrap())
    }

    #[test]
    fn low_blocks_are_enclosed_after_fewer_rows() {
        // Without the 4 the 9 falls on the 1. The 9 has an empty neighbour until the column on its
        // right is three high.
        let low = "9.........\n4.........\n1.........\n";
        assert_eq!(potentials_of(low), [1, 1, 1, 0, 0, 0, 0, 0, 0]);
        let high = format!("{low}{}", "3.........\n".repeat(4));
        assert_eq!(potentials_of(&high), [1, 1, 1, 1, 1, 1, 1, 0, 0]);
    }

    #[test]
    fn a_full_field_has_only_the_potential_before_rain() {
        let full = "4343434343\n".repeat(16);
        assert_eq!(potentials_of(&full), [0]);
        assert_eq!(potentials_of(""), [0; 9]);
    }
}
