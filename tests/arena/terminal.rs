//! The display on a terminal: progress, and tables that fit its width.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use nix::pty::{Winsize, openpty};

use crate::run::{ok_in, program};
use crate::running::unhurried;

/// A program whose standard output and standard error are a terminal; it ends with the test.
struct OnTerminal {
    running: Child,
    shown: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
}

impl Drop for OnTerminal {
    fn drop(&mut self) {
        // The program may have ended already.
        let _ = self.running.kill();
        let _ = self.running.wait();
    }
}

impl OnTerminal {
    /// Starts the program on a terminal of `columns` columns.
    fn start(folder: &Path, columns: u16, arguments: &[&str], more: &[(&str, &str)]) -> Self {
        let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let terminal = openpty(Some(&size), None).unwrap();
        let mut command = program();
        command
            .args(unhurried(arguments))
            .current_dir(folder)
            .env("TERM", "xterm")
            .env_remove("COLUMNS")
            .env_remove("NO_COLOR")
            .envs(more.iter().copied())
            .stdin(Stdio::null())
            .stdout(terminal.slave.try_clone().unwrap())
            .stderr(terminal.slave);
        let running = command.spawn().unwrap();
        drop(command); // its copies of the terminal would keep it open
        let shown = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&shown);
        let reader = std::thread::spawn(move || {
            let mut terminal = File::from(terminal.master);
            let mut bytes = [0; 4096];
            // Reading a terminal without a writer fails.
            while let Ok(count @ 1..) = terminal.read(&mut bytes) {
                kept.lock().unwrap().extend_from_slice(&bytes[..count]);
            }
        });
        Self { running, shown, reader: Some(reader) }
    }

    /// Waits until a text is shown.
    fn wait_for(&self, text: &str) {
        let since = Instant::now();
        loop {
            let shown = self.shown.lock().unwrap().clone();
            let shown = String::from_utf8_lossy(&shown).into_owned();
            if shown.contains(text) {
                return;
            }
            assert!(since.elapsed() < Duration::from_secs(120), "no `{text}`: {shown:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Returns the exit code and the whole display.
    fn end(mut self) -> (Option<i32>, String) {
        let code = self.running.wait().unwrap().code();
        self.reader.take().unwrap().join().unwrap();
        let shown = self.shown.lock().unwrap().clone();
        (code, String::from_utf8(shown).unwrap())
    }
}

/// The final text of each line of a terminal, after all overwriting.
fn lines(shown: &str) -> Vec<String> {
    let lines = shown.split('\n').map(|line| line.trim_end_matches('\r'));
    let last = lines.map(|line| line.rsplit('\r').next().unwrap_or_default());
    // Codes of movement and colour have no width.
    let plain = last.map(|line| {
        let mut parts = line.split('\u{1b}');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |line, part| {
            let end = part.find(|c: char| c.is_ascii_alphabetic()).map_or(part.len(), |at| at + 1);
            line + &part[end..]
        })
    });
    plain.collect()
}

/// A bot that drops at random, and does not answer in turn 2 before the file `go` is there.
const WAITS: &str = "cmd=sh -c 'tensai=$0; \"$tensai\" --engine random | while read -r line; do \
    n=$((n + 1)); while [ $n = 4 ] && [ ! -e go ]; do sleep 0.01; done; echo \"$line\"; done' ";

#[test]
fn a_match_of_several_games_shows_turns_and_finished_games() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let waits = format!("{WAITS}{}", shlex::try_quote(&crate::run::tensai()).unwrap());
    let engines =
        ["--engine", "name=A", &waits, "--engine", "name=B", "cmd=tensai --engine random"];
    let more = ["--seed", "1", "--rounds", "3", "--concurrency", "1", "--no-pin", "--records", "g"];
    let arguments = [&["match"], &engines[..], &more].concat();
    let playing = OnTerminal::start(folder, 80, &arguments, &[]);
    playing.wait_for("game 1: turn 1");
    fs::write(folder.join("go"), "").unwrap();
    let (code, shown) = playing.end();
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("0 of 3"), "how far it is: {shown:?}");
    for game in 1..=3 {
        let finished = format!("game {game}: A - B: ");
        assert!(shown.contains(&finished), "a line for each game: {shown:?}");
    }
    assert!(shown.contains(", danger line at turn "), "{shown:?}");
}

