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

/// Runs the program; it must succeed. Its standard output.
pub fn said(folder: &Path, arguments: &[&str], input: &str) -> String {
    let output = run(folder, arguments, input.as_bytes());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs the program; it must refuse with one line and exit code 2, and say nothing else. The line.
pub fn refused(folder: &Path, arguments: &[&str], input: &str) -> String {
    let output = run(folder, arguments, input.as_bytes());
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
    assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    errors.trim_end().to_owned()
}
