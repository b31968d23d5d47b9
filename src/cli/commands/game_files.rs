//! Recorded games that commands are given: files, folders of records, of matches, of leagues and of
//! tunings. Every command that reads several games reads them here, each game once.

use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::fs;
use std::hash::Hasher as _;
use std::path::{Path, PathBuf};

use super::files::{canonical, content};
use crate::arena::Folder;
use crate::arena::league::LeagueFolder;
use crate::arena::tuning::TuningFolder;
use crate::cli::commands::games::record::official_games;
use crate::cli::commands::games::replay::{GameList, GameSource};
use crate::cli::error::CliError;
use crate::record::official::{Replay, is_official};
use crate::record::{Record, RecordError, json_line};
use crate::util::input_file;
use crate::util::message;
use crate::util::numbers::counted;
use crate::util::sanitize::shown;

/// Returns `path` itself if it is no folder, else all records in it: its `*.json` files except the
/// description of a match. Of a league's folder they are the records of its games, of a tuning's
/// folder those of all its matches.
///
/// # Errors
/// A folder cannot be read or has no record.
pub fn records_in(path: &Path) -> Result<Vec<PathBuf>, CliError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let league = LeagueFolder::at(path);
    let mut files = Vec::new();
    if league.has_league() {
        // A league without games may have no such folder.
        if league.games().is_dir() {
            files = json_files(&league.games())?;
        }
    } else if let Some(matches) = TuningFolder::matches(path) {
        for folder in matches {
            files.extend(json_files(&folder)?);
        }
    } else {
        files = json_files(path)?;
    }
    if files.is_empty() {
        let inside = first_match_inside(path).map_or_else(String::new, |inside| {
            format!("; {} holds a match: name the folders of matches", shown(&inside))
        });
        return Err(refused(path, &format!("it contains no game record{inside}")));
    }
    Ok(files)
}

/// Checks that `path`, from which one game is read, is neither a folder nor the description of a
/// match.
///
/// # Errors
/// It is one of them; the message names a game in it.
pub fn check_one_game(path: &Path) -> Result<(), CliError> {
    let (folder, what) = match path.parent() {
        _ if path.is_dir() => (path, "is a folder"),
        Some(folder) if path.is_file() && is_description(path) => (folder, "describes a match"),
        _ => return Ok(()),
    };
    // An empty path is the current folder.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let first = records_in(folder)?.into_iter().next().unwrap_or_default();
    let first = shown(&first);
    Err(refused(path, &format!("it {what}: name one of its games, such as {first}")))
}

/// The `*.json` files of a folder except the description of a match, sorted by name.
fn json_files(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    let (mut files, _) = content(folder)?;
    files.retain(|file| {
        let is_json = file.extension().is_some_and(|kind| kind == "json");
        is_json && !is_description(file)
    });
    Ok(files)
}

/// A folder in `path` that holds a match.
fn first_match_inside(path: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(path).ok()?;
    let folders = entries.filter_map(|entry| Some(entry.ok()?.path()));
    folders.filter(|folder| Folder::at(folder).has_match()).min()
}

/// Whether `path` is the description of a match.
fn is_description(path: &Path) -> bool {
    let is_official = || {
        // Not from a pipe, which could not be read again.
        let text = input_file::read_regular(path, input_file::RECORD);
        text.is_ok_and(|text| is_official(&text))
    };
    Folder::is_manifest(path) && !is_official()
}

/// Reads the games of a file: the one of a record, or all of a match in the official client's
/// format.
pub fn records_of(file: &Path) -> Result<Vec<Record>, CliError> {
    games_in(file, &text_of(file)?)
}

/// As [`records_of`]; `None` for the description of a match. A match in the official client's format
/// may have its name.
pub fn records_unless_description(file: &Path) -> Result<Option<Vec<Record>>, CliError> {
    let text = text_of(file)?;
    let is_description = Folder::is_manifest(file) && !is_official(&text);
    (!is_description).then(|| games_in(file, &text)).transpose()
}

fn text_of(file: &Path) -> Result<Vec<u8>, CliError> {
    Ok(input_file::read(file, input_file::RECORD).map_err(RecordError::file(file, "read"))?)
}

/// The games in the text of a file.
fn games_in(file: &Path, text: &[u8]) -> Result<Vec<Record>, CliError> {
    match is_official(text) {
        true => official_games(file, &Replay::of_file(file, text)?, &[]),
        false => Ok(vec![Record::of_file(file, text)?]),
    }
}

/// Calls `look` with each game of `paths` and its file; with `None` for a game that was stopped.
/// Each game counts once ([`DistinctGames`]).
///
/// # Errors
/// The first error of a file or of `look`, or a path has no game that was played to its end.
pub fn for_each_game(
    paths: &[PathBuf],
    mut look: impl FnMut(&Path, Option<&Record>) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let mut games = DistinctGames::default();
    for path in paths {
        let files = games.files(path)?;
        // Earlier paths may have named all of them.
        let mut finished = files.is_empty();
        for file in files {
            let records = games.read(&file)?;
            // The games of the file may be known from others.
            finished |= records.is_empty();
            for record in records {
                let game = Some(&record).filter(|record| !record.is_cut_short());
                finished |= game.is_some();
                look(&file, game)?;
            }
        }
        if !finished {
            return Err(refused(path, "no game in it was played to its end"));
        }
    }
    games.tell_repeated();
    Ok(())
}

