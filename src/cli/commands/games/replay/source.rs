//! Reads the files of games.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use crate::analysis::RecordedGame;
use crate::cli::commands::bots::arena_error::wrong_packs;
use crate::cli::commands::game_files::check_one_game;
use crate::cli::commands::games::record::official_games;
use crate::cli::error::CliError;
use crate::record::Record;
use crate::record::official::{Replay, is_official};
use crate::util::input_file;
use crate::util::message;
use crate::util::sanitize::shown;
use crate::web::api::GameData;

/// The games of a file.
pub struct GameSource {
    path: PathBuf,
    /// At least one game.
    pub games: GameList,
}

/// The games of a file, by the kind of the file.
pub enum GameList {
    /// Recorded games.
    Records(Vec<Record>),
    /// Games that are inferred from the input of a bot.
    Inferred(Vec<RecordedGame>),
}

impl GameSource {
    /// Reads a file of any of the three kinds. JSON begins with a brace, the input of a bot with a
    /// digit. A bot's input that is truncated gives its whole turns, and a warning on standard
    /// error.
    pub fn read(path: &Path, packs: &[PathBuf]) -> Result<Self, CliError> {
        let invalid = |reason: String| CliError::Refused(format!("{}: {reason}", shown(path)));
        check_one_game(path)?;
        let bytes = input_file::read(path, input_file::RECORD);
        let bytes = bytes.map_err(CliError::unreadable(shown(path)))?;
        let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
        let is_replay = first == Some(&b'{') && is_official(&bytes);
        if !packs.is_empty() && !is_replay {
            return Err(invalid(
                "it contains its packs; --packs is for official replays only".to_owned(),
            ));
        }
        let games = match first {
            None => return Err(invalid("the file is empty".to_owned())),
            Some(b'{') if is_replay => {
                GameList::Records(official_games(path, &Replay::of_file(path, &bytes)?, packs)?)
            }
            Some(b'{') => GameList::Records(vec![Record::of_file(path, &bytes)?]),
            Some(_) => {
                let input = RecordedGame::of_input(&bytes[..]);
                let input = input.map_err(|error| wrong_packs(path, &error))?;
                if let Some(warning) = input.warning() {
                    message::line(format_args!("tensai: {}: {warning}", shown(path)));
                }
                GameList::Inferred(input.games)
            }
        };
        if let GameList::Inferred(games) = &games
            && games.iter().all(|game| game.moments.is_empty())
        {
            return Err(invalid(
                "packs without a turn: the input of a bot has turns behind them".to_owned(),
            ));
        }
        let source = Self { path: path.to_owned(), games };
        if source.count() == 0 {
            return Err(invalid("no game was played".to_owned()));
        }
        Ok(source)
    }

    /// The number of games.
    pub const fn count(&self) -> usize {
        match &self.games {
            GameList::Records(records) => records.len(),
            GameList::Inferred(games) => games.len(),
        }
    }

    /// Returns the indices of the game of this `number`, or of all games.
    pub fn chosen(&self, number: Option<NonZeroUsize>) -> Result<std::ops::Range<usize>, CliError> {
        match number.map(NonZeroUsize::get) {
            None => Ok(0..self.count()),
            Some(number) if number <= self.count() => Ok(number - 1..number),
            Some(number) => Err(self.invalid(&format!(
                "it has no game {number}, but {}",
                match self.count() {
                    1 => "one game".to_owned(),
                    count => format!("games 1 to {count}"),
                }
            ))),
        }
    }

    /// Returns the game of this `number`, turn by turn.
    pub fn game(&self, number: Option<NonZeroUsize>) -> Result<RecordedGame, CliError> {
        let chosen = self.chosen(number)?;
        if chosen.len() > 1 {
            let games = self.count();
            return Err(self.invalid(&format!("it holds {games} games: choose one with --game N")));
        }
        match &self.games {
            GameList::Records(records) => RecordedGame::of_record(&records[chosen.start])
                .map_err(|reason| self.invalid(&reason)),
            GameList::Inferred(games) => Ok(games[chosen.start].clone()),
        }
    }

    /// Returns games that are inferred from the input of a bot, up to the first turn whose answers
    /// are not known, with a warning on standard error if other turns follow it.
    pub fn known_parts(&self, games: &[RecordedGame]) -> Vec<GameData> {
        for (number, game) in (1..).zip(games) {
            let Some(reason) = GameData::left_out(game) else { continue };
            let number = if games.len() == 1 { String::new() } else { format!(", game {number}") };
            message::line(format_args!("tensai: {}{number}: {reason}", shown(&self.path)));
        }
        games.iter().map(GameData::of_inferred).collect()
    }

    fn invalid(&self, reason: &str) -> CliError {
        CliError::Refused(format!("{}: {reason}", shown(&self.path)))
    }
}
