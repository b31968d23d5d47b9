//! Makes untrusted text safe for a terminal.
//!
//! Names of bots, answers, standard error of a bot, file names and the content of files are
//! untrusted text: they may hold escape sequences that recolour or erase the screen, newlines that
//! forge a line of output, marks that reverse the order of the text, and megabytes of text.
//!
//! * [`visible`] shows untrusted text within one line: unseen characters as `\u{1b}`, cut to a
//!   length;
//! * [`shown`] does the same for a path;
//! * [`screen`] makes a text of several lines safe and keeps its newlines and this program's
//!   colors: a second barrier for text that did not pass [`visible`];
//! * [`json`] writes the unseen characters of a JSON text as `\u001b`, which keeps its value.
//!
//! Text for standard error passes [`visible`] in [`crate::util::message`], text for users on standard
//! output passes [`screen`] in `cli::output`. Data (a bot's input, packs, records) are written byte
//! by byte.

use std::fmt::{self, Write as _};
use std::path::Path;

/// The maximum number of characters shown of a name.
pub const NAME: usize = 100;

/// The maximum number of characters shown of a command, and of a line that a bot or a script wrote.
pub const LINE: usize = 400;

/// The maximum number of characters shown of a message that quotes untrusted text.
pub const MESSAGE: usize = 1000;

/// The maximum number of characters shown of an unexpected value: enough to recognise the value.
pub const FOUND: usize = 40;

/// The maximum number of characters shown of a path, as in the longest path of the system.
const PATH: usize = 4096;

/// The maximum number of characters of a line in [`screen`], without colors.
const SCREEN: usize = 8000;

/// Whether a character controls a terminal or is invisible: controls (C0, DEL, C1), separators of
/// lines and paragraphs, marks of direction, characters without width.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// The result of [`visible`].
#[derive(Clone, Copy, Debug)]
pub struct Visible<'a> {
    text: &'a str,
    limit: usize,
}

/// Returns untrusted text as it is shown within one line.
///
/// Unseen characters are written as Rust escapes (`\n`, `\t`, `\u{1b}`). If more than `limit`
/// characters are needed, the first ones are shown, then `… (N bytes)` with the length of `text`,
/// together at most `limit` characters. The result is therefore unchanged if it is shown again.
/// `limit` must be at least [`FOUND`].
pub const fn visible(text: &str, limit: usize) -> Visible<'_> {
    Visible { text, limit }
}

impl fmt::Display for Visible<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fits = |room: usize| {
            let mut used = 0;
            self.text.char_indices().find(|&(_, c)| {
                used += shown_length(c);
                used > room
            })
        };
        let (shown, cut) = match fits(self.limit) {
            None => (self.text, None),
            Some(_) => {
                let cut = format!("… ({} bytes)", self.text.len());
                let room = self.limit.saturating_sub(cut.chars().count());
                let end = fits(room).map_or(self.text.len(), |(end, _)| end);
                (&self.text[..end], Some(cut))
            }
        };
        for c in shown.chars() {
            if is_unseen(c) {
                c.escape_default().fmt(f)?;
            } else {
                f.write_char(c)?;
            }
        }
        cut.map_or(Ok(()), |cut| f.write_str(&cut))
    }
}

/// Text in HTML and SVG, without a character that they would read as markup.
pub fn markup(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            c => escaped.push(c),
        }
    }
    escaped
}

/// The number of characters with which a character is shown.
fn shown_length(c: char) -> usize {
    if is_unseen(c) { c.escape_default().len() } else { 1 }
}

/// Returns the first [`FOUND`] characters of untrusted text in backquotes, as [`visible`] shows
/// them.
pub fn quoted(text: &str) -> String {
    format!("`{}`", visible(text, FOUND))
}

/// The result of [`shown`].
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a>(&'a Path);

/// Returns a path as [`visible`] shows it; bytes that are not UTF-8 are shown as U+FFFD.
pub fn shown<P: AsRef<Path> + ?Sized>(path: &P) -> Shown<'_> {
    Shown(path.as_ref())
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        visible(&self.0.to_string_lossy(), PATH).fmt(f)
    }
}

/// Makes a text of several lines safe for a terminal. Keeps newlines and this program's own color
/// codes, writes other unseen characters as [`visible`] does, and cuts lines after 8,000
/// characters.
pub fn screen(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        let (mut rest, mut characters) = (line, 0);
        while let Some(c) = rest.chars().next() {
            if characters == SCREEN {
                // Writing to a string cannot fail, here and below.
                let _ = write!(safe, "… ({} bytes)", line.len());
                break;
            }
            let code = own_colour(rest);
            if code > 0 {
                safe.push_str(&rest[..code]);
                rest = &rest[code..];
                continue;
            }
            characters += 1;
            if is_unseen(c) {
                safe.extend(c.escape_default());
            } else {
                safe.push(c);
            }
            rest = &rest[c.len_utf8()..];
        }
        safe.push_str(end);
    }
    safe
}