#[test]
fn results_fit_the_width_of_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut arguments = vec!["match", "--seed", "1", "--records", "g"];
    let names = ["a", "b", "c"].map(|name| format!("name=an engine with a long name {name}"));
    for name in &names {
        arguments.extend(["--engine", name, "cmd=tensai --engine random"]);
    }
    ok_in(folder, &arguments);
    for (columns, more, width) in [
        (80, &[][..], 80),
        (60, &[], 60),
        (200, &[], 200),
        (0, &[], 80),
        (200, &[("COLUMNS", "70")], 70),
        (90, &[("COLUMNS", "wide")], 90),
    ] {
        let (code, shown) =
            OnTerminal::start(folder, columns, &["match", "resume", "g"], more).end();
        assert_eq!(code, Some(0), "{shown}");
        let table = lines(&shown);
        let table: Vec<&String> = table.iter().filter(|line| line.contains("engine")).collect();
        assert!(table.len() >= 4, "{shown:?}");
        let widest = table.iter().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= width, "{columns} {more:?}: {widest} in {table:#?}");
        let is_whole = width == 200;
        assert_eq!(table[0].contains("cores"), is_whole, "{shown}");
        assert_eq!(shown.contains("`| less -S` has all columns"), !is_whole, "{shown}");
    }
}

/// A table that is wider than the terminal continues below, a list gets a line for each player.
#[test]
fn the_tables_of_recorded_games_fit_80_columns() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bots = ["--a", "tensai --engine random", "--b", "tensai --engine greedy"];
    ok_in(folder, &[&["match", "--seed", "3", "--records", "g"], &bots[..]].concat());
    ok_in(folder, &["record", "input", "g/0001.json", "--seat", "0", "-o", "input.txt"]);
    let blunders = ["replay", "blunders", "g/0001.json", "--nodes", "1000", "--playouts", "0"];
    for (arguments, title, whole) in [
        (&["replay", "g/0001.json"][..], "ans chain", "ans chain"),
        (&["replay", "input.txt"], "turn  player  answers", "turn  answers"),
        (&blunders, "lost, %", "then the opponent"),
        (&["stats", "engines", "g"], "adjudicated", "adjudicated"),
        (&["stats", "ratings", "g"], "Elo", "Elo"),
        (&["record", "check", "g"], "danger line", "danger line"),
    ] {
        let (code, shown) = OnTerminal::start(folder, 80, arguments, &[("NO_COLOR", "1")]).end();
        assert_eq!(code, Some(0), "{shown}");
        let shown = lines(&shown);
        assert!(shown.iter().any(|line| line.contains(title)), "{arguments:?}: {shown:#?}");
        let is_prose = |line: &&String| {
            line.contains(": something was lost in ") || line.contains("The win probability fell")
        };
        let wide = shown.iter().filter(|line| line.chars().count() > 80 && !is_prose(line));
        assert_eq!(wide.collect::<Vec<_>>(), Vec::<&String>::new(), "{arguments:?}");
        let piped = ok_in(folder, arguments);
        assert!(piped.lines().any(|line| line.contains(whole)), "{arguments:?}: {piped}");
    }
}

#[test]
fn a_review_shows_its_progress_on_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bots = ["--a", "tensai --engine random", "--b", "tensai --engine random --seed 1"];
    ok_in(folder, &[&["match", "--seed", "3", "--records", "g"], &bots[..]].concat());
    let blunders = ["replay", "blunders", "g/0001.json", "--nodes", "1000", "--playouts", "2"];
    let (code, shown) = OnTerminal::start(folder, 80, &blunders, &[]).end();
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("turn 0  ") && shown.contains(" left"), "{shown:?}");
}
