//! Reads a file of settings, and completes the flags by it.

use std::path::Path;

use super::engines::EngineConfigs;
use super::settings::MatchOptions;
use crate::cli::error::CliError;
use crate::record::serde_errors::from_toml;
use crate::util::input_file;
use crate::util::sanitize::shown;
use crate::util::suggestion::{closest, hint};

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
            logs: self.logs.or(file.logs),
            logs_protocol: self.logs_protocol || file.logs_protocol,
            shard: self.shard.or(file.shard),
            concurrency: self.concurrency.or(file.concurrency),
            no_pin: self.no_pin || file.no_pin,
            live: self.live.or(file.live),
            serve: self.serve.or(file.serve),
            json,
            csv,
        }
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
        let refused = read("b = \"x\"\n[[engine]]\nname = \"A\"\ncmd = \"tensai\"\n").unwrap_err();
        assert_eq!(refused, "FILE: `b` cannot be used with `engine`");
        let refused = read("seed = 1\npacks = \"x\"\n").unwrap_err();
        assert_eq!(refused, "FILE: `seed` cannot be used with `packs`");
        let refused = read("gauntlet = true\npaired = true\n").unwrap_err();
        assert_eq!(refused, "FILE: `gauntlet` cannot be used with `paired`");
    }
}
