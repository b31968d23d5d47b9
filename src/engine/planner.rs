//! The bot's engine: beam searches find plans, exchanges compare them, and an alpha-beta search
//! checks the first action.
//!
//! 1. A beam search finds the attacks that the own field allows, now and in the coming turns, under
//!    the rain that is due. A smaller beam search does this for the opponent's field.
//! 2. Each own plan, and the counter-plan ([`counter_plan`]), is played against each plan of the
//!    opponent: the first attack, the answer under the rows that fall, and the offset
//!    ([`exchange`]). The plan with the highest value is followed. A good attack in this turn is
//!    not delayed ([`selection`]).
//! 3. If ojama are due or an attack may kill, a proven win is played, and a fatal plan is replaced
//!    by a survival path ([`endgame`]).
//! 4. An alpha-beta search covers all actions of both sides to four plies (three or two if time is
//!    short). The plan's action is played unless another action is better by a margin.
//!
//! Under a time limit, a nearly full field gets a short alpha-beta search first: if all actions but
//! one lose, that action is played at once.

mod alpha_beta;
mod counter_plan;
mod endgame;
mod selection;
mod verify_attack;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use self::counter_plan::STURDY;
use self::selection::Choice;
use super::memory::{Memory, Soonest};
use super::opponent_model::worth;
use super::pondering::{Ahead, positions};
use super::time_manager::Overruns;
use super::time_manager::TimeManager;
use super::win_probability::{self, Features, WinProbability};
use super::{
    BestSoFar, Decision, Engine, PlanReport, Report, TurnClock, fallback, opponent_model,
    potential_by_rows, time_manager,
};
use crate::board::Field;
use crate::game::{
    Action, Chain, DropColumns, OJAMA_ROW, Pack, Packs, Placement, Player, Seat, State, Stock,
};
use crate::protocol::Observation;
use crate::search::beam::{self, Answer, Attack, Question, Tree};
use crate::search::exchange::{self, Plan, Side};
use crate::search::{Rain, TranspositionTable};

/// Parameters of [`Planner`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlannerParameters {
    /// Depth of the own beam search, in turns.
    pub depth: usize,
    /// Factor on an attack's worth for each turn of delay, 0 to 1. Experiments E-01, E-14.1.
    pub discount: f64,
    /// The plan's action is played unless another action is better by more than `margin` tenths of
    /// an ojama, as the skill, a kill or its prevention is. The alpha-beta search sees at most four
    /// turns: with a smaller margin it makes attacks that the plan delays because of the answer. Experiments E-02.1, D-02,
    /// D-03, E-21.3.
    pub margin: i64,
    /// Length of the opening in turns. In the opening, while no row is due, the plan uses no outer
    /// columns and no alpha-beta search runs. Experiment E-02.2.
    pub opening: usize,
    /// Minimum chain of a planned attack.
    pub shortest: Chain,
    /// Weight of the opponent's best choice among its plans against the likely choice, 0 to 1.
    /// Experiment E-12.
    pub reason: f64,
    /// Hysteresis: the followed plan is kept unless another plan's value exceeds its value by at
    /// least `stick`. Values fluctuate from turn to turn because beam results do; with too small a
    /// `stick` the plan changes nearly every turn, each time to a later attack.
    /// Experiment E-06.
    pub stick: f64,
    /// Penalty on a plan's value for each turn of delay, because the opponent may find more until
    /// then.
    pub late: f64,
}

impl Default for PlannerParameters {
    fn default() -> Self {
        let shortest = Chain(6);
        Self {
            depth: 16,
            discount: 0.8,
            margin: 2000,
            opening: 8,
            shortest,
            reason: 0.5,
            stick: 0.1,
            late: 0.01,
        }
    }
}

/// The engine of the bot.
pub struct Planner {
    settings: PlannerParameters,
    packs: Option<Packs>,
    /// The remaining drops of the followed plan; empty if no plan is followed.
    followed: Vec<Placement>,
    /// The known attacks and beam trees, own side first.
    memory: [Memory; 2],
    /// The position after the last answer, for pondering.
    ahead: Option<Ahead>,
    /// Drops simulated during the opponent's time.
    pondered: Option<u64>,
    overruns: Overruns,
    /// The table of the alpha-beta search, of the threats and of the proofs of a win.
    table: TranspositionTable,
}

