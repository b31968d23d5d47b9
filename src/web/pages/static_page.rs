//! The frame and the style of the pages without a script, light or dark as the browser prefers.

use std::path::Path;

use super::policy::{self, Scripts};
use super::{BEGIN, check_place};
use crate::record::{Readers, RecordError, replace_in_folder, write_over};
use crate::util::sanitize::{NAME, markup, visible};

/// The beginning of the dark colors in `base.css`.
const DARK: &str = "[data-theme=\"dark\"] {";

/// Rules of these pages beside those of `base.css`.
const RULES: &str = "
main { max-width: 84rem; margin: auto; padding: .4rem 1rem 1.2rem; }
main h2 { margin: 1.2rem 0 .5rem; }
main p { margin: .6rem 0; color: var(--soft); }
tbody tr { cursor: auto; }
th.n, td.n { text-align: right; }
td:nth-child(4) { min-width: 0; }
";

/// Writes a page to a file, whole or not at all. An earlier page is replaced; any other file is
/// left alone.
///
/// # Errors
/// Another file exists at `path`, or the file system reports an error.
pub fn write(path: &Path, html: &str) -> Result<(), RecordError> {
    check_place(path)?;
    write_over(path, html)
}

/// Writes a page as [`write`] does, to a path that the user did not give: a link there is replaced
/// itself.
///
/// # Errors
/// As [`write`].
pub fn write_in_folder(path: &Path, html: &str) -> Result<(), RecordError> {
    check_place(path)?;
    replace_in_folder(path, html, Readers::All)
}

/// A page as HTML: `rules` are its own CSS rules, `outcome` is the line beside its heading, `main`
/// its content. All but `rules` are HTML.
pub fn html(title: &str, rules: &str, outcome: &str, main: &str) -> String {
    let css = css();
    let nonce = policy::nonce([title, rules, outcome, main].concat().as_bytes());
    let policy = policy::element(&nonce, Scripts::None);
    format!(
        "{BEGIN}\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{policy}\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n<style nonce=\"{nonce}\">\n{css}{RULES}{rules}</style>\n</head>\n<body>\n\
         <header class=\"top\"><h1>{title}</h1><p id=\"outcome\">{outcome}</p></header>\n\
         <main>\n{main}</main>\n</body>\n</html>\n"
    )
}

/// The style of the pages, with the dark colors for a browser that asks for them.
pub fn css() -> String {
    let css = include_str!("../front/base.css");
    let Some((before, (dark, after))) =
        css.split_once(DARK).and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    else {
        return css.to_owned();
    };
    format!("{before}@media (prefers-color-scheme: dark) {{ :root {{{dark}}} }}{after}")
}

/// Untrusted text as HTML: visible, and without a character that HTML would read as markup.
pub fn escape(text: &str) -> String {
    markup(&visible(text, NAME).to_string())
}
