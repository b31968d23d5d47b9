//! The output of the commands on standard output.

use std::io::{self, Write as _};

use super::error::CliError;
use crate::util::sanitize::screen;

/// Columns of text of a list for people.
const COLUMNS: usize = 80;

/// Formats a list for people: each of `rows` is what stands on the left, of equal widths, and a text.
/// A text that passes [`COLUMNS`] goes on in the next line, below its own begin.
pub fn list(rows: impl IntoIterator<Item = (String, String)>) -> String {
    let mut list = String::new();
    for (left, text) in rows {
        let begin = left.chars().count();
        let (mut line, mut width) = (left, begin);
        for word in text.split_whitespace() {
            let word_width = 1 + word.chars().count();
            if width + word_width > COLUMNS && width > begin {
                list += line.trim_end();
                (line, width) = ("\n".to_owned() + &" ".repeat(begin), begin);
            }
            line = line + " " + word;
            width += word_width;
        }
        list += line.trim_end();
        list.push('\n');
    }
    list
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_goes_on_below_its_begin() {
        let row = |left: &str, text: String| (left.to_owned(), text);
        let long = "word ".repeat(20);
        let rows = [row("a  ", "short".to_owned()), row("bc ", long), row("d  ", String::new())];
        let list = list(rows);
        let lines: Vec<&str> = list.lines().collect();
        assert_eq!(lines[0], "a   short");
        assert!(lines[1].starts_with("bc  word word") && lines[1].len() <= COLUMNS, "{list}");
        assert!(lines[2].starts_with("    word word") && !lines[2].ends_with(' '), "{list}");
        assert_eq!(lines[3..], ["d"]);
        assert_eq!(list.matches("word").count(), 20);
    }
}
