//! Decides the action of a turn.
//!
//! * [`Engine`]: decides a player's actions. [`Planner`] is the bot's engine, `Classic` that
//!   of y.s.'s bot, with the feature `arena` only. [`GreedyEngine`] and [`RandomEngine`] are weak
//!   opponents.
//! * [`TurnClock`]: how much of the time left a decision may take, by the plan in `time_manager/`.
//! * [`Watchdog`]: runs between an engine and the referee and answers in time, even if the engine
//!   hangs or panics.
//! * [`without_search`]: the answer when no search is possible.

#[cfg(feature = "arena")]
pub mod classic;
mod greedy;
mod levels;
pub(crate) mod planner;
mod random;
mod report;
mod session;
mod spare_cores;
#[cfg(test)]
mod stalls;
mod time_manager;
mod watchdog;
pub mod without_search;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

#[cfg(feature = "arena")]
pub use classic::Classic;
pub use greedy::GreedyEngine;
pub use levels::{LEVELS, Level};
pub use planner::{
    BudgetShares, OpponentParameters, PlanParameters, Planner, PlannerParameters, TUNABLE, Tunable,
    discounted_ojama, potential_by_rows, win_probability,
};
pub use random::RandomEngine;
pub use report::{
    ActionSource, EarlyStop, EndgameKind, EndgameReport, PlanReport, Report, RootMoveReport,
};
pub use session::{ServeError, TurnFilter, serve};
pub use time_manager::{TimeLimits, TimeParameters, TurnClock};
pub use watchdog::{Pondering, Watchdog};

use crate::game::{Action, Packs};
use crate::protocol::Observation;

/// Maximum number of search threads. A mistyped number such as 65,000 would take all processes that
/// the system allows.
pub const MOST_THREADS: usize = 1024;

/// Decides a player's actions.
pub trait Engine: Send {
    /// Starts a new game: forgets the game before.
    fn new_game(&mut self);

    /// Decides one turn of a game with `packs`, in about the time that `clock` allows.
    ///
    /// Puts each action that may be played if time runs out into `best_so_far` as soon as it is
    /// known.
    fn decide(
        &mut self,
        packs: &Packs,
        observation: &Observation,
        clock: &TurnClock,
        best_so_far: &BestSoFar,
    ) -> Decision;

    /// Searches during the opponent's time, in the game with `packs`, until `stop` is set. Does nothing by default.
    fn ponder(&mut self, _packs: &Packs, _stop: &Arc<AtomicBool>) {}
}

/// A decision and its report.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The action to play.
    pub action: Action,
    /// The searches and the plan behind the action.
    pub report: Report,
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
