//! The processor cores of this machine, and the files by which matches share them.
//!
//! The files are in a folder `tensai-cores-UID` in the folder for temporary files (`TMPDIR`, else
//! `/tmp`). A process that has claimed a core holds the kernel's lock on the core's file; the
//! kernel releases the lock when the process ends, even by a crash. The folder is not in
//! `XDG_RUNTIME_DIR`, because a match that `cron` starts has no such variable and would not see the
//! other matches.

use std::fs::{DirBuilder, File, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::PathBuf;

use nix::fcntl::OFlag;
use nix::sched::{CpuSet, sched_getaffinity};
use nix::unistd::Pid;
use procfs::process::Process;

use crate::util::sanitize::shown;

/// The cores on which this process may run; none if the system does not list them.
pub fn usable_cores() -> Vec<usize> {
    let set = sched_getaffinity(Pid::from_raw(0));
    set.map_or_else(
        |_| Vec::new(),
        |set| (0..CpuSet::count()).filter(|&core| set.is_set(core).unwrap_or(false)).collect(),
    )
}

/// Claims `core` until the file is dropped or this process ends; `None` if another process of the
/// user has claimed it.
///
/// # Errors
/// The folder of the claims cannot be made, or other users may write in it. The error contains the
/// path.
pub fn claim_core(core: usize) -> io::Result<Option<File>> {
    let path = claims_folder()?.join(format!("core-{core}.lock"));
    let named = |error| io::Error::other(format!("{}: {error}", shown(&path)));
    let file = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(OFlag::O_NOFOLLOW.bits())
        .open(&path)
        .map_err(named)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(named(error)),
    }
}

/// The folder of the claims, which only this user may write: in a folder that all users may write,
/// another user could put a link or other files in its place.
fn claims_folder() -> io::Result<PathBuf> {
    let user = Process::myself().and_then(|process| process.uid()).map_err(io::Error::other)?;
    let path = std::env::temp_dir().join(format!("tensai-cores-{user}"));
    let named = |reason: String| io::Error::other(format!("{}: {reason}", shown(&path)));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_cores() {
        assert!(!usable_cores().is_empty());
    }
}
