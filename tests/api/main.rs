//! The answers to a page, compared with the command line, with the schemas, and with WebAssembly.
#![cfg(all(feature = "arena", target_os = "linux"))]

#[path = "../schemas/mod.rs"]
mod schemas;
mod wasm;

use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};
use tensai::web::api::{ApiError, Method, NoProgress, handle};

/// The name of a method.
fn name(method: Method) -> String {
    serde_json::from_value(json!(method)).unwrap()
}

/// Answers a request.
fn answer(method: &str, params: Value) -> Result<Value, ApiError> {
    let result = handle(method, &params.to_string(), &mut NoProgress::default())?;
    Ok(serde_json::from_str(result.get()).unwrap())
}

/// Answers a request on one thread, on which a result depends on the parameters alone.
fn asked(method: Method, params: Value) -> Value {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let result = pool.install(|| answer(&name(method), params));
    let result = result.unwrap_or_else(|error| panic!("{}: {error}", name(method)));
    let schema = schema(method, "result");
    let faults = schemas::faults(&schema, &result);
    assert!(faults.is_empty(), "{}: {}", name(method), faults.join("\n"));
    result
}

/// The schema of the parameters or the result of a method.
fn schema(method: Method, part: &str) -> Value {
    static SCHEMA: LazyLock<Value> = LazyLock::new(|| schemas::schema("api"));
    let mut whole = SCHEMA.clone();
    let exchange = &whole["properties"][name(method)];
    let exchange = match exchange["$ref"].as_str() {
        Some(pointer) => &whole.pointer(&pointer[1..]).unwrap().clone(),
        None => exchange,
    };
    let schema = exchange["properties"][part].as_object().expect("a schema").clone();
    let object = whole.as_object_mut().unwrap();
    object.retain(|key, _| key == "$defs");
    object.extend(schema);
    whole
}

