//! Checks whether the commands in a match's folder are this user's own.
//!
//! A match that is resumed runs the commands that its folder names, and a folder may come from
//! elsewhere. So a match writes a seal beside its commands: their keyed hash (BLAKE3), with a key
//! that only this user has. A folder that was moved or renamed keeps its seal. A folder of another
//! user or machine has no valid seal, nor has a folder whose commands were edited.
//!
//! The seal also covers the meaning of a command: for each bot that is not this program, the folder
//! in which the bot runs. Otherwise a stranger could give a user's own folder back to that user,
//! next to another program `./bot`.
//!
//! The key is the file `tensai/key` in `$XDG_STATE_HOME`, which is `~/.local/state` where it is not
//! set. It is made when it is first needed, and only its owner can read it.

use std::env;
use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use blake3::Hash;

use super::engine::EngineConfig;

/// Bytes of a key.
const KEY: usize = 32;

/// The seal of a match's engines; `None` if no key can be read or made.
pub fn seal(engines: &[EngineConfig]) -> Option<String> {
    hash(engines).ok().map(|hash| hash.to_hex().to_string())
}

/// Whether `seal` is the seal of these engines.
pub fn fits(seal: Option<&str>, engines: &[EngineConfig]) -> bool {
    let given = seal.and_then(|seal| Hash::from_hex(seal).ok());
    // Hashes are compared in constant time.
    given.is_some_and(|given| hash(engines).is_ok_and(|own| own == given))
}

/// The keyed hash of [`executed`].
fn hash(engines: &[EngineConfig]) -> io::Result<Hash> {
    Ok(blake3::keyed_hash(&key()?, &executed(engines, &env::current_dir()?)?))
}

/// The data that the seal covers, for a match that is started in the folder `here`: the engines as
/// JSON, then a NUL byte and a folder for each engine that is not this program. Neither JSON nor a
/// path contains a NUL byte.
fn executed(engines: &[EngineConfig], here: &Path) -> io::Result<Vec<u8>> {
    let mut text = serde_json::to_vec(engines)?;
    for engine in engines.iter().filter(|engine| !engine.is_own()) {
        let dir = engine.dir.as_ref().map_or_else(|| here.to_owned(), |dir| here.join(dir));
        text.push(0);
        text.extend(dir.as_os_str().as_bytes());
    }
    Ok(text)
}

/// This user's key, which is made if it does not exist.
fn key() -> io::Result<[u8; KEY]> {
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

    #[test]
    fn a_hash_depends_on_the_folder_of_each_other_program() {
        let executed = |engine: &EngineConfig, here| {
            executed(std::slice::from_ref(engine), Path::new(here)).unwrap()
        };
        let differs = |engine: &EngineConfig| executed(engine, "/one") != executed(engine, "/two");
        let relative = EngineConfig { dir: Some("bot".into()), ..EngineConfig::new("x", "./run") };
        let absolute = EngineConfig { dir: Some("/bot".into()), ..EngineConfig::new("x", "./run") };
        assert!(differs(&EngineConfig::new("x", "python3 bot.py")));
        assert!(differs(&relative));
        assert!(!differs(&absolute));
        assert!(!differs(&EngineConfig::new("x", "tensai --threads 2")));
        assert!(differs(&EngineConfig::new("x", "tensai-old")));
    }
}
