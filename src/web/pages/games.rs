//! A page that shows recorded games, like a video.
//!
//! This program computes everything that follows from the rules ([`PageGame`]) and embeds it as
//! JSON: the page knows no rules and only shows the data.

use std::path::Path;

use serde::Serialize;

use super::front::{self, Host};
use super::{check_place, embed, policy};
use crate::record::{Record, RecordError, write_over};
use crate::web::api::{GameData, ShareParams, share};
use crate::web::game::PageGame;

/// A page of games.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The games as JSON, without `<`.
    games: Vec<String>,
}

/// A game as the page embeds it.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EmbeddedGame<'a> {
    /// The text by which other pages open the game, beginning with `#`.
    shared: String,
    #[serde(flatten)]
    game: &'a PageGame,
}

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
        self.put(&PageGame::new(record, number)?, GameData::of_record(record)?)
    }

    /// Adds the game of a bot's input after the other games.
    ///
    /// # Errors
    /// The packs or the start are wrong, or an action breaks the rules.
    pub fn add_inferred(&mut self, game: GameData) -> Result<(), String> {
        let shown = game.page_game(self.games.len() + 1).map_err(|error| error.message)?;
        self.put(&shown, game)
    }

    fn put(&mut self, game: &PageGame, data: GameData) -> Result<(), String> {
        let params = ShareParams { game: Some(data), position: None };
        let shared = share(&params).map_err(|error| error.message)?.text;
        self.games.push(embed(&EmbeddedGame { shared, game }));
        Ok(())
    }

    /// Whether the page has no games.
    pub const fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The page as HTML.
    pub fn html(&self) -> String {
        let games = format!("{{\"games\":[\n{}\n]}}", self.games.join(",\n"));
        let nonce = policy::nonce(games.as_bytes());
        front::page(&Host::Games { version: env!("CARGO_PKG_VERSION"), games }, &nonce)
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
