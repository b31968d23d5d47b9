//! A fixed set of decisions: their speed, and a signature of the actions.

use std::hash::Hasher as _;
use std::time::Duration;

use fnv::FnvHasher;
use rayon::ThreadPoolBuilder;

use super::boards;
use crate::engine::{BestSoFar, Engine as _, Planner, PlannerParameters, TimeLimits, TurnClock};
use crate::game::{Action, Packs, Player, State};
use crate::protocol::Observation;
use crate::util::clock::Instant;

/// The number of turns of the opening, in which both sides play the same actions.
const OPENING: usize = 10;

/// The number of decisions with a pair of [`boards`] as the fields of the two players.
const PAIRS: usize = 30;

/// The turn of these decisions.
const TURN: usize = 14;

/// The figures of the decisions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DecisionFigures {
    /// The number of decisions.
    pub decisions: usize,
    /// The number of simulated drops, as the engine counts them.
    pub nodes: u64,
    /// The time of all decisions.
    pub time: Duration,
    /// A hash of all actions, equal for every backend and on every machine. It changes when the
    /// engine changes, and then a match has to show that the engine is stronger.
    pub signature: u64,
}

/// Lets the bot's engine decide on one thread, with `nodes` drops a decision: in the first turns of
/// a game, and in turns with two of [`boards`] as the players' fields, with and without a stock.
///
/// # Panics
/// If no thread can be started.
pub fn decisions(nodes: u64) -> DecisionFigures {
    let pool = ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started");
    pool.install(|| decide_all(nodes))
}

fn decide_all(nodes: u64) -> DecisionFigures {
    let begin = Instant::now();
    let (mut hasher, mut spent, mut decisions) = (FnvHasher::default(), 0, 0);
    let mut decide = |engine: &mut Planner, packs: &Packs, state: State<_>| -> Action {
        let left = Duration::from_secs(180);
        let rules = TimeLimits { nodes: Some(nodes), ..TimeLimits::default() };
        let observation = Observation { state, time_left: [left; 2] };
        let clock = TurnClock::new(Instant::now(), left, &rules);
        let decision = engine.decide(packs, &observation, &clock, &BestSoFar::default());
        hasher.write(decision.action.to_string().as_bytes());
        spent += decision.report.nodes;
        decisions += 1;
        decision.action
    };

    let mut engine = Planner::new(PlannerParameters::default());
    let packs = Packs::from_seed(0);
    engine.new_game();
    let mut state = State::new();
    for pack in packs.from_turn(0).iter().take(OPENING) {
        let action = decide(&mut engine, &packs, state);
        state = state.play(pack, [action; 2]).expect("the engine plays by the rules").after;
    }

    let boards = boards();
    for (pair, fields) in boards.chunks_exact(boards.len() / PAIRS).take(PAIRS).enumerate() {
        let packs = Packs::from_seed(pair as u64);
        engine.new_game();
        let player = |index: usize| Player { field: fields[index].0, ..Player::new() };
        let mut players = [player(0), player(1)];
        // In turn: no stock, a stock for the first player, a stock for the second player.
        if pair % 3 > 0 {
            players[pair % 3 - 1].stock = 25;
        }
        decide(&mut engine, &packs, State { turn: TURN, players });
    }
    DecisionFigures { decisions, nodes: spent, time: begin.elapsed(), signature: hasher.finish() }
}
