//! Whole games with known states: the contest's log, and games between strong bots.

use serde::Deserialize;
use tensai::board::{BitBoard, Portable};
use tensai::game::{Action, Cell, Cells, Field, Pack, Seat, State, Verdict};

/// A game of `tests/data/vectors.jsonl`.
#[derive(Deserialize)]
struct Game {
    packs: Vec<[[u8; 2]; 2]>,
    turns: Vec<Turn>,
    fields: [Vec<String>; 2],
    winner: Option<i8>,
}

#[derive(Deserialize)]
struct Turn {
    action: [String; 2],
    chain: [u8; 2],
    exploded: [u8; 2],
    sent: [u64; 2],
    stock: [u64; 2],
    gauge: [u8; 2],
    score: [u64; 2],
    height: [u8; 2],
}

fn replay<F: Field>(game: &Game, line: usize) {
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
        assert_eq!(players.map(|player| player.field.tallest()), turn.height, "{place}");
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
        // Sixteen rows are given: a loser's blocks above them are not.
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
        replay::<BitBoard<Portable>>(game, line);
    }
}
