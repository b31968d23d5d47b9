//! Runs the program as a bot with a whole input.

use std::path::Path;

use crate::running;

/// The result of a run.
pub struct Run {
    /// The exit code.
    pub code: Option<i32>,
    /// The lines of its standard output.
    pub answers: Vec<String>,
    /// The standard error.
    pub errors: String,
}

/// Runs the program with an input.
pub fn run(arguments: &[&str], input: &[u8]) -> Run {
    let output = running::run(Path::new("."), arguments, input);
    Run {
        code: output.status.code(),
        answers: String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect(),
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}