/// Shares of a turn's budget for the own beam, the opponent's beam and the exchanges, beside the
/// shares of the counter-plan ([`counter_plan`]). The alpha-beta search takes the rest; where it
/// does not run, the own beam takes that rest. Chosen by hand, not by matches.
const OWN_BEAM: f64 = 0.3;
const OPPONENTS_BEAM: f64 = 0.17;
const EXCHANGES: f64 = 0.2;

/// Factor on [`OPPONENTS_BEAM`] if the opponent is short of time. This constant and the next two
/// are chosen by hand, too.
const PRESSED: f64 = 0.5;

/// Minimum ojama of a major attack: three rows. The planner prepares for such an attack of the
/// opponent, and verifies one of its own before it makes it.
const MAJOR: Stock = 3 * OJAMA_ROW;

/// A turn is calm if neither side has a known attack in it or in the `SOON` turns after it.
const SOON: usize = 2;

impl Planner {
    /// Creates the engine, before its first game.
    pub fn new(settings: PlannerParameters) -> Self {
        let memory = [Memory::new(), Memory::new()];
        let (followed, overruns) = (Vec::new(), Overruns::default());
        let table = TranspositionTable::default();
        Self {
            settings,
            packs: None,
            followed,
            memory,
            ahead: None,
            pondered: None,
            overruns,
            table,
        }
    }

    /// Whether no row is due, the opening is over, and the previous turn's searches found no attack
    /// of either side within [`SOON`] turns.
    fn is_calm(&self, position: &Position<'_>) -> bool {
        let is_far = |memory: &Memory| match memory.soonest(self.settings.shortest) {
            Soonest::Unknown => false,
            Soonest::NoAttack => true,
            Soonest::InTurns(turns) => turns > SOON,
        };
        !position.is_quiet && !waits(&position.state) && self.memory.iter().all(is_far)
    }
}

impl Engine for Planner {
    fn new_game(&mut self, packs: &Packs) {
        self.packs = Some(packs.clone());
        self.followed.clear();
        self.memory = [Memory::new(), Memory::new()];
        (self.ahead, self.pondered) = (None, None);
    }

    fn decide(
        &mut self,
        observation: &Observation,
        clock: &TurnClock,
        best_so_far: &BestSoFar,
    ) -> Decision {
        let turn = observation.state.turn;
        let packs = self.packs.clone();
        let packs = packs.as_ref().map_or(&[][..], |packs| packs.from_turn(turn));
        let Some(pack) = packs.first() else {
            unreachable!("a game's packs are known before its turns, of which it has as many")
        };
        let state: State<Field> = observation.state.convert();
        let safe = fallback::action(&state[Seat::First], pack);
        best_so_far.put(safe);
        if clock.nodes().is_none() && clock.usable() < self.overruns.too_little() {
            self.ahead = None;
            let action = safe.to_string();
            let report = Report { turn, action, source: "fallback", ..Report::default() };
            return Decision { action: safe, report };
        }

        let position = Position {
            packs,
            is_quiet: turn < self.settings.opening && !waits(&state),
            is_timed: clock.nodes().is_none(),
            is_pressed: clock.nodes().is_none() && time_manager::is_pressed(observation.time_left),
            state,
        };
        let is_calm = self.is_calm(&position);
        let time = clock.planned(time_manager::share(turn, is_calm));
        let planned = time.saturating_sub(self.overruns.usual());
        let mut time_manager = TimeManager::new(clock, planned);
        let mut report = Report { turn, pondered: self.pondered.take(), ..Report::default() };
        if position.is_timed {
            report.opponent_left_ms = Some(milliseconds(observation.time_left[1]));
            report.stop = is_calm.then_some("calm");
        }

        let action = self.think(&position, safe, best_so_far, &mut time_manager, &mut report);
        self.ahead = Ahead::after(&position.state, pack, action, self.settings.opening);
        report.action = action.to_string();
        report.nodes = time_manager.spent();
        report.time_ms = clock.elapsed_ms();
        let beyond = time_manager.taken_beyond();
        report.planned_ms = position.is_timed.then(|| milliseconds(time + beyond));
        self.overruns.note(planned + beyond, clock.elapsed());
        Decision { action, report }
    }

    fn ponder(&mut self, stop: &Arc<AtomicBool>) {
        let (Some(ahead), Some(packs)) = (&self.ahead, &self.packs) else { return };
        let known = self.memory[0].tree_after(ahead.first);
        let (answer, tree, drops) =
            ahead.ponder(packs, self.settings.depth, &known, Arc::clone(stop));
        self.memory[0].foresee(ahead.first, answer, tree);
        self.pondered = Some(drops);
    }
}

