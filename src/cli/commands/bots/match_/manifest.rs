//! The match that settings describe, and its packs.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::settings::MatchOptions;
use crate::arena::rating::Sprt;
use crate::arena::{EngineConfig, Manifest, OWN, PackSource, Pairing, tell_apart};
use crate::cli::commands::files::{packs_file, packs_in};
use crate::cli::error::CliError;
use crate::util::duration;
use crate::util::numbers::counted;

/// The packs of the repository, relative to its top folder.
const OFFICIAL_PACKS: &str = "replays/packs";

/// Rounds of a match that a test ends: far more than any test with sensible bounds needs.
const ROUNDS_OF_A_TEST: usize = 10_000;

impl MatchOptions {
    /// The test of --sprt, for a match of `engines` engines.
    ///
    /// # Errors
    /// The test is wrong, or the match has more than two engines and no pairs of games.
    pub fn test(&self, engines: usize, is_paired: bool) -> Result<Option<Sprt>, CliError> {
        let Some(words) = &self.sprt else { return Ok(None) };
        let sprt = Sprt::from_words(words);
        let sprt = sprt.map_err(|error| CliError::Refused(format!("--sprt: {error}")))?;
        if engines != 2 && !is_paired {
            let what = format!(
                "--sprt compares two engines, found {engines}: add --paired if the first two are \
                 versions that play the others"
            );
            return Err(CliError::Refused(what));
        }
        Ok(Some(sprt))
    }

    /// Returns the match `there` with the rounds and the test of these settings, to resume it.
    ///
    /// # Errors
    /// There are fewer rounds than before, too many games, or the test does not fit the match.
    pub fn resumed(&self, there: Manifest) -> Result<Manifest, CliError> {
        let sprt = self.test(there.engines.len(), there.pairing == Pairing::Paired)?;
        let is_first_test = sprt.is_some() && there.sprt.is_none();
        let usual_rounds = if is_first_test { ROUNDS_OF_A_TEST } else { 1 };
        let rounds = self.rounds.map_or(usual_rounds.max(there.rounds), NonZeroUsize::get);
        if rounds < there.rounds {
            let what = format!(
                "--rounds: the match has {} already, found {rounds}: a resumed match may get more \
                 rounds, not fewer",
                counted(there.rounds, "round")
            );
            return Err(CliError::Refused(what));
        }
        let sprt = sprt.or(there.sprt);
        let decision = there.decision.filter(|_| sprt == there.sprt);
        let manifest = Manifest { rounds, sprt, decision, ..there };
        manifest.check().map_err(CliError::Refused)?;
        Ok(manifest)
    }

    /// Returns the match that these settings describe.
    ///
    /// # Errors
    /// The settings are incomplete, wrong or contradict each other.
    pub fn manifest(&self) -> Result<Manifest, CliError> {
        let mut engines = self.engines.0.clone();
        if engines.is_empty() {
            let usual = [OWN.to_owned(), format!("{OWN} --engine random")];
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
        let sprt = self.test(engines.len(), self.paired)?;
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
        let milliseconds =
            |time: Option<Duration>, usual: u64| time.map_or(usual, duration::milliseconds);
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
