//! Whether the commands in a match's folder are this user's own.
//!
//! A match that is resumed runs the commands that its folder names, and a folder may come from
//! elsewhere. So a match writes a seal beside its commands: their keyed hash (BLAKE3), with a key that
//! only this user has. A folder that was moved or renamed keeps its seal. A folder of another user or
//! machine has none that fits, nor has one whose commands were edited.
//!
//! The key is the file `tensai/key` in `$XDG_STATE_HOME`, which is `~/.local/state` where it is not
//! set. It is made when it is first needed, and only its owner can read it.

use std::env;
use std::fs::{self, File, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use super::engine::Engine;

/// Bytes of a key.
const KEY: usize = 32;

/// The seal of a match's engines; none where no key can be read or made.
pub fn seal(engines: &[Engine]) -> Option<String> {
    let commands = serde_json::to_vec(engines).ok()?;
    let key = key().ok()?;
    Some(blake3::keyed_hash(&key, &commands).to_hex().to_string())
}

/// Whether a seal is that of these engines.
pub fn fits(seal: Option<&str>, engines: &[Engine]) -> bool {
    seal.is_some_and(|given| self::seal(engines).is_some_and(|own| own == given))
}

/// This user's key, which is made if there is none.
fn key() -> io::Result<[u8; KEY]> {
    let path = folder()?.join("key");
    if !path.exists() {
        make(&path)?;
    }
    fs::read(path)?.try_into().map_err(|_| io::ErrorKind::InvalidData.into())
}

/// The folder of what this program keeps for a user.
fn folder() -> io::Result<PathBuf> {
    let absolute =
        |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = absolute("XDG_STATE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".local/state")));
    Ok(state.ok_or(io::ErrorKind::NotFound)?.join("tensai"))
}

/// Makes a key. When two processes do so at a time, the first one's stays.
fn make(path: &std::path::Path) -> io::Result<()> {
    let folder = path.parent().ok_or(io::ErrorKind::NotFound)?;
    fs::create_dir_all(folder)?;
    let mut key = [0; KEY];
    File::open("/dev/urandom")?.read_exact(&mut key)?;
    let mut draft =
        tempfile::Builder::new().permissions(Permissions::from_mode(0o600)).tempfile_in(folder)?;
    draft.write_all(&key)?;
    match draft.persist_noclobber(path) {
        Err(refused) if refused.error.kind() != io::ErrorKind::AlreadyExists => Err(refused.error),
        _ => Ok(()),
    }
}
