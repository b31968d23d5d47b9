//! Deciding what to do.
//!
//! * [`Engine`]: whoever decides; [`Planner`] is the bot's, [`Classic`] the main seed's,
//!   [`RandomEngine`] the weakest opponent;
//! * [`TurnClock`]: how much of the time left a decision may take, by the plan in `timing.rs`;
//! * [`Watchdog`]: stands between a engine and the referee: an answer goes out in time, whatever the
//!   engine does;
//! * [`fallback`]: the answer of last resort.

pub mod classic;
mod endgame;
pub mod fallback;
mod memory;
mod opponent_model;
mod planner;
mod pondering;
mod potential_by_rows;
mod random;
mod session;
#[cfg(test)]
mod stalls;
mod time_manager;
mod watchdog;
pub mod win_probability;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use serde::Serialize;

pub use classic::Classic;
pub use endgame::EndgameReport;
pub use opponent_model::worth;
pub use planner::{Planner, PlannerParameters};
pub use random::RandomEngine;
pub use session::{Only, ServeError, serve};
pub use time_manager::{TimeLimits, TurnClock};
pub use watchdog::Watchdog;

use crate::game::{Action, Packs};
use crate::protocol::Observation;

/// The most threads that a bot thinks with. 65,000, a slip of the finger, would take all processes
/// that the system allows.
pub const MOST_THREADS: usize = 1024;

/// Somebody who decides a player's actions.
pub trait Engine: Send {
    /// A game begins.
    fn new_game(&mut self, packs: &Packs);

    /// Decides one turn, in about the time that the clock allows.
    ///
    /// Whatever is good enough to be played if time runs out is put into [`BestSoFar`] as soon as it
    /// is known.
    fn decide(
        &mut self,
        observation: &Observation,
        clock: &TurnClock,
        best_so_far: &BestSoFar,
    ) -> Decision;

    /// Thinks on while the opponent thinks, until the flag is set; not at all by default.
    fn ponder(&mut self, _stop: &Arc<AtomicBool>) {}
}

/// A decision, and what led to it.
#[derive(Clone, Debug)]
pub struct Decision {
    /// What is played.
    pub action: Action,
    /// Why.
    pub report: Report,
}

/// What a engine has to say about a decision. It goes to standard error as one line
/// `info {...}`, for people and tools that look at games; absent parts are left out.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub struct Report {
    /// The turn, 0 to 499.
    pub turn: usize,
    /// The answer, as sent.
    pub action: String,
    /// Where it comes from: `plan`; `building`, for want of a plan; `alpha_beta`, where the alpha-beta found
    /// something better; `mate`, a win that is certain; `survival`, where the plan would be fatal;
    /// `safe`, in need; `random`.
    pub source: &'static str,
    /// The value of the action in tenths of an ojama, from the alpha-beta search search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i64>,
    /// The value of the best action found, where another one is played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_value: Option<i64>,
    /// The best first actions that the alpha-beta search found, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    /// Plies of the alpha-beta search search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
    /// How the game ends, if that was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endgame: Option<EndgameReport>,
    /// The chain that the plan sets off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_chain: Option<u8>,
    /// The turn in which it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_turn: Option<usize>,
    /// The plan's answers from this turn on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plan: Vec<String>,
    /// The attacks that may be planned, soonest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plans: Vec<PlanReport>,
    /// The attacks that the opponent is thought to plan, soonest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub opponent_plans: Vec<PlanReport>,
    /// The longest chain that the opponent was found to have within its next turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponent_chain: Option<u8>,
    /// The turn in which it could set it off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponent_turn: Option<usize>,
    /// The burial clock, ours and the opponent's: the longest chain that some block could set off,
    /// after no row of ojama, after one, and so on, eight at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub burial: Option<[Vec<u8>; 2]>,
    /// The chance to win, 0 to 1, to three digits ([`win_probability`]), from what the beams and the memory
    /// know of both sides. As the own beam has more drops, it is 0.03 to 0.05 too high: both
    /// players' chances of a turn had a mean sum of 1.06 to 1.10 (7 games at one or two million drops).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
    /// The width of the own beam's last whole sweep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<usize>,
    /// Fields that the beams went on from, kept by those of the turn before, ours first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<[usize; 2]>,
    /// What [`Classic`] has to add.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classic: Option<Box<classic::ClassicReport>>,
    /// Simulated drops.
    pub nodes: u64,
    /// Simulated drops before the turn began, while the opponent thought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pondered: Option<u64>,
    /// Milliseconds thought.
    pub time_ms: u64,
    /// Milliseconds that were planned for this turn, where time is what limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planned_ms: Option<u64>,
    /// Why less was thought: `calm`, as nobody can attack soon; `stable`, as the own beam found
    /// nothing new any more; `forced`, as all other actions lose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<&'static str>,
    /// Milliseconds that the opponent has left for the game, where time is what limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponent_left_ms: Option<u64>,
}

/// An attack that may be planned.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PlanReport {
    /// The chain that it sets off.
    pub chain: u8,
    /// The turn in which it does.
    pub turn: usize,
    /// What the plan is worth, -1 (lost) to 1 (won).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// What it comes to against each of the opponent's plans: ojama sent beyond what comes back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub balances: Vec<f64>,
    /// Against each of the opponent's plans, the most that whoever is attacked first sends back in the
    /// ten turns after; nothing if both attack at once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Option<u64>>,
    /// Of an opponent's plan: how likely bots are to choose it, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub likely: Option<f64>,
    /// How often it is chosen if both sides choose at once and as well as can be, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
}

/// A first action that was thought about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Candidate {
    /// The answer, as it would be sent.
    pub action: String,
    /// Its value in tenths of an ojama: exact for the best one and the one played, for others
    /// perhaps only a bound from above.
    pub value: i64,
}

/// The best answer known so far, for the one who must answer when time is up.
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
