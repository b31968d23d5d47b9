//! Situation files: drawn turns of a game, and what a engine is to say of them. Their format:
//! `README.md` beside this file.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use tensai::clock::ManualClock;
use tensai::engine::{BestSoFar, Decision, Engine, TimeLimits, TurnClock};
use tensai::game::{Cells, Gauge, Pack, Packs, Player, Seat, State};
use tensai::protocol::Observation;

/// A folder of situations.
pub fn folder(name: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/situations").join(name);
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    let read = |file: &std::path::PathBuf| {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        (name, fs::read_to_string(file).unwrap())
    };
    files.iter().map(read).collect()
}

/// One turn of a situation file.
#[derive(Default)]
pub struct Situation {
    turn: usize,
    left: Option<u64>,
    nodes: Option<u64>,
    /// Options of the engine: name and value.
    pub set: Vec<(String, String)>,
    packs: Vec<Pack>,
    players: [Seen; 2],
    expect: Vec<String>,
}

/// What a situation says about a player.
#[derive(Default)]
struct Seen {
    numbers: String,
    drawing: String,
}

impl Situation {
    fn read(text: &str) -> Self {
        let mut situation = Self::default();
        let mut drawn = None;
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
            let Some((key, value)) = line.split_once(':') else {
                let player: usize = drawn.expect("a drawing belongs to a player");
                situation.players[player].drawing += &format!("{line}\n");
                continue;
            };
            let value = value.trim();
            match key {
                "turn" => situation.turn = value.parse().unwrap(),
                "left" => situation.left = Some(value.parse().unwrap()),
                "nodes" => situation.nodes = Some(value.parse().unwrap()),
                "preset" => situation.set.push((key.to_owned(), value.to_owned())),
                "set" => {
                    let (name, value) = value.split_once(' ').unwrap();
                    situation.set.push((name.to_owned(), value.to_owned()));
                }
                "packs" => situation.packs = value.split(',').map(pack).collect(),
                "own" | "opponent" => {
                    let player = usize::from(key == "opponent");
                    drawn = Some(player);
                    situation.players[player].numbers = value.to_owned();
                }
                "expect" => situation.expect.push(value.to_owned()),
                _ => panic!("what is `{line}`?"),
            }
        }
        situation
    }

    fn player(&self, index: usize, before: Option<Player<Cells>>) -> Player<Cells> {
        let Seen { numbers, drawing } = &self.players[index];
        let number = |name: &str| {
            let mut words = numbers.split_whitespace().skip_while(|word| *word != name);
            words.nth(1).map_or(0, |word| word.parse::<u64>().unwrap())
        };
        let field = if drawing.is_empty() {
            before.map_or(Cells::EMPTY, |player| player.field)
        } else {
            drawing.parse().unwrap()
        };
        let gauge = Gauge::new(number("gauge") as u8).unwrap();
        Player { field, stock: number("stock"), gauge, score: number("score") }
    }
}

fn pack(text: &str) -> Pack {
    let cells: Vec<u8> = text.split_whitespace().map(|cell| cell.parse().unwrap()).collect();
    Pack::new(cells.try_into().unwrap()).unwrap()
}

/// Plays the turns of a situation file and returns a description of each unaccepted answer.
pub fn play<M: Engine>(text: &str, engine: impl FnOnce(&Situation) -> M) -> Vec<String> {
    let turns: Vec<Situation> = text.split("\n---\n").map(Situation::read).collect();
    let mut packs: Vec<Pack> = Packs::from_seed(1).from_turn(0).to_vec();
    for turn in &turns {
        for (pack, &given) in packs[turn.turn..].iter_mut().zip(&turn.packs) {
            *pack = given;
        }
    }
    let packs = Packs::new(packs).unwrap();
    let mut engine = engine(&turns[0]);
    engine.new_game(&packs);
    let mut failures = Vec::new();
    let mut after: [Option<Player<Cells>>; 2] = [None; 2];
    for turn in &turns {
        let players = [0, 1].map(|index| turn.player(index, after[index]));
        let state = State { turn: turn.turn, players };
        let decision = decide(&mut engine, state, turn.left, turn.nodes);
        let pack = packs.get(turn.turn).unwrap();
        let step = state[Seat::First].step(pack, decision.action).unwrap();
        after = [Some(step.player), Some(players[1])];
        let said = serde_json::to_value(&decision.report).unwrap();
        for expected in &turn.expect {
            let (name, rest) = expected.split_once(' ').unwrap();
            let found = match name {
                "chain" => Some(Value::from(step.chain.0)),
                "action" => Some(Value::from(decision.action.to_string())),
                path => said.pointer(path).cloned(),
            };
            if !holds(found.as_ref(), rest) {
                failures.push(format!("turn {}: expected {expected}, said {said}", turn.turn));
            }
        }
    }
    failures
}

fn holds(found: Option<&Value>, expected: &str) -> bool {
    let (operator, value) = expected.split_once(' ').unwrap_or((expected, "null"));
    let value: Value = serde_json::from_str(value).unwrap();
    let numbers = || Some((found?.as_f64()?, value.as_f64()?));
    match operator {
        "absent" => found.is_none(),
        "=" => numbers().map_or(found == Some(&value), |(found, value)| found == value),
        "!=" => found.is_some() && found != Some(&value),
        "<" => numbers().is_some_and(|(found, value)| found < value),
        ">" => numbers().is_some_and(|(found, value)| found > value),
        _ => panic!("what is `{operator}`?"),
    }
}

/// Decides on one thread, by a clock that moves with each look at it: where time is what limits, a
/// busy machine searches as much as any.
pub fn decide(
    engine: &mut impl Engine,
    state: State<Cells>,
    left: Option<u64>,
    nodes: Option<u64>,
) -> Decision {
    let left = Duration::from_millis(left.unwrap_or(180_000));
    let rules = TimeLimits { nodes, ..TimeLimits::default() };
    let manual = ManualClock::leak(Duration::from_micros(50));
    let clock = TurnClock::new(manual.now(), left, &rules).with_source(manual.source());
    let observation = Observation { state, time_left: [left; 2] };
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    one_thread.install(|| engine.decide(&observation, &clock, &BestSoFar::default()))
}
