//! A file of options, which flags override.

use std::collections::BTreeMap;
use std::path::Path;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args as _, Command, FromArgMatches as _};
use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer};

use super::engines::EngineConfigs;
use super::options::{MatchOptions, PlayArgs};
use crate::cli::error::CliError;
use crate::record::serde_errors::from_toml;
use crate::util::input_file;
use crate::util::sanitize::shown;
use crate::util::suggestion::{closest, hint};

impl MatchOptions {
    /// Reads a file of options.
    ///
    /// # Errors
    /// The file cannot be read, is wrong, or holds no option.
    pub fn read(path: &Path) -> Result<Self, CliError> {
        let refused = |reason: String| CliError::Refused(format!("{}: {reason}", shown(path)));
        let text = input_file::read_text(path, input_file::BY_HAND)
            .map_err(CliError::unreadable(shown(path)))?;
        Self::parse(&text).map_err(refused)
    }

    /// Parses the text of a file of options.
    ///
    /// # Errors
    /// Returns a message of one line about the mistake.
    pub fn parse(text: &str) -> Result<Self, String> {
        let keys: BTreeMap<Key, IgnoredAny> = from_toml(text).map_err(explain)?;
        if keys.is_empty() {
            return Err("it contains no setting".to_owned());
        }
        let logs = from_toml(text).map_err(explain)?;
        let slots = from_toml(text).map_err(explain)?;
        let serve = from_toml(text).map_err(explain)?;
        let form = from_toml(text).map_err(explain)?;
        let play = PlayArgs { logs, slots, serve, form };
        let options = Self { play, ..from_toml(text).map_err(explain)? };
        match options.conflict() {
            Some([one, other]) => Err(format!("`{one}` cannot be used with `{other}`")),
            None => Ok(options),
        }
    }

    /// Two options that cannot be used together, if there are any. Flags are checked by the parser of
    /// the command line already.
    fn conflict(&self) -> Option<[&'static str; 2]> {
        let engines = !self.engines.0.is_empty();
        let conflicts = [
            (self.a.is_some() && engines, ["a", "engine"]),
            (self.b.is_some() && engines, ["b", "engine"]),
            (self.seed.is_some() && self.packs.is_some(), ["seed", "packs"]),
            (self.gauntlet && self.paired, ["gauntlet", "paired"]),
        ];
        conflicts.into_iter().find_map(|(given, names)| given.then_some(names))
    }

    /// Replaces these options, those of a file, by the flags that are given.
    ///
    /// # Errors
    /// None: the flags were parsed before.
    pub fn replaced_by(mut self, flags: &ArgMatches) -> Result<Self, clap::Error> {
        let mut flags = flags.clone();
        let (given, absent): (Vec<String>, Vec<String>) = flags
            .ids()
            .map(|id| id.as_str().to_owned())
            .partition(|id| flags.value_source(id) == Some(ValueSource::CommandLine));
        let any = |names: &[&str]| given.iter().any(|id| names.contains(&&**id));
        // Of options that exclude each other, one flag replaces all.
        if any(&["engine", "a", "b"]) {
            (self.engines, self.a, self.b) = (EngineConfigs::default(), None, None);
        }
        if any(&["packs", "seed"]) {
            (self.packs, self.seed) = (None, None);
        }
        if any(&["gauntlet", "paired"]) {
            (self.gauntlet, self.paired) = (false, false);
        }
        // A flag without a value that is not given has the value `false`, which replaces nothing.
        for id in absent {
            let _ = flags.try_remove_one::<bool>(&id);
        }
        self.update_from_arg_matches(&flags)?;
        Ok(self)
    }
}

/// A key that a file of options may have: the name of an option.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key(String);

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let key = String::deserialize(deserializer)?;
        let options = MatchOptions::augment_args(Command::new("match"));
        let known: Vec<&str> = options.get_arguments().filter_map(Arg::get_long).collect();
        // The other name of `rounds`.
        if known.contains(&&*key) || key == "games" {
            return Ok(Self(key));
        }
        let known = known.iter().map(|known| format!("`{known}`")).collect::<Vec<_>>().join(", ");
        Err(D::Error::custom(format!("unknown field `{key}`, expected one of {known}")))
    }
}

