//! The configuration of an engine in a match, and the opponents that a match knows by name.

use std::collections::{BTreeMap, HashSet};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::placeholder::filled;
use crate::engine::{LEVELS, Level};
use crate::game::Seat;
use crate::util::duration::{self, milliseconds};
use crate::util::sanitize::{LINE, quoted, shown, visible};
use crate::util::suggestion;

/// An engine of a match: how it is started, and which resources it may use.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EngineConfig {
    /// The engine's name, which is unique in the match.
    #[serde(default)]
    pub name: String,
    /// The command line: words as in a shell, but no shell runs it. If the first word is [`OWN`],
    /// it stands for this program. A [`KnownOpponent`]'s name alone stands for that opponent. `{game}`
    /// and `{seat}` are the numbers of the game and the seat.
    #[serde(default)]
    pub cmd: String,
    /// The working directory; the current directory if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// Environment variables that are set for the engine. In a value, `{game}` and `{seat}` are the numbers
    /// of the game and the seat.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// The number of processor cores that the engine is pinned to.
    #[serde(default = "one")]
    pub threads: NonZeroUsize,
    /// The most nodes of a decision. The engine gets the number in the variable `TENSAI_NODES`,
    /// which this project's bots obey. Its clock then does not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<NonZeroU64>,
    /// The engine's time for a game, where it differs from the match's.
    #[serde(default, with = "duration::optional_limit", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub time: Option<Duration>,
    /// The time to say the name, where it differs from the match's.
    #[serde(default, with = "duration::optional_limit", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub start_time: Option<Duration>,
}

const fn one() -> NonZeroUsize {
    NonZeroUsize::MIN
}

/// A command that cannot be started.
#[derive(Debug, Error)]
pub enum StartError {
    /// The command cannot be split into words, or has no word.
    #[error("`{}` is not a command: a quote is open, or it has no word", visible(.0, LINE))]
    Words(String),
    /// The program does not exist, or may not be executed.
    #[error("`{}` does not start: {reason}", visible(command, LINE))]
    Program {
        /// The command.
        command: String,
        /// The reason, and what to do.
        reason: String,
    },
    /// The working directory does not exist, or may not be entered.
    #[error("`{}` does not start: {} {reason}", visible(command, LINE), shown(dir))]
    Folder {
        /// The command.
        command: String,
        /// The folder.
        dir: PathBuf,
        /// The error of the folder, as the end of a message.
        reason: String,
    },
    /// This system cannot run engines as the arena does.
    #[error("`{}` does not start: engines run on Linux only", visible(.0, LINE))]
    NotLinux(String),
    /// The machine lacks what a start needs: processes, memory or file handles.
    #[error(
        "`{}` was not started: {reason}: a fault of the machine, not of the engine; see `ulimit -a` \
         and `free`, or play fewer games at a time",
        visible(command, LINE)
    )]
    Machine {
        /// The command.
        command: String,
        /// The reason.
        reason: String,
    },
}

/// Variables that decide how tensai plays. No engine inherits them from the program that starts it,
/// so that neither a match nor a submission depends on the variables of the user.
pub const PLAYING_VARIABLES: [&str; 7] = [
    "TENSAI_BACKEND",
    "TENSAI_GAME",
    "TENSAI_NODES",
    "TENSAI_PARAMETERS",
    "TENSAI_PONDER",
    "TENSAI_SEAT",
    "TENSAI_TURN_TIME",
];

