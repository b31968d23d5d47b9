//! The settings of a match, from flags or from a file.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches};
use serde::{Deserialize, Deserializer};

use super::serve::{ServeAddress, from_file};
use crate::arena::{EngineConfig, Manifest, OWN, PackSource, Pairing, Shard, tell_apart};
use crate::cli::files::files_in;
use crate::cli::{CliError, packs_file};
use crate::did_you_mean::{closest, hint};
use crate::duration;
use crate::foreign_text::shown;
use crate::input_file;
use crate::rating::Sprt;
use crate::wording::from_toml;

/// The settings of a match. Flags override the file, and settings that neither gives have a
/// default.
#[derive(Args, Deserialize, Clone, Debug, Default)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct MatchOptions {
    /// The engines.
    #[command(flatten)]
    #[serde(rename = "engine")]
    pub engines: EngineConfigs,

    /// The first bot's command, short for --engine cmd=... [default: this program].
    #[arg(long, value_name = "COMMAND", conflicts_with = "engine")]
    pub a: Option<String>,

    /// The second bot's command [default: this program, playing at random].
    #[arg(long, value_name = "COMMAND", conflicts_with = "engine")]
    pub b: Option<String>,

    /// Let only the first engine play against all the others, instead of each against each.
    #[arg(long)]
    pub gauntlet: bool,

    /// Compare the first two engines by pairs of games against the others.
    ///
    /// The first engine is the new version, the second the old one. Both play each of the further
    /// engines on the same packs. The results are the pairs of games in which one version did better
    /// than the other; --sprt then tests these pairs.
    #[arg(long, conflicts_with = "gauntlet")]
    pub paired: bool,

    /// Number of rounds: each pair plays once a round, on other packs [default: 1; with --sprt
    /// up to 10000].
    ///
    /// With --sprt the match ends when the test is decided.
    #[arg(long, value_name = "N", visible_alias = "games")]
    #[serde(alias = "games")]
    pub rounds: Option<NonZeroUsize>,

    /// A file of packs, or a folder of such files [default: replays/packs if it exists, then drawn].
    ///
    /// Each round uses the next file in the order of their names; after the last file the first is
    /// used again. Without files, packs are drawn as the contest's server did.
    #[arg(long, value_name = "FILE|FOLDER")]
    pub packs: Option<PathBuf>,

    /// Draw the packs from this seed; each further round uses the next seed.
    #[arg(long, value_name = "SEED", conflicts_with = "packs")]
    pub seed: Option<u64>,

    /// Time of each bot for a game [default: 10s].
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    #[serde(with = "duration::optional")]
    pub time: Option<Duration>,

    /// Time of each bot for a turn [default: 20s].
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    #[serde(with = "duration::optional")]
    pub turn_time: Option<Duration>,

    /// Time by which a bot may exceed a limit [default: 100ms].
    ///
    /// Beyond it the bot loses on time.
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    #[serde(with = "duration::optional")]
    pub grace: Option<Duration>,

    /// Time in which a bot must send its name [default: 10s].
    ///
    /// It is not taken from the game's time.
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    #[serde(with = "duration::optional")]
    pub start_time: Option<Duration>,

    /// Nodes that each bot may use for a decision, instead of time.
    ///
    /// The bot must obey the variable TENSAI_NODES, as this program does. Results then do not depend
    /// on other work on the machine.
    #[arg(long, value_name = "N")]
    pub nodes: Option<NonZeroU64>,

    /// Ask one bot after the other, on one core, instead of both at once.
    #[arg(long)]
    pub sequential: bool,

    /// Begin each game with N random drops, alike for both [default: 0].
    ///
    /// N is 0 to 20; the drops follow from the seed of the round. The bots are asked about these
    /// turns, but their answers do not count and their clocks do not run. Engines that play alike then
    /// meet different positions.
    #[arg(long, value_name = "N")]
    pub openings: Option<usize>,

    /// End a game as soon as one bot is proven to lose.
    ///
    /// The bot passes the danger line with every action, if the other bot only drops its packs where
    /// they lie lowest.
    #[arg(long)]
    pub adjudicate: bool,

    /// End the match when an SPRT is decided [default: elo0=0 elo1=10 alpha=0.05 beta=0.05].
    ///
    /// The test decides whether the first of two engines, or with --paired the new version, is
    /// stronger by elo1 or only by elo0.
    #[arg(long, value_name = "KEY=VALUE", num_args = 0..=4)]
    #[serde(deserialize_with = "sprt_words")]
    pub sprt: Option<Vec<String>>,

    /// The folder of the match [default: a new one in games/].
    ///
    /// It holds the records and the data to resume the match. A folder with a part of the same match
    /// is resumed. A folder in which another process plays the same games is refused.
    #[arg(long, value_name = "FOLDER", group = "where")]
    pub records: Option<PathBuf>,

    /// Play only part I of N, such as 1/4 up to 4/4, for several machines.
    ///
    /// Needs --records or --resume, because all parts belong to one match. Not with --sprt, which
    /// needs all games in one process.
    #[arg(long, value_name = "I/N")]
    #[serde(deserialize_with = "shard")]
    pub shard: Option<Shard>,

    /// Games at a time [default: one for each set of cores].
    ///
    /// Cores that another match of the same user has claimed are not used. If too few cores are free
    /// for one game, or for the number given here, the bots are not pinned, and a message says so.
    #[arg(long, value_name = "N")]
    pub concurrency: Option<NonZeroUsize>,

    /// Do not pin the bots to cores.
    ///
    /// They may then run on any core, including the cores of other matches.
    #[arg(long)]
    pub no_pin: bool,

    /// Write a page of the running match to this file, for a browser.
    ///
    /// The page, as `tensai view` makes it, shows the latest finished games and those in progress,
    /// and loads itself again while the games run.
    #[arg(long, value_name = "FILE", conflicts_with = "merge")]
    pub live: Option<PathBuf>,

    /// Show the running match in browsers, at this address or port [default: 127.0.0.1:7475].
    ///
    /// The page shows the standing, and the games turn by turn. Standard error has the address of
    /// the page, with a token. If another program uses port 7475, any free port is taken.
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "")]
    #[arg(conflicts_with = "merge")]
    #[serde(deserialize_with = "from_file")]
    pub serve: Option<ServeAddress>,

    /// Print the results as JSON.
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,

    /// Print the results as CSV, a line for each game.
    #[arg(long)]
    pub csv: bool,
}

