//! Whole games with known states: the contest's log, and games between strong bots.

use serde::Deserialize;
use tensai::board::{Backend, Field};
use tensai::game::{Action, Cell, Cells, Pack, Placement, Seat, Simulate, State, Verdict};
use tensai::protocol::{InputMessage, Reader};

/// A game of `tests/data/vectors.jsonl`.
#[derive(Deserialize)]
struct Game {
    packs: Vec<[[u8; 2]; 2]>,
    turns: Vec<GoldenTurn>,
    fields: [Vec<String>; 2],
    winner: Option<i8>,
}

#[derive(Deserialize)]
struct GoldenTurn {
    action: [String; 2],
    chain: [u8; 2],
    exploded: [u8; 2],
    sent: [u64; 2],
    stock: [u64; 2],
    gauge: [u8; 2],
    score: [u64; 2],
    height: [u8; 2],
}

fn replay<F: Simulate>(game: &Game, line: usize) {
    let mut state = State::<F>::new();
    for (turn, pack) in game.turns.iter().zip(&game.packs) {
        assert_eq!(state.end(), None, "game {line} goes on");
        let actions = [0, 1].map(|seat| turn.action[seat].parse::<Action>().unwrap());
        let pack = Pack::new(pack.as_flattened().try_into().unwrap()).unwrap();
        let played = state.play(&pack, actions).unwrap();
        let place = format!("game {line}, turn {}", state.turn);
        let players = played.after.players;
        assert_eq!(played.steps.map(|step| step.chain.0), turn.chain, "{place}: chain");
        assert_eq!(played.steps.map(|step| step.explosion.0), turn.exploded, "{place}");
        assert_eq!(played.steps.map(|step| step.sent()), turn.sent, "{place}: sent");
        assert_eq!(players.map(|player| player.stock), turn.stock, "{place}: stock");
        assert_eq!(players.map(|player| player.gauge.get()), turn.gauge, "{place}: gauge");
        assert_eq!(players.map(|player| player.score), turn.score, "{place}: score");
        assert_eq!(players.map(|player| player.field.to_cells().tallest()), turn.height, "{place}");
        state = played.after;
    }
    let verdict = match game.winner {
        None => None,
        Some(0) => Some(Verdict::Win(Seat::First)),
        Some(1) => Some(Verdict::Win(Seat::Second)),
        Some(_) => Some(Verdict::Draw),
    };
    assert_eq!(state.end().map(|(_, verdict)| verdict), verdict, "game {line}: winner");
    for (player, rows) in state.players.iter().zip(&game.fields) {
        // The data have sixteen rows, without the blocks of a loser above them.
        let expected: Vec<[Cell; 10]> = rows
            .iter()
            .map(|row| {
                let symbols: Vec<char> = row.chars().collect();
                std::array::from_fn(|x| Cell::from_symbol(symbols[x]).unwrap())
            })
            .collect();
        assert_eq!(player.field.to_cells().rows()[..], expected[..], "game {line}: field");
    }
}

#[test]
fn games_between_strong_bots() {
    let games: Vec<Game> = include_str!("data/vectors.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(games.len(), 45);
    for (game, line) in games.iter().zip(1..) {
        replay::<Cells>(game, line);
    }
    for backend in Backend::available() {
        Backend::choose(Some(backend));
        for (game, line) in games.iter().zip(1..) {
            replay::<Field>(game, line);
        }
    }
}

/// The log of the contest's own server: from each state, a pair of actions leads to exactly the
/// next state, in fields, stocks, gauges and scores. Both players only drop packs.
#[test]
fn the_official_log_is_reproduced() {
    let mut reader = Reader::new(&include_bytes!("data/official_16_turns.txt")[..]);
    let InputMessage::Packs(packs) = reader.next_message().unwrap() else {
        panic!("packs come first")
    };
    let mut observations = Vec::new();
    while let InputMessage::Turn(observation) = reader.next_message().unwrap() {
        observations.push(*observation);
    }
    assert_eq!(observations.len(), 16);
    assert_eq!(observations[0].state, State::new());
    for pair in observations.windows(2) {
        let [before, after] = [&pair[0].state, &pair[1].state];
        let pack = packs.get(before.turn).unwrap();
        let candidates = [0, 1].map(|seat: usize| -> Vec<Action> {
            let leads = |action: &Action| {
                let step = before.players[seat].step(pack, *action).unwrap();
                step.player.field == after.players[seat].field
            };
            Placement::all().map(Action::Drop).filter(leads).collect()
        });
        let [first, second] = &candidates;
        assert!(!first.is_empty() && !second.is_empty(), "turn {}: no drop leads on", before.turn);
        for (&a, &b) in first.iter().zip(second) {
            let played = before.play(pack, [a, b]).unwrap();
            assert_eq!(played.after, *after, "turn {}", before.turn);
            let fast = before.convert::<Field>().play(pack, [a, b]).unwrap();
            assert_eq!(fast.after.convert::<Cells>(), *after, "turn {}", before.turn);
        }
    }
}
