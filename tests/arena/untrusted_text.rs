//! Hostile records, settings, file names and bots: no command hands their control characters to a
//! terminal, prints them without an end, or panics.

use std::fs::{self, File};
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::run::{ok_in, run_in};

/// Text that a terminal interprets: escape sequences, control characters, and marks that reverse
/// the order of the characters after them.
const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;t\u{7}\r\u{9b}31m\u{202e}\u{2066}\u{0}x";

/// The part of [`HOSTILE`] that a file name may contain.
const NAME: &str = "\u{1b}[2J\u{1b}]0;t\u{7}\r\u{202e}x";

/// [`HOSTILE`] with 5 MB behind it.
fn endless() -> String {
    format!("{HOSTILE}{}", "7".repeat(5_000_000))
}

/// More bytes than a command prints about these games: a table of some hundred turns takes 16 kB.
const MOST: usize = 64_000;

/// Whether a terminal interprets a character instead of showing it.
fn is_hostile(c: char) -> bool {
    c.is_control() && c != '\n' || "\u{202e}\u{2066}\u{2069}\u{200b}\u{feff}".contains(c)
}

/// Returns the text without this program's own colors.
fn uncoloured(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('m') {
            Some((code, rest)) if ["0", "7"].contains(&code) || code.starts_with("38;5;") => {
                plain += rest;
            }
            _ => plain += &format!("\u{1b}[{part}"),
        }
    }
    plain
}

/// Checks that the output of a run is safe for a terminal. Returns the text of both streams.
fn is_fit(arguments: &[&str], output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr].concat();
    let text = String::from_utf8(text).unwrap_or_else(|_| panic!("{arguments:?}: no UTF-8"));
    assert!(text.len() < MOST, "{arguments:?}: {} bytes", text.len());
    let hostile = uncoloured(&text).chars().find(|&c| is_hostile(c));
    assert_eq!(hostile, None, "{arguments:?}: {text:?}");
    assert!(
        matches!(output.status.code(), Some(0..=2)),
        "{arguments:?}: {:?} {text}",
        output.status
    );
    text
}

/// Runs a command, and checks that its output is safe for a terminal.
fn runs(folder: &Path, arguments: &[&str]) -> String {
    is_fit(arguments, &run_in(folder, arguments))
}

/// A game of two bots that drop at random, in `good/0001.json`.
fn good_record(folder: &Path) -> Value {
    let bots = ["--a", "tensai --engine random", "--b", "tensai --engine random --seed 1"];
    ok_in(folder, &[&["match", "--seed", "3", "--records", "good"], &bots[..]].concat());
    serde_json::from_slice(&fs::read(folder.join("good/0001.json")).unwrap()).unwrap()
}

/// Returns every command that reads a file of any kind. `made` has the names of the written files.
fn readers<'a>(file: &'a str, made: &'a [String; 3]) -> Vec<Vec<&'a str>> {
    let [input, page, data] = made;
    let random = "tensai --engine random";
    vec![
        vec!["replay", file],
        vec!["record", "check", file],
        vec!["record", "input", file, "--seat", "0", "-o", input],
        vec!["record", "import", file],
        vec!["replay", "turn", file, "2", "--nodes", "200"],
        vec!["replay", "turn", file, "3", "--nodes", "200"],
        vec!["replay", "blunders", file, "--nodes", "50", "--playouts", "2"],
        vec!["replay", "from", file, "2", "--nodes", "50", "--against", random],
        vec!["record", "page", file, "-o", page],
        vec!["stats", "ratings", file],
        vec!["dev", "learn", "data", "--records", file, "--nodes", "50", "-o", data],
        vec!["dev", "learn", "fit", file],
        vec!["dev", "learn", "check", file],
        vec!["packs", "check", file],
        vec!["analyse", file],
        vec!["match", "--config", file],
        vec!["match", "resume", file],
    ]
}

/// Lets every command read a file.
fn read_by_all(folder: &Path, file: &str, number: usize) {
    let made = ["input", "page.html", "data"].map(|name| format!("{number}.{name}"));
    for arguments in readers(file, &made) {
        runs(folder, &arguments);
    }
}

