//! The folder of a match while it is played: held open, so that files in it can be written even if it
//! is renamed, and locked, so that no two processes play the same game.
//!
//! A process that plays keeps a file `playing-INDEX-of-COUNT.lock` in the folder, which contains
//! its process id, and holds the kernel's lock on that file. The kernel releases the lock when the
//! process ends, even by a crash. A file without a lock is stale: the next process removes it. A
//! process locks the folder itself while it looks at these files, so that two processes that begin
//! at the same time see each other.

use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::arena::match_::Shard;
use crate::arena::process::{Holder, LockError};

/// An open folder.
#[derive(Debug)]
pub struct OpenFolder(File);

impl OpenFolder {
    /// Opens the folder at `path`.
    ///
    /// # Errors
    /// The file system reports an error.
    pub fn open(path: &Path) -> io::Result<Self> {
        File::open(path).map(Self)
    }

    /// A path of the folder that is valid as long as this value, even if the folder is renamed.
    pub fn path(&self) -> PathBuf {
        format!("/proc/self/fd/{}", self.0.as_raw_fd()).into()
    }

    /// Whether `path` leads to the open folder.
    pub fn is_at(&self, path: &Path) -> bool {
        let key = |metadata: Metadata| (metadata.dev(), metadata.ino());
        let own = self.0.metadata().map(key).ok();
        own.is_some() && own == path.metadata().map(key).ok()
    }

    /// The current path of the folder; `None` if it was deleted.
    pub fn moved_to(&self) -> Option<PathBuf> {
        fs::read_link(self.path()).ok().filter(|path| self.is_at(path))
    }
}

/// The prefix and the suffix of the names of these files.
const NAME: [&str; 2] = ["playing-", ".lock"];

/// The time that a process waits for another one that looks at these files, which takes
/// milliseconds. Any process that may read the folder can hold this lock, a bot too.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A part of a match that this process plays; dropping this releases it.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    /// `None` on a file system without locks.
    _file: Option<File>,
}

impl Lock {
    /// Takes the part `shard` of the match in `folder`, which must exist. On a file system without
    /// locks, every process may play.
    ///
    /// # Errors
    /// Another process plays games of that part already or keeps the folder locked, or the folder
    /// cannot be read or written.
    pub fn take(folder: &Path, shard: Shard) -> Result<Self, LockError> {
        let path = folder.join(name(shard));
        let guard = File::open(folder)?;
        let since = Instant::now();
        loop {
            match guard.try_lock() {
                Ok(()) => break,
                Err(TryLockError::Error(_)) => return Ok(Self { path, _file: None }),
                Err(TryLockError::WouldBlock) if since.elapsed() < TIMEOUT => {
                    thread::sleep(Duration::from_millis(10));
                }
                Err(TryLockError::WouldBlock) => return Err(LockError::Guarded),
            }
        }
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let other = entry.file_name().to_str().and_then(shard_of);
            let Some(other) = other.filter(|other| other.overlaps(shard)) else { continue };
            // No process has locked a FIFO, whose opening would block, or an entry that is no file,
            // such as a link to a file elsewhere.
            if !entry.path().symlink_metadata().is_ok_and(|found| found.is_file()) {
                let _ = fs::remove_file(entry.path());
                continue;
            }
            // A missing file belonged to a process that has just ended.
            let Ok(file) = File::open(entry.path()) else { continue };
            if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
                let pid = fs::read_to_string(entry.path()).unwrap_or_default();
                let holder = Holder { shard: other, pid: pid.trim().parse().ok() };
                return Err(LockError::Held(holder));
            }
            let _ = fs::remove_file(entry.path());
        }
        let mut file = File::options().write(true).create_new(true).open(&path)?;
        let locked = file.try_lock().is_ok();
        // The process id only serves a message: on a full disk a part can be taken anyway.
        let _ = writeln!(file, "{}", std::process::id());
        Ok(Self { path, _file: Some(file).filter(|_| locked) })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The folder may be gone.
        let _ = fs::remove_file(&self.path);
    }
}

fn name(shard: Shard) -> String {
    NAME.join(&shard.to_string().replace('/', "-of-"))
}

/// The part in the name of a lock file.
fn shard_of(name: &str) -> Option<Shard> {
    let shard = name.strip_prefix(NAME[0])?.strip_suffix(NAME[1])?;
    shard.replacen("-of-", "/", 1).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_share_no_game_are_played_side_by_side() {
        let folder = tempfile::tempdir().unwrap();
        let take = |shard: &str| Lock::take(folder.path(), shard.parse().unwrap());
        let files = || fs::read_dir(folder.path()).unwrap().count();
        let first = take("1/2").unwrap();
        let second = take("2/2").unwrap();
        assert_eq!(files(), 2);
        let holder_of = |shard: &str| match take(shard) {
            Err(LockError::Held(holder)) => holder,
            other => panic!("expected a holder, found {other:?}"),
        };
        let holder = |shard: &str| holder_of(shard).shard.to_string();
        assert_eq!(holder_of("1/2").pid, Some(std::process::id()));
        assert_eq!([holder("1/2"), holder("2/2")], ["1/2", "2/2"].map(str::to_owned));
        // Parts of another division may share games with both.
        assert!(["1/2", "2/2"].contains(&&*holder("3/4")));
        drop((first, second));
        assert_eq!(files(), 0);
        // The lock file of a killed process is stale.
        fs::write(folder.path().join("playing-1-of-1.lock"), "1\n").unwrap();
        take("1/3").unwrap();
        assert_eq!(files(), 0);
    }

    #[test]
    fn a_folder_that_is_kept_locked_is_not_waited_for_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let kept = File::open(folder.path()).unwrap();
        kept.lock().unwrap();
        let taken = Lock::take(folder.path(), Shard::WHOLE);
        assert!(matches!(taken, Err(LockError::Guarded)), "{taken:?}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        drop(kept);
        Lock::take(folder.path(), Shard::WHOLE).unwrap();
    }
}
