//! Reports on standard output: JSON, and messages beside files.

use std::io;
use std::path::Path;

use serde::Serialize;

use crate::cli::error::CliError;
pub use crate::cli::output::{list, print, print_data};
use crate::record::is_standard_output;
use crate::util::sanitize::json;

/// Prints `value` as JSON on standard output. Control characters, which a terminal would interpret,
/// are escaped (`\u001b`).
pub fn print_json(value: &impl Serialize) -> Result<(), CliError> {
    let text = serde_json::to_string_pretty(value).map_err(io::Error::from)?;
    print_data(&(json(&text) + "\n"))
}

/// Prints a message about the file `output` that was written: on standard output, or on standard
/// error if the file itself went to standard output.
pub fn print_beside(output: &Path, text: &str) -> Result<(), CliError> {
    if is_standard_output(output) {
        text.lines().for_each(crate::util::message::line);
        return Ok(());
    }
    print(text)
}
