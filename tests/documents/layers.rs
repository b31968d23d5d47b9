//! The layers of the source, written once: `docs/architecture.md` shows them, and the imports of the
//! source keep to them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of `src` from the top down, each with its content. A folder imports only folders
/// below it.
const LAYERS: [(&str, &str); 11] = [
    (
        "cli",
        "the command line: `bot.rs` is the bot, `commands/` everything else, in the groups of the help",
    ),
    (
        "web",
        "pages for browsers: `api/` (the methods that a page asks for), `server/`, `pages/` (files), `game/` (a recorded game as pages show it), `front/` (JavaScript, CSS, HTML), `wasm.rs`",
    ),
    (
        "dev",
        "for developers: measurements of simulator, engine and beams, perft, reference decisions, planted blunders, training",
    ),
    (
        "arena",
        "bots against each other: `referee/` (one game), `process/` (their processes), `match_/`, `league/`, `tuning/`, `bot_check/`, `rating/`, `statistics/`, `submission/`",
    ),
    (
        "analysis",
        "what is computed of recorded games and drawn fields: inferred actions, turns searched again, review, playouts, triggers, puzzles, drawings",
    ),
    (
        "record",
        "games on disk: records, official replays, inputs of a bot; reading and writing files, errors of JSON and TOML",
    ),
    (
        "engine",
        "how a turn is decided: `planner/` (`stages.rs` runs the stages in order), `classic/` (y.s.'s bot), `time_manager/`, watchdog, the session of a bot, weak opponents",
    ),
    (
        "search",
        "beam, exchange, alpha-beta, endgame, payoff matrix; transposition table, bounds, rain, budgets",
    ),
    ("protocol", "the texts that a referee writes and a bot reads"),
    (
        "board",
        "encodings of a field: `packed/` (4 planes, the default), `bitboard/` (20 planes); `simd/`; the choice of a backend",
    ),
    ("game", "the rules, and the plain reference simulator"),
];

/// The folder outside the layers: every folder may import it, and it imports none.
const UTIL: (&str, &str) = (
    "util",
    "small modules that depend only on each other: clock, durations, untrusted text, messages, threads, intervals, signals",
);

/// Imports between two layers in the wrong direction that only unit tests make, by the importing
/// file: unit tests are left out of the check by the file name `tests.rs` or the module `tests`.
const OF_TESTS: [&str; 2] = ["engine/stalls.rs", "dev/schemas.rs"];

/// The comments in `docs/architecture.md` around the table.
const MARKS: [&str; 2] = ["<!-- layers: begin -->\n", "<!-- layers: end -->"];

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The table of the document.
fn table() -> String {
    let mut table = String::from("| folder | content |\n|---|---|\n");
    for (folder, content) in LAYERS.iter().chain([&UTIL]) {
        let _ = writeln!(table, "| [`{folder}`](../src/{folder}) | {content} |");
    }
    table
}

/// The Rust files below `folder`.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.flat_map(|path| if path.is_dir() { rust_files(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|kind| kind == "rs")).collect()
}

/// The folders that the code of a file names by `crate::`, without comments and unit tests.
fn imports(text: &str) -> BTreeSet<String> {
    let code = text.split("mod tests {").next().unwrap_or_default();
    let code: Vec<&str> =
        code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let code = code.join("\n");
    let name = |path: &str| -> String {
        path.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect()
    };
    let mut names = BTreeSet::new();
    for path in code.split("crate::").skip(1) {
        if let Some(list) = path.strip_prefix('{') {
            // `use crate::{a, b::c};`: the words after the brace and after each comma.
            let list = list.split("};").next().unwrap_or_default();
            names.extend(list.split(',').map(|path| name(path.trim_start())));
        } else {
            names.insert(name(path));
        }
    }
    names
}

#[test]
fn each_folder_imports_only_folders_below_it() {
    let src = src();
    let floor = |name: &str| LAYERS.iter().position(|(folder, _)| *folder == name);
    let mut wrong = Vec::new();
    for file in rust_files(&src) {
        let path = file.strip_prefix(&src).unwrap();
        let own = path.iter().next().unwrap().to_str().unwrap();
        let is_test =
            path.ends_with("tests.rs") || OF_TESTS.iter().any(|test| path == Path::new(test));
        if is_test || path.components().count() == 1 {
            continue;
        }
        for import in imports(&fs::read_to_string(&file).unwrap()) {
            if import == own || import.is_empty() || import == UTIL.0 {
                continue;
            }
            let is_below = match (floor(own), floor(&import)) {
                (Some(own), Some(import)) => import > own,
                _ => false,
            };
            if !is_below {
                wrong.push(format!("{}: crate::{import}", path.display()));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "imports that the layers do not allow");
}

#[test]
fn the_layers_are_the_folders_of_the_source() {
    let entries = fs::read_dir(src()).unwrap().map(|entry| entry.unwrap().file_name());
    let folders = entries.map(|name| name.into_string().unwrap());
    let folders: BTreeSet<String> = folders.filter(|name| !name.ends_with(".rs")).collect();
    let layers = LAYERS.iter().chain([&UTIL]).map(|(folder, _)| (*folder).to_owned());
    assert_eq!(folders, layers.collect());
}

/// `SNAPSHOTS=overwrite` writes the table into the document.
#[test]
fn the_document_shows_the_layers() {
    let path = super::example::docs().join("architecture.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(MARKS[0]).unwrap();
    let (found, after) = rest.split_once(MARKS[1]).unwrap();
    if std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite") {
        let [begin, end] = MARKS;
        fs::write(&path, [before, begin, &table(), end, after].concat()).unwrap();
        return;
    }
    assert_eq!(found, table(), "SNAPSHOTS=overwrite cargo test --test documents writes the table");
}
