//! The classic mind in drawn situations (`tests/situations/classic`), and as a process.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use rand::SeedableRng as _;
use rand::rngs::SmallRng;
use serde_json::Value;
use tensai::game::{Cells, Gauge, Pack, Packs, Player, Seat, State};
use tensai::mind::classic::{Parameters, Preset};
use tensai::mind::{Classic, Clock, Decision, Draft, Mind as _, TimeRules};
use tensai::packed::FourPlanes;
use tensai::protocol::Sight;
use tensai::simd::Portable;

const SITUATIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/situations/classic");

/// One turn of a situation file.
#[derive(Default)]
struct Situation {
    turn: usize,
    left: Option<u64>,
    nodes: Option<u64>,
    preset: Preset,
    set: Vec<(String, String)>,
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
                "preset" if value == "online" => situation.preset = Preset::Online,
                "preset" if value == "submission" => situation.preset = Preset::Submission,
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

    /// The parameters, with the few that situations set.
    fn parameters(&self) -> Parameters {
        let mut parameters = Parameters::of(self.preset);
        for (name, value) in &self.set {
            let value: usize = value.parse().unwrap();
            match name.as_str() {
                "opening-width" => parameters.opening.width = value,
                "opening-cap" => parameters.opening.cap = value,
                "later-width" => parameters.later.width = value,
                "later-cap" => parameters.later.cap = value,
                "rival-width" => parameters.rival.width = value,
                "rival-cap" => parameters.rival.cap = value,
                "unquestioned" => parameters.unquestioned = value,
                _ => panic!("`{name}` cannot be set here"),
            }
        }
        parameters
    }
}

fn pack(text: &str) -> Pack {
    let cells: Vec<u8> = text.split_whitespace().map(|cell| cell.parse().unwrap()).collect();
    Pack::new(cells.try_into().unwrap()).unwrap()
}

