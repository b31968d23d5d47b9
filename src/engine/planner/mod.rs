//! The bot's engine: beam searches find plans, exchanges compare them, and an alpha-beta search
//! checks the first action.
//!
//! [`stages`] runs the stages of a decision in this order:
//!
//! 1. A beam search finds the attacks that the own field allows, now and in the coming turns, under
//!    the rain that is due. A smaller beam search does this for the opponent's field, and the
//!    opponent's plans and the counter-plan to them follow from it ([`counter_plan`]); these searches
//!    run beside the own beam if they can.
//! 2. The plans: the attacks that each side may plan, and the counter-plan.
//! 3. The payoffs ([`selection`]): each own plan is played against each plan of the opponent: the
//!    first attack, the counterattack under the rows that fall, and the offset
//!    ([`exchange`](crate::search::exchange)).
//! 4. [`selection`]: the plan with the highest value is followed. A good attack in this turn is not
//!    delayed, but verified ([`verify_attack`]).
//! 5. Outside the opening, [`endgame_stage`] searches for a win: by the rows that are due, by
//!    an attack now, or by an attack within three turns. Only attacks whose rows bring the opponent
//!    near the danger line are searched. A proven win is played. If a row is due on us and the rows
//!    that are due bring us near the danger line, the plan is tested, and replaced by a survival
//!    path if it is fatal.
//! 6. Outside the opening and without a proven win, [`alpha_beta_stage`] searches all actions
//!    of both sides to four plies (three or two if time is short). The chosen action is played
//!    unless another action is better by a margin.
//!
//! Under a time limit, a nearly full field gets a short alpha-beta search first: if all actions but
//! one lose, that action is played at once. In the last turn of a game, survival and the score
//! decide ([`without_search::last_turn`]).
//!
//! Each stage returns a result; [`report_builder`] builds the report from all results.

mod alpha_beta_stage;
mod counter_plan;
mod endgame_stage;
mod memory;
mod opponent_model;
mod parameters;
pub(super) mod pondering;
mod report_builder;
mod selection;
mod stages;
mod tunable;
mod verify_attack;
pub mod win_probability;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use self::memory::{Memory, Soonest};
pub use self::opponent_model::{OpponentParameters, discounted_ojama};
pub use self::parameters::{BudgetShares, PlanParameters, PlannerParameters};
use self::pondering::Ahead;
use self::report_builder::Effort;
pub use self::report_builder::potential_by_rows;
use self::stages::{Choice, DecisionInput, skip_both_searches};
pub use self::tunable::{TUNABLE, Tunable};
use super::time_manager::{Overruns, TimeManager};
use super::{ActionSource, BestSoFar, Decision, Engine, Report, TurnClock, without_search};
use crate::board::Field;
use crate::game::{Action, Pack, Packs, Placement, Player, Seat, TURNS};
use crate::protocol::Observation;
use crate::search::TranspositionTable;
use crate::search::exchange::CurveMemory;

/// The engine of the bot.
pub struct Planner {
    /// The parameters of decisions of any budget.
    parameters: PlannerParameters,
    /// Drops a second of the last decision.
    rate: f64,
    /// Whether a game was begun.
    has_played: bool,
    /// The remaining drops of the followed plan; empty if no plan is followed.
    followed: Vec<Placement>,
    /// The known attacks and beam trees, own side first.
    memory: [Memory; 2],
    /// The curves that the exchanges of the game have found.
    curves: CurveMemory,
    /// The position after the last answer, for pondering.
    ahead: Option<Ahead>,
    /// Drops simulated during the opponent's time.
    pondered: Option<u64>,
    overruns: Overruns,
    /// The table of the alpha-beta search, of the threats and of the proofs of a win.
    table: TranspositionTable,
}

/// A turn is calm if neither side has a known attack in it or in the `CALM_TURNS` turns after it.
const CALM_TURNS: usize = 2;

/// The least time of a decision, in seconds, from which the rate of drops is measured.
const LEAST_MEASURED: f64 = 1e-3;

impl Planner {
    /// Creates the engine, before its first game.
    pub fn new(parameters: PlannerParameters) -> Self {
        let memory = [Memory::new(), Memory::new()];
        let (followed, overruns) = (Vec::new(), Overruns::default());
        Self {
            parameters,
            rate: TimeManager::DROPS_A_SECOND,
            has_played: false,
            followed,
            memory,
            curves: CurveMemory::default(),
            ahead: None,
            pondered: None,
            overruns,
            table: TranspositionTable::default(),
        }
    }

