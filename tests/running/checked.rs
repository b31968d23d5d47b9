//! Runs the program, and checks its end.

use std::path::Path;

use crate::running::run;

/// Runs the program; it must succeed. Returns its standard output.
pub fn said(folder: &Path, arguments: &[&str], input: &str) -> String {
    let output = run(folder, arguments, input.as_bytes());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs the program; it must refuse with one line and exit code 2 (1 for a bot that does not
/// start), and print nothing else. Returns the line.
pub fn refused(folder: &Path, arguments: &[&str], input: &str) -> String {
    let output = run(folder, arguments, input.as_bytes());
    let errors = String::from_utf8(output.stderr).unwrap();
    let code = if errors.contains("` does not start: ") { 1 } else { 2 };
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
    assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    errors.trim_end().to_owned()
}
