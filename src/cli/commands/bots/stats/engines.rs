//! `tensai stats engines`: statistics of the engines of recorded games.

use std::io;
use std::num::{NonZeroU64, NonZeroUsize};

use clap::Args;

use super::text::text;
use super::{GamesArgs, turns};
use crate::arena::statistics::{Collector, Definitions, PlayerGame, csv as columns};
use crate::cli::commands::game_files::{for_each_game, refused};
use crate::cli::commands::output::{print, print_data, print_json};
use crate::cli::commands::table;
use crate::cli::error::CliError;
use crate::util::sanitize::shown;

/// Arguments of `tensai stats engines`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai stats engines games/A")]
pub struct EnginesArgs {
    #[command(flatten)]
    games: GamesArgs,

    /// Ojama that a chain must send to count as an attack.
    #[arg(long, value_name = "OJAMA", default_value = "10")]
    attack: NonZeroU64,

    /// Turns of an opening, 1 to 500.
    #[arg(long, value_name = "N", default_value = "3", value_parser = turns)]
    opening: NonZeroUsize,

    /// Print the statistics as JSON (docs/schemas/statistics.json).
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print a line of comma-separated values for each engine of each game.
    #[arg(long)]
    csv: bool,
}

/// Reads the games and prints the statistics.
pub fn run(args: &EnginesArgs) -> Result<(), CliError> {
    let definitions = Definitions { attack: args.attack, opening: args.opening };
    let mut collector = Collector::new(definitions);
    let mut lines = csv::Writer::from_writer(Vec::new());
    let mut games = 0_usize;
    for_each_game(&args.games.paths, |file, game| {
        let Some(record) = game else {
            collector.add_stopped();
            return Ok(());
        };
        let players = PlayerGame::both(record, &definitions);
        let players = players.map_err(|reason| refused(file, &reason))?;
        games += 1;
        collector.add(&players);
        if args.csv {
            for player in &players {
                let cells = columns::line(games, &shown(file).to_string(), player);
                let (names, values): (Vec<String>, Vec<String>) = cells.into_iter().unzip();
                if games == 1 && player.seat.index() == 0 {
                    lines.write_record(names).map_err(io::Error::from)?;
                }
                lines.write_record(values).map_err(io::Error::from)?;
            }
        }
        Ok(())
    })?;
    if args.csv {
        let lines = lines.into_inner().map_err(|error| error.into_error())?;
        return print_data(&String::from_utf8_lossy(&lines));
    }
    let statistics = collector.statistics();
    if args.json {
        return print_json(&statistics);
    }
    print(&text(&statistics, table::width()))
}
