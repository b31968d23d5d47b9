//! Wrong arguments, told in one line.

use std::error::Error as _;
use std::io::{self, Write as _};

use clap::error::ErrorKind;

use super::{CliError, written};
use crate::wording;

/// Prints help and version. Of what is wrong with arguments makes an error, with what may have been
/// meant, in one line.
///
/// # Errors
/// Wrong arguments, and a standard output that cannot be written. Help that stands in for missing
/// arguments goes to standard error and ends the process; it is lost where that cannot be written.
pub fn error(error: &clap::Error) -> Result<(), CliError> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            written(error.print().and_then(|()| io::stdout().flush()))
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => error.exit(),
        _ => Err(CliError::Arguments(shorten(&reworded(error)))),
    }
}

/// Clap's message, with plain words for what the standard library says about numbers.
fn reworded(error: &clap::Error) -> String {
    let message = error.render().to_string();
    let source = error.source();
    match source.and_then(|source| Some((source.to_string(), wording::number(source)?))) {
        Some((said, words)) => message.replacen(&said, words, 1),
        None => message,
    }
}

/// The paragraphs of clap's message that say something, as one line.
fn shorten(message: &str) -> String {
    let lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
    let telling = lines.take_while(|line| !line.starts_with("Usage:"));
    let telling = telling.filter(|line| !line.starts_with("For more information"));
    let mut told = String::new();
    for line in telling {
        let line = line.strip_prefix("error: ").unwrap_or(line);
        let (line, joint) = line.strip_prefix("tip: ").map_or((line, " "), |tip| (tip, "; "));
        if !told.is_empty() {
            told.push_str(joint);
        }
        told.push_str(line);
    }
    told + " (--help tells more)"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clap_speaks_in_paragraphs() {
        let message = "error: unexpected argument '--tiem' found\n\n  \
            tip: a similar argument exists: '--time'\n\n\
            Usage: tensai match --time <TIME>\n\nFor more information, try '--help'.\n";
        assert_eq!(
            shorten(message),
            "unexpected argument '--tiem' found; a similar argument exists: '--time' \
             (--help tells more)"
        );
        let message = "error: the following required arguments were not provided:\n  <FOLDER>\n";
        assert_eq!(
            shorten(message),
            "the following required arguments were not provided: <FOLDER> (--help tells more)"
        );
    }
}