/// Returns the length of the color code that `text` begins with, 0 if there is none. This program
/// draws with colors of the palette and their reset; none of these codes moves the cursor or hides
/// text.
fn own_colour(text: &str) -> usize {
    const RESET: &str = "\x1b[0m";
    if text.starts_with(RESET) {
        return RESET.len();
    }
    let Some(number) = text.strip_prefix("\x1b[38;5;") else { return 0 };
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    if (1..=3).contains(&digits) && number[digits..].starts_with('m') {
        text.len() - number.len() + digits + 1
    } else {
        0
    }
}

/// Writes the unseen characters in the strings of a JSON text as `\u001b`, which keeps the value.
/// Newlines and tabs between values stay; within strings JSON escapes them already.
pub fn json(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unseen(c) && !c.is_ascii_whitespace() {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
        } else {
            safe.push(c);
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A character of each kind that must not reach a terminal.
    const UNSEEN: &str = "\0\x07\x08\x1b\x7f\u{80}\u{9b}\u{85}\u{200b}\u{200e}\u{200f}\u{202a}\
        \u{202e}\u{2066}\u{2069}\u{61c}\u{2028}\u{2029}\u{feff}\u{2060}\u{e0041}";

    #[test]
    fn unseen_characters_become_visible() {
        let text = visible("a\x1b[31mb\nc\td\u{202e}e\0", LINE).to_string();
        assert_eq!(text, "a\\u{1b}[31mb\\nc\\td\\u{202e}e\\u{0}");
        for text in [visible(UNSEEN, LINE).to_string(), screen(UNSEEN)] {
            assert!(text.chars().all(|c| c.is_ascii_graphic()), "{text:?}");
            assert_eq!(text.matches("\\u{").count(), UNSEEN.chars().count());
        }
    }

    #[test]
    fn visible_text_is_unchanged() {
        for text in ["", "a - b: a wins", "日本語 ±", "\\u{1b}", "C:\\new"] {
            assert_eq!(visible(text, LINE).to_string(), text);
            assert_eq!(screen(text), text);
        }
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!(visible("äöü", 3).to_string(), "äöü");
        let long = "ä".repeat(FOUND);
        assert_eq!(visible(&long, FOUND).to_string(), long);
        let cut = format!("{}… (82 bytes)", "ä".repeat(FOUND - 12));
        assert_eq!(visible(&(long + "ä"), FOUND).to_string(), cut);
        let endless = "7".repeat(5_000_000);
        assert!(visible(&endless, FOUND).to_string().ends_with("7… (5000000 bytes)"));
        assert!(screen(&endless).len() < 2 * SCREEN);
        assert_eq!(screen(&format!("{endless}\nb\n")).lines().last(), Some("b"));
    }

    /// A message is made visible where it is built and once more where it is printed.
    #[test]
    fn what_is_shown_is_unchanged_if_it_is_shown_again() {
        for part in ["x", "\u{7f}", "\n", "日", "\u{e0041}"] {
            for count in [1, FOUND - 1, FOUND, FOUND + 1, 9 * FOUND, 12 * FOUND] {
                let text = part.repeat(count);
                for limit in [FOUND, NAME, LINE] {
                    let once = visible(&text, limit).to_string();
                    assert!(once.chars().count() <= limit, "{part:?} {count} {limit}");
                    assert_eq!(visible(&once, limit).to_string(), once);
                }
            }
        }
    }

    #[test]
    fn a_screen_keeps_lines_and_own_colours_only() {
        let drawing = "a\n\x1b[38;5;217m 1\x1b[0m 2\n";
        assert_eq!(screen(drawing), drawing);
        for code in
            ["\x1b[2J", "\x1b[7m", "\x1b[8m", "\x1b[38;5;m", "\x1b[38;5;1;8m", "\x1b]0;t\x07", "\r"]
        {
            assert!(!screen(code).contains(char::is_control), "{code:?}");
        }
    }

    #[test]
    fn json_keeps_its_value() {
        let value = serde_json::json!({ "name": UNSEEN, "also": "a\nb\t\u{1f600}" });
        let text = serde_json::to_string_pretty(&value).unwrap();
        let safe = json(&text);
        assert!(safe.chars().all(|c| c == '\n' || !is_unseen(c)), "{safe:?}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).unwrap(), value);
    }
}
