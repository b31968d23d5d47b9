//! Recorded games as a page for a browser, which plays them like a video.
//!
//! The page is one file that needs nothing else, neither a server nor a network. All that follows
//! from the rules is computed here and embedded as JSON: the page's script knows no
//! rules, it only shows. A game of 500 turns takes some hundred kilobytes.
//!
//! * `game.rs`: a game as JSON; `said.rs`: what the bots said in it; `changes.rs`: fields as text;
//! * `page.html`, `page.css`, `page.js`, `draw.js`, `charts.js`: the page, as one writes such files;
//! * [`Page`]: puts games into it.

mod bot_info;
mod changes;
mod game;

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;
use std::rc::Rc;

use crate::record::{Destination, Record, RecordError, write_over};

/// A page of games.
#[derive(Clone, Debug, Default)]
pub struct Page {
    games: Vec<Shown>,
}

/// A game as a page holds it, to be put on several.
#[derive(Clone, Debug)]
pub struct Shown(Rc<str>);

impl Shown {
    /// Of a record, as the game of this number.
    ///
    /// # Errors
    /// The first turn that breaks the rules, said in words.
    pub fn new(record: &Record, number: usize) -> Result<Self, String> {
        Ok(Self(embed(&game::Game::new(record, number)?).into()))
    }
}

/// What every page begins with, by which a file is known to be one.
const BEGIN: &str = "<!doctype html><!-- tensai view -->";

impl Page {
    /// A page without games.
    pub const fn new() -> Self {
        Self { games: Vec::new() }
    }

    /// Adds a game after the others.
    ///
    /// # Errors
    /// The first turn that breaks the rules, said in words.
    pub fn add(&mut self, record: &Record) -> Result<(), String> {
        let number = record.number.unwrap_or(self.games.len() + 1);
        self.put(Shown::new(record, number)?);
        Ok(())
    }

    /// Puts a game after the others.
    pub fn put(&mut self, game: Shown) {
        self.games.push(game);
    }

    /// Whether no game is on it.
    pub const fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The page. While it is `live`, it looks for a newer version of itself every second or so, as
    /// long as its reader follows the last turn.
    pub fn html(&self, live: bool) -> String {
        let games: Vec<&str> = self.games.iter().map(|game| &*game.0).collect();
        let data = format!("{{\"live\":{live},\"games\":[\n{}\n]}}", games.join(",\n"));
        let parts = [
            ("/*css*/", include_str!("page.css")),
            ("/*draw*/", include_str!("draw.js")),
            ("/*charts*/", include_str!("charts.js")),
            ("/*page*/", include_str!("page.js")),
            ("/*data*/", &data),
        ];
        // The data come last, so that nothing in them is taken for a place to put a part.
        let page = include_str!("page.html").trim_end().to_owned();
        BEGIN.to_owned() + &parts.iter().fold(page, |page, (at, part)| page.replacen(at, part, 1))
    }

    /// Games on it.
    pub const fn count(&self) -> usize {
        self.games.len()
    }

    /// Writes the page to a file, whole or not at all; the bytes that it takes. An earlier page is
    /// replaced, any other file is left alone.
    ///
    /// # Errors
    /// There is another file, or the file system says no.
    pub fn write(&self, path: &Path, live: bool) -> Result<usize, RecordError> {
        check_place(path)?;
        let html = self.html(live);
        write_over(path, &html)?;
        Ok(html.len())
    }
}

/// Whether a page may be written there: nothing is there yet, or a page, or a stream to write it
/// into.
///
/// # Errors
/// There is another file.
pub fn check_place(path: &Path) -> Result<(), RecordError> {
    let error = |source| RecordError::File { path: path.to_owned(), verb: "write", source };
    let Destination::File(file) = Destination::of(path).map_err(error)? else { return Ok(()) };
    let mut begin = Vec::new();
    match fs::File::open(file) {
        Err(missing) if missing.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(other) => return Err(error(other)),
        Ok(file) => file.take(BEGIN.len() as u64).read_to_end(&mut begin).map_err(error)?,
    };
    if begin == BEGIN.as_bytes() {
        return Ok(());
    }
    let what = "it exists already and is no page of games; nothing else is written over";
    Err(error(io::Error::new(io::ErrorKind::AlreadyExists, what)))
}

/// Whether a page may be written there again and again: as [`check_place`], but no stream.
///
/// # Errors
/// There is another file, or it is none.
pub fn check_live_place(path: &Path) -> Result<(), RecordError> {
    let error = |source| RecordError::File { path: path.to_owned(), verb: "write", source };
    if !Destination::of(path).map_err(error)?.is_file() {
        let what = "it is no regular file, and a live page is written over every second";
        return Err(error(io::Error::new(io::ErrorKind::InvalidInput, what)));
    }
    check_place(path)
}

/// A value as JSON that can stand in an element of a page: no name closes it.
fn embed(value: &impl serde::Serialize) -> String {
    let json = serde_json::to_string(value).expect("what is embedded has strings for keys");
    json.replace('<', "\\u003c")
}
