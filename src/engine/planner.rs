//! The bot's engine: a plan from beam search, weighed by the exchange that it leads to, and checked
//! by an alpha-beta search search.
//!
//! 1. A beam search finds what attacks the own field allows, now and in the coming turns, under
//!    the rain that is due; a smaller one, what the opponent's field allows.
//! 2. Each own attack that may be planned, and a plan that is built to be attacked ([`counter_plan`]),
//!    meets each of the opponent's: who attacks first, what the other can answer under the rows
//!    that fall, and what can be offset then ([`exchange`]). The plan that comes out best is
//!    followed; to attack now is one of them, and is not put off if it is good ([`selection`]).
//! 3. Where much waits to fall, a win that is certain is played, and a plan that is fatal is given
//!    up for a way to live ([`endgame`]).
//! 4. All actions of both sides are searched four plies deep (or three, or two, if time is short).
//!    The plan's action is played unless another is better by a margin.
//!
//! Where time is what limits, a field that is nearly full is given a short alpha-beta first: if all
//! actions but one lose, that one is played at once.

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
use super::memory::Memory;
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
use crate::search::Rain;
use crate::search::beam::{self, Answer, Attack, Question, Tree};
use crate::search::exchange::{self, Plan, Side};

/// What can be set about the engine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlannerParameters {
    /// Turns that the beam looks ahead.
    pub depth: usize,
    /// An attack a turn later is worth so much of one now. 0.8 won 35 of 50 games against 0.85,
    /// which won 24 of 40 against 0.9; 0.75 won 26 of 50 against 0.85 (E-01, E-14.1).
    pub discount: f64,
    /// The plan's action is played unless another is better by so many tenths of an ojama, which
    /// the skill, a kill or its prevention are. The alpha-beta sees no more than four turns: with a
    /// margin of 250 and a bonus for attacks 40 games were lost by 14 to 26; with 800 it attacked
    /// with 138 into a field that answers with 237, which the plan had put off.
    pub margin: i64,
    /// The opening lasts so many turns: the outer columns stay closed to the plan, and while
    /// nothing falls no alpha-beta search is searched.
    pub opening: usize,
    /// A planned attack shorter than this is no attack.
    pub shortest: Chain,
    /// How much the opponent's best choice among its plans counts beside what is likely, 0 to 1.
    /// Half of it won 18 of 30 games against half of the worst plan instead; 0.8 won 14.
    pub reason: f64,
    /// A plan is given up for one whose value is better by so much: values waver as beams do. With
    /// 0.02 a game was lost (against togatoga, 180 s, seed 7700) in which ten turns had nine plans,
    /// each a little later; with 0.1 the same packs were won.
    pub stick: f64,
    /// A plan a turn later is worth so much less: nobody knows what the opponent finds until then.
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

/// The engine of the bot; the field's encoding is `F`.
pub struct Planner {
    settings: PlannerParameters,
    packs: Option<Packs>,
    /// What is left to drop of the plan that is followed; empty if there is none.
    followed: Vec<Placement>,
    /// The attacks that are known of us and of the opponent.
    memory: [Memory; 2],
    /// What the last answer leads to.
    ahead: Option<Ahead>,
    /// Drops simulated while the opponent thought.
    pondered: Option<u64>,
    overruns: Overruns,
}

/// Shares of a turn's budget, beside those of a plan that is built to be attacked ([`counter_plan`]): the
/// own beam, the opponent's beam, the exchanges; the alpha-beta takes what is left. Where there is no
/// alpha-beta search, the own beam has its share. Chosen by hand, not by matches.
const OWN_BEAM: f64 = 0.3;
const OPPONENTS_BEAM: f64 = 0.17;
const EXCHANGES: f64 = 0.2;

/// The opponent's beam has this part of its share if the opponent is pressed for time. This and the
/// next two are chosen by hand, too.
const PRESSED: f64 = 0.5;

/// The ojama of a major attack, one that is worth being prepared for, and a closer look before it
/// is made: three rows.
const MAJOR: Stock = 3 * OJAMA_ROW;

/// A turn is calm if nobody was known to have an attack in it or in so many after it.
const SOON: usize = 2;

impl Planner {
    /// A engine before its first game.
    pub fn new(settings: PlannerParameters) -> Self {
        let memory = [Memory::new(), Memory::new()];
        let (followed, overruns) = (Vec::new(), Overruns::default());
        Self { settings, packs: None, followed, memory, ahead: None, pondered: None, overruns }
    }

    /// Whether nothing waits to fall, and in the turn before nobody was found to have an attack that
    /// would be due now.
    fn is_calm(&self, position: &Position<'_>) -> bool {
        let is_far = |memory: &Memory| {
            let soonest = memory.soonest(self.settings.shortest);
            soonest.is_some_and(|soonest| soonest.is_none_or(|turns| turns > SOON))
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

/// What there is to decide about.
struct Position<'a> {
    state: State<Field>,
    /// From this turn on.
    packs: &'a [Pack],
    /// In the opening, with nothing about to fall: nobody can do anything to the other yet.
    is_quiet: bool,
    /// Time is what limits, not drops.
    is_timed: bool,
    /// The opponent has little time beside us: it finds less, and there is no haste.
    is_pressed: bool,
}

impl Planner {
    /// All steps: what is played.
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

    /// Steps 1 and 2: the plan, and, should there be nothing to plan, a drop that builds.
    fn choose(
        &mut self,
        position: &Position<'_>,
        time_manager: &mut TimeManager<'_>,
        report: &mut Report,
    ) -> (Option<Attack>, Option<Placement>) {
        let [own, opponent] = &position.state.players;

        // 1. What both sides have.
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
        // Nobody knows where it will drop, in the opening either: what it had in its outer columns
        // came a turn or two sooner than foreseen.
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

        // 2. What each plan comes to.
        // Nobody need hurry to attack one who will soon answer without a thought.
        let late = if position.is_pressed { 0.0 } else { self.settings.late };
        let weigh = |balances: &[Vec<f64>]| {
            let weighed = opponent_model::weigh(balances, &likely, self.settings.reason);
            let value = |(plan, value): (&Plan, &f64)| {
                // Of plans that come to the same: more, and soon.
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

/// Whether a row or more waits to fall, on whichever side.
fn waits(state: &State<Field>) -> bool {
    state.players.iter().any(|player| player.stock >= OJAMA_ROW)
}

/// Turns that are looked ahead for the opponent.
const FORESIGHT: usize = win_probability::TURNS_AHEAD;

/// What an ojama that a plan sends adds to its value, whatever it comes to.
const TIE: f64 = 1e-3;

impl Position<'_> {
    /// A beam for one of the players, with a part of the turn's budget, going on from what is known,
    /// which is given up for what the beam keeps.
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

    /// The chance to win by what is known of both sides' attacks, to three digits.
    fn chance(&self, known: [&Answer; 2], turn: usize) -> f64 {
        let [own, opponent] = &self.state.players;
        let [ours, theirs] = known.map(Answer::most_sent);
        let features = Features::of(own, opponent, [&ours, &theirs], turn);
        rounded(WinProbability::learned().of(&features))
    }
}

/// To three digits, as it is told.
fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