/// The engines of a match.
#[derive(Clone, Debug, Default)]
pub struct EngineConfigs(pub Vec<EngineConfig>);

/// The flag `--engine`, which takes several words and may be repeated.
impl Args for EngineConfigs {
    fn augment_args(command: clap::Command) -> clap::Command {
        let help = "Add an engine: a known name such as level3, or words such as name=A \
            cmd=\"./bot 1\" dir=FOLDER nodes=N; repeat the option for each";
        let long = "Add an engine, as KEY=VALUE words, or as the name of a known opponent: random, \
            greedy, classic, level1 to level9. Repeat the option for each engine.\n\n  \
            cmd=COMMAND      the command, quoted as for a shell but run without a shell;\n                   \
            `tensai` is this program\n  \
            name=NAME        the name, unique in the match [default: from the command,\n                   \
            with a number if another engine has that name]\n  \
            dir=FOLDER       the working folder [default: the current folder]\n  \
            env=NAME=VALUE   an environment variable; may be repeated\n  \
            threads=N        the number of cores that the engine is pinned to [default: 1]\n  \
            nodes=N          as --nodes, for this engine\n  \
            time=TIME        as --time, for this engine\n  \
            start-time=TIME  as --start-time, for this engine";
        command.arg(
            Arg::new("engine")
                .long("engine")
                .value_name("KEY=VALUE")
                .num_args(1..)
                .action(ArgAction::Append)
                .help(help)
                .long_help(long),
        )
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for EngineConfigs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let flags = matches.get_occurrences::<String>("engine").into_iter().flatten();
        let refused = |error: String| {
            clap::Error::raw(ErrorKind::ValueValidation, format!("--engine: {error}\n"))
        };
        let mut named = Vec::new();
        let engines = flags.map(|words| {
            let words: Vec<&String> = words.collect();
            named.push(words.iter().any(|word| word.starts_with("name=") && word.len() > 5));
            EngineConfig::from_words(&words)
        });
        let engines = engines.collect::<Result<_, _>>().map_err(refused)?;
        Self::new(engines, &named).map_err(refused)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// In a file an engine is a table with the same keys.
impl<'de> Deserialize<'de> for EngineConfigs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let engines = Vec::<EngineConfig>::deserialize(deserializer)?;
        if engines.is_empty() {
            return Err(serde::de::Error::custom("expected two engines or more, found none"));
        }
        let named: Vec<bool> = engines.iter().map(|engine| !engine.name.is_empty()).collect();
        let engines = engines.into_iter().map(EngineConfig::completed).collect::<Result<_, _>>();
        engines.and_then(|engines| Self::new(engines, &named)).map_err(serde::de::Error::custom)
    }
}

