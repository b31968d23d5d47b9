//! A fixed set of decisions: their speed, and a signature of what was decided.

use std::hash::Hasher as _;
use std::time::{Duration, Instant};

use fnv::FnvHasher;
use rayon::ThreadPoolBuilder;

use super::boards;
use crate::game::{Action, Packs, Player, State};
use crate::mind::{Clock, Draft, Mind as _, Planner, Settings, TimeRules};
use crate::protocol::Sight;

/// Turns of the opening that both sides play alike.
const OPENING: usize = 10;

/// Pairs of measured fields, as if they had met.
const PAIRS: usize = 30;

/// The turn in which they meet.
const TURN: usize = 14;

/// What the decisions came to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MindFigures {
    /// Decisions made.
    pub decisions: usize,
    /// Drops simulated for them, as the mind counts.
    pub nodes: u64,
    /// The time they took.
    pub time: Duration,
    /// A hash of all answers: the same for every backend and on every machine. It changes when the
    /// mind does, and then a match has to show that the change is for the better.
    pub signature: u64,
}

/// Lets the bot's mind decide, on one thread and with so many drops a decision: the first turns of
/// a game, and turns in which two measured fields stand against each other, with and without rows
/// waiting.
///
/// # Panics
/// If no thread can be started.
pub fn mind(nodes: u64) -> MindFigures {
    let pool = ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started");
    pool.install(|| decide_all(nodes))
}

fn decide_all(nodes: u64) -> MindFigures {
    let begin = Instant::now();
    let (mut hasher, mut spent, mut decisions) = (FnvHasher::default(), 0, 0);
    let mut decide = |mind: &mut Planner, state: State<_>| -> Action {
        let left = Duration::from_secs(180);
        let rules = TimeRules { nodes: Some(nodes), ..TimeRules::default() };
        let sight = Sight { state, time_left: [left; 2] };
        let clock = Clock::new(Instant::now(), left, &rules);
        let decision = mind.decide(&sight, &clock, &Draft::default());
        hasher.write(decision.action.to_string().as_bytes());
        spent += decision.report.nodes;
        decisions += 1;
        decision.action
    };

    let mut mind = Planner::new(Settings::default());
    let packs = Packs::from_seed(0);
    mind.new_game(&packs);
    let mut state = State::new();
    for pack in packs.from_turn(0).iter().take(OPENING) {
        let action = decide(&mut mind, state);
        state = state.play(pack, [action; 2]).expect("the mind plays by the rules").after;
    }

    let boards = boards();
    for (pair, fields) in boards.chunks_exact(boards.len() / PAIRS).take(PAIRS).enumerate() {
        let packs = Packs::from_seed(pair as u64);
        mind.new_game(&packs);
        let player = |index: usize| Player { field: fields[index].0, ..Player::new() };
        let mut players = [player(0), player(1)];
        // Nothing waits, or something for the one or for the other.
        if pair % 3 > 0 {
            players[pair % 3 - 1].stock = 25;
        }
        decide(&mut mind, State { turn: TURN, players });
    }
    MindFigures { decisions, nodes: spent, time: begin.elapsed(), signature: hasher.finish() }
}