/// Runs the program and returns what it says.
fn said(folder: &Path, words: &[&str]) -> String {
    let output =
        Command::new(cargo_bin("tensai")).args(words).current_dir(folder).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// A game between two weak engines, played through the methods.
fn game() -> Value {
    static GAME: LazyLock<Value> = LazyLock::new(|| {
        let mut game = asked(Method::NewGame, json!({ "seed": 11 }))["game"].take();
        game["names"] = json!(["tensai", "greedy"]);
        for turn in 0..24 {
            let shown = asked(Method::Show, json!({ "game": game, "from_turn": turn }));
            assert_eq!((&shown["legal"], &shown["over"]), (&json!(true), &Value::Null));
            let position = &shown["position"];
            let first = json!({ "position": position, "nodes": 3000 });
            let second = json!({ "position": position, "seat": 1, "engine": "greedy" });
            let actions =
                [first, second].map(|params| asked(Method::Decide, params)["action"].take());
            game["actions"].as_array_mut().unwrap().push(json!(actions));
            let times = game.as_object_mut().unwrap().entry("think_ms").or_insert(json!([]));
            times.as_array_mut().unwrap().push(json!([40, 1]));
        }
        game
    });
    GAME.clone()
}

/// The game's record in a folder of its own.
fn recorded(game: &Value) -> (tempfile::TempDir, Value) {
    let folder = tempfile::tempdir().unwrap();
    let exported = asked(Method::Export, json!({ "game": game, "kind": "record" }));
    std::fs::write(folder.path().join("game.json"), exported["text"].as_str().unwrap()).unwrap();
    (folder, exported)
}

#[test]
fn a_record_is_accepted_by_the_command_line() {
    let game = game();
    let (folder, exported) = recorded(&game);
    let checked = said(folder.path(), &["record", "check", "game.json"]);
    assert!(checked.contains("tensai - greedy: cut short after 24 turns"), "{checked}");
    let imported = asked(Method::Import, json!({ "text": exported["text"], "name": "game.json" }));
    assert_eq!(imported["kind"], "record");
    for key in ["packs", "seed", "actions", "names", "think_ms"] {
        assert_eq!(imported["game"][key], game[key], "{key}");
    }
    let situation =
        asked(Method::Export, json!({ "game": game, "kind": "situation", "turn": 12, "seat": 1 }));
    let printed = said(folder.path(), &["replay", "situation", "game.json", "12", "--seat", "1"]);
    let without_time = |text: &str| -> String {
        text.lines()
            .filter(|line| !line.starts_with("time"))
            .map(|line| format!("{line}\n"))
            .collect()
    };
    assert_eq!(situation["text"].as_str().unwrap(), without_time(&printed));
    let input = asked(Method::Export, json!({ "game": game, "kind": "input", "seat": 1 }));
    let printed = said(folder.path(), &["record", "input", "game.json", "--seat", "1"]);
    assert_eq!(input["text"], printed.as_str());
}

/// The parameters and the result of each method in one value, as the schema has them.
#[test]
fn each_method_is_as_in_the_schema() {
    let game = game();
    let shown = asked(Method::Show, json!({ "game": game }));
    let position = &shown["position"];
    let exported = asked(Method::Export, json!({ "game": game, "kind": "record" }));
    let shared = asked(Method::Share, json!({ "position": position }));
    let found = asked(Method::Puzzles, json!({ "games": [game], "packs": 2 }));
    let puzzle = &found["puzzles"][0];
    let mut all = serde_json::Map::new();
    let methods = schemas::schema("api");
    let methods = methods["properties"].as_object().unwrap().keys();
    for method in methods.filter_map(|name| Method::of_name(name).ok()) {
        let params = match method {
            Method::Hello => json!({}),
            Method::NewGame => json!({ "seed": 11 }),
            Method::Show => json!({ "game": game, "from_turn": 20 }),
            Method::Choices => json!({ "position": position, "seat": 0 }),
            Method::Decide => json!({ "position": position, "seat": 1, "nodes": 2000 }),
            Method::Analyse => json!({ "position": position, "nodes": 2000, "lines": 2 }),
            Method::Review => json!({ "game": game, "nodes": 500, "from": 3, "to": 4 }),
            Method::Import => json!({ "text": exported["text"], "name": "game.json" }),
            Method::Export => json!({ "game": game, "kind": "input", "seat": 1 }),
            Method::Gif => animation(),
            Method::Share => json!({ "game": game }),
            Method::Unshare => json!({ "text": shared["text"] }),
            Method::Puzzles => json!({ "games": [game], "packs": 2 }),
            Method::TryPuzzle => json!({ "puzzle": puzzle, "actions": puzzle["solution"] }),
        };
        let result = asked(method, params.clone());
        all.insert(name(method), json!({ "params": params, "result": result }));
    }
    all.insert("progress".into(), json!({ "nodes": 1000 }));
    let refused = answer("show", json!({ "games": [] })).unwrap_err();
    all.insert("error".into(), serde_json::to_value(&refused).unwrap());
    schemas::assert_fits("api", "all", &all.into());
}

/// An animation of two frames: two red pixels, then one of them is blue for a second.
fn animation() -> Value {
    let frames = json!([
        { "left": 0, "top": 0, "width": 2, "height": 1, "ms": 300, "pixels": "eJxjYAAAAAIAAQ==" },
        { "left": 1, "top": 0, "width": 1, "height": 1, "ms": 1000, "pixels": "eJxjBAAAAgAC" },
    ]);
    json!({ "width": 2, "height": 1, "palette": "ff00000000ff", "frames": frames })
}

#[test]
fn an_analysis_equals_a_turn_of_replay() {
    let game = game();
    let (folder, _) = recorded(&game);
    for (turn, seat) in [(5, 0), (18, 1)] {
        let shown = json!({ "game": { "packs": game["packs"], "seed": 11,
            "actions": game["actions"].as_array().unwrap()[..turn] } });
        let position = asked(Method::Show, shown)["position"].take();
        let played = &game["actions"][turn][seat];
        let params = json!({
            "position": position, "seat": seat, "nodes": 20_000, "lines": 3, "played": played,
        });
        let mut analysis = asked(Method::Analyse, params);
        let (turn, seat) = (turn.to_string(), seat.to_string());
        let mut printed: Value = serde_json::from_str(&said(
            folder.path(),
            &[
                "replay",
                "turn",
                "game.json",
                &turn,
                "--seat",
                &seat,
                "--nodes",
                "20000",
                "--threads",
                "1",
                "--json",
            ],
        ))
        .unwrap();
        for value in [&mut analysis, &mut printed] {
            value["report"].as_object_mut().unwrap().remove("time_ms");
        }
        let lines = analysis["candidates"].as_array_mut().unwrap().iter_mut();
        let lines: Vec<Value> = lines
            .filter_map(|candidate| candidate.as_object_mut().unwrap().remove("line"))
            .collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(printed["played"], json!([played]));
        for key in ["turn", "seat", "chosen", "candidates", "report"] {
            assert_eq!(analysis[key], printed[key], "{key} of turn {turn}, seat {seat}");
        }
        assert_eq!(analysis["report"]["potential_by_rows"], analysis["potential_by_rows"]);
        // Each line can be played, and ends in its chain.
        for line in analysis["attacks"][0].as_array().unwrap().iter().chain(&lines) {
            let chain = played_line(&position, seat.parse().unwrap(), line);
            if line["chain"] != 0 {
                assert_eq!(chain, line["chain"], "{line}");
            }
        }
    }
}

/// Plays a line without the opponent, and returns the chain of its last action.
fn played_line(position: &Value, seat: usize, line: &Value) -> Value {
    let (mut position, mut chain) = (position.clone(), Value::Null);
    position["players"][1 - seat] = json!({});
    position["seed"] = Value::Null;
    for action in line["actions"].as_array().unwrap() {
        let choices = asked(Method::Choices, json!({ "position": position, "seat": seat }));
        let choices = choices.as_array().unwrap();
        let choice = choices.iter().find(|choice| choice["action"] == *action).expect("a choice");
        chain = choice["chain"].clone();
        let packs = position["packs"].as_str().unwrap().to_owned();
        let start = position.clone();
        let mut actions = json!(["0 0", "0 0"]);
        actions[seat] = action.clone();
        let game = json!({ "packs": packs, "start": start, "actions": [actions] });
        let players = position["players"].clone();
        position = asked(Method::Show, json!({ "game": game }))["position"].take();
        position["players"][1 - seat] = players[1 - seat].clone();
        if position["packs"] == "" {
            break;
        }
    }
    chain
}

/// In one of its turns, the player drops elsewhere than it did, and loses its best chain.
#[test]
fn a_turn_that_costs_win_probability_is_played_out() {
    let game = game();
    let review = |turn: usize, drop: &str, playouts: usize| {
        let mut blundered = game.clone();
        let actions = blundered["actions"].as_array_mut().unwrap();
        actions.truncate(turn + 2);
        actions[turn][0] = json!(drop);
        let params =
            json!({ "game": blundered, "nodes": 100_000, "from": turn, "playouts": playouts });
        asked(Method::Review, params)["reviews"].take()
    };
    let drops = (8..22).flat_map(|turn| ["0 0", "4 0", "8 0"].map(|drop| (turn, drop)));
    let played_out = drops.map(|(turn, drop)| (turn, drop, review(turn, drop, 4)));
    let mut played_out = played_out.filter(|(.., reviews)| reviews[0]["playouts"].is_object());
    let (turn, drop, reviews) = played_out.next().expect("a blunder");
    let playouts = &reviews[0]["playouts"];
    assert_eq!(
        (playouts["playouts"].as_u64(), reviews[0]["played"].as_str()),
        (Some(4), Some(drop))
    );
    assert!(reviews[1]["playouts"].is_null(), "there is no later turn: {reviews}");
    assert!(review(turn, drop, 0)[0]["playouts"].is_null());
}

#[test]
fn a_review_equals_the_blunders_of_replay() {
    let game = game();
    let (folder, _) = recorded(&game);
    let params = json!({ "game": game, "seat": 1, "nodes": 2000, "playouts": 4 });
    let review = asked(Method::Review, params);
    let reviews = review["reviews"].as_array().unwrap();
    assert_eq!((reviews.len(), review["chance"].as_array().unwrap().len()), (24, 24));
    let printed: Value = serde_json::from_str(&said(
        folder.path(),
        &[
            "replay",
            "blunders",
            "game.json",
            "--seat",
            "1",
            "--nodes",
            "2000",
            "--playouts",
            "4",
            "--threads",
            "1",
            "--json",
        ],
    ))
    .unwrap();
    assert_eq!(review["accuracy"], printed["accuracy"]);
    let printed = printed["moves"].as_array().unwrap();
    assert!(!printed.is_empty(), "a greedy engine loses value");
    let ranked = |review: &&Value| review["rank"].is_number();
    assert_eq!(reviews.iter().filter(ranked).count(), printed.len());
    for (rank, lost) in (1..).zip(printed) {
        let review = &reviews[lost["turn"].as_u64().unwrap() as usize];
        assert_eq!(review["rank"], rank, "one answer to where the game was lost");
        for key in ["turn", "played", "best", "better", "lost", "lost_chance", "mark", "playouts"] {
            assert_eq!(review[key], lost[key], "{key}");
        }
        let values = [&review["played_value"], &review["best_value"]];
        assert_eq!(lost["alpha_beta"], json!(values.map(|value| &value["alpha_beta"])));
        assert_eq!(lost["plan"], json!(values.map(|value| &value["plan"])));
        assert_eq!(lost["chance"], json!([review["chance"], review["after"]]));
        let lost = review["lost_chance"].as_f64().unwrap();
        assert_eq!(review["mark"] == "blunder", lost >= 0.15, "{review}");
        assert_eq!(review["line"][0], review["best"]);
    }
    let part = json!({ "game": game, "seat": 1, "nodes": 2000, "from": 3, "to": 4 });
    let without = |reviews: &Value| -> Vec<Value> {
        let mut reviews = reviews.as_array().unwrap().clone();
        // Ranks count the reviewed turns alone; this part asks for no playouts.
        // The win probability after the last of them is that of a turn which is not reviewed.
        for key in ["rank", "playouts", "lost_chance", "mark", "better", "after"] {
            reviews.iter_mut().for_each(|review| review[key] = Value::Null);
        }
        reviews
    };
    let part = asked(Method::Review, part);
    assert_eq!(without(&part["reviews"]), without(&json!(reviews[3..=4])));
    // The turns of an opening, in which both act alike, are not the player's.
    let mut opened = game.clone();
    let actions = opened["actions"].as_array_mut().unwrap();
    for pair in &mut actions[..2] {
        pair[1] = pair[0].clone();
    }
    actions.truncate(5);
    assert_ne!(actions[2][0], actions[2][1]);
    for (opening, reviewed) in [(0, [0, 1, 2, 3, 4].as_slice()), (2, &[2, 3, 4]), (4, &[2, 3, 4])] {
        opened["details"] = json!({ "opening": opening });
        let params = json!({ "game": opened, "seat": 1, "nodes": 2000 });
        let reviews = asked(Method::Review, params)["reviews"].take();
        let turns: Vec<&Value> = reviews.as_array().unwrap().iter().map(|it| &it["turn"]).collect();
        assert_eq!(json!(turns), json!(reviewed));
        let params = json!({ "game": opened, "seat": 1, "nodes": 2000, "to": 1 });
        let count = if opening == 0 { 2 } else { 0 };
        assert_eq!(asked(Method::Review, params)["reviews"].as_array().unwrap().len(), count);
    }
    for (range, message) in [
        (json!({ "from": 24 }), "`from`: expected a turn of the game, 0 or more and less than 24,"),
        (json!({ "to": 400 }), "`to`: expected a turn of the game, 0 or more and less than 24,"),
        (json!({ "from": 4, "to": 3 }), "`from`: expected at most `to`, 3, found 4"),
    ] {
        let mut params = json!({ "game": game, "nodes": 2000 });
        params.as_object_mut().unwrap().extend(range.as_object().unwrap().clone());
        let refused = answer("review", params).unwrap_err().message;
        assert!(refused.starts_with(message), "{refused}");
    }
}

#[test]
fn puzzles_equal_those_of_the_command_line() {
    let game = game();
    let (folder, _) = recorded(&game);
    let found = asked(Method::Puzzles, json!({ "games": [game], "packs": 2 }));
    let report =
        said(folder.path(), &["record", "puzzles", "game.json", "--packs", "2", "-o", "p.json"]);
    let text = std::fs::read_to_string(folder.path().join("p.json")).unwrap();
    let count = found["puzzles"].as_array().unwrap().len();
    assert!(report.starts_with(&format!("p.json: {count} puzzle")), "{report}");
    assert_eq!(asked(Method::Puzzles, json!({ "text": text })), found);
    schemas::assert_fits("puzzles", "puzzles", &serde_json::from_str(&text).unwrap());
    for puzzle in found["puzzles"].as_array().unwrap() {
        let tried = json!({ "puzzle": puzzle, "actions": puzzle["solution"] });
        assert_eq!(asked(Method::TryPuzzle, tried)["solved"], true, "{puzzle}");
    }
    let again = Command::new(cargo_bin("tensai"))
        .args(["record", "puzzles", "game.json", "-o", "p.json"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(again.status.code(), Some(2), "no file is overwritten");
}

#[test]
fn a_shared_game_is_the_game() {
    let mut game = game();
    let shared = asked(Method::Share, json!({ "game": game }));
    assert!(shared["text"].as_str().unwrap().len() < 250, "{shared}");
    game.as_object_mut().unwrap().remove("think_ms");
    assert_eq!(asked(Method::Unshare, json!({ "text": shared["text"] }))["game"], game);
}

#[test]
fn two_stocks_are_not_analysed() {
    let players = [json!({ "stock": 12 }), json!({ "stock": 5 })];
    let position = json!({ "turn": 490, "packs": "1230", "players": players });
    let params = json!({ "position": position, "nodes": 1000 });
    let refused = answer("analyse", params).unwrap_err();
    assert_eq!(
        refused.message,
        "`position.players`: expected a `stock` of 0 for one player, because stocks offset each \
         other, found 12 and 5"
    );
}

#[test]
fn an_unknown_method_and_an_unknown_field_are_named() {
    let refused = |method: &str, params: Value| answer(method, params).unwrap_err().message;
    assert!(
        refused("win", json!({})).starts_with("unknown method `win`, expected one of `hello`, ")
    );
    let misspelt = refused("new_game", json!({ "sead": 1 }));
    assert_eq!(misspelt, "unknown field `sead`, expected `seed` or `packs_text`");
    let wrong = refused("show", json!({ "game": { "packs": 7 } }));
    assert_eq!(wrong, "`game.packs`: expected a text, found `7`");
    asked(Method::Hello, json!({}));
}

#[test]
fn a_truncated_input_is_imported_with_a_warning() {
    let log = include_str!("../data/official_16_turns.txt");
    let imported = |lines: usize| {
        let text: String = log.split_inclusive('\n').take(lines).collect();
        asked(Method::Import, json!({ "text": text, "name": "dump.txt" }))
    };
    let (whole, cut) = (imported(1500 + 10 * 43), imported(1500 + 10 * 43 + 20));
    assert_eq!((&cut["game"], &whole["warning"]), (&whole["game"], &Value::Null));
    let warning = cut["warning"].as_str().unwrap();
    assert!(
        warning.starts_with("dump.txt: it is truncated, and only its whole turns are read: "),
        "{warning}"
    );
}