/// Adds to a message about a file of options the name that a misspelt one may have meant.
fn explain(message: String) -> String {
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let meant = match &names[..] {
        [name, known @ ..] if message.contains(": unknown field ") => {
            closest(name, known.iter().copied())
        }
        _ => None,
    };
    let hint = if names.first() == Some(&"live") {
        "; `serve = true` shows the match in browsers".to_owned()
    } else {
        hint(meant)
    };
    message + &hint
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::num::NonZeroUsize;
    use std::time::Duration;

    use super::*;
    use crate::arena::EngineConfig;

    fn read(text: &str) -> Result<MatchOptions, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), text).unwrap();
        let path = file.path().display().to_string();
        MatchOptions::read(file.path()).map_err(|error| error.to_string().replace(&path, "FILE"))
    }

    /// The options of a file, replaced by flags.
    fn over(flags: &[&str], file: MatchOptions) -> MatchOptions {
        let command = MatchOptions::augment_args(Command::new("match")).no_binary_name(true);
        file.replaced_by(&command.get_matches_from(flags)).unwrap()
    }

    #[test]
    fn a_file_gives_the_options_of_flags() {
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
            "games = 3\nrecords = \"r\"\nshard = \"2/3\"\nlogs = \"l\"\njson = true\n\
             concurrency = 4\nno-pin = true\n",
        );
        let file = file.unwrap();
        assert_eq!(file.rounds, NonZeroUsize::new(3));
        assert_eq!(file.records.as_deref(), Some(Path::new("r")));
        assert_eq!(file.play.logs.logs.as_deref(), Some(Path::new("l")));
        assert_eq!(file.shard.map(|shard| shard.to_string()).as_deref(), Some("2/3"));
        let PlayArgs { slots, form, .. } = &file.play;
        let found = (slots.concurrency, slots.no_pin, form.json);
        assert_eq!(found, (NonZeroUsize::new(4), true, true));
        let both = over(&["--rounds", "2"], file);
        let PlayArgs { slots, form, .. } = both.play;
        assert!(form.json && slots.no_pin, "a flag that is not given replaces nothing");
        assert!(
            read("live = \"x\"\n")
                .unwrap_err()
                .ends_with("; `serve = true` shows the match in browsers")
        );
        assert!(read("shard = \"4/3\"\n").unwrap_err().contains("expected a part such as `1/4`"));
    }

    #[test]
    fn a_file_without_options_is_refused() {
        for text in ["", "# rounds = 3\n"] {
            assert_eq!(read(text).unwrap_err(), "FILE: it contains no setting");
        }
    }

    #[test]
    fn flags_override_the_file() {
        let file = read("rounds = 3\ntime = 5\na = \"x\"\n").unwrap();
        let both = over(&["--rounds", "7"], file.clone());
        assert_eq!((both.rounds, both.time), (NonZeroUsize::new(7), file.time));
        assert_eq!(both.a.as_deref(), Some("x"));
        let both = over(&["--b", "y"], file);
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
        for zero in ["time = 0", "turn-time = \"0s\"", "start-time = 0", "[[engine]]\ntime = 0"] {
            let refused = read(zero).unwrap_err();
            assert!(refused.contains("expected a time above 0"), "{zero}: {refused}");
        }
        read("grace = 0\n").unwrap();
        assert!(read("rounds = \n").unwrap_err().starts_with("FILE: line 1: "));
        assert_eq!(read("rounds = 0").unwrap_err().lines().count(), 1);
        let refused = read("b = \"x\"\n[[engine]]\nname = \"A\"\ncmd = \"tensai\"\n").unwrap_err();
        assert_eq!(refused, "FILE: `b` cannot be used with `engine`");
        let refused = read("seed = 1\npacks = \"x\"\n").unwrap_err();
        assert_eq!(refused, "FILE: `seed` cannot be used with `packs`");
        let refused = read("gauntlet = true\npaired = true\n").unwrap_err();
        assert_eq!(refused, "FILE: `gauntlet` cannot be used with `paired`");
    }
}
