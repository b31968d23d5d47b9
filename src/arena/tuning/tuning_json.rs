//! The definition of a tuning, and its path.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::parameter::{Parameter, check_all, check_opponent, with_values};
use super::spsa::Spsa;
use crate::arena::{EngineConfig, Manifest, Pairing};
use crate::record::parse;
use crate::util::clock;

/// A tuning: its settings, and the iterations so far. The file `tuning.json` of its folder.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tuning {
    /// The kind of file; always the same text.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// When the tuning began, as `2026-11-21T08:00:00Z`.
    pub date: String,
    /// The engine whose parameters are tuned.
    pub engine: EngineConfig,
    /// The engines that both sides play. If there are none, the sides play each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opponents: Vec<EngineConfig>,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The number of iterations that are planned; the step sizes are made for it.
    pub iterations: usize,
    /// The number of games of an iteration: of the two sides, or of each side with each opponent.
    /// Each game has packs of its own.
    pub games: usize,
    /// The first step after a whole point of difference, in strides.
    pub rate: f64,
    /// The seed of the directions, and of the packs of the first iteration.
    pub seed: u64,
    /// Time of each engine for a game, unless the engine has its own, in milliseconds.
    pub game_ms: u64,
    /// Whether the engines are asked one after the other.
    pub sequential: bool,
    /// The number of random turns at the start of each game.
    pub openings: usize,
    /// Whether a game ends as soon as an engine is proven to lose.
    pub adjudicate: bool,
    /// The finished iterations.
    pub path: Vec<Iteration>,
    /// The result so far: the mean of each parameter over the later half of the path, by its name.
    #[serde(default)]
    pub tuned: BTreeMap<String, f64>,
    /// The [MAC](crate::arena::trust) of the engines, made by the user who gave or trusted their
    /// commands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "seal")]
    pub mac: Option<String>,
}

/// A finished iteration.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Iteration {
    /// The values of the first side, in the order of the parameters.
    pub plus: Vec<f64>,
    /// The values of the second side.
    pub minus: Vec<f64>,
    /// Points of the first side minus those of the second, a game: -1 to 1.
    pub better: f64,
    /// The number of games.
    pub games: usize,
    /// The values after the iteration.
    pub values: Vec<f64>,
}

impl Iteration {
    /// Checks the values, the result and the number of games.
    ///
    /// # Errors
    /// Describes the first fault, in one line.
    fn check(&self, parameters: &[Parameter]) -> Result<(), String> {
        let count = parameters.len();
        let lists = [("plus", &self.plus), ("minus", &self.minus), ("values", &self.values)];
        for (key, values) in lists {
            if values.len() != count {
                let found = values.len();
                return Err(format!("{key}: expected {count} values, found {found}"));
            }
            let mut both = parameters.iter().zip(values);
            if let Some((wrong, value)) =
                both.find(|(parameter, value)| !parameter.contains(**value))
            {
                let Parameter { name, min, max, .. } = wrong;
                return Err(format!("{key}: {name}: expected {min} to {max}, found {value}"));
            }
        }
        if !(-1.0..=1.0).contains(&self.better) {
            return Err(format!("better: expected -1 to 1, found {}", self.better));
        }
        if !(1..=MOST_GAMES).contains(&self.games) {
            return Err(format!("games: expected 1 to {MOST_GAMES}, found {}", self.games));
        }
        Ok(())
    }
}

/// The value of `format`.
const FORMAT: &str = "tensai tuning";

/// The greatest number of iterations, and of games of an iteration.
const MOST_GAMES: usize = 1_000_000;

/// The newest version of the format, which is the one that is written.
const VERSION: u32 = 1;

impl Tuning {
    /// The names of the two sides in matches and records.
    pub const SIDES: [&str; 2] = ["plus", "minus"];