impl EngineConfigs {
    /// Completes the names of `engines`. An engine that is not `named` is called after its command,
    /// with a number if that name is taken.
    ///
    /// # Errors
    /// Two engines were given the same name.
    fn new(mut engines: Vec<EngineConfig>, named: &[bool]) -> Result<Self, String> {
        let mut taken: Vec<String> = Vec::new();
        for (engine, _) in engines.iter().zip(named).filter(|(_, named)| **named) {
            if taken.contains(&engine.name) {
                let name = &engine.name;
                return Err(format!(
                    "two engines have the name `{name}`: give each a different name"
                ));
            }
            taken.push(engine.name.clone());
        }
        for (engine, _) in engines.iter_mut().zip(named).filter(|(_, named)| !**named) {
            let usual = engine.name.clone();
            let mut names = std::iter::once(usual.clone())
                .chain((2..).map(|copy: usize| format!("{usual}-{copy}")));
            engine.name = names.find(|name| !taken.contains(name)).unwrap_or(usual);
            taken.push(engine.name.clone());
        }
        Ok(Self(engines))
    }
}

/// Reads a part from a file, as the same text as the flag's value.
fn shard<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Shard>, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map(Some).map_err(serde::de::Error::custom)
}

/// Reads the test from a table of a file, as the words of the flag.
fn sprt_words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    let table = std::collections::BTreeMap::<String, f64>::deserialize(deserializer)?;
    Ok(Some(table.into_iter().map(|(key, value)| format!("{key}={value}")).collect()))
}

/// The packs of the repository, relative to its top folder.
const OFFICIAL_PACKS: &str = "replays/packs";

/// Rounds of a match that a test ends: far more than any test with sensible bounds needs.
const ROUNDS_OF_A_TEST: usize = 10_000;

impl MatchOptions {
    /// Reads a file of settings.
    ///
    /// # Errors
    /// The file cannot be read, is wrong, or holds no settings.
    pub fn read(path: &Path) -> Result<Self, CliError> {
        let refused = |what: String| CliError::Refused(format!("{}: {what}", shown(path)));
        let text = input_file::read_text(path, input_file::BY_HAND)
            .map_err(|source| CliError::Unreadable { path: shown(path).to_string(), source })?;
        Self::parse(&text).map_err(refused)
    }

    /// Parses the text of a file of settings.
    ///
    /// # Errors
    /// Returns a message of one line about the mistake.
    pub fn parse(text: &str) -> Result<Self, String> {
        let settings: Self = from_toml(text).map_err(explain)?;
        if text.parse::<toml::Table>().is_ok_and(|table| table.is_empty()) {
            return Err("it contains no setting".to_owned());
        }
        match settings.conflict() {
            Some([one, other]) => Err(format!("`{one}` cannot be used with `{other}`")),
            None => Ok(settings),
        }
    }

    /// Returns two settings that cannot be used together, if there are any. Flags are checked by
    /// clap already.
    fn conflict(&self) -> Option<[&'static str; 2]> {
        let engines = !self.engines.0.is_empty();
        let conflicts = [
            (self.a.is_some() && engines, ["a", "engine"]),
            (self.b.is_some() && engines, ["b", "engine"]),
            (self.seed.is_some() && self.packs.is_some(), ["seed", "packs"]),
            (self.json && self.csv, ["json", "csv"]),
            (self.gauntlet && self.paired, ["gauntlet", "paired"]),
        ];
        conflicts.into_iter().find_map(|(given, names)| given.then_some(names))
    }

