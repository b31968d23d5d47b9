//! Builds the report on a decision from the results of its stages.

use std::time::Duration;

use super::alpha_beta::CheckedAction;
use super::decision_input::DecisionInput;
use super::plans::Plans;
use super::potential_by_rows;
use super::searches::BothSearches;
use super::selection::Selection;
use super::stages::{Choice, Stages};
use crate::engine::win_probability::{Features, WinProbability};
use crate::engine::{ActionSource, EarlyStop, PlanReport, Report, RootMoveReport};
use crate::game::Action;
use crate::search::beam::BeamResult;
use crate::search::exchange::Plan;
use crate::search::{Payoff, Probability};
use crate::util::duration::milliseconds;

/// Maximum number of first actions in the report.
const CANDIDATES: usize = 6;

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
    position: &DecisionInput<'_>,
    stages: &Stages,
    (action, source): (Action, ActionSource),
    effort: &Effort,
) -> Report {
    let timed = |time| position.is_timed.then(|| milliseconds(time));
    let mut report = Report {
        turn: position.state.turn,
        action: action.to_string(),
        source,
        endgame: stages.endgame.report.clone(),
        stop: stop(position, stages, effort),
        nodes: effort.nodes,
        pondered: effort.pondered,
        time_ms: effort.time_ms,
        planned_ms: timed(effort.planned),
        opponent_left_ms: timed(effort.opponent_left),
        ..Report::default()
    };
    if let Some(choice) = &stages.choice {
        add_searches(&mut report, position, &choice.searches);
        add_plans(&mut report, &choice.plans, &choice.selection);
        add_choice(&mut report, choice);
        report.chance = Some(Probability(rounded(win_probability(position, choice).0)));
    }
    if let Some(checked) = &stages.checked {
        add_alpha_beta(&mut report, checked);
    }
    report
}

/// Why the search took less time.
fn stop(position: &DecisionInput<'_>, stages: &Stages, effort: &Effort) -> Option<EarlyStop> {
    match &stages.choice {
        None => Some(EarlyStop::Forced),
        Some(choice) if choice.searches.is_settled => Some(EarlyStop::Stable),
        Some(_) => (position.is_timed && effort.is_calm).then_some(EarlyStop::Calm),
    }
}

fn add_searches(report: &mut Report, position: &DecisionInput<'_>, searches: &BothSearches) {
    let players = &position.state.players;
    let [ours, theirs] = &searches.found;
    let strongest = theirs.attacks.iter().flatten().max_by_key(|attack| attack.chain);
    report.width = Some(ours.width);
    report.known = Some(searches.reused);
    report.opponent_chain = strongest.map(|attack| attack.chain.0);
    report.opponent_turn = strongest.map(|attack| report.turn + attack.ply());
    report.potential_by_rows =
        Some(players.each_ref().map(|player| potential_by_rows::of(&player.field)));
}

/// The win probability from both sides' attacks and from the value of the selected plan.
fn win_probability(position: &DecisionInput<'_>, choice: &Choice) -> Probability {
    let turn = position.state.turn;
    let [own, opponent] = &position.state.players;
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