impl EngineConfig {
    /// An engine with a name and a command, and the default values for the rest.
    pub fn new(name: impl Into<String>, cmd: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            cmd: cmd.into(),
            dir: None,
            env: BTreeMap::new(),
            threads: one(),
            nodes: None,
            time: None,
            start_time: None,
        }
    }

    /// The keys of [`Self::from_words`].
    pub const KEYS: [&str; 8] =
        ["name", "cmd", "dir", "env", "threads", "nodes", "time", "start-time"];

    /// Reads an engine from words `KEY=VALUE`, or from one word, the name of a [`KnownOpponent`].
    /// `env` may be given several times. Missing keys are [completed](Self::completed).
    ///
    /// # Errors
    /// Describes the first wrong word, as a sentence.
    pub fn from_words<S: AsRef<str>>(words: &[S]) -> Result<Self, String> {
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        let engine = Self::read_words(&words).and_then(Self::completed);
        // A command or a variable may have commas and blanks of its own.
        let has_signs = |word: &str| word.starts_with("cmd=") || word.starts_with("env=");
        let others = words.iter().filter(|word| !has_signs(word));
        let hints = others.map(|word| suggestion::separator(word, Self::KEYS));
        let hint = hints.into_iter().find(|hint| !hint.is_empty()).unwrap_or_default();
        let engine = engine.map_err(|error| error + &hint)?;
        // Only a given name: the arena checks a command when it looks for the program.
        let name = words.iter().find_map(|word| word.strip_prefix("name=")).unwrap_or_default();
        match &*suggestion::separator(name, Self::KEYS) {
            "" => Ok(engine),
            hint => Err(format!("name: found {}{hint}", quoted(&engine.name))),
        }
    }

    /// Reads the words of an engine, which is not completed yet.
    fn read_words(words: &[&str]) -> Result<Self, String> {
        let mut engine = Self::new("", "");
        let mut seen: Vec<&str> = Vec::new();
        for &word in words {
            if words.len() == 1 && KnownOpponent::named(word).is_some() {
                word.clone_into(&mut engine.cmd);
                break;
            }
            if KnownOpponent::named(word).is_some() {
                return Err(format!("`{word}` stands alone: beside other words write cmd={word}"));
            }
            let (key, value) = word.split_once('=').ok_or_else(|| {
                let opponent =
                    suggestion::closest(word, KNOWN_OPPONENTS.map(|opponent| opponent.name));
                let hint = match opponent {
                    _ if seen.last() == Some(&"cmd") => {
                        "; quote a command of several words: cmd=\"PROGRAM ARGUMENT\"".to_owned()
                    }
                    Some(name) => suggestion::hint(Some(name)),
                    None => near(word),
                };
                format!(
                    "expected KEY=VALUE or the name of a known opponent, found {}{hint}",
                    quoted(word)
                )
            })?;
            if key != "env" && seen.contains(&key) {
                return Err(format!("{} is given twice", quoted(key)));
            }
            seen.push(key);
            let number =
                || format!("{key}: expected a whole number from 1, found {}", quoted(value));
            match key {
                "name" => value.clone_into(&mut engine.name),
                "cmd" if value.trim().is_empty() => {
                    return Err("cmd: expected a command, found nothing".to_owned());
                }
                "cmd" => value.clone_into(&mut engine.cmd),
                "dir" => engine.dir = Some(value.into()),
                "env" => {
                    let pair = value.split_once('=').filter(|(name, _)| !name.is_empty());
                    let (name, content) = pair.ok_or_else(|| {
                        format!("env: expected env=NAME=VALUE, found {}", quoted(word))
                    })?;
                    engine.env.insert(name.to_owned(), content.to_owned());
                }
                "threads" => engine.threads = value.parse().map_err(|_| number())?,
                "nodes" => engine.nodes = Some(value.parse().map_err(|_| number())?),
                "time" => engine.time = Some(in_key(key, value)?),
                "start-time" => engine.start_time = Some(in_key(key, value)?),
                _ => return Err(format!("unknown key {}{}", quoted(key), near(key))),
            }
        }
        Ok(engine)
    }

    /// Fills in a missing command or name. The default command is that of the [`KnownOpponent`] of
    /// the engine's name. The default name is that of the known opponent or of the command. The name
    /// of a known opponent as command is replaced by the opponent's command, and by its nodes unless
    /// nodes are given. Blanks around a name are removed.
    ///
    /// # Errors
    /// The command is missing, and the name is not that of a known opponent. Such an engine does not
    /// stand for this program: a mistyped name would rate this program under that name.
    pub fn completed(mut self) -> Result<Self, String> {
        self.name = self.name.trim().to_owned();
        let opponent =
            KnownOpponent::named(if self.cmd.is_empty() { &self.name } else { self.cmd.trim() });
        if let Some(opponent) = opponent {
            self.cmd = opponent.command();
            self.nodes = self.nodes.or(opponent.nodes);
            if self.name.is_empty() {
                opponent.name.clone_into(&mut self.name);
            }
        }
        if self.cmd.is_empty() {
            return Err(no_command(&self.name));
        }
        if self.name.is_empty() {
            self.name = default_name(&self.cmd);
        }
        Ok(self)
    }

    /// Returns the engine with `TENSAI_TURN_TIME`, by which this project's bots know the `limit` of
    /// a turn's time, unless that variable is set.
    pub fn with_turn_time(mut self, limit: Duration) -> Self {
        let limit = format!("{}ms", milliseconds(limit.min(duration::LONGEST)));
        self.env.entry("TENSAI_TURN_TIME".to_owned()).or_insert(limit);
        self
    }

    /// Returns the engine as it plays in the game `game` in `seat`. In its command and in the values of
    /// its variables, `{game}` is replaced by the number of the game and `{seat}` by 0 or 1.
    ///
    /// `TENSAI_SEAT` is the seat and `TENSAI_GAME` is `unit`, unless these variables are set. `unit` is
    /// the number, from 1, of the game, or of the pair of games that are to be played alike
    /// ([`Pairing::unit`](super::Pairing::unit)). A bot cannot tell them from its input, and bots that
    /// play at random need a difference.
    pub fn in_game(mut self, game: usize, unit: usize, seat: Seat) -> Self {
        let (game, seat) = (game.to_string(), seat.index().to_string());
        let fill = |text: &mut String| {
            *text = filled(text, |name| match name {
                "game" => Some(game.clone()),
                "seat" => Some(seat.clone()),
                _ => None,
            });
        };
        fill(&mut self.cmd);
        self.env.values_mut().for_each(fill);
        self.env.entry("TENSAI_GAME".to_owned()).or_insert_with(|| unit.to_string());
        self.env.entry("TENSAI_SEAT".to_owned()).or_insert(seat);
        self
    }

    /// Whether the command is this program, [`OWN`].
    pub fn is_own(&self) -> bool {
        shlex::split(&self.cmd).is_some_and(|words| words.first().is_some_and(|word| word == OWN))
    }
}

