//! Builds a page that plays recorded games like a video in a browser.
//!
//! The page is one file that needs neither a server nor a network. This module computes everything
//! that follows from the rules and embeds it as JSON: the page's script contains no rules and only
//! shows the data. A game of 500 turns takes some hundred kilobytes.
//!
//! * [`super::game`]: a game as JSON;
//! * `page.html`, `base.css`, `page.js`, `draw.js`, `charts.js`: the sources of the page;
//! * [`Page`]: combines the sources and the games; `policy.rs`: what the pages may load and run;
//! * `offline.rs`: the page on which games are played and analysed; `script.rs` combines its
//!   modules;
//! * [`league`]: the page of a league's rating list, which needs no script.

pub mod league;
pub mod offline;
mod policy;
mod script;
mod static_page;
pub mod tuning;

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use self::policy::Scripts;
use super::game::PageGame;
use crate::record::{Destination, Record, RecordError, write_over};

/// A page of games.
#[derive(Clone, Debug, Default)]
pub struct Page {
    games: Vec<ShownGame>,
}

/// A game encoded for a page.
#[derive(Clone, Debug)]
pub struct ShownGame(String);

impl ShownGame {
    /// Encodes a game.
    pub fn of(game: &PageGame) -> Self {
        Self(embed(game))
    }
}

/// The beginning of every page, by which a file is recognised as a page.
const BEGIN: &str = "<!doctype html><!-- tensai view -->";

impl Page {
    /// A page without games.
    pub const fn new() -> Self {
        Self { games: Vec::new() }
    }

    /// Adds a record after the other games.
    ///
    /// # Errors
    /// Describes the first turn that breaks the rules.
    pub fn add(&mut self, record: &Record) -> Result<(), String> {
        let number = record.number.unwrap_or(self.games.len() + 1);
        self.put(ShownGame::of(&PageGame::new(record, number)?));
        Ok(())
    }

    /// Adds an encoded game after the other games.
    pub fn put(&mut self, game: ShownGame) {
        self.games.push(game);
    }

    /// Whether the page has no games.
    pub const fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The page as HTML.
    pub fn html(&self) -> String {
        let games: Vec<&str> = self.games.iter().map(|game| &*game.0).collect();
        let data = format!("{{\"games\":[\n{}\n]}}", games.join(",\n"));
        let nonce = policy::nonce(data.as_bytes());
        let attribute = format!(" nonce=\"{nonce}\"");
        let policy = policy::element(&nonce, Scripts::Own);
        let parts: [(&str, &str); 8] = [
            ("<!--policy-->", &policy),
            ("/*nonce*/", &attribute),
            ("/*nonce*/", &attribute),
            ("/*css*/", include_str!("../front/base.css")),
            ("/*draw*/", &flat(include_str!("../front/draw.js"))),
            ("/*charts*/", include_str!("../front/view/charts.js")),
            ("/*page*/", include_str!("../front/view/page.js")),
            ("/*data*/", &data),
        ];
        // The data come last, so that a placeholder in the data is not replaced.
        let page = include_str!("../front/view/page.html").trim_end().to_owned();
        BEGIN.to_owned() + &parts.iter().fold(page, |page, (at, part)| page.replacen(at, part, 1))
    }

    /// The number of games.
    pub const fn count(&self) -> usize {
        self.games.len()
    }

    /// Writes the page to a file, whole or not at all, and returns its size in bytes. An earlier
    /// page is replaced; any other file is left alone.
    ///
    /// # Errors
    /// Another file exists at `path`, or the file system reports an error.
    pub fn write(&self, path: &Path) -> Result<usize, RecordError> {
        check_place(path)?;
        let html = self.html();
        write_over(path, &html)?;
        Ok(html.len())
    }
}

/// An ES module as a part of a script without modules: its exports are global.
fn flat(source: &str) -> String {
    source.split_inclusive('\n').map(|line| line.strip_prefix("export ").unwrap_or(line)).collect()
}

/// Checks that a page may be written to `path`: nothing is there, or a page, or a stream.
///
/// # Errors
/// Another file exists at `path`.
pub fn check_place(path: &Path) -> Result<(), RecordError> {
    let error = RecordError::file(path, "write");
    let Destination::File(file) = Destination::of(path).map_err(&error)? else { return Ok(()) };
    let mut begin = Vec::new();
    match fs::File::open(file) {
        Err(missing) if missing.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(other) => return Err(error(other)),
        Ok(file) => file.take(BEGIN.len() as u64).read_to_end(&mut begin).map_err(&error)?,
    };
    if begin == BEGIN.as_bytes() {
        return Ok(());
    }
    let reason = "it exists already and is not a page of games; only such pages are overwritten";
    Err(error(io::Error::new(io::ErrorKind::AlreadyExists, reason)))
}

/// The JSON of a value, safe inside a `script` element: it contains no `<`.
fn embed(value: &impl serde::Serialize) -> String {
    let json = serde_json::to_string(value).expect("what is embedded has strings for keys");
    json.replace('<', "\\u003c")
}