/// An error about the file or folder `path`.
pub fn refused(path: &Path, reason: &str) -> CliError {
    CliError::Refused(format!("{}: {reason}", shown(path)))
}

/// The games of the files that a command is given, each game once. Two records are of one game if
/// their packs, answers and thinking times are equal, whatever their files are called: the parts of
/// a match and their merge hold the same records, and so do a copied file or folder. They are also of one game if they have the same number and players in
/// the same match or league: a folder that was copied and resumed in both places may hold two runs
/// of a game.
#[derive(Default)]
pub struct DistinctGames {
    /// The files so far, by their canonical paths.
    files: HashMap<PathBuf, PathBuf>,
    /// The hash of each game so far, with its file.
    games: HashMap<u64, PathBuf>,
    /// The hash of the match, number and players of each game that has them, with its file.
    numbers: HashMap<u64, PathBuf>,
    /// The matches and leagues of the folders so far.
    matches: HashMap<PathBuf, Option<String>>,
    /// The number of games that were left out because they were known.
    repeated: usize,
    /// The file of the first of them, and that of its game's first record.
    example: Option<[PathBuf; 2]>,
}

impl DistinctGames {
    /// As [`records_in`], without the files that earlier calls have returned.
    ///
    /// # Errors
    /// As [`records_in`].
    pub fn files(&mut self, path: &Path) -> Result<Vec<PathBuf>, CliError> {
        let mut files = records_in(path)?;
        files.retain(|file| {
            let first = match self.files.entry(canonical(file)) {
                Entry::Occupied(first) => first.get().clone(),
                Entry::Vacant(entry) => {
                    entry.insert(file.clone());
                    return true;
                }
            };
            self.leave_out(file, first);
            false
        });
        Ok(files)
    }

    /// As [`records_of`], without the games that earlier calls have returned.
    ///
    /// # Errors
    /// As [`records_of`].
    pub fn read(&mut self, file: &Path) -> Result<Vec<Record>, CliError> {
        let mut records = records_of(file)?;
        self.retain_new(&mut records, file);
        Ok(records)
    }

    /// As [`GameSource::read`], without the recorded games that earlier calls have returned.
    ///
    /// # Errors
    /// As [`GameSource::read`].
    pub fn source(&mut self, file: &Path) -> Result<GameSource, CliError> {
        let mut source = GameSource::read(file, &[])?;
        if let GameList::Records(records) = &mut source.games {
            self.retain_new(records, file);
        }
        Ok(source)
    }

    fn retain_new(&mut self, records: &mut Vec<Record>, file: &Path) {
        records.retain(|record| match self.first_of(record, file) {
            Some(first) => {
                self.leave_out(file, first);
                false
            }
            None => true,
        });
    }

    /// The file of the first record of the same game; `None` if `record` is the first.
    fn first_of(&mut self, record: &Record, file: &Path) -> Option<PathBuf> {
        // A game that was stopped may have been played to its end elsewhere.
        let number = record.number.filter(|_| !record.is_cut_short());
        let same_match = self.match_of(file).zip(number);
        let same_match = same_match.map(|(of, number)| {
            hash(&(of, number, record.players.each_ref().map(|player| player.engine.clone())))
        });
        let known = |games: &mut HashMap<u64, PathBuf>, game: u64| match games.entry(game) {
            Entry::Occupied(first) => Some(first.get().clone()),
            Entry::Vacant(entry) => {
                entry.insert(file.to_owned());
                None
            }
        };
        let equal = known(&mut self.games, identity(record));
        let numbered = same_match.and_then(|game| known(&mut self.numbers, game));
        equal.or(numbered)
    }

    /// The match or league in whose folder a record is: its date and its settings without those that
    /// may change while it is the same match.
    fn match_of(&mut self, file: &Path) -> Option<String> {
        let folder = file.parent()?;
        if let Some(known) = self.matches.get(folder) {
            return known.clone();
        }
        let found = match Folder::at(folder).manifest() {
            Ok(manifest) => Some(manifest.identity()),
            Err(_) => LeagueFolder::of_games(folder)
                .and_then(|league| league.league().ok())
                .map(|league| format!("league {} {}", league.date, league.seed)),
        };
        self.matches.insert(folder.to_owned(), found.clone());
        found
    }

    fn leave_out(&mut self, file: &Path, first: PathBuf) {
        self.repeated += 1;
        self.example.get_or_insert_with(|| [file.to_owned(), first]);
    }

    /// Says on standard error how many records were left out, if some were.
    pub fn tell_repeated(&self) {
        if let Some([file, first]) = &self.example {
            let (records, file, first) =
                (counted(self.repeated, "record"), shown(file), shown(first));
            let of = if self.repeated == 1 { "of a game that was" } else { "of games that were" };
            message::line(format_args!(
                "tensai: {records} {of} read before, such as {file} (the game of {first}): each game \
                 counts once"
            ));
        }
    }
}

/// A hash of the packs, answers and thinking times of a game, which no other game has to the
/// microsecond. A record without times counts whole, but for the name of the file of its packs.
fn identity(record: &Record) -> u64 {
    let turns = record.turns.iter().map(|turn| (&turn.answers, turn.think_us));
    let turns: Vec<_> = turns.collect();
    match turns.iter().all(|(_, think_us)| *think_us == [0, 0]) {
        true => hash(&json_line(&Record { packs_from: String::new(), ..record.clone() })),
        false => hash(&(&record.packs, turns)),
    }
}

/// A hash that is the same in each run.
fn hash(value: &impl std::hash::Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
