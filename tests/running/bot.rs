//! Running the program as a bot that is fed a whole input.

use std::path::Path;

use crate::running;

/// What came of it.
pub struct Run {
    /// Its exit code.
    pub code: Option<i32>,
    /// The lines of its standard output.
    pub answers: Vec<String>,
    /// Its standard error.
    pub errors: String,
}

/// Lets the program read an input to its end.
pub fn run(arguments: &[&str], input: &[u8]) -> Run {
    let output = running::run(Path::new("."), arguments, input);
    Run {
        code: output.status.code(),
        answers: String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect(),
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}
