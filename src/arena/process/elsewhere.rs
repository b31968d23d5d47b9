//! The items of [`super`] on systems other than Linux, where no engine starts.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::arena::engine::{EngineConfig, StartError};
use crate::arena::match_::Shard;
use crate::arena::process::LockError;
use crate::arena::referee::ErrorLog;
use crate::arena::referee::{BotEvent, BotExit, Connection, Ending};
use crate::record::Usage;
use crate::util::system::stop::Stop;

/// A running bot, of which there is none.
pub enum Bot {}

impl Bot {
    /// Starts no bot.
    ///
    /// # Errors
    /// Always: engines run on Linux only.
    pub fn start(
        engine: &EngineConfig,
        _cores: &[usize],
        _timeout: Duration,
        _log: ErrorLog,
    ) -> Result<Self, StartError> {
        Err(StartError::NotLinux(engine.cmd.clone()))
    }

    /// Reads no line.
    pub const fn unread(&self) -> Option<String> {
        match *self {}
    }

    /// Ends no bot.
    pub const fn exit(&mut self) -> Option<BotExit> {
        match *self {}
    }
}

impl Connection for Bot {
    fn command(&self) -> &str {
        match *self {}
    }

    fn log(&self) -> &ErrorLog {
        match *self {}
    }

    fn now(&self) -> Instant {
        match *self {}
    }

    fn send(&self, _text: String) {
        match *self {}
    }

    fn unasked(&self) -> Option<String> {
        match *self {}
    }

    fn listen(&mut self, _until: Instant, _stop: &Stop) -> BotEvent {
        match *self {}
    }

    fn ending(&mut self) -> Ending {
        match *self {}
    }

    fn close_input(&mut self) {
        match *self {}
    }

    fn end(&mut self) {
        match *self {}
    }

    fn usage(&mut self) -> Option<Usage> {
        match *self {}
    }
}

/// Finds no program.
///
/// # Errors
/// Always: engines run on Linux only.
pub fn command(engine: &EngineConfig) -> Result<(PathBuf, Vec<String>), StartError> {
    Err(StartError::NotLinux(engine.cmd.clone()))
}

/// Supervises no bot.
///
/// # Errors
/// Always: engines run on Linux only.
pub fn supervise() -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "engines run on Linux only"))
}

/// Becomes no bot.
///
/// # Errors
/// Always: engines run on Linux only.
pub fn exec_bot() -> io::Result<()> {
    supervise()
}

/// No core: none is needed.
pub const fn usable_cores() -> Vec<usize> {
    Vec::new()
}

/// Claims no core.
///
/// # Errors
/// None.
pub const fn claim_core(_core: usize) -> io::Result<Option<File>> {
    Ok(None)
}

/// No quota.
pub const fn cpu_quota() -> Option<f64> {
    None
}

/// No control group.
pub const fn memory_groups() -> Vec<PathBuf> {
    Vec::new()
}

/// A part of a match that this process plays. No other process can play it here.
#[derive(Debug)]
pub struct Lock;

impl Lock {
    /// Takes the part `shard` of the match in `folder`.
    ///
    /// # Errors
    /// None.
    pub const fn take(_folder: &Path, _shard: Shard) -> Result<Self, LockError> {
        Ok(Self)
    }
}

/// The path of a folder, which is not held open.
#[derive(Debug)]
pub struct OpenFolder(PathBuf);

impl OpenFolder {
    /// The folder at `path`.
    ///
    /// # Errors
    /// The file system reports an error.
    pub fn open(path: &Path) -> io::Result<Self> {
        path.metadata()?;
        Ok(Self(path.to_owned()))
    }

    /// The path of the folder.
    pub fn path(&self) -> PathBuf {
        self.0.clone()
    }

    /// Whether `path` is that of the folder, and the folder is there.
    pub fn is_at(&self, path: &Path) -> bool {
        path == self.0 && path.is_dir()
    }

    /// Nothing, as a renamed folder is not found.
    pub const fn moved_to(&self) -> Option<PathBuf> {
        None
    }
}

/// No key, as no command runs that it would authenticate.
///
/// # Errors
/// Always.
pub fn key() -> io::Result<[u8; 32]> {
    Err(io::ErrorKind::Unsupported.into())
}
