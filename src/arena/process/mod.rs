//! The part of the arena that needs Linux: processes of bots and their supervision, processor
//! cores, control groups, locks on a match's folder, the user's key.
//!
//! * [`Bot`]: the process of a bot, supervised by a keeper ([`keep`], [`become_bot`]);
//! * [`command`]: the program of an engine, found and checked;
//! * [`usable_cores`], [`claim_core`]: the cores that games can use;
//! * [`cpu_quota`]: the quota of processor time of the control groups;
//! * [`memory_groups`]: the control groups in which memory can be limited;
//! * [`OpenFolder`], [`Lock`]: the folder of a match while it is played; [`LockError`]: why a part
//!   of the match cannot be taken;
//! * [`key`]: the key of the seal of a match's commands.
//!
//! Other systems have the same items in `elsewhere.rs`: no engine starts there, and everything else
//! of the arena works.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;
mod lock_error;

#[cfg(not(target_os = "linux"))]
pub use elsewhere::*;
#[cfg(target_os = "linux")]
pub use linux::*;
pub use lock_error::{Holder, LockError};
