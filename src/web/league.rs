//! The page of a league: its rating list and the games of each pair. It needs no script, and is
//! light or dark as the browser asks for.

use std::fmt::Write as _;
use std::path::Path;

use super::{BEGIN, check_place};
use crate::foreign_text::{NAME, visible};
use crate::league::List;
use crate::rating::Elo;
use crate::record::{RecordError, write_over};
use crate::wording::counted;

/// The beginning of the dark colors in `page.css`.
const DARK: &str = "[data-theme=\"dark\"] {";

/// Rules of this page beside those of `page.css`.
const OWN: &str = "
main { max-width: 84rem; margin: auto; padding: .4rem 1rem 1.2rem; }
main h2 { margin: 1.2rem 0 .5rem; }
main p { margin: .6rem 0; color: var(--soft); }
tbody tr { cursor: auto; }
th.n, td.n { text-align: right; }
td:nth-child(4) { min-width: 0; }
tr.retired td { color: var(--soft); }
";

/// Writes the page to a file, whole or not at all. An earlier page is replaced; any other file is
/// left alone.
///
/// # Errors
/// Another file exists at `path`, or the file system reports an error.
pub fn write(list: &List, path: &Path) -> Result<(), RecordError> {
    check_place(path)?;
    write_over(path, &html(list))
}

/// The page as HTML.
pub fn html(list: &List) -> String {
    let count = counted(list.played, "game");
    let apart = match list.connected {
        true => "",
        false => "<p>Not all engines are connected by games yet: compare ratings with care.</p>\n",
    };
    format!(
        "{BEGIN}\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>League</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n<style>\n{}{OWN}</style>\n</head>\n<body>\n\
         <header class=\"top\"><h1>League</h1><p id=\"outcome\">{count} since {}</p></header>\n\
         <main>\n<h2>Ratings</h2>\n{}\
         <p>The mean of all ratings is 0; &plusmn; is half the 95&nbsp;% interval.</p>\n{apart}\
         <h2>Points and games of each pair</h2>\n{}</main>\n</body>\n</html>\n",
        css(),
        escape(&list.date),
        ratings(list),
        cross(list),
    )
}

/// The style of the pages, with the dark colors for a browser that asks for them.
pub(super) fn css() -> String {
    let css = include_str!("page.css");
    let Some((before, (dark, after))) =
        css.split_once(DARK).and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    else {
        return css.to_owned();
    };
    format!("{before}@media (prefers-color-scheme: dark) {{ :root {{{dark}}} }}{after}")
}

/// The table of ratings.
fn ratings(list: &List) -> String {
    let titles = ["Elo", "&plusmn;", "Games", "Won", "Drawn", "Lost", "Score", "Faults"];
    let titles: String = titles.iter().map(|title| format!("<th class=\"n\">{title}")).collect();
    let mut html = format!(
        "<div class=\"scroll\"><table>\n<thead><tr><th class=\"n\">#<th>Engine{titles}</tr></thead>\n\
         <tbody>\n"
    );
    for entry in &list.engines {
        let (class, state) = match entry.retired {
            true => (" class=\"retired\"", " (retired)"),
            false => ("", ""),
        };
        let number = |number: Option<String>| number.unwrap_or_default();
        let cells = [
            number(entry.elo.map(|elo| Elo(elo).to_string())),
            number(entry.error.map(|error| format!("{error:.0}"))),
            entry.games.to_string(),
            entry.tally.wins.to_string(),
            entry.tally.draws.to_string(),
            entry.tally.losses.to_string(),
            number(entry.score.map(|score| format!("{:.1}&nbsp;%", score * 100.0))),
            entry.faults.to_string(),
        ];
        let cells: String = cells.iter().map(|cell| format!("<td class=\"n\">{cell}")).collect();
        let (rank, name) = (entry.rank, escape(&entry.engine));
        // Writing to a string cannot fail, here and below.
        let _ =
            writeln!(html, "<tr{class}><td class=\"n\">{rank}<td><b>{name}</b>{state}{cells}</tr>");
    }
    html + "</tbody></table></div>\n"
}

/// The table of each engine's points and games against each other engine.
fn cross(list: &List) -> String {
    let ranks: String =
        list.engines.iter().map(|entry| format!("<th class=\"n\">{}", entry.rank)).collect();
    let mut html = format!(
        "<div class=\"scroll\"><table>\n<thead><tr><th class=\"n\">#<th>Engine{ranks}</tr></thead>\n\
         <tbody>\n"
    );
    for (at, (entry, row)) in list.engines.iter().zip(list.cross()).enumerate() {
        let _ = write!(html, "<tr><td class=\"n\">{}<td>{}", entry.rank, escape(&entry.engine));
        for (other, tally) in row.iter().enumerate() {
            let cell = match tally.games() {
                0 if other == at => "&ndash;".to_owned(),
                0 => String::new(),
                games => format!("{}/{games}", tally.points()),
            };
            let _ = write!(html, "<td class=\"n\">{cell}");
        }
        html += "</tr>\n";
    }
    html + "</tbody></table></div>\n"
}

/// Foreign text as HTML: visible, and without a character that HTML would read as markup.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in visible(text, NAME).to_string().chars() {
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::arena::EngineConfig;
    use crate::league::{League, Results};

    #[test]
    fn a_page_is_light_or_dark_without_a_script() {
        let css = css();
        assert!(
            css.contains("@media (prefers-color-scheme: dark) { :root {\n  color-scheme: dark;")
        );
        assert_eq!(css.matches('{').count(), css.matches('}').count());
        let html = html(&List::new(&League::new(), &Results::default()));
        assert!(!html.contains("<script"), "{html}");
        assert!(html.starts_with(BEGIN));
    }

    #[test]
    fn names_are_text() {
        let mut league = League::new();
        let name = "<img src=x onerror='a()'>\"&\u{202e}";
        league.add(EngineConfig::new(name, "tensai"), Path::new("/")).unwrap();
        let html = html(&List::new(&league, &Results::default()));
        let escaped = "<b>&lt;img src=x onerror=&#39;a()&#39;&gt;&quot;&amp;\\u{202e}</b>";
        assert!(html.contains(escaped), "{html}");
        assert!(!html.contains("<img"));
    }
}
