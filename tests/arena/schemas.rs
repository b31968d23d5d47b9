//! The JSON that the program writes fits the schemas in `docs/schemas`.
//!
//! The files, and altered ones that do not fit, are kept for `.ci/schemas`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::run::{ok_in, run_in};
use crate::running::run;
use crate::validator::{assert_fits, faults, keep, schema};
use crate::view_tools::data;

/// A turn-by-turn input of 16 turns.
const LOG: &[u8] = include_bytes!("../data/official_16_turns.txt");

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The `info` lines of a bot that reads the official log.
fn info_lines(arguments: &[&str]) -> Vec<Value> {
    let output = run(Path::new("."), arguments, LOG);
    assert!(output.status.success(), "{arguments:?}");
    let errors = String::from_utf8(output.stderr).unwrap();
    let lines = errors.lines().filter_map(|line| line.strip_prefix("info "));
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A match with a test, variables, limits of an engine, a won game and a fault.
const MATCH: &str = r#"
rounds = 2
seed = 5
sequential = true
sprt = { elo0 = 0, elo1 = 400, alpha = 0.4, beta = 0.4 }
[[engine]]
name = "a"
cmd = "tensai"
nodes = 2000
env = { A = "1" }
threads = 2
[[engine]]
name = "b"
cmd = "random"
dir = "."
start-time = "10m"
time = "1h"
"#;

/// Three matches in a folder: `played` of two engines, `failed`, in which one engine ends at once,
/// and `paired` of two versions.
fn play_matches(folder: &Path) {
    fs::write(folder.join("match.toml"), MATCH).unwrap();
    let arguments = ["match", "--config", "match.toml", "--records", "played", "--json"];
    let printed = ok_in(folder, &arguments);
    fs::write(folder.join("played-results.json"), printed).unwrap();
    let arguments = ["match", "--a", "sh -c 'echo x; exit 1'", "--b", "level1", "--gauntlet"];
    let arguments = [&arguments[..], &["--records", "failed", "--json"]].concat();
    let printed = String::from_utf8(run_in(folder, &arguments).stdout).unwrap();
    fs::write(folder.join("failed-results.json"), printed).unwrap();
    let versions = ["match", "--paired", "--engine", "level1", "--engine", "random"];
    let opponents = ["--engine", "greedy", "--records", "paired", "--json"];
    let printed = ok_in(folder, &[&versions[..], &opponents].concat());
    fs::write(folder.join("paired-results.json"), printed).unwrap();
}

#[test]
fn what_is_written_fits_the_schemas() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    play_matches(folder);
    for name in ["played", "failed", "paired"] {
        let sample = |file: &str| (format!("{name}-{file}"), folder.join(name).join(file));
        let (record, path) = sample("0001.json");
        assert_fits("record", &record, &read(&path));
        let (manifest, path) = sample("match.json");
        assert_fits("match", &manifest, &read(&path));
        let results = format!("{name}-results.json");
        assert_fits("results", &results, &read(&folder.join(&results)));
    }
    let fault = &read(&folder.join("failed/0001.json"))["result"]["faults"][0];
    assert!(fault.is_object(), "there is a fault to check: {fault}");
    assert!(read(&folder.join("paired-results.json"))["versions"].is_object());
    ok_in(folder, &["record", "page", "played", "failed", "-o", "page.html"]);
    let data = data(&folder.join("page.html"));
    let games = data["games"].as_array().unwrap();
    assert!(!games.is_empty());
    for (index, game) in games.iter().enumerate() {
        assert_fits("page", &format!("page-{index}"), game);
    }
    for (bot, arguments) in [
        ("planner", &["--nodes", "20000"][..]),
        ("random", &["--engine", "random", "--seed", "1"]),
        ("classic", &["--engine", "classic", "--nodes", "20000"]),
    ] {
        let lines = info_lines(arguments);
        assert!(lines.len() > 10, "{bot}: {lines:?}");
        for (turn, line) in lines.iter().enumerate() {
            assert_fits("info", &format!("{bot}-{turn}"), line);
        }
    }
    altered_files_do_not_fit(&read(&folder.join("played/0001.json")));
    altered_matches_do_not_fit(&read(&folder.join("played/match.json")));
}

/// Each change turns a value that fits into one that does not fit.
fn assert_each_differs(name: &str, value: &Value, changes: &[(&str, Value)]) {
    let schema = schema(name);
    let object = value.as_object().unwrap();
    let assert_differs = |sample: &str, altered: Value| {
        keep(&format!("altered/{name}"), sample, &altered);
        assert!(!faults(&schema, &altered).is_empty(), "{name}: {sample} is not noticed");
    };
    for member in schema["required"].as_array().unwrap() {
        let mut altered = object.clone();
        altered.remove(member.as_str().unwrap());
        assert_differs(&format!("without-{}", member.as_str().unwrap()), altered.into());
    }
    for (index, (place, new)) in changes.iter().enumerate() {
        let mut altered = value.clone();
        let old = altered.pointer_mut(place).unwrap_or_else(|| panic!("{name}: no {place}"));
        *old = new.clone();
        assert_differs(&format!("change-{index}"), altered);
    }
}

fn altered_files_do_not_fit(record: &Value) {
    // A player is not pinned, and has no cores in its record, while other matches hold all cores.
    let mut record = record.clone();
    record["players"][1]["cores"] = json!([0]);
    let changes = [
        ("/version", json!("1")),
        ("/version", json!(-1)),
        ("/packs", json!(["1 2 3 4"])),
        ("/packs/0/0", json!(256)),
        ("/turns/0/answers", json!(["0 0"])),
        ("/turns/0/answers", json!(["0 0", "0 0", "0 0"])),
        ("/turns/0/answers/1", json!(7)),
        ("/turns/0/think_us/0", json!(1.5)),
        ("/turns/0", json!(null)),
        ("/players/0/usage", json!({ "peak_kib": 1 })),
        ("/players/1/cores", json!(["a"])),
        ("/result/verdict", json!("won")),
        ("/result/end", json!("late")),
        ("/result/scores", json!([1, -1])),
        ("/limits/game_ms", json!(null)),
    ];
    assert_each_differs("record", &record, &changes);
}

fn altered_matches_do_not_fit(manifest: &Value) {
    let changes = [
        ("/pairing", json!("swiss")),
        ("/engines/0/env/A", json!(1)),
        ("/engines/0/threads", json!(0)),
        ("/engines/0", json!({ "name": "a", "cmd": "b", "threads": 1, "speed": 2 })),
        ("/sprt/alpha", json!("5 %")),
        ("/sprt", json!(false)),
    ];
    assert_each_differs("match", manifest, &changes);
}

#[test]
fn a_member_that_the_schema_does_not_name_is_a_fault() {
    let schema = json!({ "properties": { "a": { "type": "integer" } } });
    assert_eq!(faults(&schema, &json!({ "a": 1, "b": 2 })), ["/b: not in the schema"]);
}

#[test]
#[should_panic(expected = "unknown keyword `multipleOf`")]
fn an_unknown_keyword_fails() {
    faults(&json!({ "items": { "multipleOf": 2 } }), &json!([2]));
}
