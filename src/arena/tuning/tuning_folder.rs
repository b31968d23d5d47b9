//! The files of a tuning, and the games of its iterations.
//!
//! The folder of a tuning holds `tuning.json`, a [`Tuning`], `path.html`, its page, and in `games`
//! a folder of each iteration's match. After each iteration `tuning.json` is written anew, whole or
//! not at all. A tuning that was stopped plays the games that are missing in its last iteration,
//! and goes on.

use std::fs;
use std::path::{Path, PathBuf};

use super::tuning_json::Tuning;
use crate::arena::folder_kind::{FolderKind, GAMES};
use crate::arena::{
    Failure, Folder, FolderError, Observer, OpenMatch, PackSource, Resources, Shard,
};
use crate::record::{Readers, json_line, replace_in_folder};
use crate::util::input_file;
use crate::util::system::stop::Stop;

/// The definition's name in the folder.
const TUNING: &str = FolderKind::Tuning.file();

/// The name of the page in the folder.
const PAGE: &str = "path.html";

/// The folder of a tuning, in which only this process plays.
#[derive(Debug)]
pub struct TuningFolder {
    path: PathBuf,
    /// The lock that keeps other processes out.
    _lock: Folder,
}

impl TuningFolder {
    /// Reads the tuning in the folder `path`.
    ///
    /// # Errors
    /// The folder holds no tuning, or its definition is not valid.
    pub fn read(path: &Path) -> Result<Tuning, FolderError> {
        FolderKind::Tuning.check(path)?;
        let invalid = |reason: String| FolderError::Refused {
            path: path.to_owned(),
            reason: format!("not the folder of a tuning: {TUNING}: {reason}"),
        };
        let text = input_file::read_regular(&path.join(TUNING), input_file::RECORD);
        Tuning::parse(&text.map_err(|error| invalid(error.to_string()))?).map_err(invalid)
    }

    /// The folders of the matches of the tuning in `path`, in the order of the iterations; `None` if
    /// the folder holds no tuning.
    pub fn matches(path: &Path) -> Option<Vec<PathBuf>> {
        path.join(TUNING).is_file().then(|| {
            let entries = fs::read_dir(path.join(GAMES)).into_iter().flatten();
            let folders = entries.filter_map(|entry| Some(entry.ok()?.path()));
            let mut folders: Vec<PathBuf> = folders.filter(|folder| folder.is_dir()).collect();
            folders.sort();
            folders
        })
    }

    /// Checks that a new tuning may be made in the folder `path`.
    ///
    /// # Errors
    /// The folder holds a tuning already, or is of another kind.
    pub fn check_new(path: &Path) -> Result<(), FolderError> {
        FolderKind::Tuning.check(path)?;
        if path.join(TUNING).symlink_metadata().is_ok() {
            let reason =
                "it holds a tuning already: go on with `tune resume`, or choose another folder";
            return Err(FolderError::Refused { path: path.to_owned(), reason: reason.to_owned() });
        }
        Ok(())
    }

    /// Makes the folder of a new tuning, and writes its definition.
    ///
    /// # Errors
    /// As [`Self::check_new`]; another process plays in it, or the file system reports an error.
    pub fn create(path: &Path, tuning: &Tuning) -> Result<Self, FolderError> {
        let folder = Self::open(path)?;
        // After the lock, for another process may have made one meanwhile.
        Self::check_new(path)?;
        folder.save(tuning)?;
        Ok(folder)
    }

    /// Opens the folder to go on with its tuning.
    ///
    /// # Errors
    /// Another process plays in it, or the file system reports an error.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        let lock = Folder::open(path, Shard::WHOLE)?;
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    /// The file of the page.
    pub fn page(&self) -> PathBuf {
        self.path.join(PAGE)
    }

    /// Writes the definition with the path so far.
    ///
    /// # Errors
    /// The file system reports an error.
    pub fn save(&self, tuning: &Tuning) -> Result<(), FolderError> {
        let path = self.path.join(TUNING);
        Ok(replace_in_folder(&path, &json_line(tuning), Readers::Owner)?)
    }

    /// Plays the games of the next iteration that have no record yet, takes its step, and saves the
    /// tuning. Returns `false` if `stop` was asked for before the iteration was finished.
    ///
    /// # Errors
    /// An engine cannot be started, or a file cannot be read or written.
    pub fn play(
        &self,
        tuning: &mut Tuning,
        resources: Resources<'_>,
        stop: &Stop,
        observer: &mut impl Observer<OpenMatch>,
    ) -> Result<bool, Failure> {
        let iteration = tuning.path.len();
        let manifest = tuning.manifest(iteration);
        let path = self.path.join(GAMES).join(format!("{:04}", iteration + 1));
        let folder = Folder::open(path, Shard::WHOLE)?;
        let packs = PackSource { files: Vec::new(), seed: manifest.seed };
        let mut games = OpenMatch::begin(folder, &manifest, packs, Shard::WHOLE)?;
        games.play(resources, iteration * games.part().len(), stop, observer)?;
        if !games.is_finished() {
            return Ok(false);
        }
        let standing = games.standing();
        let [plus, minus] = [0, 1].map(|side: usize| standing.rows()[side].tally);
        let better = (plus.points() - minus.points()) / plus.games().max(1) as f64;
        tuning.step(better, standing.played());
        self.save(tuning)?;
        Ok(true)
    }
}
