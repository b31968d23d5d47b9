//! The engine of the bot of y.s., fourth in the contest's qualifiers, after its author's account.
//!
//! It is a baseline and a sparring partner, and therefore follows the account. Each part has a
//! file:
//!
//! * `presets`: all parameters, and the account's two sets of them;
//! * `beam`: the first turn's beam for a chain of 12, and those of every later turn, for both sides;
//! * `plan`: the plan that the first one finds;
//! * `opponent`: tables of everything that the opponent can do within four plies;
//! * `own`: all own actions within four plies against those tables;
//! * `line_value`, `kill`: the value of a line's end, and when it is a kill;
//! * `first_attack`: the test with the chains c1 to c4; `skill_mode`: giving up chains;
//! * `turn`, `stage_results`: the stages of a turn and their results; `limits`: drops and plies;
//! * `classic_report`, `views`: the output.
//!
//! The transposition table, the root loop, the rain and the time manager are those of the bot's
//! engine ([`crate::search`]).
//!
//! The stages of a turn:
//!
//! 1. The plan is dropped if ojama fall. In the first turns it is played without a search.
//! 2. The test of attacking first.
//! 3. The opponent's tables.
//! 4. The beam's move if there is no plan; the opponent's beam, and whether to give up chains.
//! 5. The move's counterattacks if the opponent attacks first.
//! 6. The own search. The beam's move is played unless the best one is better by a margin.

mod beam;
mod classic_report;
mod first_attack;
mod kill;
mod limits;
mod line_value;
mod opponent;
mod own;
mod plan;
mod presets;
mod skill_mode;
mod stage_results;
mod turn;
mod views;

use std::time::Duration;

use self::classic_report::ClassicEffort;
use self::plan::OpeningPlan;
use self::skill_mode::ExpectedState;
use self::stage_results::ClassicStages;
use self::turn::TurnSearch;
use self::views::Screen;
use super::time_manager::TimeManager;
use super::{ActionSource, BestSoFar, Decision, Engine, TurnClock, without_search};
use crate::game::{Packs, Seat};
use crate::protocol::Observation;
use crate::search::TranspositionTable;

pub use classic_report::{
    AttackReport, BeamReport, ClassicReport, ClassicTimes, PlanDrop, TableReport,
};
pub use presets::{LeafWeights, Parameters, Preset, Shape};

/// With less usable time than this, nothing is searched: even a search that is cut at once takes
/// some milliseconds.
const TOO_LITTLE: Duration = Duration::from_millis(5);

/// The engine of y.s.'s bot.
pub struct Classic {
    /// The parameters as given.
    given: Parameters,
    /// The parameters scaled to the length of this game.
    parameters: Parameters,
    /// Whether a game was begun.
    has_played: bool,
    plan: Option<OpeningPlan>,
    /// Present while chains are given up: the next turn's expected start; any other start ends it.
    skill_mode: Option<ExpectedState>,
    table: TranspositionTable,
    screen: Option<Screen>,
}

impl Classic {
    /// Creates an engine before its first game. If `verbose`, it shows its views on standard error.
    pub fn new(parameters: Parameters, verbose: bool) -> Self {
        Self {
            given: parameters.clone(),
            parameters,
            has_played: false,
            plan: None,
            skill_mode: None,
            table: TranspositionTable::default(),
            screen: verbose.then_some(Screen),
        }
    }

    /// Updates the state of the engine before a turn's searches: the length of the game, whether
    /// the plan still holds, whether the skill is still the aim. Returns the reason if it drops the
    /// plan.
    fn begin(&mut self, observation: &Observation, clock: &TurnClock) -> Option<PlanDrop> {
        let own = &observation.state[Seat::First];
        // A game that the engine joins after turn 0 counts as one of the contest, and so does a
        // game in which drops are limited instead of time.
        if observation.state.turn == 0 && clock.nodes().is_none() {
            self.parameters = self.given.clone().for_a_game_of(observation.time_left[0]);
        }
        if self.skill_mode.is_some_and(|expected| !expected.is_met(&observation.state.convert())) {
            self.skill_mode = None;
        }
        let plan = self.plan.take()?;
        if plan.holds(own) {
            self.plan = Some(plan);
            return None;
        }
        let is_rain = own.stock >= crate::game::OJAMA_ROW;
        Some(if is_rain { PlanDrop::Ojama } else { PlanDrop::Field })
    }
}

impl Engine for Classic {
    fn new_game(&mut self) {
        if std::mem::replace(&mut self.has_played, true) {
            self.table.clear();
        }
        self.plan = None;
        self.skill_mode = None;
        self.parameters = self.given.clone();
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
        let dropped = self.begin(observation, clock);
        let own = &observation.state[Seat::First];
        let fallback = without_search::fallback(&own.convert(), pack);
        best_so_far.put(fallback);

        let (plan, skill_mode) = (self.plan.take(), self.skill_mode);
        let (stages, nodes) = if clock.nodes().is_none() && clock.usable() < TOO_LITTLE {
            (ClassicStages::without_search(plan, skill_mode), 0)
        } else {
            let mut turn = TurnSearch {
                state: observation.state.convert(),
                packs,
                left: observation.time_left[0],
                parameters: &self.parameters,
                table: &mut self.table,
                time_manager: TimeManager::new(clock, clock.usable()),
                screen: self.screen.as_ref(),
                best_so_far,
            };
            (turn.run_stages(plan, skill_mode), turn.time_manager.spent())
        };
        let (action, source) = stages.action().unwrap_or((fallback, ActionSource::Fallback));

        let target = self.parameters.target;
        let effort = ClassicEffort { turn, dropped, target, nodes, time_ms: clock.elapsed_ms() };
        let report = classic_report::build(&stages, (action, source), &effort);
        let followed = stages.plan.filter(|plan| plan.action() == action);
        self.plan = followed.and_then(|plan| plan.followed(own, pack));
        self.skill_mode = stages.skill_mode;
        if let Some(screen) = &self.screen {
            screen.show(&views::summary(&report));
        }
        Decision { action, report }
    }
}
