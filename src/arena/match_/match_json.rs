//! The definition of a match: its engines, its games and their limits.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::schedule::{Division, Pairing, Schedule};
use super::sprt_decision::TestDecision;
use crate::arena::engine::EngineConfig;
use crate::arena::rating::Sprt;
use crate::arena::referee::opening::LONGEST;
use crate::engine::MOST_THREADS;
use crate::record::parse;
use crate::util::clock;
use crate::util::duration;
use crate::util::sanitize::{LINE, quoted, shown, visible};

/// The value of `format` in every manifest.
const FORMAT: &str = "tensai match";

/// The newest version of the format, in which new matches are written. Version 1 differs in the
/// division into parts; a match of that version keeps it.
const VERSION: u32 = 2;

/// The longest limit of time, in milliseconds.
const LONGEST_LIMIT: u64 = duration::LONGEST.as_secs() * 1000;

/// The fields in which manifests of one match may differ.
const MAY_DIFFER: [&str; 7] = ["date", "rounds", "parts", "packs", "sprt", "decision", "seal"];

/// Checks that a path can stand in a JSON file.
///
/// # Errors
/// `path`, the value of `field`, is not UTF-8.
fn check_path(field: &str, path: Option<&Path>) -> Result<(), String> {
    match path.filter(|path| path.to_str().is_none()) {
        Some(path) => Err(format!(
            "{field}: expected a path in UTF-8, found `{}`: rename the file or folder",
            shown(path)
        )),
        None => Ok(()),
    }
}

/// The definition of a match: everything that decides which games are played, and how.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Manifest {
    /// The kind of file; always the same text.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// When the match began, as `2026-11-21T08:00:00Z`.
    pub date: String,
    /// The engines that take part.
    pub engines: Vec<EngineConfig>,
    /// Which engines play each other.
    pub pairing: Pairing,
    /// The number of rounds.
    pub rounds: usize,
    /// The number of parts into which the match is divided, if it is played in parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<NonZeroUsize>,
    /// A file or a folder of packs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packs: Option<PathBuf>,
    /// The seed of the first round whose packs are generated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Time of each engine for a game, unless the engine has its own, in milliseconds.
    pub game_ms: u64,
    /// Time for a turn, in milliseconds.
    pub turn_ms: u64,
    /// Time by which an engine may exceed a limit, in milliseconds.
    pub grace_ms: u64,
    /// Time to say a name, unless the engine has its own, in milliseconds.
    pub start_ms: u64,
    /// Whether the engines are asked one after the other.
    pub sequential: bool,
    /// The number of random turns at the start of each game, which both engines play alike.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub openings: usize,
    /// Whether a game ends as soon as an engine is proven to lose.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adjudicate: bool,
    /// The test that ends the match early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// The decision of `sprt`, once it is made; later games do not change it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<TestDecision>,
    /// The [MAC](crate::arena::trust) of the engines, made by the user who gave or trusted their
    /// commands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "seal")]
    pub mac: Option<String>,
}

