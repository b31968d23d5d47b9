//! The engines: they decide the action of each turn.
//!
//! * [`Engine`] is the interface. [`Planner`] is the bot's engine, [`Classic`] that of the main seed
//!   document, [`RandomEngine`] the weakest opponent;
//! * [`TurnClock`] says how much of the time left a decision may take; `time_manager` divides it;
//! * [`Watchdog`] stands between an engine and the referee and sends an answer in time even if the
//!   engine hangs or panics;
//! * [`fallback`] chooses a legal action without a search.

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

/// The most search threads of a bot. A mistyped 65,000 would take all processes that the system
/// allows.
pub const MOST_THREADS: usize = 1024;

/// Decides the actions of one player.
pub trait Engine: Send {
    /// Starts a game on `packs` and forgets the game before.
    fn new_game(&mut self, packs: &Packs);

    /// Decides the turn of `observation` in about the time that `clock` allows.
    ///
    /// The engine writes each better action into `best_so_far` as soon as it knows it: the
    /// [`Watchdog`] plays that action if the time runs out.
    fn decide(
        &mut self,
        observation: &Observation,
        clock: &TurnClock,
        best_so_far: &BestSoFar,
    ) -> Decision;

    /// Searches while the opponent decides, until `stop` is set. The default does nothing.
    fn ponder(&mut self, _stop: &Arc<AtomicBool>) {}
}

/// An action and the report about it.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The action to play.
    pub action: Action,
    /// How the engine came to it.
    pub report: Report,
}

/// The report of an engine about a decision. The bot writes it to standard error as one line
/// `info {...}`, for people and tools that analyse games. Values that are `None` or empty are left
/// out.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub struct Report {
    /// The turn, 0 to 499.
    pub turn: usize,
    /// The answer, as sent.
    pub action: String,
    /// The stage that chose the action: `plan`; `building`, where there is no plan; `alpha_beta`,
    /// where the alpha-beta search found a better action; `mate`, a proven win; `survival`, where
    /// the plan would lose; `safe`, the fallback; `random`.
    pub source: &'static str,
    /// The value of the action in tenths of an ojama, from the alpha-beta search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i64>,
    /// The value of the best action found, if the engine plays another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_value: Option<i64>,
    /// The best first actions that the alpha-beta search found, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    /// Plies of the alpha-beta search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
    /// The end of the game, if the endgame search found it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endgame: Option<EndgameReport>,
    /// The chain that the plan sets off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_chain: Option<u8>,
    /// The turn of that chain.
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
