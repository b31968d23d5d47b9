//! Games for the tests of the statistics.

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::{Action, Cells, Fault, Pack, Packs, Seat, State, Verdict};
use crate::record::{
    Contestant, FORMAT, FaultRecord, GameResult, Limits, Record, TurnRecord, VERSION,
};

fn record(packs: Vec<[[u8; 2]; 2]>, answers: &[[String; 2]], result: GameResult) -> Record {
    let turns = (1..).zip(answers).map(|(turn, answers)| TurnRecord {
        answers: answers.clone(),
        think_us: [1000 * turn, 2000 * turn],
        info: [None, None],
    });
    let player = |name: &str| Contestant { name: name.to_owned(), ..Contestant::default() };
    Record {
        format: FORMAT.to_owned(),
        version: VERSION,
        date: "2026-11-21T08:00:00Z".to_owned(),
        number: None,
        packs_from: "seed 3".to_owned(),
        packs,
        limits: Limits::CONTEST,
        players: ["a", "b"].map(player),
        opening: 0,
        turns: turns.collect(),
        result,
    }
}

/// Three turns: in turn 1 the first player has a chain of two, which sends one ojama; in turn 2 the
/// second player offsets it by a chain of two. Then the second player gives an invalid answer.
pub fn exchange() -> Record {
    let mut packs: Vec<_> = Packs::from_seed(3).from_turn(0).iter().map(Pack::rows).collect();
    // On the left columns: 9 and 1 vanish, then the 8 lies on the 2.
    packs[0] = [[9, 0], [2, 3]];
    packs[1] = [[4, 0], [8, 1]];
    packs[2] = packs[1];
    let answers = [["0 0", "0 0"], ["0 0", "4 0"], ["4 0", "0 0"]];
    let fault = FaultRecord {
        fault: Fault::Invalid,
        reason: "answered `x`".to_owned(),
        answer: Some("x".to_owned()),
        last_words: Vec::new(),
    };
    let result = GameResult {
        verdict: Verdict::Win(Seat::First),
        end: None,
        faults: [None, Some(fault)],
        scores: [2, 2],
        think_us: [None, Some(5000)],
    };
    record(packs, &answers.map(|pair| pair.map(str::to_owned)), result)
}

/// A game of two players until one has lost. The first sends as many ojama as it can in each turn,
/// the second does so in three turns of four and else plays at random.
pub fn greedy_against_random(seed: u64) -> Record {
    let packs = Packs::from_seed(seed);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut state = State::<Cells>::new();
    let mut answers = Vec::new();
    let (end, verdict) = loop {
        if let Some(end) = state.end() {
            break end;
        }
        let pack = packs.get(state.turn).unwrap();
        let actions = Seat::BOTH.map(|seat| {
            let player = &state[seat];
            let random = seat == Seat::Second && rng.random_range(0..4) == 0;
            let mut legal: Vec<Action> = Action::all().collect();
            if !player.gauge.allows_skill() {
                legal.pop();
            }
            if random {
                return legal[rng.random_range(0..legal.len())];
            }
            let value = |action: &Action| {
                let step = player.step(pack, *action).unwrap();
                let heights = step.player.field.heights();
                (step.sent(), step.chain, std::cmp::Reverse(heights.into_iter().max()))
            };
            legal.into_iter().max_by_key(value).unwrap()
        });
        answers.push(actions.map(|action| action.to_string()));
        state = state.play(pack, actions).unwrap().after;
    };
    let result = GameResult {
        end: Some(end),
        verdict,
        ..GameResult::cut_short(state.players.map(|player| player.score))
    };
    record(packs.from_turn(0).iter().map(Pack::rows).collect(), &answers, result)
}
