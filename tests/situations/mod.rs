//! Situation files: turns of a game, and the expected decisions of an engine. `README.md`
//! beside this file names the folders, `src/analysis/situation.rs` has the format.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use tensai::analysis::Situation;
use tensai::engine::{BestSoFar, Decision, Engine, TimeLimits, TurnClock};
use tensai::game::{Cells, Pack, Packs, Seat, State};
use tensai::protocol::Observation;
use tensai::util::clock::ManualClock;

/// A folder of situations.
pub fn folder(name: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/situations").join(name);
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let read = |file: &std::path::PathBuf| {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        (name, fs::read_to_string(file).unwrap())
    };
    files.iter().map(read).collect()
}

/// Plays the turns of a situation. Returns the expectations that failed.
pub fn play<M: Engine>(text: &str, engine: impl FnOnce(&Situation) -> M) -> Vec<String> {
    let situation: Situation = text.parse().unwrap_or_else(|error| panic!("{error}"));
    let mut packs: Vec<Pack> = Packs::from_seed(1).from_turn(0).to_vec();
    for turn in situation.turns() {
        for (pack, &given) in packs[turn.turn..].iter_mut().zip(&turn.packs) {
            *pack = given;
        }
    }
    let packs = Packs::new(packs).unwrap();
    let mut engine = engine(&situation);
    engine.new_game();
    let mut failures = Vec::new();
    let mut before = [Cells::EMPTY; 2];
    for turn in situation.turns() {
        let sides = [turn.own, turn.opponent.unwrap_or_default()];
        let player = |index: usize| {
            let side = sides[index];
            side.player(side.field.unwrap_or(before[index]))
        };
        let players = [player(0), player(1)];
        let state = State { turn: turn.turn, players };
        let decision = decide(&mut engine, &packs, state, turn.time, turn.nodes);
        let pack = packs.get(turn.turn).unwrap();
        let step = state[Seat::First].step(pack, decision.action).unwrap();
        before = [step.player.field, players[1].field];
        let said = serde_json::to_value(&decision.report).unwrap();
        for expected in &turn.expect {
            let found = match expected.subject.as_str() {
                "chain" => Some(Value::from(step.chain.0)),
                "action" => Some(Value::from(decision.action.to_string())),
                path => said.pointer(path).cloned(),
            };
            if !expected.is_met(found.as_ref()) {
                failures.push(format!("turn {}: expected {expected}, said {said}", turn.turn));
            }
        }
    }
    failures
}

/// Decides on one thread, by a clock that moves with each look at it: where time is what limits, a
/// busy machine searches as much as any.
pub fn decide(
    engine: &mut impl Engine,
    packs: &Packs,
    state: State<Cells>,
    left: Option<Duration>,
    nodes: Option<u64>,
) -> Decision {
    let left = left.unwrap_or(Duration::from_secs(180));
    let rules = TimeLimits { nodes, ..TimeLimits::default() };
    let manual = ManualClock::leak(Duration::from_micros(50));
    let clock = TurnClock::new(manual.now(), left, &rules).with_source(manual.source());
    let observation = Observation { state, time_left: [left; 2] };
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    one_thread.install(|| engine.decide(packs, &observation, &clock, &BestSoFar::default()))
}
