//! `decide`: the action that an engine plays.

use std::num::NonZeroU64;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::client_error::ApiError;
use super::game_data::{PositionData, SeatNumber, checked_nodes};
use super::progress::Progress;
use crate::analysis::{self, SearchLimits};
use crate::engine::{
    Decision, Engine, GreedyEngine, Level, Planner, PlannerParameters, RandomEngine, Report,
};
use crate::util::clock::Instant;
use crate::util::duration::milliseconds;
use crate::util::sanitize::quoted;

/// Parameters of `decide`. One of `nodes`, `level` and `time_ms` is given for the engine `tensai`;
/// an engine of the server takes `time_ms` or none of them.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DecideParams {
    /// The position.
    pub position: PositionData,
    /// The seat that decides.
    #[serde(default)]
    pub seat: SeatNumber,
    /// Simulated drops, 1 to [`MOST_NODES`](super::MOST_NODES).
    #[serde(default)]
    pub nodes: Option<u64>,
    /// The level, 1 to 9, instead of `nodes`.
    #[serde(default)]
    pub level: Option<u8>,
    /// Milliseconds instead of `nodes`: 1 to 20,000; for an engine of the server, the time that is
    /// left in the game, 1 to 600,000.
    #[serde(default)]
    pub time_ms: Option<u64>,
    /// The engine: `tensai`, `greedy`, `random` or, on a server, the name of one of its engines.
    #[serde(default)]
    pub engine: EngineChoice,
    /// The seed of the engine `random`; the drop follows from the seed and the turn.
    #[serde(default)]
    pub seed: u64,
    /// A session of one of the server's engines, chosen by the page.
    #[serde(default)]
    pub session: Option<String>,
}

/// The engine that decides.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(from = "String", into = "String")]
#[cfg_attr(test, schemars(with = "String"))]
pub enum EngineChoice {
    /// The bot's own engine.
    #[default]
    Tensai,
    /// Plays the action that sends the most ojama in the present turn.
    Greedy,
    /// Drops every pack at random.
    Random,
    /// An engine of the host, by its name.
    Other(String),
}

impl From<String> for EngineChoice {
    fn from(name: String) -> Self {
        match name.as_str() {
            "tensai" => Self::Tensai,
            "greedy" => Self::Greedy,
            "random" => Self::Random,
            _ => Self::Other(name),
        }
    }
}

impl From<EngineChoice> for String {
    fn from(engine: EngineChoice) -> Self {
        match engine {
            EngineChoice::Tensai => "tensai".to_owned(),
            EngineChoice::Greedy => "greedy".to_owned(),
            EngineChoice::Random => "random".to_owned(),
            EngineChoice::Other(name) => name,
        }
    }
}

/// Result of `decide`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DecideResult {
    /// The action.
    pub action: String,
    /// The data of the decision, as in the `info` line.
    pub report: Report,
    /// Milliseconds that the decision took.
    pub time_ms: u64,
}

/// The most milliseconds of a decision: the contest's limit of a turn.
const MOST_MS: u64 = 20_000;

impl DecideParams {
    /// The limits of the decision.
    fn limits(&self) -> Result<SearchLimits, ApiError> {
        let given = [self.nodes.is_some(), self.level.is_some(), self.time_ms.is_some()];
        if given.into_iter().filter(|given| *given).count() > 1 {
            let reason = "expected one of `nodes`, `level` and `time_ms`, found several";
            return Err(ApiError::bad_request(reason));
        }
        if let Some(level) = self.level {
            let level = Level::numbered(level).ok_or_else(|| {
                ApiError::bad_request(format!("`level`: expected 1 to 9, found {level}"))
            })?;
            return Ok(SearchLimits::Nodes(level.nodes().unwrap_or(1)));
        }
        if let Some(time) = self.time_ms {
            return match time {
                1..=MOST_MS => Ok(SearchLimits::Time(Duration::from_millis(time))),
                _ => Err(ApiError::bad_request(format!(
                    "`time_ms`: expected 1 to {MOST_MS}, found {time}"
                ))),
            };
        }
        match (self.nodes, &self.engine) {
            (Some(nodes), _) => checked_nodes(nodes).map(SearchLimits::Nodes),
            (None, EngineChoice::Tensai) => {
                let reason = "expected `nodes`, `level` or `time_ms`, found none";
                Err(ApiError::bad_request(reason))
            }
            // The other engines do not search.
            (None, _) => Ok(SearchLimits::Nodes(1)),
        }
    }
}

