//! `tensai match resume`: plays the games of a match that are missing.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::new_match::ROUNDS_OF_A_TEST;
use super::options::PlayArgs;
use super::play::{Plan, check_shard, sprt};
use super::quoted_commands;
use crate::arena::{Folder, Manifest, Pairing, Shard, trust};
use crate::cli::commands::bots::arena_error::untrusted;
use crate::cli::error::CliError;
use crate::util::numbers::counted;
use crate::util::sanitize::shown;

/// Arguments of `tensai match resume`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai match resume games/2026-11-21T080000Z --rounds 20")]
pub struct ResumeArgs {
    /// The folder of the match.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    /// Number of rounds in all, to play more than before.
    #[arg(long, value_name = "N", visible_alias = "games")]
    rounds: Option<NonZeroUsize>,

    /// End the match when another SPRT is decided [default: that of the match].
    ///
    /// A match without a test then gets up to 10000 rounds.
    #[arg(long, value_name = "KEY=VALUE", num_args = 0..=4)]
    sprt: Option<Vec<String>>,

    /// Go on with part I of N of a match that is played in parts.
    ///
    /// 1/1 plays all games that are missing.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Run commands of others; read `match.json` first.
    ///
    /// The match was started by another user, on another machine or in another working folder, or
    /// its commands were changed since. The commands run with your rights.
    #[arg(long)]
    trust: bool,

    #[command(flatten)]
    play: PlayArgs,
}

impl ResumeArgs {
    /// The match of the folder, with the rounds and the test that are given.
    ///
    /// # Errors
    /// The folder holds no match, or one that this user has not started, or the options do not fit it.
    pub fn plan(&self) -> Result<Plan, CliError> {
        let Self { folder, shard, play, .. } = self;
        let manifest = self.resumed(Folder::at(folder).manifest()?)?;
        if !self.trust && !trust::fits(manifest.mac.as_deref(), &manifest.engines) {
            let commands = quoted_commands(&manifest.engines, "match.json");
            return Err(untrusted(folder, &commands));
        }
        check_shard(*shard, &manifest)?;
        let folder_name = shown(folder);
        match (manifest.parts.filter(|parts| parts.get() > 1), *shard) {
            (Some(parts), None) => Err(CliError::Refused(format!(
                "{folder_name}: it holds a match in {parts} parts: --shard I/{parts} goes on with \
                 part I, --shard 1/1 plays all games that are missing"
            ))),
            (None, Some(shard)) if shard != Shard::WHOLE => Err(CliError::Refused(format!(
                "--shard: {folder_name} holds a match that is not in parts: leave the option out to \
                 play all games that are missing; `match run --shard` begins a match in parts"
            ))),
            _ => Ok(()),
        }?;
        Ok(Plan { manifest, folder: Some(folder.clone()), shard: *shard, play: play.clone() })
    }

    /// The match `there` with the rounds and the test of these options.
    fn resumed(&self, there: Manifest) -> Result<Manifest, CliError> {
        let is_paired = there.pairing == Pairing::Paired;
        let sprt = sprt(self.sprt.as_deref(), there.engines.len(), is_paired)?;
        let is_first_test = sprt.is_some() && there.sprt.is_none();
        let default = if is_first_test { ROUNDS_OF_A_TEST } else { 1 };
        let rounds = self.rounds.map_or(default.max(there.rounds), NonZeroUsize::get);
        if rounds < there.rounds {
            let reason = format!(
                "--rounds: the match has {} already, found {rounds}: a resumed match may get more \
                 rounds, not fewer",
                counted(there.rounds, "round")
            );
            return Err(CliError::Refused(reason));
        }
        let sprt = sprt.or(there.sprt);
        let decision = there.decision_of(sprt);
        let manifest = Manifest { rounds, sprt, decision, ..there };
        manifest.check().map_err(CliError::Refused)?;
        Ok(manifest)
    }
}
