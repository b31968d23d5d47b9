//! The library as WebAssembly, run by Node, against this program: `.ci/wasm` builds it and names it in
//! `TENSAI_WASM`. Without that variable the test is skipped.

use std::env;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tensai::web::api::Method;

use super::{animation, asked, game};

/// Runs requests, and returns the answers.
fn in_node(module: &str, requests: &[Value]) -> Vec<Value> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api/run.mjs");
    let mut node = Command::new("node")
        .arg(script)
        .arg(module)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Node runs the module");
    let text: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let mut input = node.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = node.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The answer without what depends on the machine.
fn without_times(mut result: Value) -> Value {
    if let Some(object) = result.as_object_mut() {
        object.remove("time_ms");
        object.remove("backend");
        if let Some(report) = object.get_mut("report").and_then(Value::as_object_mut) {
            report.remove("time_ms");
        }
    }
    result
}

#[test]
fn webassembly_answers_as_this_program_does() {
    // Skipped unless `.ci/wasm` runs it.
    let Ok(module) = env::var("TENSAI_WASM") else { return };
    let game = game();
    let whole = asked(Method::Show, json!({ "game": game }));
    let mut requests = vec![
        (Method::Hello, json!({})),
        (Method::Show, json!({ "game": game, "from_turn": 9 })),
        (Method::Gif, animation()),
        (Method::Share, json!({ "game": game })),
        (Method::Share, json!({ "position": whole["position"] })),
        (Method::Review, json!({ "game": game, "seat": 1, "nodes": 2000, "from": 12, "to": 16 })),
        (Method::Puzzles, json!({ "games": [game], "packs": 2 })),
        (Method::Export, json!({ "game": game, "kind": "situation", "turn": 12 })),
    ];
    for turn in 0..24 {
        let part = json!({ "packs": game["packs"], "actions":
            game["actions"].as_array().unwrap()[..turn] });
        let position = asked(Method::Show, json!({ "game": part }))["position"].take();
        let seat = turn % 2;
        requests.push((Method::Choices, json!({ "position": position, "seat": seat })));
        let nodes = if turn % 8 == 7 { 450_000 } else { 30_000 };
        let params = json!({ "position": position, "seat": seat, "nodes": nodes });
        requests.push((Method::Decide, params));
        if turn % 6 == 5 {
            let params = json!({ "position": position, "nodes": 10_000, "lines": 2 });
            requests.push((Method::Analyse, params));
        }
    }
    let sent: Vec<Value> = requests
        .iter()
        .map(|(method, params)| json!({ "method": method, "params": params }))
        .chain([json!({ "method": "show", "params": {} })])
        .collect();
    let mut answers = in_node(&module, &sent);
    assert_eq!(answers.len(), sent.len());
    let refused = answers.pop().unwrap();
    assert_eq!(refused["error"]["code"], "bad_request", "{refused}");
    for ((method, params), mut answer) in requests.into_iter().zip(answers) {
        let expected = without_times(asked(method, params.clone()));
        let found = without_times(answer["result"].take());
        assert_eq!(found, expected, "{method:?}: {answer} {params}");
    }
}