#[test]
fn records_cannot_send_control_characters_to_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let good = good_record(folder);
    type Change = fn(&mut Value);
    let changes: [Change; 8] = [
        |record| {
            for player in record["players"].as_array_mut().unwrap() {
                player["name"] = endless().into();
                player["engine"] = endless().into();
                player["command"] = endless().into();
            }
            record["packs_from"] = endless().into();
            record["date"] = endless().into();
        },
        |record| {
            record["turns"].as_array_mut().unwrap().truncate(3);
            let words = vec![endless(); 3];
            let fault = serde_json::json!({
                "fault": "invalid", "what": endless(), "answer": endless(), "last_words": words,
            });
            record["result"]["faults"] = serde_json::json!([fault, null]);
            record["result"]["verdict"] = serde_json::json!({ "win": "second" });
            record["result"].as_object_mut().unwrap().remove("end");
        },
        |record| record["turns"][3]["answers"][0] = endless().into(),
        |record| {
            let answer = record["turns"][3]["answers"][0].as_str().unwrap();
            record["turns"][3]["answers"][0] = format!("{answer}\u{1b}[2J").into();
        },
        |record| {
            let info = serde_json::json!({ "message": endless(), HOSTILE: HOSTILE });
            record["turns"][2]["info"] = serde_json::json!([info, null]);
        },
        |record| record[&endless()] = endless().into(),
        |record| record["packs"][3] = endless().into(),
        |record| record["format"] = endless().into(),
    ];
    for (number, change) in changes.iter().enumerate() {
        let mut record = good.clone();
        change(&mut record);
        let file = format!("{number}.json");
        fs::write(folder.join(&file), record.to_string()).unwrap();
        read_by_all(folder, &file, number);
    }
    // The text of a fault is shown with its control characters escaped.
    let shown = runs(folder, &["replay", "1.json"]);
    assert!(shown.contains("\\u{1b}[2J\\u{1b}]0;t\\u{7}\\r\\u{9b}31m\\u{202e}"), "{shown}");
    assert!(shown.contains("… (5000024 bytes)"), "{shown}");
}

#[test]
fn text_files_cannot_send_control_characters_to_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let official = include_str!("../data/official_20190510_1814.json");
    let mut named: Value = serde_json::from_str(official).unwrap();
    named["output0"][0] = HOSTILE.into();
    named[HOSTILE] = HOSTILE.into();
    let packs = ok_in(folder, &["packs", "generate"]);
    for game in 1..=5 {
        fs::write(folder.join(format!("0.{game}.pack")), &packs).unwrap();
    }
    let line = HOSTILE.replace('\r', "");
    for (number, text) in [
        named.to_string(),
        official.replacen("6 1", HOSTILE, 1),
        format!("{line}\n"),
        format!("{line} = 1\n"),
        format!("{}\n", endless()),
        format!("1 2\n3 {line}\nEND\n"),
        format!("..........\n....{line}....\n"),
        format!("game,packs,{line},turn,result\n1,2,3,4,5\n"),
        "\u{202e}\"\u{1b}[2J\" = 1\n".to_owned(),
    ]
    .into_iter()
    .enumerate()
    {
        let file = format!("{number}.json");
        fs::write(folder.join(&file), text).unwrap();
        read_by_all(folder, &file, number);
    }
}

/// The files here are sparse: they take no space on the disk.
#[test]
fn a_line_of_hundreds_of_megabytes_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (number, size) in [200_u64 << 20, 300 << 20].into_iter().enumerate() {
        let file = format!("{number}.json");
        File::create(folder.join(&file)).unwrap().set_len(size).unwrap();
        let made = ["input", "page.html", "data"].map(str::to_owned);
        for arguments in readers(&file, &made) {
            let output = run_in(folder, &arguments);
            let printed = is_fit(&arguments, &output);
            // The check has read the file, and the file fails the check.
            let is_check = ["record", "packs"].contains(&arguments[0]) && arguments[1] == "check";
            let code = if is_check && !printed.contains("cannot read") { 1 } else { 2 };
            assert_eq!(output.status.code(), Some(code), "{arguments:?}: {printed}");
            assert!(printed.len() < 1000, "{arguments:?}: {printed}");
        }
    }
}

