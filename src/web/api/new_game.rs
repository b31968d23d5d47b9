//! `new_game`: a game without turns.

use serde::{Deserialize, Serialize};

use super::data::{GameData, SEEDS, packs_text};
use super::error::ClientError;
use crate::game::Packs;
use crate::protocol::read_packs;

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
pub fn new_game(params: NewGameParams) -> Result<NewGameResult, ClientError> {
    let (packs, seed) = match (params.seed, params.packs_text) {
        (Some(_), Some(_)) => {
            return Err(ClientError::bad_request("expected `seed` or `packs_text`, found both"));
        }
        (Some(seed), None) if seed >= SEEDS => {
            let what = format!("`seed`: expected less than {SEEDS}, found {seed}");
            return Err(ClientError::bad_request(what));
        }
        (Some(seed), None) => (Packs::from_seed(seed), Some(seed)),
        (None, Some(text)) => {
            let packs = read_packs(text.as_bytes());
            let wrong = |error| ClientError::bad_request(format!("`packs_text`: {error}"));
            (packs.map_err(wrong)?, None)
        }
        (None, None) => {
            let seed = crate::util::clock::unix_ms() % SEEDS;
            (Packs::from_seed(seed), Some(seed))
        }
    };
    let packs = packs_text(packs.from_turn(0));
    Ok(NewGameResult { game: GameData { packs, seed, ..GameData::default() } })
}
