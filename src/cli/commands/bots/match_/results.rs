//! The results of a match as JSON.

use serde::Serialize;

use crate::arena::rating::{Estimate, Hypothesis, PairTally, Tally};
use crate::arena::{GameSummary, Manifest, Row};

/// The results of a match, as `tensai match --json` prints them. Numbers that are unknown
/// are `null`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Results<'a> {
    /// Always `tensai results`.
    pub format: &'static str,
    /// The version of the format.
    pub version: u32,
    /// The definition of the match, as in its `match.json`.
    #[serde(rename = "match")]
    pub manifest: &'a Manifest,
    /// The number of games of the match.
    pub planned: usize,
    /// The number of finished games.
    pub played: usize,
    /// Whether a chain of games connects all engines that have played. If not, only the ratings
    /// within a group can be compared.
    pub connected: bool,
    /// The engines, in the order of the match's list.
    pub engines: Vec<EngineResult<'a>>,
    /// The pairs that have played each other.
    pub pairs: Vec<PairResult<'a>>,
    /// The comparison of two versions by pairs of games, if the match is one of `--paired`.
    pub versions: Option<VersionsResult<'a>>,
    /// The test that may end the match, if it has one.
    pub sprt: Option<TestResult>,
    /// The finished games, in the order of their numbers.
    pub games: Vec<&'a GameSummary>,
}

/// The result of one engine.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EngineResult<'a> {
    /// The games and the resources that it used.
    pub standing: &'a Row,
    /// Points a game, 0 to 1.
    pub score: Option<f64>,
    /// The rating in Elo points; the mean of the engines that games connect with this one is 0.
    /// `null` without a game.
    pub elo: Option<f64>,
    /// The error of the rating: half the width of its 95 % interval.
    pub error: Option<f64>,
}

/// The result of two engines against each other.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PairResult<'a> {
    /// The name of the first engine.
    pub first: &'a str,
    /// The name of the second engine.
    pub second: &'a str,
    /// The games, from the first engine's view.
    pub tally: Tally,
    /// How much stronger the first engine is.
    #[serde(flatten)]
    pub strength: Strength,
}

/// The result of a new version against an old one, by pairs of games: in a pair both play the same
/// opponent on the same packs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VersionsResult<'a> {
    /// The name of the new version.
    pub new: &'a str,
    /// The name of the old version.
    pub old: &'a str,
    /// The pairs whose two games are finished.
    pub pairs: PairTally,
    /// How much stronger the new version is, by the pairs that differ.
    #[serde(flatten)]
    pub strength: Strength,
}

/// How much stronger the first of two engines, or the new version, is; unknown without games, and
/// for versions without pairs that differ.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Strength {
    /// By how much the first engine, or the new version, is stronger, in Elo points.
    pub elo: Option<f64>,
    /// The lower end of the 95 % interval of `elo`.
    pub low: Option<f64>,
    /// The upper end of the 95 % interval of `elo`.
    pub high: Option<f64>,
    /// The likelihood that the first engine, or the new version, is stronger, 0 to 1.
    pub los: Option<f64>,
}

impl From<Option<Estimate>> for Strength {
    fn from(estimate: Option<Estimate>) -> Self {
        Self {
            elo: estimate.map(|estimate| estimate.elo.0),
            low: estimate.map(|estimate| estimate.low.0),
            high: estimate.map(|estimate| estimate.high.0),
            los: estimate.map(|estimate| estimate.los),
        }
    }
}

/// The state of the test.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TestResult {
    /// The log-likelihood ratio.
    pub llr: f64,
    /// The ratio at which `h0` is accepted.
    pub lower: f64,
    /// The ratio at which `h1` is accepted.
    pub upper: f64,
    /// The hypothesis that was accepted: `h0` or `h1`.
    pub accepted: Option<Hypothesis>,
    /// The results that were tested: games, or pairs of games with `--paired`.
    pub games: u64,
}
