//! Pages in a real browser: they show the games by the rules, and they are accessible.
//!
//! This test makes the pages and writes down what is expected of them by the simulator, both in
//! `target/tmp/browser/`. The tests themselves are the files `*.test.mjs`: they are run by Node's
//! test runner, and drive Chromium with `playwright-core`. All share one browser.
//!
//! * Install what the tests need: `apt-get install nodejs npm chromium`,
//!   `npm ci --prefix tests/browser`.
//! * Run all tests: `cargo test --test browser`.
//! * Fail where something is missing, rather than skip:
//!   `TENSAI_BROWSER=required cargo test --test browser`.
//! * Test the offline page as well:
//!   `TENSAI_WASM=$PWD/target/tensai.wasm cargo test --test browser`.
//! * See whether a test depends on the machine's speed, or on the order of the server's answers:
//!   `TENSAI_SLOWDOWN=10 cargo test --test browser`.
//! * Make the pictures of the README again: see `pictures.mjs`.
//! * Run the tests of one file: `TENSAI_BROWSER_FILE=keys.test.mjs cargo test --test browser`.
//!   Without cargo, on the pages of the last run:
//!
//!   ```sh
//!   TENSAI=$PWD/target/debug/tensai TENSAI_PAGES=$PWD/target/tmp/browser \
//!     TENSAI_CHROMIUM=$(command -v chromium) node --test tests/browser/keys.test.mjs
//!   ```
//! * Measure the page of `tensai serve`: `node --test tests/browser/bench.mjs` with these
//!   variables.
//!
//! # Add a test
//!
//! 1. Make the page, and what is expected of it, in [`pages`].
//! 2. Write `NAME.test.mjs`; `visit` of `browser.mjs` opens a page and fails on errors of its
//!    scripts, `served` of `serve.mjs` does so with the page of `tensai serve`.
//! 3. Import it in `all.mjs`.
#![cfg(all(feature = "arena", target_os = "linux"))]

#[path = "../running/checked.rs"]
#[expect(dead_code, reason = "what other tests refuse")]
mod checked;
mod expected;
mod fragments;
#[path = "../fuzz/mutate.rs"]
#[expect(dead_code, reason = "what the fuzz targets grow and minimise")]
mod mutate;
#[path = "../running/mod.rs"]
mod running;

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;
use tensai::game::{ROWS, WIDTH};
use tensai::record::Record;

/// The names of the program Chromium on different systems.
const CHROMIUM: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// The oldest version of Node that has the functions of the tests.
const NODE: (u32, u32) = (18, 15);

#[test]
fn pages_in_chromium() {
    let chromium = match chromium() {
        Ok(path) => path,
        Err(missing) => {
            let required = std::env::var_os("TENSAI_BROWSER").is_some_and(|set| set == "required");
            assert!(!required, "TENSAI_BROWSER=required, but {missing}");
            // Not by the macro: the test passes, and the harness would hide its output.
            let line = writeln!(io::stderr(), "skipped: no page is tested in a browser: {missing}");
            line.unwrap();
            return;
        }
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser");
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => panic!("{folder:?}: {error}"),
        _ => fs::create_dir_all(&folder).unwrap(),
    }
    pages(&folder);
    let file = std::env::var("TENSAI_BROWSER_FILE").unwrap_or_else(|_| "all.mjs".to_owned());
    let output = Command::new("node")
        .args(["--test", "--test-reporter=spec", &file])
        .current_dir(sources())
        .env("TENSAI", running::tensai())
        .env("TENSAI_PAGES", &folder)
        .env("TENSAI_CHROMIUM", chromium)
        .env("XDG_STATE_HOME", running::STATE)
        .output()
        .unwrap();
    let [report, errors] = [output.stdout, output.stderr].map(|bytes| {
        let text = String::from_utf8_lossy(&bytes);
        text.into_owned()
    });
    assert!(output.status.success(), "{report}{errors}");
    show(&report);
}

/// The folder of the tests that Node runs.
fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser")
}

/// Prints the report of the tests that have passed.
#[expect(clippy::print_stdout, reason = "for --nocapture")]
fn show(report: &str) {
    print!("{report}");
}

/// Returns the path of Chromium.
///
/// # Errors
/// A program or package that the tests need is missing; the message names it and the command that
/// installs it.
fn chromium() -> Result<PathBuf, String> {
    let version = Command::new("node").arg("--version").output();
    let version = version.map_err(|_| "Node is not installed (`apt-get install nodejs npm`)")?;
    let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
    let mut numbers = version.trim_start_matches('v').split('.').map(|part| part.parse().ok());
    if numbers.next().flatten().zip(numbers.next().flatten()) < Some(NODE) {
        return Err(format!("Node is `{version}`, and {}.{} or later is needed", NODE.0, NODE.1));
    }
    for package in ["playwright-core", "axe-core"] {
        if !sources().join("node_modules").join(package).is_dir() {
            return Err(format!("{package} is not installed (`npm ci --prefix tests/browser`)"));
        }
    }
    CHROMIUM
        .iter()
        .find_map(|name| which::which(name).ok())
        .ok_or_else(|| "Chromium is not installed (`apt-get install chromium`)".to_owned())
}

/// Makes in a folder, for the tests to look at:
///
/// | file | content |
/// |---|---|
/// | `files.html`, `folders.html` | three games, given as files and as folders |
/// | `games.html` | the first two of them |
/// | `games.json` | what is expected of the three games: see [`expected::game`] |
/// | `field.json` | the rows and columns that the page shows of a field |
/// | `fragments.json` | fragments of the page's address: see [`fragments::made`] |
/// | `client.html` | the offline page, if `TENSAI_WASM` names the library as WebAssembly |
fn pages(folder: &Path) {
    let tensai = |arguments: &[&str]| checked::said(folder, arguments, "");
    // Games that differ: two of the bot with itself, one against a bot that falls silent.
    let evil = ["--engine", "name=<b>a</b>", "cmd=tensai", "nodes=20000"];
    let engines = [&evil[..], &["--engine", "name=b", "cmd=tensai", "nodes=5000"]].concat();
    let more = ["--rounds", "2", "--seed", "4", "--records", "games", "--json"];
    tensai(&[&["match"], &engines[..], &more].concat());
    tensai(&["match", "--a", "sh -c 'echo silent; head -1 >/dev/null'", "--records", "silent"]);
    let records = ["games/0001.json", "games/0002.json", "silent/0001.json"];
    tensai(&[&["record", "page", "-o", "files.html"], &records[..]].concat());
    tensai(&["record", "page", "games", "silent", "-o", "folders.html"]);
    tensai(&["record", "page", "games", "-o", "games.html"]);
    if let Some(wasm) = std::env::var_os("TENSAI_WASM") {
        tensai(&["dev", "page", wasm.to_str().unwrap(), "-o", "client.html"]);
    }
    let games = records.map(|name| expected::game(&Record::read(&folder.join(name)).unwrap()));
    for (name, value) in [
        ("games.json", json!(games)),
        ("field.json", json!({ "rows": ROWS, "columns": WIDTH })),
        ("fragments.json", fragments::made()),
    ] {
        fs::write(folder.join(name), value.to_string()).unwrap();
    }
}