    /// Returns these settings, completed by the settings of `file`.
    pub fn over(self, file: Self) -> Self {
        let no_engines = self.engines.0.is_empty() && self.a.is_none() && self.b.is_none();
        let theirs = if no_engines { file.engines } else { EngineConfigs::default() };
        let (a, b) = if no_engines { (file.a, file.b) } else { (self.a, self.b) };
        let no_packs = self.packs.is_none() && self.seed.is_none();
        let (packs, seed) =
            if no_packs { (file.packs, file.seed) } else { (self.packs, self.seed) };
        let no_pairing = !self.gauntlet && !self.paired;
        let (gauntlet, paired) =
            if no_pairing { (file.gauntlet, file.paired) } else { (self.gauntlet, self.paired) };
        let no_form = !self.json && !self.csv;
        let (json, csv) = if no_form { (file.json, file.csv) } else { (self.json, self.csv) };
        Self {
            engines: if no_engines { theirs } else { self.engines },
            a,
            b,
            gauntlet,
            paired,
            rounds: self.rounds.or(file.rounds),
            packs,
            seed,
            time: self.time.or(file.time),
            turn_time: self.turn_time.or(file.turn_time),
            grace: self.grace.or(file.grace),
            start_time: self.start_time.or(file.start_time),
            nodes: self.nodes.or(file.nodes),
            sequential: self.sequential || file.sequential,
            openings: self.openings.or(file.openings),
            adjudicate: self.adjudicate || file.adjudicate,
            sprt: self.sprt.or(file.sprt),
            records: self.records.or(file.records),
            shard: self.shard.or(file.shard),
            concurrency: self.concurrency.or(file.concurrency),
            no_pin: self.no_pin || file.no_pin,
            live: self.live.or(file.live),
            serve: self.serve.or(file.serve),
            json,
            csv,
        }
    }