/// Plays a situation file's turns, and says what was not as expected.
fn play(text: &str) -> Vec<String> {
    let turns: Vec<Situation> = text.split("\n---\n").map(Situation::read).collect();
    let mut packs: Vec<Pack> =
        Packs::generate(&mut SmallRng::seed_from_u64(1)).from_turn(0).to_vec();
    for turn in &turns {
        for (pack, &given) in packs[turn.turn..].iter_mut().zip(&turn.packs) {
            *pack = given;
        }
    }
    let packs = Packs::new(packs).unwrap();
    let mut mind = Classic::<FourPlanes<Portable>>::new(turns[0].parameters(), false);
    mind.new_game(&packs);
    let mut failures = Vec::new();
    let mut after: [Option<Player<Cells>>; 2] = [None; 2];
    for turn in &turns {
        let players = [0, 1].map(|index| turn.player(index, after[index]));
        let state = State { turn: turn.turn, players };
        let decision = decide(&mut mind, state, turn.left, turn.nodes);
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

fn decide(
    mind: &mut Classic<FourPlanes<Portable>>,
    state: State<Cells>,
    left: Option<u64>,
    nodes: Option<u64>,
) -> Decision {
    let left = Duration::from_millis(left.unwrap_or(180_000));
    let rules = TimeRules { nodes, ..TimeRules::default() };
    let clock = Clock::new(Instant::now(), left, &rules);
    let sight = Sight { state, time_left: [left; 2] };
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    one_thread.install(|| mind.decide(&sight, &clock, &Draft::default()))
}

#[test]
fn situations_are_played_as_drawn() {
    let mut failures = Vec::new();
    let mut files: Vec<_> =
        fs::read_dir(SITUATIONS).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    assert!(files.len() >= 15, "the situations are there");
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let found = play(&fs::read_to_string(&file).unwrap());
        failures.extend(found.into_iter().map(|failure| format!("{name}: {failure}")));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The plan of the opening stays off the outer columns, and reaches its target.
#[test]
fn the_opening_is_built_between_the_outer_columns() {
    for seed in 0..2 {
        let packs = Packs::generate(&mut SmallRng::seed_from_u64(seed));
        let parameters = Parameters::of(Preset::Submission);
        let mut mind = Classic::<FourPlanes<Portable>>::new(parameters, false);
        mind.new_game(&packs);
        let decision = decide(&mut mind, State::new(), None, Some(8_000_000));
        let classic = decision.report.classic.unwrap();
        let beam = classic.beam.unwrap();
        let columns = |drop: &String| (b'2'..=b'6').contains(&drop.as_bytes()[0]);
        assert!(beam.path.iter().all(columns), "{:?}", beam.path);
        if let Some(depth) = beam.target_depth {
            assert_eq!(decision.report.plan.len(), depth, "it ends where 12 can be set off");
        }
    }
}

/// The same position and drops: the same decision.
#[test]
fn decisions_repeat() {
    let field: Cells = "3....6....\n2..4.8....\n1..24791..".parse().unwrap();
    let player = Player { field, ..Player::new() };
    let state = State { turn: 12, players: [player; 2] };
    let packs = Packs::generate(&mut SmallRng::seed_from_u64(3));
    let mut decisions = (0..2).map(|_| {
        let mut mind = Classic::new(Parameters::of(Preset::Online), false);
        mind.new_game(&packs);
        let report = decide(&mut mind, state, None, Some(3_000_000)).report;
        (report.action, report.value, report.nodes)
    });
    assert_eq!(decisions.next(), decisions.next());
}

/// Sixteen turns of the contest's own server.
const LOG: &str = include_str!("data/official_16_turns.txt");

struct Run {
    code: Option<i32>,
    answers: Vec<String>,
    errors: String,
}

fn run(arguments: &str, input: &str) -> Run {
    let input_file = tempfile::NamedTempFile::new().unwrap();
    fs::write(input_file.path(), input).unwrap();
    let output = Command::new(cargo_bin("tensai"))
        .args(arguments.split_whitespace())
        .stdin(Stdio::from(input_file.reopen().unwrap()))
        .output()
        .unwrap();
    Run {
        code: output.status.code(),
        answers: String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect(),
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}

const CLASSIC: &str = "--mind classic --threads 1 --nodes 60000";

#[test]
fn the_process_plays_the_same_moves_on_every_backend() {
    let first = run(CLASSIC, LOG);
    assert_eq!(first.code, Some(0), "{}", first.errors);
    assert_eq!(first.answers.len(), 1 + 16);
    assert_eq!(run(CLASSIC, LOG).answers, first.answers);
    assert_eq!(run(&format!("{CLASSIC} --backend portable"), LOG).answers, first.answers);
    assert!(first.errors.lines().filter(|line| line.starts_with("info {")).count() == 16);
}

#[test]
fn one_turn_of_one_game_can_be_looked_at() {
    let two_games = LOG.trim_end().to_owned() + "\n" + LOG;
    let seen = run(&format!("{CLASSIC} --game 2 --turn 9 --verbose"), &two_games);
    assert_eq!((seen.code, seen.answers.len()), (Some(0), 2), "{}", seen.errors);
    let views =
        ["turn 9: we, and the opponent", "the opponent's tables", "the best line", "turn 9: "];
    for view in views {
        assert!(seen.errors.contains(view), "{view}: {}", seen.errors);
    }
    let game = run(&format!("{CLASSIC} --game 1"), &two_games);
    assert_eq!(game.answers.len(), 1 + 16);
}

#[test]
fn parameters_are_options() {
    let help = run("--help", "").answers.join("\n");
    for option in ["--preset", "--opening-width", "--later-margin", "--weight-may-strike"] {
        assert!(help.contains(option), "{option}");
    }
    let other = run(&format!("{CLASSIC} --preset online --closed-columns 4 --turn 0"), LOG);
    assert!(other.errors.contains(r#""path":["4 "#), "one position is left: {}", other.errors);
    for (arguments, message) in [
        ("--opening-width 5", "--opening-width needs --mind classic"),
        ("--mind clasic", "'classic'"),
        ("--mind classic --closed-columns 5", "5 is not in 0..=4"),
        ("--mind classic --plies 5", "expected 1 to 4"),
    ] {
        let refused = run(arguments, "");
        assert_eq!(refused.code, Some(2), "{arguments}");
        assert!(refused.errors.contains(message), "{arguments}: {}", refused.errors);
    }
}