/// The input of a decision.
struct Position<'a> {
    state: State<Field>,
    /// The packs from this turn on.
    packs: &'a [Pack],
    /// Whether this is a turn of the opening with no row due: neither side can hurt the other yet.
    is_quiet: bool,
    /// Whether the limit is time, not drops.
    is_timed: bool,
    /// Whether the opponent has little time compared with us: it finds less, and delay costs
    /// nothing.
    is_pressed: bool,
}

impl Planner {
    /// Runs all steps and returns the action to play.
    fn think(
        &mut self,
        position: &Position<'_>,
        safe: Action,
        best_so_far: &BestSoFar,
        time_manager: &mut TimeManager<'_>,
        report: &mut Report,
    ) -> Action {
        if let Some(action) = self.forced(position, time_manager, report) {
            return action;
        }
        let (plan, building) = self.choose(position, time_manager, report);
        let path = plan.map_or_else(|| building.into_iter().collect(), |plan| plan.path);
        let choice = path.first().copied().map(Action::Drop);
        choice.inspect(|&action| best_so_far.put(action));
        let action = if position.is_quiet {
            choice
        } else if let Some(action) = self.win(position, choice, time_manager, report) {
            Some(action)
        } else {
            let choice = endgame::live(position, &path, time_manager, report).or(choice);
            self.check(position, choice, time_manager, report)
        };
        let action = action.unwrap_or_else(|| {
            report.source = "fallback";
            safe
        });
        self.followed = match path.split_first() {
            Some((&first, rest)) if Action::Drop(first) == action => rest.to_vec(),
            _ => Vec::new(),
        };
        action
    }

