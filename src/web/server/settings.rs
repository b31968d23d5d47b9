//! The settings of a server.

use std::net::SocketAddr;
use std::num::NonZeroUsize;

use super::live::Feed;
use crate::arena::EngineConfig;

/// The settings of a server.
#[derive(Clone)]
pub struct Settings {
    /// Where the server listens. With port 0 the system chooses a port.
    pub address: SocketAddr,
    /// Whether the system chooses a port if another program uses that of `address`.
    pub or_any_port: bool,
    /// The engines that a page can play against, beside this program.
    pub engines: Vec<EngineConfig>,
    /// The number of searches at a time.
    pub threads: NonZeroUsize,
    /// The match that runs in this process. The methods that search are then refused.
    pub live: Option<Feed>,
}
