//! The settings and the engines of a league.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::arena::{EngineConfig, Manifest, trust};
use crate::record::parse;
use crate::util::clock;
use crate::util::sanitize::quoted;
use crate::util::suggestion::{closest, hint};

/// The value of `format` in every `league.json`.
const FORMAT: &str = "tensai league";

/// The newest version of the format, which is the one that is written. Version 1 has neither
/// openings, adjudication nor packs, and an engine gets the league's nodes when it is added.
pub(super) const VERSION: u32 = 2;

/// The most engines of a league: ratings take the cube of their number in time.
const MOST_ENGINES: usize = 1000;

/// The definition of a league: how games are played, and who plays.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct League {
    /// The kind of file; always the same text.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// When the league began, as `2026-11-21T08:00:00Z`.
    pub date: String,
    /// The seed of the packs of game 1; each further game has the next seed. Openings follow from it
    /// too.
    pub seed: u64,
    /// A file or a folder of packs, which the games use in turn instead of generated ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packs: Option<PathBuf>,
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
    /// The nodes of a decision of each engine without its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<NonZeroU64>,
    /// The number of random turns at the start of each game, which both engines play alike.
    #[serde(default)]
    pub openings: usize,
    /// Whether a game ends as soon as an engine is proven to lose.
    #[serde(default)]
    pub adjudicate: bool,
    /// The engines in the order in which they were added, also those that have retired.
    pub engines: Vec<Member>,
}

/// An engine of a league.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Member {
    /// The configuration with which the engine is started. The folder of an engine that is not this
    /// program is absolute, so that the league can be run in any working folder.
    pub engine: EngineConfig,
    /// When it was added.
    pub added: String,
    /// When it retired: it gets no new games, and its past games still count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retired: Option<String>,
    /// The [MAC](trust) of its command, made by the user who gave or trusted the command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "seal")]
    pub mac: Option<String>,
}

/// The effect of [`League::add`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Added {
    /// The engine is new.
    New,
    /// An engine that had retired plays again.
    Again,
}

impl Member {
    /// Whether the engine gets new games.
    pub const fn is_active(&self) -> bool {
        self.retired.is_none()
    }

    /// Whether the command was given or trusted by this user, on this machine.
    pub fn is_own(&self) -> bool {
        trust::fits(self.mac.as_deref(), std::slice::from_ref(&self.engine))
    }

    /// Authenticates the command, which this user has given or trusts.
    pub fn trust_command(&mut self) {
        self.mac = trust::mac(std::slice::from_ref(&self.engine));
    }
}

impl League {
    /// A league without engines that begins now, with the settings of a match.
    pub fn new() -> Self {
        let default = Manifest::new(Vec::new());
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            date: default.date,
            seed: 0,
            packs: None,
            game_ms: default.game_ms,
            turn_ms: default.turn_ms,
            grace_ms: default.grace_ms,
            start_ms: default.start_ms,
            sequential: default.sequential,
            nodes: None,
            openings: default.openings,
            adjudicate: default.adjudicate,
            engines: Vec::new(),
        }
    }

    /// Parses the text of a `league.json`.
    ///
    /// # Errors
    /// Describes what is wrong with the text, in one line.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let league: Self = parse(text, FORMAT, VERSION)?;
        league.check()?;
        Ok(league)
    }

    /// Checks the engines and the settings.
    ///
    /// # Errors
    /// There are too many engines, an engine without a name or with the name of another one, too
    /// many threads, a path that is not UTF-8, an opening that is too long, or a limit of time
    /// beyond a week; the message says which.
    pub fn check(&self) -> Result<(), String> {
        if self.engines.len() > MOST_ENGINES {
            let found = self.engines.len();
            return Err(format!("`engines`: expected at most {MOST_ENGINES}, found {found}"));
        }
        self.manifest().check_games()
    }

    /// The engines that get new games.
    pub fn active(&self) -> impl Iterator<Item = &Member> {
        self.engines.iter().filter(|member| member.is_active())
    }

    /// The names of all engines, in their order.
    pub fn names(&self) -> Vec<&str> {
        self.engines.iter().map(|member| member.engine.name.as_str()).collect()
    }

    /// The index of the engine of this name.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.engines.iter().position(|member| member.engine.name == name)
    }

    /// Adds an engine, [resolved] in the working folder `here`, and authenticates its command. An
    /// engine that has retired plays again if its whole configuration is the same.
    ///
    /// # Errors
    /// The name is taken, or the league with the engine fails [`Self::check`].
    pub fn add(&mut self, engine: EngineConfig, here: &Path) -> Result<Added, String> {
        let engine = resolved(engine, here);
        // Version 1 wrote the league's nodes into the engine.
        let former = EngineConfig { nodes: engine.nodes.or(self.nodes), ..engine.clone() };
        if let Some(index) = self.index_of(&engine.name) {
            let member = &mut self.engines[index];
            let name = quoted(&engine.name);
            if member.is_active() {
                return Err(format!("an engine {name} plays already: give another name=NAME"));
            }
            if ![&engine, &former].contains(&&member.engine) {
                return Err(format!(
                    "the games of {name} are those of another command, which has retired: give \
                     another name=NAME"
                ));
            }
            member.retired = None;
            member.trust_command();
            return Ok(Added::Again);
        }
        let mut member = Member { engine, added: clock::date(), retired: None, mac: None };
        member.trust_command();
        self.engines.push(member);
        self.check()?;
        Ok(Added::New)
    }

    /// Retires the engine of this name.
    ///
    /// # Errors
    /// No engine of this name plays.
    pub fn retire(&mut self, name: &str) -> Result<(), String> {
        let Some(index) = self.index_of(name) else {
            let names = self.active().map(|member| member.engine.name.as_str());
            let hint = hint(closest(name, names));
            return Err(format!("no engine has the name {}{hint}", quoted(name)));
        };
        let member = &mut self.engines[index];
        if !member.is_active() {
            return Err(format!("{} has retired already", quoted(name)));
        }
        member.retired = Some(clock::date());
        Ok(())
    }

    /// The settings as those of a match of all engines, in their order. Engines without their own
    /// nodes have the league's.
    pub fn manifest(&self) -> Manifest {
        let engine = |Member { engine, .. }: &Member| EngineConfig {
            nodes: engine.nodes.or(self.nodes),
            ..engine.clone()
        };
        let engines = self.engines.iter().map(engine).collect();
        Manifest {
            packs: self.packs.clone(),
            seed: Some(self.seed),
            game_ms: self.game_ms,
            turn_ms: self.turn_ms,
            grace_ms: self.grace_ms,
            start_ms: self.start_ms,
            sequential: self.sequential,
            openings: self.openings,
            adjudicate: self.adjudicate,
            ..Manifest::new(engines)
        }
    }
}

