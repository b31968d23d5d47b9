//! The output of the commands on standard output.

use super::error::CliError;
use crate::util::sanitize::screen;
use std::io::{self, Write as _};
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
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(CliError::Refused(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
