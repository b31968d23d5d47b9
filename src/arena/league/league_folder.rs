//! The files of a league.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::league_json::{League, VERSION};
use super::results::LeagueResults;
use crate::arena::folder_kind::{FolderKind, GAMES};
use crate::arena::{Folder, FolderError};
use crate::record::{
    Readers, Record, RecordError, create_in_folder, json_line, parse, replace_in_folder,
};
use crate::util::input_file;
use crate::util::sanitize::quoted;
use crate::util::system;

/// The definition's name in the folder.
const LEAGUE: &str = FolderKind::League.file();

/// The name of the file of the games in progress.
const RUNNING: &str = "running.json";

/// The name of the file that is locked by a process that changes the definition.
const LOCK: &str = "league.lock";

/// The time that a change waits for another one, which takes milliseconds.
const TIMEOUT: Duration = Duration::from_secs(2);

/// The games in progress, in the order of their numbers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunningGames {
    /// The kind of file; always the same text.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The games.
    pub games: Vec<RunningGame>,
}

/// A game in progress.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunningGame {
    /// The number, from 1.
    pub number: usize,
    /// The names of the engines, in the order of seats.
    pub engines: [String; 2],
}

impl RunningGames {
    /// The value of `format`.
    const FORMAT: &'static str = "tensai league games";

    /// The version of the format.
    const VERSION: u32 = 1;

    /// The text of the file for these games.
    pub(super) fn text(games: &BTreeMap<usize, [String; 2]>) -> String {
        let game = |(&number, engines): (_, &[String; 2])| RunningGame {
            number,
            engines: engines.clone(),
        };
        json_line(&Self {
            format: Self::FORMAT.to_owned(),
            version: Self::VERSION,
            games: games.iter().map(game).collect(),
        })
    }

    /// Parses the text of the file.
    ///
    /// # Errors
    /// Describes what is wrong with the text, in one line.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let running: Self = parse(text, Self::FORMAT, Self::VERSION)?;
        let is_wrong = |game: &&RunningGame| game.number == 0 || game.engines[0] == game.engines[1];
        match running.games.iter().find(is_wrong) {
            Some(RunningGame { number, engines: [a, b], .. }) => {
                let reason = "expected a number from 1 and two different engines";
                let [a, b] = [a, b].map(|name| quoted(name));
                Err(format!("game {number}: {reason}, found {number}, {a} and {b}"))
            }
            None => Ok(running),
        }
    }
}

/// The folder of a league.
#[derive(Clone, Debug)]
pub struct LeagueFolder {
    path: PathBuf,
}

impl LeagueFolder {
    /// The folder at `path`, whether it exists or not.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The league whose records are in the folder `games`; `None` if no league is around it.
    pub fn of_games(games: &Path) -> Option<Self> {
        // `.` and links have other names than the folder itself.
        let games = fs::canonicalize(games).ok()?;
        let league = Self::at(games.parent()?);
        (games.ends_with(GAMES) && league.has_league()).then_some(league)
    }

