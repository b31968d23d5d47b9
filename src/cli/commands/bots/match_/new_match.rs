//! A new match, as its options describe it.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::options::MatchOptions;
use super::play::{Plan, check_shard, sprt};
use crate::arena::{EngineConfig, Manifest, OWN, PackSource, Pairing, tell_apart};
use crate::cli::commands::files::{packs_file, packs_in};
use crate::cli::error::CliError;
use crate::util::duration;

/// The packs of the repository, relative to its top folder.
const OFFICIAL_PACKS: &str = "replays/packs";

/// Rounds of a match that a test ends: far more than any test with sensible bounds needs.
pub const ROUNDS_OF_A_TEST: usize = 10_000;

/// Arguments of `tensai match` and `tensai match run`.
#[derive(Args, Debug)]
pub struct NewMatchArgs {
    // First, because parsing the others takes their values.
    #[command(flatten)]
    given: Given,

    #[command(flatten)]
    options: MatchOptions,

    /// A TOML file with any of these options; flags override it.
    ///
    /// The keys are the options except --config, without leading dashes: `true` for a flag without a
    /// value, an array of tables `engine`, a table `sprt`.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// The arguments as the parser has found them, which tell what the user has given.
#[derive(Debug)]
struct Given(ArgMatches);

impl Args for Given {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self(matches.clone()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0 = matches.clone();
        Ok(())
    }
}

impl NewMatchArgs {
    /// The match, by the flags and the file of options.
    ///
    /// # Errors
    /// The file cannot be read or is wrong, or the options do not describe a match.
    pub fn plan(&self) -> Result<Plan, CliError> {
        let mut options = self.options.clone();
        if let Some(path) = &self.config {
            let file = MatchOptions::read(path)?.replaced_by(&self.given.0);
            options = file.map_err(|error| CliError::Refused(error.to_string()))?;
        }
        let manifest = options.manifest()?;
        let MatchOptions { records: folder, shard, play, .. } = options;
        if shard.is_some() && folder.is_none() {
            let reason = "--shard: the parts of a match share it: give --records FOLDER";
            return Err(CliError::Refused(reason.to_owned()));
        }
        check_shard(shard, &manifest)?;
        Ok(Plan { manifest, folder, shard, play })
    }
}

impl MatchOptions {
    /// Returns the match that these options describe.
    ///
    /// # Errors
    /// The options are incomplete, wrong or contradict each other.
    pub fn manifest(&self) -> Result<Manifest, CliError> {
        let mut engines = self.engines.0.clone();
        if engines.is_empty() {
            let default = [OWN.to_owned(), format!("{OWN} --engine random")];
            let given = [self.a.clone(), self.b.clone()];
            for (given, default) in given.into_iter().zip(default) {
                let engine =
                    EngineConfig { cmd: given.unwrap_or(default), ..EngineConfig::new("", "") };
                engines.push(engine.completed().map_err(CliError::Refused)?);
            }
        }
        if engines.len() < 2 {
            let reason = "a match needs two engines: give --engine once more, or [[engine]] in the \
                        file";
            return Err(CliError::Refused(reason.to_owned()));
        }
        tell_apart(&mut engines);
        for engine in &mut engines {
            engine.nodes = engine.nodes.or(self.nodes);
        }
        let sprt = sprt(self.sprt.as_deref(), engines.len(), self.paired)?;
        let default_rounds = if sprt.is_some() { ROUNDS_OF_A_TEST } else { 1 };
        let official = || Some(PathBuf::from(OFFICIAL_PACKS)).filter(|path| path.is_dir());
        let packs = match (&self.packs, self.seed) {
            (Some(path), _) => Some(path.clone()),
            (None, Some(_)) => None,
            (None, None) => official(),
        };
        // Given packs are used again from the first when all are used. After the default packs, or
        // without them, further packs are generated.
        let seed = if self.packs.is_some() { None } else { Some(self.seed.unwrap_or(0)) };
        let milliseconds =
            |time: Option<Duration>, default: u64| time.map_or(default, duration::milliseconds);
        let default = Manifest::new(engines);
        let manifest = Manifest {
            pairing: match (self.gauntlet, self.paired) {
                (true, _) => Pairing::Gauntlet,
                (_, true) => Pairing::Paired,
                _ => Pairing::RoundRobin,
            },
            rounds: self.rounds.map_or(default_rounds, NonZeroUsize::get),
            packs,
            seed,
            game_ms: milliseconds(self.time, default.game_ms),
            turn_ms: milliseconds(self.turn_time, default.turn_ms),
            grace_ms: milliseconds(self.grace, default.grace_ms),
            start_ms: milliseconds(self.start_time, default.start_ms),
            sequential: self.sequential,
            openings: self.openings.unwrap_or(0),
            adjudicate: self.adjudicate,
            sprt,
            ..default
        };
        manifest.check().map_err(CliError::Refused)?;
        Ok(manifest)
    }
}

/// Reads the packs of a match.
pub fn packs(manifest: &Manifest) -> Result<PackSource, CliError> {
    pack_source(manifest.packs.as_deref(), manifest.seed, manifest.rounds)
}

/// Reads at most `most` files of packs from the file or folder `path`. Without one, all packs are
/// drawn from `seed` on; without a seed, the files are repeated.
pub fn pack_source(
    path: Option<&Path>,
    seed: Option<u64>,
    most: usize,
) -> Result<PackSource, CliError> {
    let Some(path) = path else { return Ok(PackSource { files: Vec::new(), seed }) };
    let files = packs_in(path)?;
    let read = |file: PathBuf| {
        let from = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok((from, packs_file(&file)?))
    };
    let files = files.into_iter().take(most).map(read).collect::<Result<_, CliError>>()?;
    Ok(PackSource { files, seed })
}
