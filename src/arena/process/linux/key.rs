//! This user's key, with which a match authenticates the commands in its folder.
//!
//! The key is the file `tensai/key` in `$XDG_STATE_HOME`, which is `~/.local/state` where it is not
//! set. The first match that needs it makes it, and only its owner can read it.

use std::env;
use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// Bytes of a key.
const KEY: usize = 32;

/// This user's key, which is made if it does not exist.
///
/// # Errors
/// The key cannot be read or made.
pub fn key() -> io::Result<[u8; KEY]> {
    let path = folder()?.join("key");
    if !path.exists() {
        make(&path)?;
    }
    fs::read(path)?.try_into().map_err(|_| io::ErrorKind::InvalidData.into())
}

/// The folder in which this program keeps its state for the user.
fn folder() -> io::Result<PathBuf> {
    let absolute =
        |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = absolute("XDG_STATE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".local/state")));
    Ok(state.ok_or(io::ErrorKind::NotFound)?.join("tensai"))
}

/// Makes a key. If two processes make one at the same time, the first key stays.
fn make(path: &Path) -> io::Result<()> {
    let folder = path.parent().ok_or(io::ErrorKind::NotFound)?;
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let mut key = [0; KEY];
    File::open("/dev/urandom")?.read_exact(&mut key)?;
    let mut draft =
        tempfile::Builder::new().permissions(Permissions::from_mode(0o600)).tempfile_in(folder)?;
    draft.write_all(&key)?;
    // A key that a power cut leaves empty would never fit.
    draft.as_file().sync_all()?;
    match draft.persist_noclobber(path) {
        Err(refused) if refused.error.kind() != io::ErrorKind::AlreadyExists => Err(refused.error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_two_keys_made_at_a_time_stays() {
        let state = tempfile::tempdir().unwrap();
        let path = state.path().join("new/tensai/key");
        make(&path).unwrap();
        let first = fs::read(&path).unwrap();
        assert_eq!(first.len(), KEY);
        make(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), first);
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path), 0o600);
        assert_eq!(mode(path.parent().unwrap()), 0o700);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}