#[test]
fn settings_cannot_send_control_characters_to_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // Below the maximum size of a file of settings.
    let long = format!("{HOSTILE}{}", "7".repeat(500_000));
    let [hostile, long] = [HOSTILE, &long].map(|text| serde_json::to_string(text).unwrap());
    for text in [
        format!("{hostile} = 1\n"),
        format!("{long} = 1\n"),
        format!("{HOSTILE} = 1\n"),
        format!("a = {long}\n"),
        format!("packs = {long}\n"),
        format!("records = {hostile}\n"),
        format!("live = {hostile}\n"),
        format!("time = {long}\n"),
        format!("shard = {long}\n"),
        format!("[sprt]\n{long} = 1\n"),
        format!("[[engine]]\nname = {long}\ncmd = \"x\"\n[[engine]]\nname = {long}\ncmd = \"y\"\n"),
        format!("[[engine]]\nname = {long}\ncmd = {long}\n[[engine]]\nname = \"level1\"\n"),
        format!("[[engine]]\n{long} = {long}\n"),
        format!("[[engine]]\ncmd = \"tensai\"\ndir = {long}\n[[engine]]\nname = \"level1\"\n"),
        format!(
            "[[engine]]\ncmd = \"tensai\"\n[engine.env]\n{long} = {long}\n[[engine]]\nname = \"level1\"\n"
        ),
    ] {
        fs::write(folder.join("match.toml"), text).unwrap();
        let arguments = ["match", "--config", "match.toml"];
        let output = run_in(folder, &arguments);
        let printed = is_fit(&arguments, &output);
        let code = if printed.contains("does not start") { 1 } else { 2 };
        assert_eq!((output.status.code(), printed.lines().count()), (Some(code), 1), "{printed}");
    }
}

#[test]
fn names_cannot_send_control_characters_to_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    good_record(folder);
    let [json, data, missing] = [".json", ".csv", ".none"].map(|end| format!("{NAME}{end}"));
    fs::copy(folder.join("good/0001.json"), folder.join(&json)).unwrap();
    fs::write(folder.join(&data), "no data\n").unwrap();
    let in_folder = format!("{NAME}/");
    for file in [&json, &data, &missing, &in_folder] {
        let made = ["i", "p.html", "d"].map(|end| format!("{NAME}{end}"));
        for arguments in readers(file, &made) {
            runs(folder, &arguments);
        }
    }
    let bots = ["--a", "tensai --engine random", "--b", "tensai --engine random --seed 1"];
    for arguments in [
        &["match", "--a", NAME][..],
        &["match", "--a", &format!("./{NAME}")],
        &["match", "--engine", NAME],
        &["match", "--engine", "cmd=tensai", &format!("{NAME}=1")],
        &[
            "match",
            "--engine",
            "name=a",
            "cmd=tensai",
            &format!("dir={NAME}"),
            "--engine",
            "level1",
        ],
        &["match", &format!("--{NAME}")],
        &["match", "--time", NAME],
        &["match", "--sprt", NAME],
        &["match", "--packs", NAME],
        &["match", "merge", NAME],
        &[NAME],
        &["packs", "generate", "-o", &in_folder],
        &["dev", "bench", "--backend", NAME],
        &["dev", "perft", "--depth", NAME],
        &["submit", "--check", NAME],
        &["dev", "learn", "chains", "--weights", NAME],
        &["replay", "from", "good/0001.json", "2", "--against", NAME],
        &[&["match", "--records", NAME, "--rounds", "2"], &bots[..]].concat(),
        &["match", "resume", NAME],
        &["record", "check", NAME],
        &["stats", "ratings", NAME],
    ] {
        runs(folder, arguments);
    }
}

#[test]
fn bots_cannot_send_control_characters_to_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let codes = "\\033[2J\\033]0;t\\007\\302\\233\\342\\200\\256";
    let bot = format!(
        "printf 'n{codes}\\n'; printf '{codes}\\n' >&2; head -n 1500 > input; printf '{codes}\\n'"
    );
    let bot = format!("cmd=sh -c {}", shlex::try_quote(&bot).unwrap());
    let name = format!("name={NAME}{}", "n".repeat(5000));
    let engines = ["--engine", &name, &bot, "--engine", "name=B", "cmd=tensai --engine random"];
    let arguments = [&["match", "--seed", "1"], &engines[..]].concat();
    for more in [&["--records", "one"][..], &["--records", "two", "--rounds", "2"]] {
        let printed = runs(folder, &[&arguments[..], more].concat());
        assert!(printed.contains("invalid answer at turn 0: answered `\\u{1b}[2J"), "{printed}");
        assert!(printed.contains("| \\u{1b}[2J"), "last words: {printed}");
    }
    for arguments in [
        &["match", "resume", "two"][..],
        &["match", "resume", "two", "--json"],
        &["stats", "ratings", "two"],
        &["stats", "ratings", "two", "--json"],
        &["record", "check", "two"],
        &["replay", "two/0001.json"],
        &["replay", "turn", "two/0001.json", "0", "--nodes", "100"],
    ] {
        runs(folder, arguments);
    }
}
