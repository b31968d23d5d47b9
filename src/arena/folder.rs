//! The files of a match, by which a match can be resumed, merged with others, and viewed.
//!
//! The folder of a match holds `match.json`, a [`Manifest`], and one record for each finished game,
//! named by the game's number: `0001.json`. A game that was stopped leaves no file. A resumed match
//! therefore plays the games that have no record, and several machines may share a folder, each
//! with a part of its own ([`Lock`]).
//!
//! A match holds its folder open and writes relative to the open folder, not to its path. A folder
//! that is renamed while the match runs therefore still gets all records. A `match.json` that has
//! vanished is written again. A folder that is deleted ends the match at the next record: it is not
//! made again, because its records are lost.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::engine::EngineConfig;
use super::opening::LONGEST;
use super::process::{Lock, OpenFolder};
use super::schedule::{Fixture, Pairing, Schedule, Shard};
use crate::clock;
use crate::duration;
use crate::engine::MOST_THREADS;
use crate::foreign_text::{LINE, quoted, shown, visible};
use crate::input_file;
use crate::rating::Sprt;
use crate::record::{Record, RecordError, json_line, parse, write_durably};

/// The value of `format` in every manifest.
const FORMAT: &str = "tensai match";

/// The newest version of the format, which is the one that is written.
const VERSION: u32 = 1;

/// The manifest's name in the folder.
const MANIFEST: &str = "match.json";

/// The longest limit of time, in milliseconds.
const LONGEST_LIMIT: u64 = duration::LONGEST.as_secs() * 1000;

/// Checks limits of time in milliseconds, given with the names of their fields.
///
/// # Errors
/// A limit is longer than a week; the message says which.
pub fn check_limits(limits: [(&str, u64); 4]) -> Result<(), String> {
    match limits.into_iter().find(|&(_, limit)| limit > LONGEST_LIMIT) {
        Some((field, found)) => {
            Err(format!("`{field}`: expected at most {LONGEST_LIMIT} ms, found {found}"))
        }
        None => Ok(()),
    }
}

/// Checks that a path can stand in a JSON file.
///
/// # Errors
/// `path`, the value of `field`, is not UTF-8.
fn check_path(field: &str, path: Option<&Path>) -> Result<(), String> {
    match path.filter(|path| path.to_str().is_none()) {
        Some(path) => Err(format!(
            "{field}: expected a path in UTF-8, found `{}`: rename the file or folder",
            shown(path)
        )),
        None => Ok(()),
    }
}

/// Checks the engines of a match or a league: their names, folders and threads.
///
/// # Errors
/// An engine has no name, the name of another one, too many threads, or a folder whose path is not
/// UTF-8; the message says which.
pub fn check_engines<'a>(engines: impl Iterator<Item = &'a EngineConfig>) -> Result<(), String> {
    let mut names = HashSet::new();
    for EngineConfig { name, threads, dir, .. } in engines {
        if name.trim().is_empty() {
            return Err("`engines`: expected a name for each, found one without".to_owned());
        }
        let quoted = quoted(name);
        if !names.insert(name) {
            return Err(format!("`engines`: two have the name {quoted}, expected different names"));
        }
        check_path(&format!("`engines`, {quoted}: dir"), dir.as_deref())?;
        if threads.get() > MOST_THREADS {
            return Err(format!(
                "`engines`, {quoted}: threads: expected at most {MOST_THREADS}, found {threads}"
            ));
        }
    }
    Ok(())
}

