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

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use thiserror::Error;

use super::match_json::Manifest;
use super::schedule::{Fixture, Shard};
use crate::arena::folder_kind::{FolderKind, OtherKind};
use crate::arena::process::{Holder, Lock, LockError, OpenFolder};
use crate::record::{Readers, Record, RecordError, create_in_folder, json_line, replace_in_folder};
use crate::util::input_file;
use crate::util::sanitize::shown;

/// The manifest's name in the folder.
const MANIFEST: &str = FolderKind::Match.file();

/// An error of the folder of a match, a league or a tuning.
#[derive(Debug, Error)]
pub enum FolderError {
    /// The folder holds none or another one, or it cannot be changed or used as asked for.
    #[error("{}: {reason}", shown(path))]
    Refused {
        /// The folder, or the file that is wrong.
        path: PathBuf,
        /// The reason, and what to do.
        reason: String,
    },
    /// The `match.json` of the folder is not a valid manifest.
    #[error("{}: not the folder of a match: {MANIFEST}: {reason}", shown(path))]
    WrongManifest {
        /// The folder.
        path: PathBuf,
        /// What is wrong in the file.
        reason: String,
    },
    /// The folder is of another kind.
    #[error(transparent)]
    OtherKind(#[from] OtherKind),
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
    /// A file or folder cannot be read or written, or a record is wrong.
    #[error(transparent)]
    Record(#[from] RecordError),
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
        let failed = |verb| RecordError::file(&path, verb);
        fs::create_dir_all(&path).map_err(failed("create"))?;
        let folder = OpenFolder::open(&path).map_err(failed("read"))?;
        let lock = Lock::take(&folder.path(), shard).map_err(|error| match error {
            LockError::Held(holder) => FolderError::Busy { path: path.clone(), holder },
            LockError::Guarded => failed("play in it")(io::Error::other(LockError::Guarded)).into(),
            LockError::Io(source) => failed("play in it")(source).into(),
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

    /// Writes the manifest. It has the environment of the bots, which may hold secrets.
    fn write_manifest(&self, text: &str) -> Result<(), FolderError> {
        self.write(MANIFEST, |path| replace_in_folder(path, text, Readers::Owner))
    }

    /// Writes a file in the folder: `write` gets its path.
    fn write(
        &self,
        name: &str,
        write: impl FnOnce(&Path) -> Result<(), RecordError>,
    ) -> Result<(), FolderError> {
        let Some(held) = &self.held else {
            return Ok(write(&self.path.join(name))?);
        };
        write(&held.folder.path().join(name)).map_err(|error| {
            let Some(path) = self.current_path() else {
                return FolderError::Gone { path: self.path.clone() };
            };
            match error {
                RecordError::File { verb, source, .. } => {
                    RecordError::file(&path.join(name), verb)(source).into()
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
    /// manifest that the folder then has: a resumed match keeps its version, date, the decision of its
    /// test unless the test is another one, and its number of rounds if that is greater.
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
        let now = Manifest { version: there.version, ..manifest.clone() };
        let lost = || "it has an SPRT (`sprt`), this one has none".to_owned();
        let no_test = (there.sprt.is_some() && now.sprt.is_none()).then(lost);
        if let Some(reason) = now.difference(&there).or(no_test) {
            let reason = format!(
                "holds another match: {reason}; choose another folder, or go on with that match by \
                 `match resume`"
            );
            return Err(FolderError::Refused { path: self.path.clone(), reason });
        }
        let decision = there.decision_of(now.sprt).or(now.decision);
        Ok(Manifest {
            rounds: now.rounds.max(there.rounds),
            parts: now.parts.or(there.parts),
            date: there.date,
            decision,
            ..now
        })
    }

    /// Replaces the manifest of the match by `manifest`, in which the test may be decided.
    ///
    /// # Errors
    /// The folder was deleted, or the file system reports an error.
    pub fn renew(&self, manifest: &Manifest) -> Result<(), FolderError> {
        let text = json_line(manifest);
        self.write_manifest(&text)?;
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
        FolderKind::Match.check(&self.path())?;
        let path = || self.path.clone();
        let text = input_file::read_regular(&self.path().join(MANIFEST), input_file::RECORD);
        let text = text.map_err(|error| FolderError::Refused {
            path: path(),
            reason: format!("not the folder of a match: {MANIFEST}: {error}"),
        })?;
        Manifest::parse(&text).map_err(|reason| FolderError::WrongManifest { path: path(), reason })
    }

    /// The numbers of the games that have a record, by one look at the folder. A folder that does not
    /// exist has none.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn numbers(&self) -> Result<BTreeSet<usize>, FolderError> {
        let path = self.path();
        let failed = RecordError::file(&path, "read");
        let entries = match fs::read_dir(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
            entries => entries.map_err(&failed)?,
        };
        let mut numbers = BTreeSet::new();
        for entry in entries {
            let name = entry.map_err(&failed)?.file_name();
            let number = name.to_str().and_then(|name| name.strip_suffix(".json")?.parse().ok());
            let is_record = |&number: &usize| number > 0 && record_name(number).as_str() == name;
            numbers.extend(number.filter(is_record));
        }
        Ok(numbers)
    }

    /// The file of a game's record.
    pub fn record_path(&self, number: usize) -> PathBuf {
        self.path().join(record_name(number))
    }

    /// Writes the record of a finished game, and the manifest if it has vanished. Whatever else has
    /// the record's name, such as a link that a bot has put there, is left as it is.
    ///
    /// # Errors
    /// Something has the record's name, the folder was deleted, or the file system reports an error.
    pub fn keep(&self, number: usize, record: &Record) -> Result<(), FolderError> {
        if let Some(held) = &self.held
            && !held.folder.path().join(MANIFEST).exists()
            && let Some(manifest) = &*held.manifest.lock().unwrap_or_else(PoisonError::into_inner)
        {
            self.write_manifest(manifest)?;
        }
        let text = json_line(record);
        self.write(&record_name(number), |path| create_in_folder(path, &text, Readers::All))
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
            let reason = format!("expected {a} - {b}, found {found}");
            return Err(RecordError::OtherEngines { path, reason }.into());
        }
        Ok(Some(record))
    }
}

/// The name of a game's record in the folder.
fn record_name(number: usize) -> String {
    format!("{number:04}.json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::EngineConfig;

    #[test]
    fn only_records_have_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let others = ["12.json", "0000.json", "match.json", "0012.json~", "+012.json"];
        for name in ["0012.json", "12345.json"].into_iter().chain(others) {
            fs::write(folder.path().join(name), "{}").unwrap();
        }
        assert_eq!(Folder::at(folder.path()).numbers().unwrap(), BTreeSet::from([12, 12345]));
    }

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
                 folder, or go on with that match by `match resume`"
            ),
            "{refused}"
        );
        // A later version may have other fields.
        fs::write(folder.path().join(MANIFEST), r#"{"format":"tensai match","version":3}"#)
            .unwrap();
        let refused = folder.manifest().unwrap_err().to_string();
        assert!(
            refused.ends_with("match.json: expected version 2 or earlier, found 3"),
            "{refused}"
        );
    }
}
