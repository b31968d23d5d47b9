//! Files of weights, which may be overwritten.

use std::path::Path;

use crate::cli::error::CliError;
use crate::record::{Destination, RecordError};
use crate::util::input_file;
use crate::util::sanitize::shown;

/// Refuses an `output` that exists and does not begin with `title`: only earlier weights may be
/// overwritten.
pub fn check(output: &Path, title: &str) -> Result<(), CliError> {
    let destination = Destination::of(output).map_err(RecordError::file(output, "write"))?;
    // A stream holds nothing that could be overwritten.
    if let Destination::File(file) = destination
        && file.exists()
    {
        let text = input_file::read_text(&file, input_file::BY_HAND).unwrap_or_default();
        if !text.starts_with(title) {
            let reason = "it exists already and is not a file of weights; only such files are \
                        overwritten";
            return Err(CliError::Refused(format!("{}: {reason}", shown(output))));
        }
    }
    Ok(())
}
