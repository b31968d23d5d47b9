//! The memory that readers of JSON and TOML take for texts that are as dense as they can be.
//!
//! Mutations of real files never reach these: a text of three bytes for each value, whose values take
//! tens or hundreds of bytes.

use serde_json::{Value, json};
use tensai::analysis::Situation;
use tensai::arena::league::{League, RunningGames};
use tensai::arena::tuning::Tuning;
use tensai::arena::{ErrorLog, Manifest};
use tensai::cli::MatchOptions;
use tensai::record::Record;
use tensai::record::official::{Replay, is_official};
use tensai::web::api::{NoProgress, PuzzleFile, handle};

use crate::checks::with_packs_in_json;

/// Bytes of a dense text, which has more values than a reader reads.
const DENSE: usize = 5 << 19;

/// Bytes that a reader may hold for each byte of a text: the text itself, a part that stays text, and
/// the copy in which that part has no spaces.
const PER_BYTE: u64 = 4;

/// Further bytes that a reader of JSON may hold: the values that it reads before it refuses more.
const VALUES: u64 = 112 << 20;

/// Further bytes that a reader of TOML may hold.
const VALUES_BY_HAND: u64 = 64 << 20;

/// Lists of many small values, of about `size` bytes.
fn dense(size: usize) -> Vec<String> {
    let list =
        |item: &str| format!("[{}{item}]", format!("{item},").repeat(size / (item.len() + 1)));
    let items = ["0", "\"\"", "[[0,0],[0,0]]", "{\"\":0}", "[\"\",\"\"]"];
    let fields = |index: usize| format!("\"{index:x}\":0");
    let fields: Vec<String> = (0..size / 9).map(fields).collect();
    let object = format!("{{{}}}", fields.join(","));
    items.iter().map(|item| list(item)).chain([object]).collect()
}