    /// Remembers the drops that remain of the planned path if `action` is the first of them.
    fn follow(&mut self, choice: Option<&Choice>, action: Action) {
        let path = choice.map_or(&self.followed[..], Choice::path);
        self.followed = match path.split_first() {
            Some((&first, rest)) if Action::Drop(first) == action => rest.to_vec(),
            _ => Vec::new(),
        };
    }

    /// The next drop of the followed plan, if the plan still leads to an attack. An answer of the
    /// watchdog or rows that were not foreseen may have ruined it.
    fn followed_drop(&self, own: &Player<Field>, packs: &[Pack]) -> Option<Action> {
        let first = self.followed.first()?;
        self.memory[0].still_leads(own, packs, &self.followed).then_some(Action::Drop(*first))
    }

    /// Whether no row is due, the opening is over, and the previous turn's searches found no attack
    /// of either side in this turn or in the [`CALM_TURNS`] turns after it.
    fn is_calm(&self, input: &DecisionInput<'_>) -> bool {
        let is_far = |memory: &Memory| match memory.soonest(self.parameters.shortest) {
            Soonest::Unknown => false,
            Soonest::NoAttack => true,
            Soonest::InTurns(turns) => turns > CALM_TURNS,
        };
        !input.is_opening && !input.is_rain_due() && self.memory.iter().all(is_far)
    }
}

impl Engine for Planner {
    fn new_game(&mut self) {
        if std::mem::replace(&mut self.has_played, true) {
            self.table.clear();
        }
        self.followed.clear();
        self.memory = [Memory::new(), Memory::new()];
        self.curves.clear();
        (self.ahead, self.pondered) = (None, None);
        self.overruns = Overruns::default();
    }

    fn decide(
        &mut self,
        packs: &Packs,
        observation: &Observation,
        clock: &TurnClock,
        best_so_far: &BestSoFar,
    ) -> Decision {
        let turn = observation.state.turn;
        let packs = packs.from_turn(turn);
        let pack = packs.first().expect("a game has a pack for each of its turns");
        let input = DecisionInput::new(observation, packs, clock, &self.parameters);
        let own = &input.state[Seat::First];
        let fallback = without_search::fallback(own, pack);
        let (at_hand, source) = match self.followed_drop(own, packs) {
            Some(followed) => (followed, ActionSource::Plan),
            None => (fallback, ActionSource::Fallback),
        };
        best_so_far.put(at_hand);
        let without_search = |action: Action, source| {
            let report = Report { turn, action: action.to_string(), source, ..Report::default() };
            Decision { action, report }
        };
        if turn + 1 == TURNS {
            self.ahead = None;
            let action = without_search::last_turn(own, pack);
            return without_search(action, ActionSource::LastTurn);
        }
        if input.is_timed && clock.usable() < self.overruns.least_usable() {
            self.ahead = None;
            self.overruns.relax();
            skip_both_searches(&input, &mut self.memory, &self.followed, &self.parameters);
            self.follow(None, at_hand);
            return without_search(at_hand, source);
        }

        let is_calm = self.is_calm(&input);
        let time = clock.planned(self.parameters.time.share(turn, is_calm));
        let planned = time.saturating_sub(self.overruns.typical());
        let mut time_manager = TimeManager::new(clock, planned);

        let stages = self.run_stages(&input, best_so_far, &mut time_manager);
        let (action, source) = stages.action().unwrap_or((fallback, ActionSource::Fallback));
        self.follow(stages.choice.as_ref(), action);
        self.ahead = Ahead::after(&input.state, pack, action, self.parameters.opening);

        let extra = time_manager.taken_extra();
        let effort = Effort {
            is_calm,
            planned: time + extra,
            opponent_left: observation.time_left[1],
            time_ms: clock.elapsed_ms(),
            nodes: time_manager.spent(),
            pondered: self.pondered.take(),
        };
        let report = report_builder::build(&input, &stages, (action, source), &effort);
        let seconds = clock.elapsed().as_secs_f64();
        if seconds > LEAST_MEASURED {
            self.rate = time_manager.spent() as f64 / seconds;
        }
        self.overruns.note(planned + extra, clock.elapsed());
        Decision { action, report }
    }

    fn ponder(&mut self, packs: &Packs, stop: &Arc<AtomicBool>) {
        let Some(ahead) = &self.ahead else { return };
        let depth = self.parameters.depth_at(ahead.turn());
        let drops = ahead.ponder(packs, depth, &mut self.memory, stop);
        self.pondered = Some(drops);
    }
}
