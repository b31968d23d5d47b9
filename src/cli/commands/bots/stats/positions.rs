//! `tensai stats positions`: the positions of recorded games, for other programs.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::{GamesArgs, turns};
use crate::arena::statistics::positions;
use crate::cli::commands::game_files::{for_each_game, refused};
use crate::cli::commands::output::print_beside;
use crate::cli::error::CliError;
use crate::record::NewLines;
use crate::util::numbers::counted;
use crate::util::sanitize::shown;
use crate::util::system::stop::Stop;

/// Arguments of `tensai stats positions`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai stats positions games/A -o positions.jsonl\n\n\
    Turns are numbered from 0 to 499, seats 0 and 1, games from 1.")]
pub struct PositionsArgs {
    #[command(flatten)]
    games: GamesArgs,

    /// Number of packs written with each position, beginning with the pack of its turn, 1 to 500.
    #[arg(long, value_name = "N", default_value = "10", value_parser = turns)]
    packs: NonZeroUsize,

    /// The file for the positions: an object for each player and turn (docs/schemas/position.json).
    /// It must not exist yet; `-` is standard output.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Reads the games and writes their positions.
pub fn run(args: &PositionsArgs) -> Result<(), CliError> {
    let stop = Stop::on_signals()?;
    let mut lines = NewLines::create(&args.output)?;
    let (mut games, mut count) = (0_usize, 0_usize);
    for_each_game(&args.games.paths, |file, game| {
        if stop.is_asked() {
            let done = format!("{} read, no file of positions is written", counted(games, "game"));
            return Err(CliError::stopped(done));
        }
        let Some(record) = game.filter(|_| !lines.is_closed()) else { return Ok(()) };
        games += 1;
        let positions = positions(games, &shown(file).to_string(), record, args.packs);
        for position in positions.map_err(|reason| refused(file, &reason))? {
            lines.line(&position)?;
            count += 1;
        }
        Ok(())
    })?;
    lines.finish()?;
    let (positions, games) = (counted(count, "position"), counted(games, "game"));
    print_beside(&args.output, &format!("{}: {positions} of {games}\n", shown(&args.output)))
}