/// The definition of a match: everything that decides which games are played, and how.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Manifest {
    /// The kind of file; always the same text.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// When the match began, as `2026-11-21T08:00:00Z`.
    pub date: String,
    /// The engines that take part.
    pub engines: Vec<EngineConfig>,
    /// Which engines play each other.
    pub pairing: Pairing,
    /// The number of rounds.
    pub rounds: usize,
    /// A file or a folder of packs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packs: Option<PathBuf>,
    /// The seed of the first round whose packs are drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Time of each engine for a game, unless the engine has its own, in milliseconds.
    pub game_ms: u64,
    /// Time for a turn, in milliseconds.
    pub turn_ms: u64,
    /// Time by which an engine may exceed a limit, in milliseconds.
    pub grace_ms: u64,
    /// Time to say a name, unless the engine has its own, in milliseconds.
    pub start_ms: u64,
    /// Whether the engines are asked one after the other.
    pub sequential: bool,
    /// The number of random turns at the start of each game, which both engines play alike.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub openings: usize,
    /// Whether a game ends as soon as an engine is proven to lose.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adjudicate: bool,
    /// The test that ends the match early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// The decision of `sprt`, once it is made; later games do not change it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<TestDecision>,
    /// The [seal](super::trust) of the engines, made by the user who gave or trusted their
    /// commands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<String>,
}

/// The decision of the test of a match.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TestDecision {
    /// The hypothesis that was accepted.
    pub accepted: Hypothesis,
    /// The log-likelihood ratio at the decision.
    pub llr: f64,
    /// The number of results that were tested by then: games, or pairs of games.
    pub results: u64,
}

/// A hypothesis of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Hypothesis {
    /// The difference is `elo0` rather than `elo1`.
    H0,
    /// The difference is `elo1` rather than `elo0`.
    H1,
}

/// Another process that plays a part of the match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Holder {
    /// The part.
    pub shard: Shard,
    /// The process id, if the file contains it.
    pub pid: Option<u32>,
}

