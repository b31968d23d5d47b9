//! Why a server does not start.

use std::io;
use std::net::SocketAddr;

use thiserror::Error;

/// Why a server does not start.
#[derive(Debug, Error)]
pub enum ServerError {
    /// The address cannot be listened at.
    #[error("{address}: cannot listen: {}", reason(source))]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The reason.
        source: io::Error,
    },
    /// The system starts no threads.
    #[error("cannot start threads: {0}")]
    Threads(String),
    /// The system gives no random numbers for a token.
    #[error("cannot make a token: {0}")]
    Token(#[from] getrandom::Error),
}

/// Why an address cannot be listened at, and what to do.
fn reason(source: &io::Error) -> String {
    match source.kind() {
        io::ErrorKind::AddrInUse => {
            "another program uses this port: give another --port, or 0 for any free one".to_owned()
        }
        io::ErrorKind::AddrNotAvailable => "this machine does not have this address".to_owned(),
        io::ErrorKind::PermissionDenied => {
            "ports below 1024 need special rights: give another --port".to_owned()
        }
        _ => source.to_string(),
    }
}