    /// A tuning that begins now, with the default settings.
    pub fn new(engine: EngineConfig, parameters: Vec<Parameter>) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            date: clock::date(),
            engine,
            opponents: Vec::new(),
            parameters,
            iterations: 200,
            games: 2,
            rate: 0.1,
            seed: 0,
            game_ms: 10_000,
            sequential: false,
            openings: 0,
            adjudicate: false,
            path: Vec::new(),
            tuned: BTreeMap::new(),
            mac: None,
        }
    }

    /// Parses the text of a tuning.
    ///
    /// # Errors
    /// Describes what is wrong with the text, in one line.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let mut tuning: Self = parse(text, FORMAT, VERSION)?;
        tuning.check()?;
        tuning.set_tuned();
        Ok(tuning)
    }

    /// Checks the parameters, the engines, and the path.
    ///
    /// # Errors
    /// Describes the first fault, in one line.
    pub fn check(&self) -> Result<(), String> {
        check_all(&self.engine, &self.parameters)?;
        self.opponents.iter().try_for_each(check_opponent)?;
        for (name, number) in [("iterations", self.iterations), ("games", self.games)] {
            if !(1..=MOST_GAMES).contains(&number) {
                return Err(format!("{name}: expected 1 to {MOST_GAMES}, found {number}"));
            }
        }
        if !(self.rate > 0.0 && self.rate <= 10.0) {
            return Err(format!("rate: expected above 0 to 10, found {}", self.rate));
        }
        for (index, iteration) in self.path.iter().enumerate() {
            let invalid = |reason| format!("`path`, iteration {}: {reason}", index + 1);
            iteration.check(&self.parameters).map_err(invalid)?;
        }
        self.manifest(0).check()
    }

    /// The values after the iterations so far.
    pub fn values(&self) -> Vec<f64> {
        let start = || self.parameters.iter().map(|parameter| parameter.start).collect();
        self.path.last().map_or_else(start, |last| last.values.clone())
    }

    /// The mean of each parameter over the later half of the path, because the last iteration alone
    /// depends on chance; the start without iterations.
    pub fn means(&self) -> Vec<f64> {
        let half = &self.path[self.path.len() / 2..];
        if half.is_empty() {
            return self.values();
        }
        let mean = |index: usize| half.iter().map(|step| step.values[index]).sum::<f64>();
        (0..self.parameters.len()).map(|index| mean(index) / half.len() as f64).collect()
    }

    /// The values of both sides of the next iteration.
    pub fn sides(&self) -> [Vec<f64>; 2] {
        self.spsa().sides(self.path.len(), &self.values())
    }

    /// Adds the iteration that follows the path, in which the first side scored `better` points a
    /// game more in `games` games.
    pub fn step(&mut self, better: f64, games: usize) {
        let [plus, minus] = self.sides();
        let values = self.spsa().step(self.path.len(), &self.values(), better);
        self.path.push(Iteration { plus, minus, better, games, values });
        self.set_tuned();
    }

    /// Computes the result so far from the path.
    fn set_tuned(&mut self) {
        let names = self.parameters.iter().map(|parameter| parameter.name.clone());
        let is_begun = !self.path.is_empty();
        self.tuned = if is_begun { names.zip(self.means()).collect() } else { BTreeMap::new() };
    }

    /// The match of `iteration`, counted from 0. The sides always have the values of the next
    /// iteration, so `iteration` should be that one. No two iterations have the same packs.
    pub fn manifest(&self, iteration: usize) -> Manifest {
        let sides = Self::SIDES.iter().zip(self.sides());
        let sides =
            sides.map(|(name, values)| with_values(&self.engine, name, &self.parameters, &values));
        let engines: Vec<EngineConfig> = sides.chain(self.opponents.iter().cloned()).collect();
        let paired = !self.opponents.is_empty();
        Manifest {
            date: self.date.clone(),
            pairing: if paired { Pairing::Paired } else { Pairing::RoundRobin },
            rounds: self.games,
            seed: Some(self.seed.wrapping_add((iteration * self.games) as u64)),
            game_ms: self.game_ms,
            sequential: self.sequential,
            openings: self.openings,
            adjudicate: self.adjudicate,
            ..Manifest::new(engines)
        }
    }

    /// The engines whose commands the user has given.
    pub fn given(&self) -> Vec<EngineConfig> {
        [std::slice::from_ref(&self.engine), &self.opponents].concat()
    }

    fn spsa(&self) -> Spsa<'_> {
        let Self { parameters, iterations, rate, seed, .. } = self;
        Spsa { parameters, iterations: *iterations, rate: *rate, seed: *seed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::json_line;

    fn tuning() -> Tuning {
        let parameters =
            ["discount", "opening"].map(|name| Parameter::from_words(&[name]).unwrap());
        Tuning::new(EngineConfig::new("tensai", "tensai"), parameters.into())
    }

    #[test]
    fn a_resumed_tuning_takes_the_steps_of_one_without_a_stop() {
        let mut whole = tuning();
        for better in [1.0, -1.0, 0.0, 0.5] {
            whole.step(better, 2);
        }
        let mut stopped = tuning();
        stopped.date.clone_from(&whole.date);
        stopped.step(1.0, 2);
        stopped.step(-1.0, 2);
        let mut resumed = Tuning::parse(json_line(&stopped).as_bytes()).unwrap();
        assert_eq!(resumed, stopped);
        let mut wrong = stopped.clone();
        wrong.tuned.insert("discount".to_owned(), 99.0);
        let read = Tuning::parse(json_line(&wrong).as_bytes()).unwrap();
        assert_eq!(read, stopped, "the result follows from the path");
        resumed.step(0.0, 2);
        resumed.step(0.5, 2);
        assert_eq!(resumed, whole);
        assert_eq!(whole.tuned["discount"], whole.means()[0]);
        assert_eq!(whole.path[2].values, whole.path[1].values, "an equal result changes no value");
    }

    #[test]
    fn sides_play_each_other_or_the_opponents() {
        let mut tuning = tuning();
        let first = tuning.manifest(0);
        assert_eq!(
            (first.pairing, first.engines.len(), first.schedule().games()),
            (Pairing::RoundRobin, 2, 2)
        );
        assert!(first.engines[0].cmd.starts_with("tensai --parameter discount="));
        assert_ne!(first.engines[0].cmd, first.engines[1].cmd);
        tuning.opponents = vec![EngineConfig::new("a", "x"), EngineConfig::new("b", "y")];
        let manifest = tuning.manifest(3);
        assert_eq!((manifest.pairing, manifest.schedule().games()), (Pairing::Paired, 8));
        assert_eq!(manifest.seed, Some(6));
        tuning.check().unwrap();
        tuning.opponents[0].name = "plus".to_owned();
        assert!(tuning.check().unwrap_err().contains("two have the name `plus`"));
    }

    #[test]
    fn wrong_settings_are_refused() {
        let refused = |change: fn(&mut Tuning)| {
            let mut tuning = tuning();
            change(&mut tuning);
            Tuning::parse(json_line(&tuning).as_bytes()).unwrap_err()
        };
        assert_eq!(refused(|tuning| tuning.rate = 0.0), "rate: expected above 0 to 10, found 0");
        assert_eq!(refused(|tuning| tuning.games = 0), "games: expected 1 to 1000000, found 0");
        assert!(refused(|tuning| tuning.parameters.clear()).contains("expected one at least"));
        assert!(refused(|tuning| tuning.parameters[0].stride = -1.0).contains("stride"));
        assert_eq!(refused(|tuning| tuning.openings = 99), "openings: expected 0 to 20, found 99");
        let reason = refused(|tuning| {
            tuning.step(1.0, 1);
            tuning.path[0].values.pop();
        });
        assert_eq!(reason, "`path`, iteration 1: values: expected 2 values, found 1");
        let wrong_step = |change: fn(&mut Iteration)| {
            let mut tuning = tuning();
            tuning.step(1.0, 1);
            change(&mut tuning.path[0]);
            Tuning::parse(json_line(&tuning).as_bytes()).unwrap_err()
        };
        let reason = wrong_step(|step| step.plus[0] = 1e9);
        assert_eq!(
            reason,
            "`path`, iteration 1: plus: discount: expected 0.3 to 1, found 1000000000"
        );
        let reason = wrong_step(|step| step.better = 2.0);
        assert_eq!(reason, "`path`, iteration 1: better: expected -1 to 1, found 2");
        let reason = wrong_step(|step| step.games = usize::MAX);
        assert!(
            reason.starts_with("`path`, iteration 1: games: expected 1 to 1000000"),
            "{reason}"
        );
        let reason = refused(|tuning| tuning.parameters[0].max = 1e12);
        assert!(
            reason.starts_with("discount: max: expected -1000000000 to 1000000000"),
            "{reason}"
        );
        assert!(refused(|tuning| tuning.version = 9).contains("expected version 1"));
    }
}