/// Why a part of a match cannot be taken.
#[derive(Debug, Error)]
pub enum LockError {
    /// Another process plays games of that part already.
    #[error("the process of part {} plays some of these games", .0.shard)]
    Held(Holder),
    /// The folder cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// An error of a match's folder.
#[derive(Debug, Error)]
pub enum FolderError {
    /// The file system reports an error.
    #[error("{}: cannot {verb}: {source}", shown(path))]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The operation that failed.
        verb: &'static str,
        /// The reason.
        source: io::Error,
    },
    /// The folder holds no match.
    #[error("{}: not the folder of a match: {what}", shown(path))]
    NoMatch {
        /// The folder.
        path: PathBuf,
        /// The reason.
        what: String,
    },
    /// The `match.json` of the folder is not a valid manifest.
    #[error("{}: not the folder of a match: {MANIFEST}: {what}", shown(path))]
    WrongManifest {
        /// The folder.
        path: PathBuf,
        /// What is wrong in the file.
        what: String,
    },
    /// The folder holds another match.
    #[error(
        "{}: holds another match: {what}; choose another folder, or go on with that match by \
         --resume",
        shown(path)
    )]
    Other {
        /// The folder.
        path: PathBuf,
        /// The difference.
        what: String,
    },
    /// Another process plays in the folder.
    #[error(
        "{}: {} plays {} there: wait until it has ended, or choose another folder",
        shown(path),
        holder.pid.map_or_else(|| "another process".to_owned(), |pid| format!("process {pid}")),
        if holder.shard == Shard::WHOLE {
            "the match".to_owned()
        } else {
            format!("part {} of the match", holder.shard)
        }
    )]
    Busy {
        /// The folder.
        path: PathBuf,
        /// The process, and the part of the match that it plays.
        holder: Holder,
    },
    /// The folder was deleted while the match ran.
    #[error("{}: the folder of the match was deleted while the match ran", shown(path))]
    Gone {
        /// The folder.
        path: PathBuf,
    },
    /// A record cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl Manifest {
    /// A match of `engines` that begins now, with the default settings.
    pub fn new(engines: Vec<EngineConfig>) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            date: clock::date(),
            engines,
            pairing: Pairing::RoundRobin,
            rounds: 1,
            packs: None,
            seed: None,
            game_ms: 10_000,
            turn_ms: 20_000,
            grace_ms: 100,
            start_ms: 10_000,
            sequential: false,
            openings: 0,
            adjudicate: false,
            sprt: None,
            decision: None,
            seal: None,
        }
    }

    /// Parses the text of a manifest.
    ///
    /// # Errors
    /// Describes what is wrong with the text, in one line.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let manifest: Self = parse(text, FORMAT, VERSION)?;
        manifest.check()?;
        Ok(manifest)
    }

    /// Checks that the engines can play each other, and that the games can be planned, since all of
    /// them are held in memory.
    ///
    /// # Errors
    /// There are fewer than two engines, or fewer than three with [`Pairing::Paired`], two engines
    /// with one name, an engine without a name, an opening that is too long, too many threads, a
    /// path that is not UTF-8, a limit of time beyond a week, or more than a million games; the
    /// message says which.
    pub fn check(&self) -> Result<(), String> {
        /// Maximum number of games of a match.
        const MOST: usize = 1_000_000;
        if self.engines.len() < 2 {
            return Err(format!("`engines`: expected two or more, found {}", self.engines.len()));
        }
        if self.pairing == Pairing::Paired && self.engines.len() < 3 {
            let what = "expected a new version, an old version and at least one opponent";
            return Err(format!("`engines`: {what}, found {} engines", self.engines.len()));
        }
        check_engines(self.engines.iter())?;
        check_path("packs", self.packs.as_deref())?;
        if self.openings > LONGEST {
            return Err(format!("openings: expected 0 to {LONGEST}, found {}", self.openings));
        }
        check_limits([
            ("game_ms", self.game_ms),
            ("turn_ms", self.turn_ms),
            ("grace_ms", self.grace_ms),
            ("start_ms", self.start_ms),
        ])?;
        match self.schedule().games() {
            ..=MOST => Ok(()),
            games => Err(format!("rounds: expected at most {MOST} games in all, found {games}")),
        }
    }

    /// The schedule of all games.
    pub const fn schedule(&self) -> Schedule {
        Schedule { pairing: self.pairing, engines: self.engines.len(), rounds: self.rounds }
    }

    /// An engine's time for a game.
    pub fn time_of(&self, engine: &EngineConfig) -> Duration {
        engine.time.unwrap_or(Duration::from_millis(self.game_ms))
    }

    /// An engine's time to say its name.
    pub fn start_time_of(&self, engine: &EngineConfig) -> Duration {
        engine.start_time.unwrap_or(Duration::from_millis(self.start_ms))
    }

    /// Describes the first difference that makes two manifests those of different matches. The
    /// date, the number of rounds and the decision of the test make no difference, because further
    /// rounds resume the same match. Neither do the path of the packs and the seal, which differ
    /// between machines; the records contain the packs.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let fields = |manifest: &Self| match serde_json::to_value(manifest) {
            Ok(serde_json::Value::Object(fields)) => fields,
            _ => serde_json::Map::new(),
        };
        let (here, there) = (fields(self), fields(other));
        let same = ["date", "rounds", "packs", "decision", "seal"];
        let keys = here.keys().chain(there.keys().filter(|&key| !here.contains_key(key)));
        let mut keys = keys.filter(|key| !same.contains(&key.as_str()));
        let key = keys.find(|&key| here.get(key) != there.get(key))?;
        let value = |fields: &serde_json::Map<String, serde_json::Value>| {
            fields.get(key).map_or_else(
                || "none".to_owned(),
                |value| visible(&value.to_string(), LINE).to_string(),
            )
        };
        Some(format!("`{key}` is {} in that match, {} in this one", value(&there), value(&here)))
    }
}

/// The folder of a match.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    held: Option<Held>,
}

/// An open folder in which this process plays.
#[derive(Debug)]
struct Held {
    // Dropped before `folder`, in which the lock's file is.
    _lock: Lock,
    folder: OpenFolder,
    /// The text of the manifest, once it is written.
    manifest: Mutex<Option<String>>,
}