/// Parses `value` as a limit of time; an error names the `key`.
fn in_key(key: &str, value: &str) -> Result<Duration, String> {
    duration::parse_limit(value).map_err(|error| format!("{key}: {error}, found {}", quoted(value)))
}

/// A hint at the key that a misspelt `word` may mean, to be added to a message.
fn near(word: &str) -> String {
    let word = word.split('=').next().unwrap_or_default();
    match suggestion::closest(word, EngineConfig::KEYS) {
        Some(key) => suggestion::hint(Some(key)),
        None => format!(
            "; the keys are {}",
            EngineConfig::KEYS.map(|key| format!("`{key}`")).join(", ")
        ),
    }
}

/// The error of an engine that has no command, and whose `name` is not that of a known opponent.
fn no_command(name: &str) -> String {
    let known = KNOWN_OPPONENTS.map(|opponent| opponent.name);
    let (who, why) = match name {
        "" => ("an engine".to_owned(), "or the name of a known opponent".to_owned()),
        name => (quoted(name), "because it is not the name of a known opponent".to_owned()),
    };
    let hint = suggestion::hint(suggestion::closest(name, known));
    format!("{who} needs a `cmd` (`{OWN}` for this program), {why}{hint}")
}

/// The default name for a command: that of its program.
fn default_name(command: &str) -> String {
    let words = shlex::split(command).unwrap_or_default();
    let plays_at_random = words.array_windows().any(|pair| pair == &["--engine", "random"]);
    let stem = |word: &String| {
        let stem = Path::new(word).file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    };
    match words.first().map(stem) {
        Some(program) if program == OWN && plays_at_random => "random".to_owned(),
        Some(program) if !program.is_empty() => program,
        _ => "bot".to_owned(),
    }
}

/// Makes the names of the engines unique: the second `bot` becomes `bot-2`.
pub fn tell_apart(engines: &mut [EngineConfig]) {
    let mut taken = HashSet::new();
    for engine in engines {
        engine.name = free_name(engine.name.clone(), &mut taken);
    }
}

/// Returns `name`, or `name-2`, `name-3` and so on if it is in `taken`, and adds it to `taken`.
pub fn free_name(name: String, taken: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|copy: usize| format!("{name}-{copy}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    names.find(|name| taken.insert(name.clone())).unwrap_or(name)
}

/// The command that stands for this program itself, wherever it is.
pub const OWN: &str = "tensai";

/// An opponent that a match knows by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownOpponent {
    /// The name, of one word.
    pub name: &'static str,
    /// The arguments of this program.
    pub arguments: &'static str,
    /// The nodes of a decision. With a number of nodes the opponent is as strong on every machine,
    /// and its clock does not run. `None` if it decides by its clock, or does not search.
    pub nodes: Option<NonZeroU64>,
}

/// The opponent of `level`, 1 to 9, as a known opponent.
const fn level(name: &'static str, level: usize) -> KnownOpponent {
    let (arguments, nodes) = match LEVELS[level - 1] {
        Level::Beginner => ("--engine beginner", None),
        Level::Stacker => ("--engine stacker", None),
        Level::Planner(nodes) => ("", NonZeroU64::new(nodes)),
    };
    KnownOpponent { name, arguments, nodes }
}