    /// Steps 1 and 2: returns the plan, if there is one, and the best drop for building.
    fn choose(
        &mut self,
        position: &Position<'_>,
        time_manager: &mut TimeManager<'_>,
        report: &mut Report,
    ) -> (Option<Attack>, Option<Placement>) {
        let [own, opponent] = &position.state.players;

        // 1. Search the attacks of both sides.
        let part =
            if position.is_quiet { 1.0 - OPPONENTS_BEAM - EXCHANGES - STURDY } else { OWN_BEAM };
        let [own_memory, opponents_memory] = &mut self.memory;
        let [own_known, known] = [own_memory.tree(own), opponents_memory.tree(opponent)];
        report.known = Some([own_known.fields(), known.fields()]);
        let positions = positions(position.is_quiet);
        let depth = self.settings.depth;
        let (mut answer, own_tree) =
            position.ask(own, own_known, positions, depth, part, time_manager);
        report.width = Some(answer.width);
        if time_manager.is_settled() {
            report.stop = Some("stable");
        }
        let part = if position.is_pressed { PRESSED * OPPONENTS_BEAM } else { OPPONENTS_BEAM };
        // The opponent may use all columns, in the opening too: without its outer columns, its
        // attacks came a turn or two sooner than foreseen.
        let (mut theirs, tree) =
            position.ask(opponent, known, DropColumns::ALL, FORESIGHT, part, time_manager);
        own_memory.renew(own, position.packs, &self.followed, &mut answer, own_tree);
        opponents_memory.renew(opponent, position.packs, &[], &mut theirs, tree);
        let strongest = theirs.attacks.iter().flatten().max_by_key(|attack| attack.chain);
        report.opponent_chain = strongest.map(|attack| attack.chain.0);
        report.opponent_turn = strongest.map(|attack| report.turn + attack.ply());
        report.burial = Some([own, opponent].map(|player| potential_by_rows::clock(&player.field)));
        report.chance = Some(position.chance([&answer, &theirs], report.turn));
        let mut ours = opponent_model::plans(&answer, self.settings.shortest);
        let is_dry = opponent.stock < OJAMA_ROW;
        let theirs = opponent_model::threats(&theirs, self.settings.shortest, is_dry);
        let likely = opponent_model::likelihoods(&theirs);
        let found = if own.stock >= OJAMA_ROW {
            None
        } else {
            self.prepare(position, &mut ours, &theirs, time_manager)
        };

        // 2. Compute the value of each plan.
        // Delay costs nothing against an opponent that will soon have no time to search.
        let late = if position.is_pressed { 0.0 } else { self.settings.late };
        let weigh = |balances: &[Vec<f64>]| {
            let weighed = opponent_model::weigh(balances, &likely, self.settings.reason);
            let value = |(plan, value): (&Plan, &f64)| {
                // Among plans of equal value, prefer the stronger and sooner attack.
                let worth = worth(plan.attack.chain, plan.ply(), self.settings.discount);
                value + TIE * worth - late * plan.ply() as f64
            };
            let values: Vec<f64> = ours.iter().zip(&weighed.values).map(value).collect();
            (values, weighed)
        };
        let (followed, stick) = (&self.followed, self.settings.stick);
        let choice = Choice { followed, stick, waits: waits(&position.state) };
        let answers = verify_attack::answers(position, &ours, time_manager);
        let side = |player: &Player<Field>, plans, found| Side {
            found,
            field: player.field,
            stock: player.stock,
            gauge: player.gauge,
            plans,
        };
        let (own, opponent, packs) =
            (side(own, &ours, found), side(opponent, &theirs, answers), position.packs);
        let mut exchange = time_manager
            .divided(EXCHANGES, |budget| exchange::search(&own, &opponent, packs, budget));
        let mut weights = weigh(&exchange.balances());
        let chosen = choice.of(&ours, &weights.0);
        let again =
            chosen.and_then(|plan| verify_attack::again(position, &ours[plan], time_manager));
        if let Some(found) = again {
            exchange.learn(Seat::Second, &found);
            weights = weigh(&exchange.balances());
        }
        let (outcomes, (values, weighed)) = (exchange.outcomes(), weights);
        let tell = |(index, plan): (usize, &Plan), shares: &[f64]| PlanReport {
            chain: plan.attack.chain.0,
            turn: report.turn + plan.ply(),
            share: shares.get(index).map(|&share| rounded(share)),
            ..PlanReport::default()
        };
        let [own_shares, opponents_shares] = &weighed.shares;
        let plans = ours.iter().enumerate().map(|plan| PlanReport {
            value: Some(rounded(values[plan.0])),
            balances: outcomes[plan.0].iter().map(|outcome| outcome.balance).collect(),
            answers: outcomes[plan.0].iter().map(|outcome| outcome.answer).collect(),
            ..tell(plan, own_shares)
        });
        let opponents = theirs.iter().enumerate().map(|plan| PlanReport {
            likely: Some(rounded(likely[plan.0])),
            ..tell(plan, opponents_shares)
        });
        (report.plans, report.opponent_plans) = (plans.collect(), opponents.collect());

        let plan = choice.of(&ours, &values).map(|chosen| ours[chosen].attack.clone());
        report.source = if plan.is_some() { "plan" } else { "building" };
        if let Some(plan) = &plan {
            report.plan_chain = Some(plan.chain.0);
            report.plan_turn = Some(report.turn + plan.ply());
            report.plan = plan.path.iter().map(|&drop| Action::Drop(drop).to_string()).collect();
        }
        (plan, answer.building.map(|(placement, _)| placement))
    }
}

/// Whether at least one row is due on either side.
fn waits(state: &State<Field>) -> bool {
    state.players.iter().any(|player| player.stock >= OJAMA_ROW)
}

/// Depth of the opponent's beam search, in turns.
const FORESIGHT: usize = win_probability::TURNS_AHEAD;

/// Tie-break: added to a plan's value for each ojama of its discounted attack.
const TIE: f64 = 1e-3;

impl Position<'_> {
    /// Runs a beam search for `player` with the share `part` of the turn's budget, starting from
    /// the tree `known`. Returns the answer and the tree that the beam kept.
    fn ask(
        &self,
        player: &Player<Field>,
        known: Tree,
        positions: DropColumns,
        depth: usize,
        part: f64,
        time_manager: &mut TimeManager<'_>,
    ) -> (Answer, Tree) {
        let rain = Rain::of_stock(player.stock);
        let question = Question { field: player.field, packs: self.packs, rain, depth, positions };
        time_manager.part(part, |budget| beam::search_on(&question, &known, budget))
    }

    /// The win probability from both sides' attacks in `known`, rounded to three decimals.
    fn chance(&self, known: [&Answer; 2], turn: usize) -> f64 {
        let [own, opponent] = &self.state.players;
        let [ours, theirs] = known.map(Answer::most_sent);
        let features = Features::of(own, opponent, [&ours, &theirs], turn);
        rounded(WinProbability::learned().of(&features))
    }
}

/// Rounds to three decimals for the report.
fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
