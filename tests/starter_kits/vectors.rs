//! The golden vectors: how they are written, and that every simulator agrees with them.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde::Deserialize;
use tensai::board::{Backend, Field};
use tensai::game::{
    Action, Cell, Cells, Chain, Explosion, Gauge, Pack, Player, ROWS, Seat, Simulate, State,
    Verdict, WIDTH,
};

use crate::cases;

/// One turn of both players, without its result.
pub struct GoldenVector {
    /// One word.
    pub name: String,
    pub before: State<Cells>,
    pub pack: Pack,
    pub actions: [Action; 2],
}

/// The comment at the top of each file.
const HEADER: &str = "# Golden vectors, see README.md. Made by the reference simulator:\n\
    # cargo test --test starter_kits write_vectors -- --ignored\n";

/// The folder of the files.
pub fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "examples", "vectors"].iter().collect()
}

/// A player as the words STOCK GAUGE SCORE COLUMN...
fn player_words(player: &Player<Cells>) -> String {
    let mut words = format!("{} {} {}", player.stock, player.gauge.get(), player.score);
    for (column, height) in player.field.columns().iter().zip(player.field.heights()) {
        let cells: String = column[..height.into()].iter().map(|cell| cell.symbol()).collect();
        let _ = write!(words, " {}", if cells.is_empty() { "-" } else { &cells });
    }
    words
}

/// The player of the words STOCK GAUGE SCORE COLUMN...
fn parse_player(words: &[&str]) -> Player<Cells> {
    let [stock, gauge, score, columns @ ..] = words else { panic!("{words:?}") };
    assert_eq!(columns.len(), WIDTH, "{words:?}");
    let mut cells = [[Cell::Empty; ROWS]; WIDTH];
    for (cells, column) in cells.iter_mut().zip(columns) {
        for (cell, symbol) in cells.iter_mut().zip(column.chars().filter(|&c| c != '-')) {
            *cell = Cell::from_symbol(symbol).unwrap();
        }
    }
    Player {
        field: Cells::from_columns(cells).unwrap(),
        stock: stock.parse().unwrap(),
        gauge: Gauge::new(gauge.parse().unwrap()).unwrap(),
        score: score.parse().unwrap(),
    }
}

/// The lines of a turn that any simulator `F` plays.
fn turn_text<F: Simulate>(vector: &GoldenVector) -> String {
    let turn = vector.before.convert::<F>().play(&vector.pack, vector.actions).unwrap();
    let after = turn.after.convert::<Cells>();
    let end = match turn.after.end() {
        None => "-",
        Some((_, Verdict::Win(Seat::First))) => "0",
        Some((_, Verdict::Win(Seat::Second))) => "1",
        Some((_, Verdict::Draw)) => "draw",
    };
    let mut text = format!("turn {} {}\n", vector.before.turn, vector.name);
    let [a, b, c, d] = vector.pack.codes();
    let _ = writeln!(text, "pack {a} {b} {c} {d}");
    let mut both = |key: &str, words: &dyn Fn(Seat) -> String| {
        for seat in Seat::BOTH {
            let _ = writeln!(text, "{key} {} {}", seat.index(), words(seat));
        }
    };
    both("before", &|seat| player_words(&vector.before[seat]));
    both("skill", &|seat| {
        if vector.before[seat].gauge.allows_skill() { "yes" } else { "no" }.to_owned()
    });
    both("action", &|seat| vector.actions[seat.index()].to_string());
    both("result", &|seat| {
        let step = &turn.steps[seat.index()];
        format!("{} {} {}", step.chain.0, step.explosion.0, step.sent())
    });
    both("after", &|seat| player_words(&after[seat]));
    let _ = writeln!(text, "end {end}");
    text
}

/// A file of turns, each played by the simulator `F`.
fn turns_text<F: Simulate>(vectors: &[GoldenVector]) -> String {
    vectors.iter().fold(HEADER.to_owned(), |text, vector| text + "\n" + &turn_text::<F>(vector))
}

/// The file of the scores: chains of up to 20, explosions of up to 160 blocks.
fn scores_text() -> String {
    let mut text = HEADER.to_owned() + "\n";
    for chain in (0..=20).map(Chain) {
        let _ = writeln!(text, "chain {} {} {}", chain.0, chain.score(), chain.ojama());
    }
    for blown in (0..=160).map(Explosion) {
        let _ = writeln!(text, "explosion {} {} {}", blown.0, blown.score(), blown.ojama());
    }
    text
}