impl Folder {
    /// The folder at `path`, whether it exists or not.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), held: None }
    }

    /// Makes the folder unless it exists, and takes the part `shard` of the match: until this is
    /// dropped, no other process can play the games of that part there.
    ///
    /// # Errors
    /// Another process plays some of these games, or the file system reports an error.
    pub fn open(path: impl Into<PathBuf>, shard: Shard) -> Result<Self, FolderError> {
        let path = path.into();
        let failed = |verb| {
            let path = path.clone();
            move |source| FolderError::File { path, verb, source }
        };
        fs::create_dir_all(&path).map_err(failed("create"))?;
        let folder = OpenFolder::open(&path).map_err(failed("read"))?;
        let lock = Lock::take(&folder.path(), shard).map_err(|error| match error {
            LockError::Held(holder) => FolderError::Busy { path: path.clone(), holder },
            LockError::Io(source) => failed("play in it")(source),
        })?;
        let held = Held { _lock: lock, folder, manifest: Mutex::default() };
        Ok(Self { path, held: Some(held) })
    }

    /// The path; the current one if the folder was renamed since it was opened.
    pub fn path(&self) -> PathBuf {
        self.current_path().unwrap_or_else(|| self.path.clone())
    }

    /// The current path; `None` if the folder was deleted since it was opened.
    fn current_path(&self) -> Option<PathBuf> {
        let Some(held) = &self.held else { return Some(self.path.clone()) };
        let known = Some(self.path.clone()).filter(|path| held.folder.is_at(path));
        known.or_else(|| held.folder.moved_to())
    }

    /// Writes a file in the folder.
    fn write(&self, name: &str, text: &str) -> Result<(), FolderError> {
        let Some(held) = &self.held else {
            return Ok(write_durably(&self.path.join(name), text)?);
        };
        write_durably(&held.folder.path().join(name), text).map_err(|error| {
            let Some(path) = self.current_path() else {
                return FolderError::Gone { path: self.path.clone() };
            };
            match error {
                RecordError::File { verb, source, .. } => {
                    FolderError::File { path: path.join(name), verb, source }
                }
                error => error.into(),
            }
        })
    }

    /// Whether the folder holds a match.
    pub fn has_match(&self) -> bool {
        self.path().join(MANIFEST).exists()
    }

    /// Begins a match, or resumes the one in the folder, which must be the same. Returns the
    /// manifest that the folder then has: a resumed match keeps its date, the decision of its test,
    /// and its number of rounds if that is greater.
    ///
    /// # Errors
    /// The folder holds another match, or the file system reports an error.
    pub fn begin(&self, manifest: &Manifest) -> Result<Manifest, FolderError> {
        let begun = if self.has_match() { self.resumed(manifest)? } else { manifest.clone() };
        self.renew(&begun)?;
        Ok(begun)
    }

    /// Returns the manifest that [`Self::begin`] writes if the folder holds a match. Writes
    /// nothing.
    ///
    /// # Errors
    /// The manifest of the folder is missing or not valid, or it is that of another match.
    pub fn resumed(&self, manifest: &Manifest) -> Result<Manifest, FolderError> {
        let there = self.manifest()?;
        if let Some(what) = manifest.difference(&there) {
            return Err(FolderError::Other { path: self.path.clone(), what });
        }
        Ok(Manifest {
            rounds: manifest.rounds.max(there.rounds),
            date: there.date,
            decision: there.decision.or(manifest.decision),
            ..manifest.clone()
        })
    }

    /// Replaces the manifest of the match by `manifest`, in which the test may be decided.
    ///
    /// # Errors
    /// The folder was deleted, or the file system reports an error.
    pub fn renew(&self, manifest: &Manifest) -> Result<(), FolderError> {
        let text = json_line(manifest);
        self.write(MANIFEST, &text)?;
        if let Some(held) = &self.held {
            *held.manifest.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
        }
        Ok(())
    }

    /// Whether `path` is that of a match's manifest.
    pub fn is_manifest(path: &Path) -> bool {
        path.ends_with(MANIFEST)
    }

    /// Reads the manifest.
    ///
    /// # Errors
    /// The manifest is missing or not valid.
    pub fn manifest(&self) -> Result<Manifest, FolderError> {
        let path = || self.path.clone();
        let text = input_file::read_regular(&self.path().join(MANIFEST), input_file::RECORD);
        let text = text.map_err(|error| FolderError::NoMatch {
            path: path(),
            what: format!("{MANIFEST}: {error}"),
        })?;
        Manifest::parse(&text).map_err(|what| FolderError::WrongManifest { path: path(), what })
    }

    /// The file of a game's record.
    pub fn record_path(&self, number: usize) -> PathBuf {
        self.path().join(record_name(number))
    }

    /// Writes the record of a finished game, and the manifest if it has vanished.
    ///
    /// # Errors
    /// The folder was deleted, or the file system reports an error.
    pub fn keep(&self, number: usize, record: &Record) -> Result<(), FolderError> {
        if let Some(held) = &self.held
            && !held.folder.path().join(MANIFEST).exists()
            && let Some(manifest) = &*held.manifest.lock().unwrap_or_else(PoisonError::into_inner)
        {
            self.write(MANIFEST, manifest)?;
        }
        self.write(&record_name(number), &json_line(record))
    }

    /// The record of a game, `None` if the game has none yet.
    ///
    /// # Errors
    /// The record cannot be read, or is that of other engines.
    pub fn record(
        &self,
        fixture: Fixture,
        manifest: &Manifest,
    ) -> Result<Option<Record>, FolderError> {
        let path = self.record_path(fixture.number);
        if !path.exists() {
            return Ok(None);
        }
        let record = Record::read_regular(&path)?;
        let expected = fixture.players.map(|player| manifest.engines[player].name.as_str());
        let found = record.players.each_ref().map(|player| player.engine.as_deref());
        if found != expected.map(Some) {
            let [a, b] = expected;
            let found = found.map(|name| name.unwrap_or("?")).join(" - ");
            let what = format!("expected {a} - {b}, found {found}");
            return Err(RecordError::Foreign { path, what }.into());
        }
        Ok(Some(record))
    }
}

