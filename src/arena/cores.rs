//! Who runs on which processor core.
//!
//! Matches of one user on one machine share the cores by a file for each core, in a folder
//! `tensai-cores-UID` in the folder for temporary files (`TMPDIR`, else `/tmp`). A process that has
//! claimed a core holds the kernel's lock on the core's file, which ends with the process, however
//! that ends. It is the folder for temporary files and not `XDG_RUNTIME_DIR`, as a match that `cron`
//! starts has no such variable and would not see the others.

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

/// The processor cores of this machine that games may be given.
///
/// Games take what they need and give it back: no two games share a core.
pub struct Cores {
    free: Mutex<Vec<usize>>,
    returned: Condvar,
    all: usize,
    /// Locked files, by which other processes know that cores are claimed.
    _claims: Vec<File>,
}

/// Cores taken, given back when this is dropped.
pub struct Taken<'a> {
    cores: Vec<usize>,
    of: &'a Cores,
}

impl Cores {
    /// The cores that this process may run on; none if the system does not say.
    pub fn of_this_machine() -> Self {
        let set = sched_getaffinity(Pid::from_raw(0));
        let cores: Vec<usize> = set.map_or_else(
            |_| Vec::new(),
            |set| (0..CpuSet::count()).filter(|&core| set.is_set(core).unwrap_or(false)).collect(),
        );
        Self::new(cores)
    }

    /// These cores.
    pub const fn new(cores: Vec<usize>) -> Self {
        Self::claimed(cores, Vec::new())
    }

    const fn claimed(cores: Vec<usize>, claims: Vec<File>) -> Self {
        let all = cores.len();
        Self { free: Mutex::new(cores), returned: Condvar::new(), all, _claims: claims }
    }

    /// Claims at most `most` of these cores, those that no other process of the user has claimed,
    /// until the claim is dropped or this process ends.
    ///
    /// # Errors
    /// The folder in which cores are claimed cannot be made or is not this user's alone. The path
    /// is in the error.
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

    /// How many there are, taken or not.
    pub const fn count(&self) -> usize {
        self.all
    }

    /// Takes so many cores, and waits for them if need be. `None` if there are not so many at all.
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

/// The folder in which cores are claimed, which nobody but this user may write: in a folder that
/// everybody may write, somebody else might have put a link or other files in its place.
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
    Err(named("not a folder that this user alone may write".to_owned()))
}

impl Taken<'_> {
    /// Their numbers.
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
