//! Which game runs on which processor cores.
//!
//! Matches of one user on one machine share the cores by a file for each core, in a folder
//! `tensai-cores-UID` in the folder for temporary files (`TMPDIR`, else `/tmp`). A process that has
//! claimed a core holds the kernel's lock on the core's file; the kernel releases the lock when the
//! process ends, even by a crash. The folder is not in `XDG_RUNTIME_DIR`, because a match that
//! `cron` starts has no such variable and would not see the other matches.

use std::fs::{DirBuilder, File, TryLockError};
use std::io;
use std::num::NonZeroUsize;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, PoisonError};

use nix::fcntl::OFlag;
use nix::sched::{CpuSet, sched_getaffinity};
use nix::unistd::Pid;
use procfs::process::Process;

use crate::foreign_text::shown;

/// The processor cores of this machine that games can use.
///
/// A game takes the cores that it needs and returns them: no two games share a core.
pub struct Cores {
    free: Mutex<Vec<usize>>,
    returned: Condvar,
    all: usize,
    /// Locked files, which tell other processes that the cores are claimed.
    _claims: Vec<File>,
}

/// Cores that a game has taken; dropping this returns them.
pub struct Taken<'a> {
    cores: Vec<usize>,
    of: &'a Cores,
}

impl Cores {
    /// The cores on which this process may run; none if the system does not list them.
    pub fn of_this_machine() -> Self {
        let set = sched_getaffinity(Pid::from_raw(0));
        let cores: Vec<usize> = set.map_or_else(
            |_| Vec::new(),
            |set| (0..CpuSet::count()).filter(|&core| set.is_set(core).unwrap_or(false)).collect(),
        );
        Self::new(cores)
    }

    /// The given cores, without a claim.
    pub const fn new(cores: Vec<usize>) -> Self {
        Self::claimed(cores, Vec::new())
    }

    const fn claimed(cores: Vec<usize>, claims: Vec<File>) -> Self {
        let all = cores.len();
        Self { free: Mutex::new(cores), returned: Condvar::new(), all, _claims: claims }
    }

    /// Claims at most `most` of these cores, only cores that no other process of the user has
    /// claimed, until the claim is dropped or this process ends.
    ///
    /// # Errors
    /// The folder of the claims cannot be made, or other users may write in it. The error contains
    /// the path.
    pub fn claim(&self, most: usize) -> io::Result<Self> {
        let folder = claims_folder()?;
        let (mut cores, mut claims) = (Vec::new(), Vec::new());
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        for &core in free.iter() {
            if cores.len() == most {
                break;
            }
            let path = folder.join(format!("core-{core}.lock"));
            let file = File::options()
                .write(true)
                .create(true)
                .truncate(false)
                .mode(0o600)
                .custom_flags(OFlag::O_NOFOLLOW.bits())
                .open(&path);
            let named = |error| io::Error::other(format!("{}: {error}", shown(&path)));
            let file = file.map_err(named)?;
            match file.try_lock() {
                Ok(()) => {
                    cores.push(core);
                    claims.push(file);
                }
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(named(error)),
            }
        }
        Ok(Self::claimed(cores, claims))
    }

    /// The number of cores, taken or not.
    pub const fn count(&self) -> usize {
        self.all
    }

    /// Takes `wanted` cores, and waits until enough are free. Returns `None` if there are fewer
    /// than `wanted` cores in all.
    pub fn take(&self, wanted: NonZeroUsize) -> Option<Taken<'_>> {
        if wanted.get() > self.all {
            return None;
        }
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while free.len() < wanted.get() {
            free = self.returned.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
        let cores = free.drain(..wanted.get()).collect();
        Some(Taken { cores, of: self })
    }
}

/// The folder of the claims, which only this user may write: in a folder that all users may write,
/// another user could put a link or other files in its place.
fn claims_folder() -> io::Result<PathBuf> {
    let user = Process::myself().and_then(|process| process.uid()).map_err(io::Error::other)?;
    let path = std::env::temp_dir().join(format!("tensai-cores-{user}"));
    let named = |what: String| io::Error::other(format!("{}: {what}", shown(&path)));
    match DirBuilder::new().mode(0o700).create(&path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            return Err(named(error.to_string()));
        }
        _ => {}
    }
    let metadata = path.symlink_metadata().map_err(|error| named(error.to_string()))?;
    if metadata.is_dir() && metadata.uid() == user && metadata.mode() & 0o022 == 0 {
        return Ok(path);
    }
    Err(named("not a folder that only this user may write".to_owned()))
}

impl Taken<'_> {
    /// The numbers of the cores.
    pub fn numbers(&self) -> &[usize] {
        &self.cores
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let mut free = self.of.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.append(&mut self.cores);
        free.sort_unstable();
        self.of.returned.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_core_is_given_twice() {
        let cores = Cores::new(vec![3, 5, 8]);
        let two = NonZeroUsize::new(2).unwrap();
        assert!(cores.take(NonZeroUsize::new(4).unwrap()).is_none());
        let first = cores.take(two).unwrap();
        assert_eq!(first.numbers(), [3, 5]);
        let third = cores.take(NonZeroUsize::MIN).unwrap();
        assert_eq!(third.numbers(), [8]);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| cores.take(two).unwrap().numbers().to_vec());
            drop(first);
            assert_eq!(waiting.join().unwrap(), [3, 5]);
        });
    }

    #[test]
    fn this_machine_has_cores() {
        assert!(Cores::of_this_machine().count() > 0);
    }
}
