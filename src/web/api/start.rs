//! `hello` and `new_game`: what a page asks for at its start.

use serde::{Deserialize, Serialize};

use super::client_error::ApiError;
use super::game_data::{GameData, SEEDS, packs_text};
use crate::engine::LEVELS;
use crate::game::Packs;
use crate::protocol::read_packs;

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
            levels: LEVELS.map(|level| level.nodes().unwrap_or(0)),
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

/// Parameters of `new_game`: a seed or a text of packs; without both, the seed follows from the
/// time.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NewGameParams {
    /// The seed of the packs, less than [`SEEDS`].
    #[serde(default)]
    pub seed: Option<u64>,
    /// The packs in the format of the protocol: 500 packs of two lines and a line `END`.
    #[serde(default)]
    pub packs_text: Option<String>,
}

/// Result of `new_game`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NewGameResult {
    /// The game.
    pub game: GameData,
}

/// Makes a game without turns.
pub fn new_game(params: NewGameParams) -> Result<NewGameResult, ApiError> {
    let (packs, seed) = match (params.seed, params.packs_text) {
        (Some(_), Some(_)) => {
            return Err(ApiError::bad_request("expected `seed` or `packs_text`, found both"));
        }
        (Some(seed), None) if seed >= SEEDS => {
            let reason = format!("`seed`: expected less than {SEEDS}, found {seed}");
            return Err(ApiError::bad_request(reason));
        }
        (Some(seed), None) => (Packs::from_seed(seed), Some(seed)),
        (None, Some(text)) => {
            let packs = read_packs(text.as_bytes());
            let invalid = |error| ApiError::bad_request(format!("`packs_text`: {error}"));
            (packs.map_err(invalid)?, None)
        }
        (None, None) => {
            let seed = crate::util::clock::unix_ms() % SEEDS;
            (Packs::from_seed(seed), Some(seed))
        }
    };
    let packs = packs_text(packs.from_turn(0));
    Ok(NewGameResult { game: GameData { packs, seed, ..GameData::default() } })
}
