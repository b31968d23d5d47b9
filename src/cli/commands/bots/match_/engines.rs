//! The engines of a match, from flags or from a file.

use std::collections::HashSet;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches};
use serde::{Deserialize, Deserializer};

use crate::arena::{EngineConfig, free_name};

/// The engines of a match.
#[derive(Clone, Debug, Default)]
pub struct EngineConfigs(pub Vec<EngineConfig>);

/// The flag `--engine`, which takes several words and may be repeated.
impl Args for EngineConfigs {
    fn augment_args(command: clap::Command) -> clap::Command {
        let help = "Add an engine: a known name such as level3, or words such as \
            cmd=\"./bot 1\" nodes=N";
        let long = "Add an engine, as KEY=VALUE words, or as the name of a known opponent: random, \
            greedy, classic, level1 to level9. Repeat the option for each engine.\n\n  \
            cmd=COMMAND      the command, quoted as for a shell but run without a shell;\n\
            \x20                  `tensai` is this program [default: the known opponent NAME]\n  \
            name=NAME        the name, unique in the match [default: from the command,\n\
            \x20                  with a number if another engine has that name]\n  \
            dir=FOLDER       the working folder [default: the current folder]\n  \
            env=NAME=VALUE   an environment variable; may be repeated\n  \
            threads=N        the number of cores that the engine is pinned to [default: 1]\n  \
            nodes=N          as --nodes, for this engine\n  \
            time=TIME        as --time, for this engine\n  \
            start-time=TIME  as --start-time, for this engine\n\n\
            In cmd= and env=, {game} and {seat} are the numbers of the game and the seat.";
        command.arg(
            Arg::new("engine")
                .long("engine")
                .help_heading(super::options::ENGINES)
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
        // The engines of a file stay unless a flag gives others.
        if matches.contains_id("engine") {
            *self = Self::from_arg_matches(matches)?;
        }
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
        let mut taken = HashSet::new();
        for (engine, _) in engines.iter().zip(named).filter(|(_, named)| **named) {
            if !taken.insert(engine.name.clone()) {
                let name = &engine.name;
                return Err(format!(
                    "two engines have the name `{name}`: give each a different name"
                ));
            }
        }
        for (engine, _) in engines.iter_mut().zip(named).filter(|(_, named)| !**named) {
            engine.name = free_name(engine.name.clone(), &mut taken);
        }
        Ok(Self(engines))
    }
}

#[cfg(test)]
mod tests {
    use crate::cli::MatchOptions;

    #[test]
    fn engines_have_names_of_their_own() {
        let twice =
            "[[engine]]\nname = \"a\"\ncmd = \"x\"\n[[engine]]\nname = \"a\"\ncmd = \"y\"\n";
        let refused = MatchOptions::parse(twice).unwrap_err();
        assert!(refused.ends_with("two engines have the name `a`: give each a different name"));
        let file = "[[engine]]\ncmd = \"a\"\n[[engine]]\nname = \"a\"\ncmd = \"b\"\n[[engine]]\ncmd = \"a\"\n";
        let names =
            MatchOptions::parse(file).unwrap().engines.0.into_iter().map(|engine| engine.name);
        assert_eq!(names.collect::<Vec<_>>(), ["a-2", "a", "a-3"], "a given name stays");
    }
}
