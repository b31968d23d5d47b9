//! `tensai record`: recorded games.

mod official;
mod page;
mod puzzles;

use std::cell::Cell;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

pub(in crate::cli) use official::games as official_games;

use crate::arena::Folder;
use crate::cli::commands::arguments::seat;
use crate::cli::commands::files::{check_each, distinct};
use crate::cli::commands::game_files::{check_one_game, records_in, records_unless_description};
use crate::cli::commands::output::{print, print_data};
use crate::cli::error::CliError;
use crate::game::Seat;
use crate::record::{Record, write_new};
use crate::util::numbers::counted;
use crate::util::sanitize::shown;
use crate::util::system::stop::Stop;

/// The end of the help of `tensai record`.
const EXAMPLE: &str = "Example:
  tensai record check games/A
  tensai record page games/A -o page.html";

/// The subcommands of `tensai record`.
#[derive(Subcommand, Debug)]
#[command(after_help = EXAMPLE)]
pub enum RecordCommand {
    /// Play games again by the rules, and check that they end as their records say.
    Check(RecordCheckArgs),
    /// Write the input that a player received in a game, turn by turn.
    Input(InputArgs),
    /// Convert a match from the official client's format to records.
    Import(official::ImportArgs),
    /// Make a page of games that a browser plays like a video.
    Page(page::PageArgs),
    /// Find puzzles in games, proven by trying all actions.
    Puzzles(puzzles::PuzzlesArgs),
}

/// Arguments of `tensai record check`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai record check games/A\n\n\
                  Exit code: 0 if all are good, 1 if one is not, 2 if one cannot be read.")]
pub struct RecordCheckArgs {
    /// Records of games, folders of records, of matches and of leagues, and files of the official
    /// client with their packs beside them.
    #[arg(value_name = "RECORD", required = true)]
    files: Vec<PathBuf>,
}

/// Arguments of `tensai record input`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai record input games/A/0001.json --seat 0 -o input.txt")]
pub struct InputArgs {
    /// A game's record.
    #[arg(value_name = "GAME")]
    game: PathBuf,

    /// The player's seat: 0 is the first player, 1 the second.
    #[arg(long, value_name = "0|1", value_parser = seat)]
    seat: Seat,

    /// The file for the input. It must not exist yet [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs `command`.
pub fn run(command: &RecordCommand) -> Result<(), CliError> {
    Stop::at_once()?;
    match command {
        RecordCommand::Check(args) => check(args),
        RecordCommand::Input(args) => input(args),
        RecordCommand::Import(args) => official::import(args),
        RecordCommand::Page(args) => page::run(args),
        RecordCommand::Puzzles(args) => puzzles::run(args),
    }
}

fn check(args: &RecordCheckArgs) -> Result<(), CliError> {
    // A folder that cannot be read is an error like a wrong file; the others are still checked.
    let files = args.files.iter().flat_map(|path| match records_in(path) {
        Ok(files) => files.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error)],
    });
    let files = distinct(files);
    let (good, all) = (Cell::new(0_usize), Cell::new(0_usize));
    let files = files.into_iter().inspect(|_| all.set(all.get() + 1));
    let checked = check_each(files, |path| {
        let file = shown(path);
        let Some(records) = records_unless_description(path)? else {
            all.set(all.get() - 1);
            let folder = Folder::at(path.parent().unwrap_or_else(|| Path::new("")));
            let engines = counted(folder.manifest()?.engines.len(), "engine");
            return Ok(format!("{file}: not a game, but the description of a match of {engines}"));
        };
        for record in &records {
            record.check().map_err(|reason| CliError::Failed(format!("{file}: {reason}")))?;
        }
        good.set(good.get() + 1);
        let lines = records.iter().map(|record| format!("{file}: {}", summary(record)));
        Ok(lines.collect::<Vec<_>>().join("\n"))
    });
    if all.get() > 1 {
        print(&format!("{} of {} are good\n", good.get(), counted(all.get(), "record")))?;
    }
    checked
}

/// Describes the players and the result of a game.
pub fn summary(record: &Record) -> String {
    let [first, second] = Seat::BOTH.map(|seat| record.name(seat));
    format!("{first} - {second}: {}", record.outcome())
}

fn input(args: &InputArgs) -> Result<(), CliError> {
    check_one_game(&args.game)?;
    let record = Record::read(&args.game)?;
    let input = record.input(args.seat);
    let input =
        input.map_err(|reason| CliError::Refused(format!("{}: {reason}", shown(&args.game))))?;
    match &args.output {
        Some(path) => Ok(write_new([(path.clone(), input)])?),
        None => print_data(&input),
    }
}