    /// Returns the match that these settings describe.
    ///
    /// # Errors
    /// The settings are incomplete, wrong or contradict each other.
    pub fn manifest(&self) -> Result<Manifest, CliError> {
        let mut engines = self.engines.0.clone();
        if engines.is_empty() {
            let usual = [OWN.to_owned(), format!("{OWN} play --random")];
            let given = [self.a.clone(), self.b.clone()];
            for (given, usual) in given.into_iter().zip(usual) {
                let engine =
                    EngineConfig { cmd: given.unwrap_or(usual), ..EngineConfig::new("", "") };
                engines.push(engine.completed().map_err(CliError::Refused)?);
            }
        }
        if engines.len() < 2 {
            let what = "a match needs two engines: give --engine once more, or [[engine]] in the \
                        file";
            return Err(CliError::Refused(what.to_owned()));
        }
        tell_apart(&mut engines);
        for engine in &mut engines {
            engine.nodes = engine.nodes.or(self.nodes);
        }
        let sprt = self.sprt.as_ref().map(|words| Sprt::from_words(words)).transpose();
        let sprt = sprt.map_err(|error| CliError::Refused(format!("--sprt: {error}")))?;
        if sprt.is_some() && engines.len() != 2 && !self.paired {
            let what = format!(
                "--sprt compares two engines, found {}: add --paired if the first two are versions \
                 that play the others",
                engines.len()
            );
            return Err(CliError::Refused(what));
        }
        let usual_rounds = if sprt.is_some() { ROUNDS_OF_A_TEST } else { 1 };
        let official = || Some(PathBuf::from(OFFICIAL_PACKS)).filter(|path| path.is_dir());
        let packs = match (&self.packs, self.seed) {
            (Some(path), _) => Some(path.clone()),
            (None, Some(_)) => None,
            (None, None) => official(),
        };
        // Given packs are used again from the first when all are used. After the default packs, or
        // without them, further packs are drawn.
        let seed = if self.packs.is_some() { None } else { Some(self.seed.unwrap_or(0)) };
        let milliseconds = |time: Option<Duration>, usual: u64| {
            time.map_or(usual, |time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
        };
        let usual = Manifest::new(engines);
        let manifest = Manifest {
            pairing: match (self.gauntlet, self.paired) {
                (true, _) => Pairing::Gauntlet,
                (_, true) => Pairing::Paired,
                _ => Pairing::RoundRobin,
            },
            rounds: self.rounds.map_or(usual_rounds, NonZeroUsize::get),
            packs,
            seed,
            game_ms: milliseconds(self.time, usual.game_ms),
            turn_ms: milliseconds(self.turn_time, usual.turn_ms),
            grace_ms: milliseconds(self.grace, usual.grace_ms),
            start_ms: milliseconds(self.start_time, usual.start_ms),
            sequential: self.sequential,
            openings: self.openings.unwrap_or(0),
            adjudicate: self.adjudicate,
            sprt,
            ..usual
        };
        manifest.check().map_err(CliError::Refused)?;
        Ok(manifest)
    }
}

/// Adds to a message about a file of settings the name that a misspelt one may have meant.
fn explain(message: String) -> String {
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let meant = match &names[..] {
        [name, known @ ..] if message.contains(": unknown field ") => {
            closest(name, known.iter().copied())
        }
        _ => None,
    };
    let hint = hint(meant);
    message + &hint
}

/// Reads the packs of a match.
pub fn packs(manifest: &Manifest) -> Result<PackSource, CliError> {
    let Some(path) = &manifest.packs else {
        return Ok(PackSource { files: Vec::new(), seed: manifest.seed });
    };
    let files = files_in(path)?;
    let read = |file: PathBuf| {
        let from = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok((from, packs_file(&file)?))
    };
    let files =
        files.into_iter().take(manifest.rounds).map(read).collect::<Result<_, CliError>>()?;
    Ok(PackSource { files, seed: manifest.seed })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn read(text: &str) -> Result<MatchOptions, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), text).unwrap();
        let path = file.path().display().to_string();
        MatchOptions::read(file.path()).map_err(|error| error.to_string().replace(&path, "FILE"))
    }

    #[test]
    fn a_file_gives_the_settings_of_flags() {
        let file = read(
            "rounds = 3\ntime = \"45s\"\ngrace = 0.5\nseed = 4\nsequential = true\n\
             [sprt]\nelo1 = 20\n\
             [[engine]]\nname = \"A\"\ncmd = \"tensai\"\nnodes = 500\n\
             [[engine]]\ncmd = \"sh -c x\"\nthreads = 2\ntime = 90\n[engine.env]\nK = \"V\"\n",
        );
        let manifest = file.unwrap().manifest().unwrap();
        let words: [&[&str]; 2] = [
            &["name=A", "cmd=tensai", "nodes=500"],
            &["cmd=sh -c x", "threads=2", "time=90s", "env=K=V"],
        ];
        let flags = MatchOptions {
            engines: EngineConfigs(
                words.map(|words| EngineConfig::from_words(words).unwrap()).into(),
            ),
            rounds: NonZeroUsize::new(3),
            time: Some(Duration::from_secs(45)),
            grace: Some(Duration::from_millis(500)),
            seed: Some(4),
            sequential: true,
            sprt: Some(vec!["elo1=20".to_owned()]),
            ..MatchOptions::default()
        };
        assert_eq!(manifest.difference(&flags.manifest().unwrap()), None);
        assert_eq!((manifest.rounds, manifest.game_ms, manifest.grace_ms), (3, 45_000, 500));
    }

    #[test]
    fn a_file_gives_places_and_formats_as_flags_do() {
        let file = read(
            "games = 3\nrecords = \"r\"\nshard = \"2/3\"\nlive = \"l.html\"\njson = true\n\
             concurrency = 4\nno-pin = true\n",
        );
        let file = file.unwrap();
        assert_eq!(file.rounds, NonZeroUsize::new(3));
        assert_eq!(file.records.as_deref(), Some(Path::new("r")));
        assert_eq!(file.live.as_deref(), Some(Path::new("l.html")));
        assert_eq!(file.shard.map(|shard| shard.to_string()).as_deref(), Some("2/3"));
        assert_eq!((file.concurrency, file.no_pin, file.json), (NonZeroUsize::new(4), true, true));
        let flags = MatchOptions { csv: true, ..MatchOptions::default() };
        let both = flags.over(file);
        assert_eq!((both.json, both.csv), (false, true), "only one form is printed");
        assert_eq!(
            read("json = true\ncsv = true\n").unwrap_err(),
            "FILE: `json` cannot be used with `csv`"
        );
        assert!(read("shard = \"4/3\"\n").unwrap_err().contains("expected a part such as `1/4`"));
    }

    #[test]
    fn a_file_without_settings_is_refused() {
        for text in ["", "# rounds = 3\n"] {
            assert_eq!(read(text).unwrap_err(), "FILE: it contains no setting");
        }
    }

    #[test]
    fn engines_have_names_of_their_own() {
        let twice = "[[engine]]\nname = \"a\"\n[[engine]]\nname = \"a\"\n";
        let refused = read(twice).unwrap_err();
        assert!(refused.ends_with("two engines have the name `a`: give each a different name"));
        let file = "[[engine]]\ncmd = \"a\"\n[[engine]]\nname = \"a\"\n[[engine]]\ncmd = \"a\"\n";
        let names = read(file).unwrap().engines.0.into_iter().map(|engine| engine.name);
        assert_eq!(names.collect::<Vec<_>>(), ["a-2", "a", "a-3"], "a given name stays");
    }

    #[test]
    fn flags_override_the_file() {
        let file = read("rounds = 3\ntime = 5\na = \"x\"\n").unwrap();
        let flags = MatchOptions { rounds: NonZeroUsize::new(7), ..MatchOptions::default() };
        let both = flags.over(file.clone());
        assert_eq!((both.rounds, both.time), (NonZeroUsize::new(7), file.time));
        assert_eq!(both.a.as_deref(), Some("x"));
        let flags = MatchOptions { b: Some("y".to_owned()), ..MatchOptions::default() };
        let both = flags.over(file);
        assert_eq!((both.a, both.b.as_deref()), (None, Some("y")), "engines are not mixed");
    }

    #[test]
    fn mistakes_in_a_file_are_explained() {
        assert!(read("tiem = 3\n").unwrap_err().ends_with("; did you mean `time`?"));
        let refused = read("rounds = 3\n[[engine]]\ncmnd = \"x\"\n").unwrap_err();
        assert!(refused.starts_with("FILE: line 3: unknown field `cmnd`"), "{refused}");
        assert!(refused.ends_with("; did you mean `cmd`?"), "{refused}");
        for (text, message) in [
            ("rounds = -1", "line 1, `rounds`: expected a whole number from 1, found `-1`"),
            ("time = true", "line 1, `time`: expected a duration such as \"10s\", or a number of"),
            ("\nengine = 3", "line 2, `engine`: expected a list, found `3`"),
            ("sprt = 3", "line 1, `sprt`: expected a table, found `3`"),
            (
                "[sprt]\nelo1 = \"x\"",
                "line 2, `sprt.elo1`: expected a number, found the text \"x\"",
            ),
        ] {
            let refused = read(text).unwrap_err();
            assert!(refused.starts_with(&format!("FILE: {message}")), "{refused}");
        }
        assert!(read("time = \"soon\"\n").unwrap_err().contains("expected a duration"));
        assert!(read("rounds = \n").unwrap_err().starts_with("FILE: line 1: "));
        assert_eq!(read("rounds = 0").unwrap_err().lines().count(), 1);
        let refused = read("b = \"x\"\n[[engine]]\nname = \"A\"\n").unwrap_err();
        assert_eq!(refused, "FILE: `b` cannot be used with `engine`");
        let refused = read("seed = 1\npacks = \"x\"\n").unwrap_err();
        assert_eq!(refused, "FILE: `seed` cannot be used with `packs`");
        let refused = read("gauntlet = true\npaired = true\n").unwrap_err();
        assert_eq!(refused, "FILE: `gauntlet` cannot be used with `paired`");
    }
}
