//! Checks whether the commands in a match's folder are this user's own.
//!
//! A match that is resumed runs the commands that its folder names, and a folder may come from
//! elsewhere. So a match writes a MAC (message authentication code) beside its commands: their
//! keyed hash (BLAKE3), with a key that only this user has. A folder that was moved or renamed
//! keeps its MAC. A folder of another user or machine has no valid MAC, nor has a folder whose
//! commands were edited.
//!
//! The MAC also covers the meaning of a command: for each bot that is not this program, the folder
//! in which the bot runs. Otherwise a stranger could give a user's own folder back to that user,
//! next to another program `./bot`.

use std::env;
use std::io;
use std::path::Path;

use blake3::Hash;

use super::engine::EngineConfig;
use super::process::key;

/// The MAC of a match's engines; `None` if no key can be read or made.
pub fn mac(engines: &[EngineConfig]) -> Option<String> {
    hash(engines).ok().map(|hash| hash.to_hex().to_string())
}

/// Whether `MAC` is the MAC of these engines.
pub fn fits(mac: Option<&str>, engines: &[EngineConfig]) -> bool {
    let given = mac.and_then(|mac| Hash::from_hex(mac).ok());
    // Hashes are compared in constant time.
    given.is_some_and(|given| hash(engines).is_ok_and(|own| own == given))
}

/// The keyed hash of [`executed`].
fn hash(engines: &[EngineConfig]) -> io::Result<Hash> {
    Ok(blake3::keyed_hash(&key()?, &executed(engines, &env::current_dir()?)?))
}

/// The data that the MAC covers, for a match that is started in the folder `here`: the engines as
/// JSON, then a NUL byte and a folder for each engine that is not this program. Neither JSON nor a
/// path contains a NUL byte.
fn executed(engines: &[EngineConfig], here: &Path) -> io::Result<Vec<u8>> {
    let mut text = serde_json::to_vec(engines)?;
    for engine in engines.iter().filter(|engine| !engine.is_own()) {
        let dir = engine.dir.as_ref().map_or_else(|| here.to_owned(), |dir| here.join(dir));
        text.push(0);
        text.extend(dir.as_os_str().as_encoded_bytes());
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

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
