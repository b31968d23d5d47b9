//! Runs the program, for tests of it as a process.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use assert_cmd::cargo::cargo_bin;

/// The program's path.
pub fn tensai() -> String {
    cargo_bin("tensai").display().to_string()
}

/// Returns the program, with its user files (such as the key) in a folder of the tests.
pub fn program() -> Command {
    let mut program = Command::new(tensai());
    program.env("XDG_STATE_HOME", STATE);
    program
}

/// The folder of the files that the program keeps for a user.
pub const STATE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/state");

/// Time limits of a match that only a hang reaches; the default is 10 s.
const UNHURRIED: [[&str; 2]; 3] =
    [["--time", "1h"], ["--turn-time", "10m"], ["--start-time", "10m"]];

/// The program's arguments. A match gets time limits that only a hang reaches, unless
/// a limit is given or the match is resumed.
pub fn unhurried<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let has = |name: &str| arguments.contains(&name);
    let goes_on = has("resume") || has("merge") || has("--config");
    let more = UNHURRIED.iter().filter(|[name, _]| !has(name));
    let is_new = arguments.first() == Some(&"match") && !goes_on;
    let more = more.filter(|_| is_new).flatten();
    arguments.iter().chain(more).copied().collect()
}

/// Runs the program in a folder, with an input.
pub fn run(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut running = program()
        .args(unhurried(arguments))
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = running.stdin.take().unwrap();
    let input = input.to_owned();
    // The program may close its input before it has read all.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = running.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}
