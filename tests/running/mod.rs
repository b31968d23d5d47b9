//! Running the program, for tests of it as a process.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use assert_cmd::cargo::cargo_bin;

/// The program's path.
pub fn tensai() -> String {
    cargo_bin("tensai").display().to_string()
}

/// Runs the program in a folder, with an input.
pub fn run(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut program = Command::new(tensai())
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = program.stdin.take().unwrap();
    let input = input.to_owned();
    // Who has read enough closes its input.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = program.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}
