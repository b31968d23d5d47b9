//! The recorded games that measurements search again.

use std::path::PathBuf;

use clap::Args;

use super::work::WorkArgs;
use crate::analysis::RecordedGame;
use crate::cli::commands::game_files::{for_each_game, refused};
use crate::cli::error::CliError;
use crate::dev::reference_decisions;

/// The games of a measurement, and the threads and the backend that search them.
#[derive(Args, Debug)]
pub struct RecordedGamesArgs {
    /// Recorded games, or folders of them [default: 24 built-in games].
    #[arg(value_name = "GAME")]
    games: Vec<PathBuf>,

    #[command(flatten)]
    pub work: WorkArgs,
}

impl RecordedGamesArgs {
    /// The recorded games that were played to their end; the built-in games if none are given.
    pub fn games(&self) -> Result<Vec<RecordedGame>, CliError> {
        if self.games.is_empty() {
            return Ok(reference_decisions::built_in_games());
        }
        let mut games = Vec::new();
        for_each_game(&self.games, |file, game| {
            if let Some(record) = game {
                let game = RecordedGame::of_record(record);
                games.push(game.map_err(|reason| refused(file, &reason))?);
            }
            Ok(())
        })?;
        Ok(games)
    }
}