/// The known opponents. Experiment O-14 measured the levels against each other.
pub const KNOWN_OPPONENTS: [KnownOpponent; 12] = [
    KnownOpponent { name: "random", arguments: "--engine random", nodes: None },
    KnownOpponent { name: "greedy", arguments: "--engine greedy", nodes: None },
    KnownOpponent { name: "classic", arguments: "--engine classic", nodes: None },
    level("level1", 1),
    level("level2", 2),
    level("level3", 3),
    level("level4", 4),
    level("level5", 5),
    level("level6", 6),
    level("level7", 7),
    level("level8", 8),
    level("level9", 9),
];

impl KnownOpponent {
    /// The known opponent of this name, if there is one.
    pub fn named(name: &str) -> Option<Self> {
        KNOWN_OPPONENTS.into_iter().find(|opponent| opponent.name == name)
    }

    /// The command of an engine in a match.
    pub fn command(&self) -> String {
        format!("{OWN} {}", self.arguments).trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::KNOWN_OPPONENTS;

    #[test]
    fn words_make_an_engine() {
        let words = [
            "name=A",
            "cmd=java -jar \"my bot.jar\"",
            "dir=bots",
            "env=K=V=W",
            "env=L=",
            "threads=2",
            "nodes=5000",
            "time=45s",
            "start-time=1m",
        ];
        let engine = EngineConfig::from_words(&words).unwrap();
        assert_eq!(engine.name, "A");
        assert_eq!(engine.env["K"], "V=W");
        assert_eq!(engine.env["L"], "");
        assert_eq!(engine.threads.get(), 2);
        assert_eq!(engine.nodes.map(NonZeroU64::get), Some(5000));
        assert_eq!(engine.time, Some(Duration::from_secs(45)));
        assert_eq!(engine.start_time, Some(Duration::from_secs(60)));
        let json = serde_json::to_string(&engine).unwrap();
        assert_eq!(serde_json::from_str::<EngineConfig>(&json).unwrap(), engine);
    }

    #[test]
    fn missing_keys_get_defaults() {
        let names = ["cmd=/bots/Some.sh -x", "cmd=tensai --engine random", "cmd=tensai"]
            .map(|word| EngineConfig::from_words(&[word]).unwrap());
        assert_eq!(names.each_ref().map(|e| e.name.as_str()), ["Some", "random", "tensai"]);
    }

    #[test]
    fn known_opponents_stand_for_commands() {
        let engine = |words: &[&str]| EngineConfig::from_words(words).unwrap();
        let level =
            EngineConfig { nodes: NonZeroU64::new(3_000), ..EngineConfig::new("level3", OWN) };
        for words in [&["level3"][..], &["name=level3"], &["cmd=level3"]] {
            assert_eq!(engine(words), level, "{words:?}");
        }
        let other = engine(&["cmd=level3", "name=A", "nodes=7"]);
        assert_eq!((other.name.as_str(), other.nodes.map(NonZeroU64::get)), ("A", Some(7)));
        assert_eq!(engine(&["greedy"]).cmd, "tensai --engine greedy");
        assert_eq!(engine(&["cmd=./greedy"]).cmd, "./greedy", "a path is no known opponent");
        assert_eq!(engine(&["name=greedy", "cmd=x"]).cmd, "x");
        let refused = EngineConfig::from_words(&["level3", "nodes=7"]).unwrap_err();
        assert_eq!(refused, "`level3` stands alone: beside other words write cmd=level3");
        let names = KNOWN_OPPONENTS.map(|opponent| opponent.name);
        assert_eq!(names.iter().collect::<std::collections::BTreeSet<_>>().len(), names.len());
    }

    #[test]
    fn wrong_words_are_explained() {
        let refused = |words: &[&str]| EngineConfig::from_words(words).unwrap_err();
        assert_eq!(refused(&["nmae=A"]), "unknown key `nmae`; did you mean `name`?");
        assert_eq!(
            refused(&["level99"]),
            "expected KEY=VALUE or the name of a known opponent, found `level99`; did you mean \
             `level9`?"
        );
        assert_eq!(
            refused(&["cmd=a", "color=red"]),
            "unknown key `color`; the keys are `name`, `cmd`, `dir`, `env`, `threads`, `nodes`, \
             `time`, `start-time`"
        );
        assert_eq!(refused(&["threads=0"]), "threads: expected a whole number from 1, found `0`");
        assert_eq!(refused(&["env=K"]), "env: expected env=NAME=VALUE, found `env=K`");
        assert_eq!(refused(&["cmd=a", "cmd=b"]), "`cmd` is given twice");
        let empty = "cmd: expected a command, found nothing";
        assert_eq!(refused(&["name=a", "cmd="]), empty, "an empty command is not this program");
        assert_eq!(
            refused(&["cmd=python3", "bot.py"]),
            "expected KEY=VALUE or the name of a known opponent, found `bot.py`; quote a command of \
             several words: cmd=\"PROGRAM ARGUMENT\""
        );
        assert!(refused(&["time=soon"]).starts_with("time: expected a duration"));
        let none = "start-time: expected a time above 0, such as `5s`, found `0s`";
        assert_eq!(refused(&["start-time=0s"]), none);
    }

    #[test]
    fn an_engine_without_a_command_is_a_known_opponent() {
        let refused = |words: &[&str]| EngineConfig::from_words(words).unwrap_err();
        let needs = |given: &str| format!("{given} needs a `cmd` (`tensai` for this program), ");
        let unknown = |name: &str| needs(name) + "because it is not the name of a known opponent";
        assert_eq!(refused(&["name=level33"]), unknown("`level33`") + "; did you mean `level3`?");
        for name in ["mine2", "foo", "tensai"] {
            let name = [format!("name={name}"), "nodes=500".to_owned()];
            let quoted = format!("`{}`", &name[0][5..]);
            assert_eq!(EngineConfig::from_words(&name).unwrap_err(), unknown(&quoted));
        }
        let neither = needs("an engine") + "or the name of a known opponent";
        for words in [&["dir=/"][..], &["name="], &["name= ", "nodes=5"]] {
            assert_eq!(refused(words), neither, "{words:?}");
        }
    }

    #[test]
    fn a_comma_between_words_is_refused_with_a_hint() {
        let refused = |words: &[&str]| EngineConfig::from_words(words).unwrap_err();
        let hint =
            |key: &str| format!("; a comma does not separate words: write a space before `{key}=`");
        for (words, key) in [
            (&["name=a,cmd=python3 bot.py"][..], "cmd"),
            (&["name=a,nodes=5", "cmd=x"], "nodes"),
            (&["nodes=5,name=a", "cmd=x"], "name"),
            (&["level3,nodes=5"], "nodes"),
            (&["time=5s,threads=2", "cmd=x"], "threads"),
        ] {
            let error = refused(words);
            assert!(error.ends_with(&hint(key)), "{words:?}: {error}");
        }
        let commas = ["cmd=./bot a=1,name=2", "env=OPTIONS=x,nodes=3 dir=y", "name=a, b", "dir=x,"];
        assert_eq!(EngineConfig::from_words(&commas).unwrap().name, "a, b");
    }

    #[test]
    fn a_separator_at_the_end_and_words_in_common_quotes_are_refused_with_a_hint() {
        let refused = |words: &[&str]| EngineConfig::from_words(words).unwrap_err();
        let at_the_end = "; a comma does not separate words: leave out the `,` at the end";
        for words in [
            &["name=mine,", "cmd=random"][..],
            &["cmd=random", "name=mine,"],
            &["name=level3,"],
            &["level3,"],
            &["nodes=5,", "cmd=random"],
        ] {
            let error = refused(words);
            assert!(error.ends_with(at_the_end), "{words:?}: {error}");
        }
        let semicolon = "; a semicolon does not separate words: write a space before `cmd=`";
        assert!(refused(&["name=mine;cmd=random"]).ends_with(semicolon));
        let quotes = "; quotes make one word of several: close them before `cmd=`";
        for word in ["name=mine cmd=random", "nodes=5 cmd=random"] {
            assert!(refused(&[word]).ends_with(quotes), "{word}");
        }
        EngineConfig::from_words(&["cmd=random,"]).unwrap();
        let quoted = refused(&["name=mine cmd=x", "cmd=random"]);
        assert_eq!(quoted, format!("name: found `mine cmd=x`{quotes}"));
    }

    #[test]
    fn the_numbers_of_a_game_stand_in_commands_and_variables() {
        let words = ["cmd=./bot {seat} ${game}", "env=LOG={game}-{seat} {x}", "env=TENSAI_SEAT=7"];
        let engine = EngineConfig::from_words(&words).unwrap().in_game(12, 6, Seat::Second);
        assert_eq!(engine.cmd, "./bot 1 ${game}");
        let env = engine.env.iter().map(|(name, value)| format!("{name}={value}"));
        assert_eq!(env.collect::<Vec<_>>(), ["LOG=12-1 {x}", "TENSAI_GAME=6", "TENSAI_SEAT=7"]);
    }

    #[test]
    fn equal_names_are_made_unique() {
        let mut engines = ["a", "a", "b", "a"].map(|name| EngineConfig::new(name, "x"));
        tell_apart(&mut engines);
        assert_eq!(engines.map(|engine| engine.name), ["a", "a-2", "b", "a-3"]);
    }
}