/// The texts of `frame` in which one value is replaced by a dense one, for each value at any depth.
fn filled<'a>(
    frame: &'a Value,
    fills: &'a [String],
) -> impl Iterator<Item = (String, String)> + 'a {
    const HOLE: &str = "the hole";
    fn places(value: &Value, at: &str, found: &mut Vec<String>) {
        found.push(at.to_owned());
        match value {
            Value::Array(items) => {
                items.iter().take(1).for_each(|item| places(item, &format!("{at}/0"), found));
            }
            Value::Object(fields) => {
                fields.iter().for_each(|(key, field)| places(field, &format!("{at}/{key}"), found));
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    places(frame, "", &mut found);
    found.into_iter().flat_map(move |place| {
        let mut text = frame.clone();
        *text.pointer_mut(&place).unwrap() = json!(HOLE);
        let text = text.to_string();
        fills
            .iter()
            .map(move |fill| (place.clone(), text.replacen(&json!(HOLE).to_string(), fill, 1)))
    })
}

/// Asserts that `read` holds at most `allowed` bytes for what `text` is.
fn bounded(name: &str, text: &str, allowed: u64, read: impl FnOnce(&str)) {
    let used = allocation_counter::measure(|| read(text));
    let held = used.bytes_max;
    let start: String = text.chars().take(60).collect();
    assert!(held <= allowed, "{name}: {held} bytes for {} of {start}", text.len());
}

/// A corpus file as JSON, with an unknown field.
fn frame(file: &str) -> Value {
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(file);
    let mut frame: Value =
        serde_json::from_slice(&with_packs_in_json(&std::fs::read(path).unwrap())).unwrap();
    frame["unknown"] = json!(0);
    frame
}

#[test]
fn readers_of_files_hold_little_more_than_the_text() {
    type Reader = fn(&[u8]);
    let readers: [(&str, Reader); 6] = [
        ("record/beam.json", |text| drop(Record::parse(text))),
        ("official/two_games.json", |text| drop((is_official(text), Replay::parse(text)))),
        ("manifest/match.json", |text| drop(Manifest::parse(text))),
        ("league/league.json", |text| drop(League::parse(text))),
        ("league/running.json", |text| drop(RunningGames::parse(text))),
        ("tuning/self_play.json", |text| drop(Tuning::parse(text))),
    ];
    let fills = dense(DENSE);
    for (file, read) in readers {
        for (place, text) in filled(&frame(file), &fills) {
            let allowed = PER_BYTE * text.len() as u64 + VALUES;
            bounded(&format!("{file} {place}"), &text, allowed, |text| read(text.as_bytes()));
        }
    }
}

#[test]
fn a_text_that_stays_text_is_held_a_few_times() {
    let info = |fill: &str| format!("{{\"a\":[null,{fill}]}}");
    for fill in dense(DENSE) {
        let mut record = frame("record/beam.json");
        record["turns"][0]["info"] = json!("the hole");
        let text =
            record.to_string().replacen("\"the hole\"", &info(&fill)[5..][..fill.len() + 7], 1);
        let allowed = PER_BYTE * text.len() as u64 + (4 << 20);
        bounded("info", &text, allowed, |text| {
            let record = Record::parse(text.as_bytes()).expect("any JSON may be said");
            let mut page = tensai::web::pages::Page::new();
            page.add(&record).expect("a page shows what it knows");
        });
    }
}

#[test]
fn methods_hold_little_more_than_their_parameters() {
    let fills = dense(DENSE);
    for file in ["show", "decide", "export_record", "puzzles", "try_puzzle", "review", "choices"] {
        let asked = frame(&format!("api/{file}.json"));
        for (place, text) in filled(&asked["params"], &fills) {
            let allowed = PER_BYTE * text.len() as u64 + VALUES;
            bounded(&format!("{file} {place}"), &text, allowed, |params| {
                let method = asked["method"].as_str().unwrap();
                drop(handle(method, params, &mut NoProgress::default()));
            });
        }
    }
}

#[test]
fn an_imported_text_that_is_no_game_is_refused_by_its_length() {
    for (start, long) in [("a=", "[],"), ("", "[[a]]\n"), ("", "a.a.a.a=0\n"), ("#", ",")] {
        let text = format!("{start}{}", long.repeat((16 << 20) / long.len()));
        let params = json!({ "text": text }).to_string();
        // The parameters are held as well.
        let allowed = 2 * params.len() as u64 + (1 << 20);
        bounded(long, &params, allowed, |params| {
            let refused = handle("import", params, &mut NoProgress::default()).unwrap_err();
            assert!(refused.message.contains("larger than 1 MiB, the limit"), "{refused}");
        });
    }
}

#[test]
fn puzzle_files_hold_little_more_than_the_text() {
    let packs = "1230".repeat(3);
    let puzzle =
        json!({ "id": "1", "kind": "chain", "goal": 3, "packs": packs, "solution": ["0 0"] });
    let file =
        json!({ "format": "tensai puzzles", "version": 1, "puzzles": [puzzle], "unknown": 0 });
    for (place, text) in filled(&file, &dense(DENSE)) {
        let allowed = PER_BYTE * text.len() as u64 + VALUES;
        bounded(&place, &text, allowed, |text| drop(PuzzleFile::parse(text.as_bytes())));
    }
}

#[test]
fn readers_of_toml_are_bounded_by_the_number_of_values() {
    const SIZE: usize = 1_000_000;
    let dense = dense(SIZE).into_iter().map(|fill| match fill.starts_with('[') {
        true => format!("a={}", fill.replace(':', "=")),
        false => String::new(),
    });
    let tables = ["[[a]]\n", "[[engine]]\n", "[[a.a]]\n"].map(|it| it.repeat(SIZE / it.len()));
    let number = |index: usize| index.to_string();
    let keys: String = (0..SIZE / 9).map(|index| number(index) + "=0\n").collect();
    let dotted: String = (0..SIZE / 20).map(|index| number(index) + ".a.b.c.d.e=0\n").collect();
    for text in dense.chain(tables).chain([keys, dotted]) {
        bounded("match --config", &text, VALUES_BY_HAND, |text| drop(MatchOptions::parse(text)));
        bounded("situation", &text, VALUES_BY_HAND, |text| drop(text.parse::<Situation>()));
    }
}

#[test]
fn the_lines_of_a_bot_are_held_as_text() {
    /// Bytes of `info` lines that are kept, and what stands beside them.
    const KEPT: u64 = (8 << 20) + (1 << 20);
    for fill in dense(60_000) {
        let line = format!("info {fill}");
        let lines = (16 << 20) / line.len();
        bounded("info", &line, KEPT, |line| {
            let log = ErrorLog::default();
            (0..lines).for_each(|_| log.push(line.to_owned()));
        });
    }
}
