//! The part of the arena that needs Linux: processes of bots and their supervision, processor
//! cores, control groups, locks on a match's folder, the user's key.
//!
//! * [`Bot`]: the process of a bot, supervised by a supervisor ([`supervise`], [`exec_bot`]);
//! * [`command`]: the program of an engine, found and checked;
//! * [`usable_cores`], [`claim_core`]: the cores that games can use;
//! * [`cpu_quota`]: the quota of processor time of the control groups;
//! * [`memory_groups`]: the control groups in which memory can be limited;
//! * [`OpenFolder`], [`Lock`]: the folder of a match while it is played; [`LockError`]: why a part
//!   of the match cannot be taken;
//! * [`key`]: the key of the MAC of a match's commands.
//!
//! Other systems have the same items in `elsewhere.rs`: no engine starts there, and everything else
//! of the arena works.

use std::io;
use std::time::Duration;

use thiserror::Error;

use crate::arena::match_::Shard;

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(not(target_os = "linux"))]
pub use elsewhere::*;
#[cfg(target_os = "linux")]
pub use linux::*;

/// Time that a bot has to end by itself, unless it is given more, once its input is closed.
pub const EXIT_TIMEOUT: Duration = Duration::from_millis(250);

/// Another process that plays a part of the match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Holder {
    /// The part.
    pub shard: Shard,
    /// The process id, if the file contains it.
    pub pid: Option<u32>,
}

/// Why a part of a match cannot be taken.
#[derive(Debug, Error)]
pub enum LockError {
    /// Another process plays games of that part already.
    #[error("the process of part {} plays some of these games", .0.shard)]
    Held(Holder),
    /// Another process keeps the folder locked.
    #[error("another process keeps the folder locked; end it and try again")]
    Guarded,
    /// The folder cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}
