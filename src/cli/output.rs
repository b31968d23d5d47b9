//! The output of the commands on standard output.

use std::io::{self, Write as _};
#[cfg(feature = "arena")]
use std::path::Path;

#[cfg(feature = "arena")]
use serde::Serialize;

use super::error::CliError;
#[cfg(feature = "arena")]
use crate::foreign_text::json;
use crate::foreign_text::screen;
#[cfg(feature = "arena")]
use crate::record::is_standard_output;

/// Prints text for people on standard output, made safe for a terminal ([`screen`]). A closed pipe
/// is no error, because its reader wants no more.
pub fn print(text: &str) -> Result<(), CliError> {
    print_data(&screen(text))
}

/// Writes text for programs to standard output, byte by byte.
pub fn print_data(text: &str) -> Result<(), CliError> {
    let mut output = io::stdout().lock();
    written(output.write_all(text.as_bytes()).and_then(|()| output.flush()))
}

/// Turns the result of a write to standard output into that of a command. A closed pipe is no
/// error, because its reader wants no more.
pub fn written(result: io::Result<()>) -> Result<(), CliError> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(CliError::Output(error)),
        _ => Ok(()),
    }
}

/// Prints `value` as JSON on standard output. Control characters, which a terminal would interpret,
/// are escaped (`\u001b`).
#[cfg(feature = "arena")]
pub fn print_json(value: &impl Serialize) -> Result<(), CliError> {
    let text = serde_json::to_string_pretty(value).map_err(io::Error::from)?;
    print_data(&(json(&text) + "\n"))
}

/// Prints a message about the file `output` that was written: on standard output, or on standard
/// error if the file itself went to standard output.
#[cfg(feature = "arena")]
pub fn print_beside(output: &Path, text: &str) -> Result<(), CliError> {
    if is_standard_output(output) {
        text.lines().for_each(crate::message::line);
        return Ok(());
    }
    print(text)
}
