//! `hello`: the version and the abilities of the host.

use serde::{Deserialize, Serialize};

use crate::engine::LEVELS;

/// Parameters of `hello`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HelloParams {}

/// The kind of the host of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum HostKind {
    /// `tensai serve`.
    Server,
    /// The page itself, with this program as WebAssembly.
    Offline,
}

/// Result of `hello`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct HelloResult {
    /// The version of this program.
    pub version: String,
    /// The kind of the host.
    pub host: HostKind,
    /// Simulated drops for a decision at levels 1 to 9.
    pub levels: [u64; 9],
    /// The names of the host's engines beside `tensai`, `greedy` and `random`.
    pub engines: Vec<String>,
    /// Whether the host shows a running match.
    pub live: bool,
    /// The backend that simulates drops, such as `avx2` or `portable`.
    pub backend: String,
}

impl HelloResult {
    /// The result of a page without a server.
    pub fn offline() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            host: HostKind::Offline,
            levels: LEVELS,
            engines: Vec::new(),
            live: false,
            backend: crate::board::Backend::current().to_string(),
        }
    }

    /// The result of a server with these engines; `live` tells whether it shows a running match.
    pub fn server(engines: Vec<String>, live: bool) -> Self {
        Self { host: HostKind::Server, engines, live, ..Self::offline() }
    }
}
