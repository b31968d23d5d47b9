//! Why a process cannot take a part of a match.

use std::io;

use thiserror::Error;

use crate::arena::match_::Shard;

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