    /// Whether the folder holds a league.
    pub fn has_league(&self) -> bool {
        self.path.join(LEAGUE).is_file()
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of the records.
    pub fn games(&self) -> PathBuf {
        self.path.join(GAMES)
    }

    /// The file of the games in progress.
    pub(super) fn running(&self) -> PathBuf {
        self.path.join(RUNNING)
    }

    /// Makes the folder, unless it exists, and a new league in it.
    ///
    /// # Errors
    /// The folder holds a league already or is of another kind, or the file system reports an error.
    pub fn init(&self, league: &League) -> Result<(), FolderError> {
        let path = self.path.join(LEAGUE);
        if path.symlink_metadata().is_ok() {
            let reason = "it holds a league already: add engines to it, or choose another folder";
            return Err(self.refused(reason.to_owned()));
        }
        FolderKind::League.check(&self.path)?;
        create_in_folder(&path, &json_line(league), Readers::Owner)?;
        let games = self.games();
        Ok(fs::create_dir_all(&games).map_err(RecordError::file(&games, "create"))?)
    }

    /// Reads the definition.
    ///
    /// # Errors
    /// The definition is missing or not valid.
    pub fn league(&self) -> Result<League, FolderError> {
        FolderKind::League.check(&self.path)?;
        let invalid =
            |reason| self.refused(format!("not the folder of a league: {LEAGUE}: {reason}"));
        let text = input_file::read_regular(&self.path.join(LEAGUE), input_file::RECORD)
            .map_err(|error| invalid(error.to_string()))?;
        League::parse(&text).map_err(invalid)
    }

    /// Changes the definition. The file is replaced as a whole, so that a process that runs the
    /// league reads either the former or the new definition.
    ///
    /// # Errors
    /// `change` refuses, another process changes the league, or the definition cannot be read or
    /// written.
    pub fn change<T>(
        &self,
        change: impl FnOnce(&mut League) -> Result<T, String>,
    ) -> Result<T, FolderError> {
        // Before the lock, whose file belongs into the folder of a league only.
        self.league()?;
        let _lock = self.lock()?;
        let mut league = self.league()?;
        let done = change(&mut league).map_err(|reason| self.refused(reason))?;
        league.version = VERSION;
        replace_in_folder(&self.path.join(LEAGUE), &json_line(&league), Readers::Owner)?;
        Ok(done)
    }

    /// Locks the definition until the file is dropped. On a file system without locks, every
    /// process may change it.
    fn lock(&self) -> Result<File, FolderError> {
        let path = self.path.join(LOCK);
        let file = system::open_lock(&path).map_err(RecordError::file(&path, "write"))?;
        let since = Instant::now();
        while matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            if since.elapsed() > TIMEOUT {
                let reason = "another process changes the league: try again when it has ended";
                return Err(FolderError::Refused { path, reason: reason.to_owned() });
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(file)
    }

    /// Reads the record of a finished game.
    ///
    /// # Errors
    /// The record is missing, cannot be read, or is wrong.
    pub fn record(&self, number: usize) -> Result<Record, FolderError> {
        Ok(Record::read_regular(&Folder::at(self.games()).record_path(number))?)
    }

    /// Reads the records of all finished games.
    ///
    /// # Errors
    /// A record cannot be read, or is that of engines that the league does not have.
    pub fn results(&self, league: &League) -> Result<LeagueResults, FolderError> {
        let games = Folder::at(self.games());
        let numbers: Vec<usize> = games.numbers()?.into_iter().collect();
        let read = |&number: &usize| {
            let path = games.record_path(number);
            let record = Record::read_regular(&path)?;
            let names = record.players.each_ref().map(|player| player.engine.clone());
            let unknown = names
                .iter()
                .find(|name| name.as_deref().is_none_or(|name| league.index_of(name).is_none()));
            if let Some(name) = unknown {
                let name = quoted(name.as_deref().unwrap_or("?"));
                let reason = format!("{LEAGUE} has no engine {name}, which played this game");
                return Err(RecordError::OtherEngines { path, reason });
            }
            Ok((number, names.map(Option::unwrap_or_default), record))
        };
        let mut results = LeagueResults::default();
        // In parts, since records are large, and sums are not.
        for part in numbers.chunks(PART) {
            let records: Vec<_> = part.par_iter().map(read).collect::<Result<_, _>>()?;
            for (number, names, record) in &records {
                results.add(*number, names.each_ref().map(String::as_str), record);
            }
        }
        Ok(results)
    }

    /// Reads the games that were in progress when the league was stopped.
    ///
    /// # Errors
    /// The file cannot be read, or is wrong.
    pub(super) fn interrupted(&self) -> Result<BTreeMap<usize, [String; 2]>, FolderError> {
        let path = self.running();
        if path.symlink_metadata().is_err() {
            return Ok(BTreeMap::new());
        }
        let text = input_file::read_regular(&path, input_file::RECORD);
        let running = text.map_err(|error| error.to_string());
        let running = running.and_then(|text| RunningGames::parse(&text)).map_err(|reason| {
            let reason = format!("{reason}; delete the file to pair its games anew");
            FolderError::Refused { path, reason }
        })?;
        Ok(running.games.into_iter().map(|game| (game.number, game.engines)).collect())
    }

    fn refused(&self, reason: String) -> FolderError {
        FolderError::Refused { path: self.path.clone(), reason }
    }
}

/// Records that are read at a time.
const PART: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_league_is_made_once_and_a_refused_change_is_not_written() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = LeagueFolder::at(temporary.path().join("new/league"));
        let missing = folder.change(|_| Ok(())).unwrap_err().to_string();
        assert!(missing.contains("not the folder of a league: league.json: "), "{missing}");
        assert!(!folder.path().exists(), "no lock is left behind");
        folder.init(&League::new()).unwrap();
        let again = folder.init(&League::new()).unwrap_err().to_string();
        assert!(again.contains("it holds a league already"), "{again}");
        let league = folder.league().unwrap();
        let refused = folder.change(|league| {
            league.seed = 5;
            Err::<(), _>("no".to_owned())
        });
        assert!(refused.unwrap_err().to_string().ends_with("league: no"));
        assert_eq!(folder.league().unwrap(), league);
        let lock = folder.lock().unwrap();
        let locked = folder.change(|_| Ok(())).unwrap_err().to_string();
        assert!(locked.contains("league.lock: another process changes the league"), "{locked}");
        drop(lock);
        folder
            .change(|league| {
                league.seed = 5;
                Ok(())
            })
            .unwrap();
        assert_eq!(folder.league().unwrap().seed, 5);
        assert_eq!(folder.results(&league).unwrap(), LeagueResults::default());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_link_in_the_place_of_the_lock_is_not_followed() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = LeagueFolder::at(temporary.path().join("league"));
        folder.init(&League::new()).unwrap();
        std::os::unix::fs::symlink("../elsewhere", folder.path().join(LOCK)).unwrap();
        let refused = folder.change(|_| Ok(())).unwrap_err().to_string();
        assert!(refused.contains("league.lock: cannot write: "), "{refused}");
        assert!(!temporary.path().join("elsewhere").exists());
    }

    #[test]
    fn running_games_read_back() {
        let games = BTreeMap::from([(3, ["a", "b"].map(str::to_owned))]);
        let read = RunningGames::parse(RunningGames::text(&games).as_bytes()).unwrap();
        assert_eq!(read.games[0].engines, games[&3]);
        let wrong = BTreeMap::from([(0, ["a", "b"].map(str::to_owned))]);
        assert!(RunningGames::parse(RunningGames::text(&wrong).as_bytes()).is_err());
    }
}