/// Whether `number` is 0, which manifests leave out.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
const fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The name of a game's record in the folder.
fn record_name(number: usize) -> String {
    format!("{number:04}.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_resumed_only_with_equal_settings() {
        let folder = tempfile::tempdir().unwrap();
        let folder = Folder::at(folder.path().join("match"));
        let engines = vec![EngineConfig::new("a", "tensai"), EngineConfig::new("b", "tensai")];
        let manifest = Manifest::new(engines);
        assert!(folder.manifest().unwrap_err().to_string().contains("not the folder of a match"));
        folder.begin(&manifest).unwrap();
        assert_eq!(folder.manifest().unwrap(), manifest);
        let longer = Manifest { rounds: 5, date: "later".to_owned(), ..manifest.clone() };
        let begun = Manifest { rounds: 5, ..manifest.clone() };
        assert_eq!(folder.begin(&longer).unwrap(), begun);
        assert_eq!(folder.begin(&manifest).unwrap(), begun, "the greater number of rounds stays");
        assert_eq!(folder.manifest().unwrap(), begun);
        let other = Manifest { game_ms: 5, ..manifest };
        let refused = folder.begin(&other).unwrap_err().to_string();
        assert!(
            refused.ends_with(
                "another match: `game_ms` is 10000 in that match, 5 in this one; choose another \
                 folder, or go on with that match by --resume"
            ),
            "{refused}"
        );
        for (engines, message) in [
            (Vec::new(), "`engines`: expected two or more, found 0"),
            (
                vec![
                    EngineConfig::new("a", "x"),
                    EngineConfig::new("b", "x"),
                    EngineConfig::new("a", "y"),
                ],
                "`engines`: two have the name `a`, expected different names",
            ),
        ] {
            write_durably(&folder.path().join(MANIFEST), &json_line(&Manifest::new(engines)))
                .unwrap();
            let refused = folder.manifest().unwrap_err().to_string();
            assert!(refused.ends_with(&format!("match.json: {message}")), "{refused}");
        }
        // A later version may have other fields.
        fs::write(folder.path().join(MANIFEST), r#"{"format":"tensai match","version":2}"#)
            .unwrap();
        let refused = folder.manifest().unwrap_err().to_string();
        assert!(
            refused.ends_with("match.json: expected version 1 or earlier, found 2"),
            "{refused}"
        );
    }
}
