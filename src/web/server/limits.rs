//! The resources of the machine that a client of the server may use: a page, or another program
//! that has the address of the server.

use std::time::Duration;

/// Connections at a time. Further ones wait until one of these is closed.
pub const CONNECTIONS: usize = 256;

/// Time in which the head of a request must arrive, and for which a connection may stay open
/// without a request.
pub const HEAD_TIME: Duration = Duration::from_secs(5);

/// Bytes of the head of a request: the address, with the token, and the headers of a browser. Up to
/// twice as many are read before a longer head is refused.
pub const HEAD: usize = 64 << 10;

/// Time in which the body of a request must arrive.
pub const BODY_TIME: Duration = Duration::from_secs(30);

/// Bytes of the body of a request: a game of 500 turns has some kilobytes.
pub const BODY: usize = 1 << 20;

/// Bytes of the body of a request that brings a file, or a game with the messages of two bots.
pub const FILE_BODY: usize = 32 << 20;

/// Requests at a time that bring a file and wait for a thread of the same group: their files are in
/// memory. Further ones are not read yet.
pub const FILES: usize = 2;

/// Time after which a connection is closed whose client reads nothing of an answer.
pub const STALL: Duration = Duration::from_secs(30);

/// Requests that wait for a thread, in each of the two groups of `workers.rs`.
pub const WAITING: usize = 256;

/// Threads for the methods that do not search.
pub const QUICK_THREADS: usize = 2;

/// Time of a request, waiting included. A search that takes longer is stopped.
pub const REQUEST_TIME: Duration = Duration::from_secs(15 * 60);

/// Streams of a live match at a time.
pub const LIVE_STREAMS: usize = 64;

/// Processes of external engines at a time.
pub const SESSIONS: usize = 64;

/// Time after which the process of an external engine is ended if no request names its session.
pub const SESSION_IDLE: Duration = Duration::from_secs(30 * 60);

/// Characters of the id of a session.
pub const SESSION_ID: usize = 64;

/// Time for which open connections may go on when the server ends.
pub const SHUTDOWN_TIME: Duration = Duration::from_secs(1);
