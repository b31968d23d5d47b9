//! Decides the action of a turn.
//!
//! * [`Engine`]: decides a player's actions. [`Planner`] is the bot's engine, `Classic` that
//!   of y.s.'s bot, with the feature `arena` only. [`GreedyEngine`] and [`RandomEngine`] are weak
//!   opponents.
//! * [`TurnClock`]: how much of the time left a decision may take, by the plan in `time_manager/`.
//! * [`Watchdog`]: runs between an engine and the referee and answers in time, even if the engine
//!   hangs or panics.
//! * [`fallback`]: the answer when no search is possible.

#[cfg(feature = "arena")]
pub mod classic;
pub mod fallback;
mod greedy;
mod levels;
pub(crate) mod planner;
mod random;
mod session;
mod spare_cores;
#[cfg(test)]
mod stalls;
mod time_manager;
mod watchdog;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use serde::Serialize;

#[cfg(feature = "arena")]
pub use classic::Classic;
pub use greedy::GreedyEngine;
pub use levels::LEVELS;
pub use planner::{
    BudgetShares, EndgameReport, OpponentParameters, PlanParameters, Planner, PlannerParameters,
    TUNABLE, Tunable, discounted_ojama, potential_by_rows, win_probability,
};
pub use random::RandomEngine;
pub use session::{ServeError, TurnFilter, serve};
pub use time_manager::{TimeLimits, TimeParameters, TurnClock};
pub use watchdog::{Pondering, Watchdog};

use crate::game::{Action, Packs, Placement};
use crate::protocol::Observation;
use crate::search::{Ojama, OjamaTenths, Payoff, Probability};

/// Maximum number of search threads. A mistyped number such as 65,000 would take all processes that
/// the system allows.
pub const MOST_THREADS: usize = 1024;

/// Decides a player's actions.
pub trait Engine: Send {
    /// Starts a new game with `packs`.
    fn new_game(&mut self, packs: &Packs);

    /// Decides one turn, in about the time that `clock` allows.
    ///
    /// Puts each action that may be played if time runs out into `best_so_far` as soon as it is
    /// known.
    fn decide(
        &mut self,
        observation: &Observation,
        clock: &TurnClock,
        best_so_far: &BestSoFar,
    ) -> Decision;

    /// Searches during the opponent's time until `stop` is set. Does nothing by default.
    fn ponder(&mut self, _stop: &Arc<AtomicBool>) {}
}

/// A decision and its report.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The action to play.
    pub action: Action,
    /// The searches and the plan behind the action.
    pub report: Report,
}

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
    pub source: &'static str,
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
    pub classic: Option<Box<classic::ClassicReport>>,
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
    pub stop: Option<&'static str>,
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
    /// ten turns after the attack; `None` if both sides attack at once.
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

/// The best answer known so far, which the watchdog sends at the deadline.
#[derive(Debug, Default)]
pub struct BestSoFar(Mutex<Option<Action>>);

impl BestSoFar {
    /// Replaces the answer.
    pub fn put(&self, action: Action) {
        // A poisoned lock means a panic elsewhere; the answer is still worth having.
        *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(action);
    }

    /// The answer, if there is one.
    pub fn get(&self) -> Option<Action> {
        *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
