//! An engine's report on a decision.

use std::fmt;

use serde::Serialize;

#[cfg(doc)]
use super::win_probability;
use crate::game::Placement;
use crate::search::{Ojama, OjamaTenths, Payoff, Probability};

/// An engine's report on a decision. It is written to standard error as one line `info {...}`, for
/// people and tools that analyse games; absent fields are omitted.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub struct Report {
    /// The turn, 0 to 499.
    pub turn: usize,
    /// The answer, as sent.
    pub action: String,
    /// The source of the action: `plan`, chosen in this turn, or followed without a search;
    /// `building`, without a plan; `alpha_beta`, where the alpha-beta search found a better action;
    /// `mate`, a proven win; `survival`, where the plan would be fatal; `last_turn`, in turn 499;
    /// `fallback`, without a search and without a plan; `greedy`; `random`.
    #[cfg_attr(test, schemars(with = "String"))]
    pub source: ActionSource,
    /// The value of the action, from the alpha-beta search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<OjamaTenths>,
    /// The value of the best action found, even if another action is played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_value: Option<OjamaTenths>,
    /// The best first actions that the alpha-beta search found, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<RootMoveReport>,
    /// Depth of the alpha-beta search, in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
    /// The result of the endgame search, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endgame: Option<EndgameReport>,
    /// The chain that the plan sets off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_chain: Option<u8>,
    /// The turn in which the chain is set off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_turn: Option<usize>,
    /// The plan's answers from this turn on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plan: Vec<String>,
    /// The attacks that may be planned, soonest first, then the followed plan and the counter-plan
    /// unless they are among these attacks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plans: Vec<PlanReport>,
    /// The attacks that the opponent may plan, by the opponent model, soonest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub opponent_plans: Vec<PlanReport>,
    /// The longest chain that the opponent can set off within the turns searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponent_chain: Option<u8>,
    /// The turn in which the opponent could set off `opponent_chain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponent_turn: Option<usize>,
    /// The potential of each field, own side first, after 0, 1, 2, … rows of ojama, at most 8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub potential_by_rows: Option<[Vec<u8>; 2]>,
    /// The win probability, 0 to 1, to three decimals ([`win_probability`]), from both sides'
    /// attacks in the beams and the memory and from the value of the selected plan. It is a
    /// little too high, because the own beam has more drops and plans are overrated. W-05.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<Probability>,
    /// The width of the own beam's last completed sweep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<usize>,
    /// Number of fields that each beam reused from the previous turn's tree, own side first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<[usize; 2]>,
    /// The report of the classic engine.
    #[cfg(feature = "arena")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classic: Option<Box<super::classic::ClassicReport>>,
    /// Simulated drops.
    pub nodes: u64,
    /// Simulated drops before the turn began, during the opponent's time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pondered: Option<u64>,
    /// Time of the decision, in milliseconds.
    pub time_ms: u64,
    /// Planned time of this turn, in milliseconds, under a time limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planned_ms: Option<u64>,
    /// Why the search took less time: `calm`, neither side can attack soon; `stable`, the own beam
    /// found nothing new any more; `forced`, all other actions lose.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub stop: Option<EarlyStop>,
    /// The opponent's time left for the game, in milliseconds, under a time limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponent_left_ms: Option<u64>,
}

/// An attack that may be planned.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlanReport {
    /// The chain that it sets off.
    pub chain: u8,
    /// The turn in which the chain is set off.
    pub turn: usize,
    /// The plan's value, -1 (lost) to 1 (won).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Payoff>,
    /// The plan's balance against each opponent plan: ojama sent minus ojama sent back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub balances: Vec<Ojama>,
    /// Against each opponent plan, the most ojama that the side attacked first sends back in the
    /// ten turns after the attack; `None` if both sides attack at once and send equally much.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counterattacks: Vec<Option<u64>>,
    /// For an opponent plan: the likelihood that bots choose it, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub likely: Option<Probability>,
    /// The plan's share in the equilibrium of simultaneous choice, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<Probability>,
    /// The plan's drops; not in the `info` line, which would become long.
    #[serde(skip)]
    pub path: Vec<Placement>,
}

/// A first action that was searched.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RootMoveReport {
    /// The answer, as it would be sent.
    pub action: String,
    /// The value: exact for the best action and the played one, possibly only an upper bound for
    /// the others.
    pub value: OjamaTenths,
}

/// The report of an endgame search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EndgameReport {
    /// `mate`: the opponent dies after each of its actions; `survival`: the plan was fatal.
    #[cfg_attr(test, schemars(with = "String"))]
    pub kind: EndgameKind,
    /// Whether all actions were tried; otherwise a beam search found no counterexample.
    pub proven: bool,
    /// The maximum number of turns that the victim survives, as found by the search: the opponent
    /// for `mate`, the own player for `survival`.
    pub plies: usize,
}

/// The source of an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ActionSource {
    /// A plan, chosen in this turn or followed without a search.
    Plan,
    /// The search for plans, without a plan.
    Building,
    /// The alpha-beta search, which found a better action.
    AlphaBeta,
    /// A proven win.
    Mate,
    /// A survival path, where the plan would be fatal.
    Survival,
    /// The rule of turn 499.
    LastTurn,
    /// The fallback: no search and no plan.
    #[default]
    Fallback,
    /// The greedy engine.
    Greedy,
    /// The random engine.
    Random,
}

/// The name, as in JSON.
impl fmt::Display for ActionSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// Why a search took less time than planned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EarlyStop {
    /// Neither side can attack soon.
    Calm,
    /// The own beam found nothing new any more.
    Stable,
    /// All other actions lose.
    Forced,
}

/// What an endgame search has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EndgameKind {
    /// The opponent dies after each of its actions.
    Mate,
    /// The plan was fatal.
    Survival,
}