impl Manifest {
    /// A match of `engines` that begins now, with the default settings.
    pub fn new(engines: Vec<EngineConfig>) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            date: clock::date(),
            engines,
            pairing: Pairing::RoundRobin,
            rounds: 1,
            parts: None,
            packs: None,
            seed: None,
            game_ms: 10_000,
            turn_ms: 20_000,
            grace_ms: 100,
            start_ms: 10_000,
            sequential: false,
            openings: 0,
            adjudicate: false,
            sprt: None,
            decision: None,
            mac: None,
        }
    }

    /// Parses the text of a manifest.
    ///
    /// # Errors
    /// Describes what is wrong with the text, in one line.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let manifest: Self = parse(text, FORMAT, VERSION)?;
        manifest.check()?;
        Ok(manifest)
    }

    /// Checks that the engines can play each other, and that the games can be planned, since all of
    /// them are held in memory.
    ///
    /// # Errors
    /// There are fewer than two engines, or fewer than three with [`Pairing::Paired`], two engines
    /// with one name, an engine without a name, an opening that is too long, too many threads, a
    /// path that is not UTF-8, a limit of time beyond a week, or more than a million games; the
    /// message says which.
    pub fn check(&self) -> Result<(), String> {
        /// Maximum number of games of a match.
        const MOST: usize = 1_000_000;
        if self.engines.len() < 2 {
            return Err(format!("`engines`: expected two or more, found {}", self.engines.len()));
        }
        if self.pairing == Pairing::Paired && self.engines.len() < 3 {
            let reason = "expected a new version, an old version and at least one opponent";
            return Err(format!("`engines`: {reason}, found {} engines", self.engines.len()));
        }
        self.check_games()?;
        match self.schedule().games() {
            ..=MOST => Ok(()),
            games => Err(format!("rounds: expected at most {MOST} games in all, found {games}")),
        }
    }

    /// Checks the engines and the settings of the games, of a match or a league.
    ///
    /// # Errors
    /// An engine has no name, the name of another one, too many threads, or a folder whose path is
    /// not UTF-8; or so is the path of the packs, an opening is too long, or a limit is longer than a
    /// week; the message says which.
    pub fn check_games(&self) -> Result<(), String> {
        let mut names = HashSet::new();
        for EngineConfig { name, threads, dir, .. } in &self.engines {
            if name.trim().is_empty() {
                return Err("`engines`: expected a name for each, found one without".to_owned());
            }
            let quoted = quoted(name);
            if !names.insert(name) {
                let reason = "expected different names";
                return Err(format!("`engines`: two have the name {quoted}, {reason}"));
            }
            check_path(&format!("`engines`, {quoted}: dir"), dir.as_deref())?;
            if threads.get() > MOST_THREADS {
                return Err(format!(
                    "`engines`, {quoted}: threads: expected at most {MOST_THREADS}, found {threads}"
                ));
            }
        }
        check_path("packs", self.packs.as_deref())?;
        let openings = self.openings;
        if openings > LONGEST {
            return Err(format!("openings: expected 0 to {LONGEST}, found {openings}"));
        }
        let limits = [
            ("game_ms", self.game_ms),
            ("turn_ms", self.turn_ms),
            ("grace_ms", self.grace_ms),
            ("start_ms", self.start_ms),
        ];
        match limits.into_iter().find(|&(_, limit)| limit > LONGEST_LIMIT) {
            Some((field, found)) => {
                Err(format!("`{field}`: expected at most {LONGEST_LIMIT} ms, found {found}"))
            }
            None => Ok(()),
        }
    }

    /// The schedule of all games.
    pub const fn schedule(&self) -> Schedule {
        Schedule {
            pairing: self.pairing,
            engines: self.engines.len(),
            rounds: self.rounds,
            division: if self.version < 2 { Division::EveryNth } else { Division::Shifted },
        }
    }

    /// The decision of `sprt`, if it is the test of this match and is decided.
    pub fn decision_of(&self, sprt: Option<Sprt>) -> Option<TestDecision> {
        self.decision.filter(|_| sprt == self.sprt)
    }

    /// An engine's time for a game.
    pub fn time_of(&self, engine: &EngineConfig) -> Duration {
        engine.time.unwrap_or(Duration::from_millis(self.game_ms))
    }

    /// An engine's time to say its name.
    pub fn start_time_of(&self, engine: &EngineConfig) -> Duration {
        engine.start_time.unwrap_or(Duration::from_millis(self.start_ms))
    }

    /// The date and the settings without those that differ between the parts of one match or change
    /// while it is resumed: equal for folders that hold one match, such as copies of a folder.
    pub fn identity(&self) -> String {
        let fields = self.fields();
        let same = |key: &String| key == "date" || !MAY_DIFFER.contains(&key.as_str());
        fields
            .iter()
            .filter(|(key, _)| same(key))
            .map(|(key, value)| format!("{key}={value}\n"))
            .collect()
    }

    /// The fields as JSON.
    fn fields(&self) -> serde_json::Map<String, serde_json::Value> {
        match serde_json::to_value(self) {
            Ok(serde_json::Value::Object(fields)) => fields,
            _ => serde_json::Map::new(),
        }
    }

    /// Describes the first difference that makes two manifests those of different matches. The
    /// date, the number of rounds, the number of parts, the test and its decision make no difference,
    /// because the games stay the same. Neither do the path of the packs and the MAC, which differ
    /// between machines; the records contain the packs.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let (here, there) = (self.fields(), other.fields());
        let keys = here.keys().chain(there.keys().filter(|&key| !here.contains_key(key)));
        let mut keys = keys.filter(|key| !MAY_DIFFER.contains(&key.as_str()));
        let key = keys.find(|&key| here.get(key) != there.get(key))?;
        let value = |fields: &serde_json::Map<String, serde_json::Value>| {
            fields.get(key).map_or_else(
                || "none".to_owned(),
                |value| visible(&value.to_string(), LINE).to_string(),
            )
        };
        Some(format!("`{key}` is {} in that match, {} in this one", value(&there), value(&here)))
    }
}

/// Whether `number` is 0, which manifests leave out.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
const fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::json_line;

    #[test]
    fn a_manifest_that_no_match_can_have_is_refused() {
        for (names, message) in [
            (&[][..], "`engines`: expected two or more, found 0"),
            (&["a", "b", "a"], "`engines`: two have the name `a`, expected different names"),
        ] {
            let engines = names.iter().map(|name| EngineConfig::new(*name, "tensai")).collect();
            let text = json_line(&Manifest::new(engines));
            assert_eq!(Manifest::parse(text.as_bytes()).unwrap_err(), message);
        }
    }
}
