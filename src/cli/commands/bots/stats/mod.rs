//! `tensai stats`: statistics of recorded games, and their positions for other programs.

mod text;

use std::io;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

use clap::Args;

use super::arena_error::ArenaError;
use super::match_::table;
use crate::arena::statistics::{Collector, Definitions, PlayerGame, csv as columns, positions};
use crate::cli::commands::game_files::{for_each_game, refused};
use crate::cli::commands::output::{print, print_beside, print_data, print_json};
use crate::cli::error::CliError;
use crate::game::TURNS;
use crate::record::NewLines;
use crate::util::numbers::counted;
use crate::util::sanitize::shown;
use crate::util::system::stop::Stop;

/// Arguments of `tensai stats`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai stats games/A --positions positions.jsonl\n\n\
    Turns are numbered from 0 to 499, seats 0 and 1, games from 1.")]
pub struct StatsArgs {
    /// Folders of matches and leagues, records of games, any folders of records, and files of the
    /// official client with their packs beside them. Engines are identified by their names. Games
    /// that were stopped are left out; a game with several equal records counts once.
    #[arg(value_name = "FOLDER|FILE", required = true)]
    paths: Vec<PathBuf>,

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

    /// Write the positions of the games instead, as JSON Lines: an object for each player and turn
    /// (docs/schemas/position.json). The file must not exist yet; `-` is standard output.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["attack", "opening", "json", "csv"])]
    positions: Option<PathBuf>,

    /// Number of packs written with each position, beginning with the pack of its turn, 1 to 500.
    #[arg(
        long,
        value_name = "N",
        default_value = "10",
        requires = "positions",
        conflicts_with_all = ["attack", "opening", "json", "csv"],
        value_parser = turns
    )]
    packs: NonZeroUsize,
}

impl StatsArgs {
    /// Whether a signal may end the command at any moment: it has no draft of a file to remove.
    pub const fn ends_at_once(&self) -> bool {
        self.positions.is_none()
    }
}

fn turns(text: &str) -> Result<NonZeroUsize, String> {
    let turns = text.parse().ok().filter(|turns: &NonZeroUsize| turns.get() <= TURNS);
    turns.ok_or_else(|| format!("expected a whole number from 1 to {TURNS}"))
}

/// Runs `tensai stats`.
pub fn run(args: &StatsArgs) -> Result<(), CliError> {
    match &args.positions {
        Some(output) => write_positions(args, output),
        None => print_statistics(args),
    }
}

fn print_statistics(args: &StatsArgs) -> Result<(), CliError> {
    let definitions = Definitions { attack: args.attack, opening: args.opening };
    let mut collector = Collector::new(definitions);
    let mut lines = csv::Writer::from_writer(Vec::new());
    let mut games = 0_usize;
    for_each_game(&args.paths, |file, game| {
        let Some(record) = game else {
            collector.add_stopped();
            return Ok(());
        };
        let players = PlayerGame::both(record, &definitions);
        let players = players.map_err(|what| refused(file, &what))?;
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
    print(&text::text(&statistics, table::width()))
}

fn write_positions(args: &StatsArgs, output: &Path) -> Result<(), CliError> {
    let stop = Stop::on_signals()?;
    let mut lines = NewLines::create(output)?;
    let (mut games, mut count) = (0_usize, 0_usize);
    for_each_game(&args.paths, |file, game| {
        if stop.is_asked() {
            let what = format!("{} read, no file of positions is written", counted(games, "game"));
            return Err(ArenaError::StoppedAfter(what).into());
        }
        let Some(record) = game.filter(|_| !lines.is_closed()) else { return Ok(()) };
        games += 1;
        let positions = positions(games, &shown(file).to_string(), record, args.packs);
        for position in positions.map_err(|what| refused(file, &what))? {
            lines.line(&position)?;
            count += 1;
        }
        Ok(())
    })?;
    lines.finish()?;
    let (positions, games) = (counted(count, "position"), counted(games, "game"));
    print_beside(output, &format!("{}: {positions} of {games}\n", shown(output)))
}
