//! The page of a league: its rating list and the games of each pair. It needs no script, and is
//! light or dark as the browser asks for.

use std::fmt::Write as _;
use std::path::Path;

use super::static_page::{self, escape};
use crate::arena::league::List;
use crate::record::RecordError;
use crate::util::numbers::counted;

/// Rules of this page beside those of all pages without a script.
const OWN: &str = "tr.retired td { color: var(--soft); }
";

/// Writes the page to a file, whole or not at all. An earlier page is replaced; any other file is
/// left alone.
///
/// # Errors
/// Another file exists at `path`, or the file system reports an error.
pub fn write(list: &List, path: &Path) -> Result<(), RecordError> {
    static_page::write(path, &html(list))
}

/// The page as HTML.
pub fn html(list: &List) -> String {
    let count = counted(list.played, "game");
    let apart = match list.connected {
        true => "",
        false => "<p>Not all engines are connected by games yet: compare ratings with care.</p>\n",
    };
    let scale = match &list.anchors[..] {
        [] => "The mean of all ratings is 0".to_owned(),
        anchors => format!("The rating of {} is fixed", escape(&anchors.join(", "))),
    };
    let main = format!(
        "<h2>Ratings</h2>\n{}\
         <p>{scale}; &plusmn; is half the 95&nbsp;% interval.</p>\n{apart}\
         <h2>Points and games of each pair</h2>\n{}",
        ratings(list),
        cross(list),
    );
    let outcome = format!("{count} since {}", escape(&list.date));
    static_page::html("League", OWN, &outcome, &main)
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
        let cells = entry.figures().map(|cell| cell.replace(' ', "&nbsp;"));
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
    for (entry, cells) in list.engines.iter().zip(list.cross_cells()) {
        let _ = write!(html, "<tr><td class=\"n\">{}<td>{}", entry.rank, escape(&entry.engine));
        for cell in cells {
            let _ = write!(html, "<td class=\"n\">{}", cell.replace('-', "&ndash;"));
        }
        html += "</tr>\n";
    }
    html + "</tbody></table></div>\n"
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::arena::EngineConfig;
    use crate::arena::league::{League, LeagueResults};
    use crate::web::pages::BEGIN;

    #[test]
    fn a_page_is_light_or_dark_without_a_script() {
        let css = static_page::css();
        assert!(
            css.contains("@media (prefers-color-scheme: dark) { :root {\n  color-scheme: dark;")
        );
        assert_eq!(css.matches('{').count(), css.matches('}').count());
        let html = html(&List::new(&League::new(), &LeagueResults::default()));
        assert!(!html.contains("<script"), "{html}");
        assert!(html.starts_with(BEGIN));
    }

    #[test]
    fn names_are_escaped() {
        let mut league = League::new();
        let name = "<img src=x onerror='a()'>\"&\u{202e}";
        league.add(EngineConfig::new(name, "tensai"), Path::new("/")).unwrap();
        let html = html(&List::new(&league, &LeagueResults::default()));
        let escaped = "<b>&lt;img src=x onerror=&#39;a()&#39;&gt;&quot;&amp;\\u{202e}</b>";
        assert!(html.contains(escaped), "{html}");
        assert!(!html.contains("<img"));
    }
}