/// A line of `tests/data/vectors.jsonl`: the packs and the answers of a game.
#[derive(Deserialize)]
struct Game {
    packs: Vec<[[u8; 2]; 2]>,
    turns: Vec<Answers>,
}

#[derive(Deserialize)]
struct Answers {
    action: [String; 2],
}

/// The lines of `tests/data/vectors.jsonl` in `games.txt`, from 0: chains of 13; six skills.
const GAMES: [usize; 2] = [1, 41];

/// All turns of the [`GAMES`].
fn games() -> Vec<GoldenVector> {
    let lines: Vec<&str> = include_str!("../data/vectors.jsonl").lines().collect();
    let mut vectors = Vec::new();
    for (number, line) in GAMES.iter().zip(1..).map(|(&line, number)| (number, lines[line])) {
        let game: Game = serde_json::from_str(line).unwrap();
        let mut state = State::new();
        for (pack, answers) in game.packs.iter().zip(&game.turns) {
            let name = format!("game_{number}");
            let pack = Pack::new(pack.as_flattened().try_into().unwrap()).unwrap();
            let actions = [0, 1].map(|seat: usize| answers.action[seat].parse().unwrap());
            vectors.push(GoldenVector { name, before: state, pack, actions });
            state = state.play(&pack, actions).unwrap().after;
        }
        assert!(state.end().is_some(), "a whole game");
    }
    vectors
}

/// Names and contents of all files, by the reference simulator.
fn files() -> [(&'static str, String); 3] {
    [
        ("rules.txt", turns_text::<Cells>(&cases::all())),
        ("games.txt", turns_text::<Cells>(&games())),
        ("scores.txt", scores_text()),
    ]
}

/// Reads the inputs of a file of vectors: each turn, without its result.
pub fn read(name: &str) -> Vec<GoldenVector> {
    let text = std::fs::read_to_string(folder().join(name)).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let lines: Vec<Vec<&str>> = lines.map(|line| line.split(' ').collect()).collect();
    let turn = |lines: &[Vec<&str>]| {
        let keys: Vec<&str> = lines.iter().map(|line| line[0]).collect();
        assert_eq!(keys.join(" "), KEYS);
        let pack: Vec<u8> = lines[1][1..].iter().map(|word| word.parse().unwrap()).collect();
        GoldenVector {
            name: lines[0][2].to_owned(),
            before: State {
                turn: lines[0][1].parse().unwrap(),
                players: [2, 3].map(|line: usize| parse_player(&lines[line][2..])),
            },
            pack: Pack::new(pack.try_into().unwrap()).unwrap(),
            actions: [6, 7].map(|line: usize| lines[line][2..].join(" ").parse().unwrap()),
        }
    };
    assert_eq!(lines.len() % 13, 0);
    lines.chunks(13).map(turn).collect()
}

/// The first words of the lines of a turn.
const KEYS: &str =
    "turn pack before before skill skill action action result result after after end";

#[test]
#[ignore = "writes the files in examples/vectors"]
fn write_vectors() {
    for (name, text) in files() {
        std::fs::write(folder().join(name), text).unwrap();
    }
}

/// The files agree with the reference simulator.
#[test]
fn the_vectors_are_those_of_the_reference_simulator() {
    for (name, text) in files() {
        let written = std::fs::read_to_string(folder().join(name)).unwrap();
        let differs = written.lines().zip(text.lines()).find(|(written, due)| written != due);
        assert_eq!(differs, None, "{name}: run the test write_vectors");
        assert_eq!(written.len(), text.len(), "{name}: run the test write_vectors");
    }
}

/// Every turn that is read from the files has the result that stands there, in every simulator.
#[test]
fn every_simulator_passes_the_vectors() {
    for name in ["rules.txt", "games.txt"] {
        let text = std::fs::read_to_string(folder().join(name)).unwrap();
        let vectors = read(name);
        assert_eq!(turns_text::<Cells>(&vectors), text, "{name}");
        for backend in Backend::available() {
            Backend::choose(Some(backend));
            assert_eq!(turns_text::<Field>(&vectors), text, "{name}, {backend}");
        }
    }
}