/// Decides a turn.
pub fn decide(
    params: &DecideParams,
    progress: &mut dyn Progress,
) -> Result<DecideResult, ApiError> {
    let (state, packs) = params.position.searched()?;
    let observation = analysis::observation(state, params.seat.into());
    let limits = params.limits()?;
    let mut engine: Box<dyn Engine> = match &params.engine {
        EngineChoice::Tensai => match params.level.and_then(Level::numbered) {
            Some(level) => level.engine(),
            None => Box::new(Planner::new(PlannerParameters::default())),
        },
        EngineChoice::Greedy => Box::new(GreedyEngine::new()),
        EngineChoice::Random => {
            Box::new(RandomEngine::new(params.seed, params.seat.into(), NonZeroU64::MIN))
        }
        EngineChoice::Other(name) => {
            let name = quoted(name);
            let reason = format!("`engine`: expected `tensai`, `greedy` or `random`, found {name}");
            return Err(ApiError::bad_request(reason));
        }
    };
    let start = Instant::now();
    let decided = analysis::decide(&mut *engine, &observation, &packs, limits, progress.control());
    let Decision { action, report } = decided.ok_or_else(ApiError::stopped)?;
    let time_ms = milliseconds(start.elapsed());
    Ok(DecideResult { action: action.to_string(), report, time_ms })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::web::api::progress::NoProgress;

    fn decided(extra: Value) -> Result<DecideResult, ApiError> {
        let packs = "1230456078901230";
        let mut params =
            json!({ "position": { "turn": 490, "packs": packs, "players": [{}, {}] } });
        let fields = params.as_object_mut().unwrap();
        fields.extend(extra.as_object().unwrap().clone());
        decide(&serde_json::from_value(params).unwrap(), &mut NoProgress::default())
    }

    #[test]
    fn each_engine_decides_with_fewer_packs_than_a_game_has() {
        for extra in [
            json!({ "nodes": 1000 }),
            json!({ "level": 1 }),
            json!({ "time_ms": 1, "seat": 1 }),
            json!({ "engine": "greedy" }),
            json!({ "engine": "random" }),
        ] {
            let result = decided(extra.clone()).unwrap_or_else(|error| panic!("{extra}: {error}"));
            assert_eq!(result.action, result.report.action);
        }
    }

    #[test]
    fn random_drops_follow_from_seed_and_turn() {
        let action =
            |seed: u64| decided(json!({ "engine": "random", "seed": seed })).unwrap().action;
        assert_eq!(action(3), action(3));
        assert!((0..9).any(|seed| action(seed) != action(seed + 1)));
    }

    #[test]
    fn limits_are_checked() {
        for (extra, message) in [
            (json!({}), "expected `nodes`, `level` or `time_ms`, found none"),
            (json!({ "level": 10 }), "`level`: expected 1 to 9, found 10"),
            (json!({ "level": 0 }), "`level`: expected 1 to 9, found 0"),
            (json!({ "nodes": 0 }), "`nodes`: expected 1 to 1000000000, found 0"),
            (json!({ "time_ms": 20_001 }), "`time_ms`: expected 1 to 20000, found 20001"),
            (json!({ "nodes": 1, "level": 1 }), "expected one of `nodes`, `level` and `time_ms`"),
            (json!({ "engine": "kera" }), "`engine`: expected `tensai`, `greedy` or `random`"),
        ] {
            let refused = decided(extra).unwrap_err().message;
            assert!(refused.starts_with(message), "{refused}");
        }
    }
}