impl Default for League {
    fn default() -> Self {
        Self::new()
    }
}

/// An engine as a league keeps it: in the working folder `here` unless it has its own.
pub fn resolved(engine: EngineConfig, here: &Path) -> EngineConfig {
    EngineConfig { dir: absolute(&engine, here), ..engine }
}

/// The folder of an engine as an absolute path; `None` for this program without a folder.
fn absolute(engine: &EngineConfig, here: &Path) -> Option<PathBuf> {
    match &engine.dir {
        Some(dir) => Some(here.join(dir)),
        None if engine.is_own() => None,
        None => Some(here.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::json_line;

    fn engine(name: &str, cmd: &str) -> EngineConfig {
        EngineConfig::new(name, cmd)
    }

    #[test]
    fn engines_are_added_retired_and_added_again() {
        let mut league = League { nodes: NonZeroU64::new(7), ..League::new() };
        let here = Path::new("/bots");
        let add = |league: &mut League, name: &str, cmd: &str| league.add(engine(name, cmd), here);
        assert_eq!(add(&mut league, "a", "./a"), Ok(Added::New));
        assert_eq!(add(&mut league, "b", "tensai"), Ok(Added::New));
        assert_eq!(league.engines[0].engine.dir.as_deref(), Some(here));
        assert_eq!(league.engines[1].engine.dir, None, "this program is found everywhere");
        assert_eq!(league.manifest().engines[1].nodes, NonZeroU64::new(7));
        league.nodes = NonZeroU64::new(8);
        assert_eq!(league.manifest().engines[1].nodes, NonZeroU64::new(8), "for games to come");
        let refused = add(&mut league, "a", "./a").unwrap_err();
        assert_eq!(refused, "an engine `a` plays already: give another name=NAME");
        league.retire("a").unwrap();
        assert_eq!(league.retire("a").unwrap_err(), "`a` has retired already");
        assert_eq!(
            league.retire("bb").unwrap_err(),
            "no engine has the name `bb`; did you mean `b`?"
        );
        assert_eq!(league.active().count(), 1);
        let refused = add(&mut league, "a", "./other").unwrap_err();
        assert!(refused.starts_with("the games of `a` are those of another command"), "{refused}");
        assert_eq!(add(&mut league, "a", "./a"), Ok(Added::Again));
        assert_eq!(league.active().count(), 2);
        assert_eq!(League::parse(json_line(&league).as_bytes()), Ok(league));
    }

    #[test]
    fn a_league_of_version_1_is_read_and_its_engines_play_again() {
        let mut league = League { nodes: NonZeroU64::new(7), ..League::new() };
        league.add(engine("a", "tensai"), Path::new("/")).unwrap();
        // Version 1 wrote the league's nodes into each engine, and had fewer settings.
        league.version = 1;
        league.engines[0].engine.nodes = NonZeroU64::new(7);
        let mut written = serde_json::to_value(&league).unwrap();
        for key in ["openings", "adjudicate"] {
            written.as_object_mut().unwrap().remove(key).unwrap();
        }
        let mut read = League::parse(written.to_string().as_bytes()).unwrap();
        assert_eq!(read, league);
        read.retire("a").unwrap();
        assert_eq!(read.add(engine("a", "tensai"), Path::new("/")), Ok(Added::Again));
        assert_eq!(read.manifest().engines[0].nodes, NonZeroU64::new(7));
    }

    #[test]
    fn a_wrong_definition_is_refused() {
        let mut league = League::new();
        league.add(engine("a", "tensai"), Path::new("/")).unwrap();
        let refused = |league: &League| League::parse(json_line(league).as_bytes()).unwrap_err();
        let long = League { turn_ms: u64::MAX, ..league.clone() };
        assert!(refused(&long).starts_with("`turn_ms`: expected at most 604800000"));
        let newer = League { version: 3, ..league.clone() };
        assert_eq!(refused(&newer), "expected version 2 or earlier, found 3");
        league.engines.push(league.engines[0].clone());
        assert_eq!(refused(&league), "`engines`: two have the name `a`, expected different names");
        league.engines[1].engine.name = " ".to_owned();
        assert!(refused(&league).starts_with("`engines`: expected a name for each"));
    }
}
