//! `tensai record`: recorded games.

mod official;
mod page;
mod puzzles;
mod summary;

use std::cell::Cell;
use std::fmt::{self, Display};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde::Serialize;

pub(in crate::cli) use official::games as official_games;
pub use summary::{RecordSummary, summary};

use crate::arena::Folder;
use crate::cli::commands::arguments::{JsonFlag, seat};
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
    /// Convert records to a match in the official client's format.
    Export(official::ExportArgs),
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

    #[command(flatten)]
    output: JsonFlag,
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
        RecordCommand::Export(args) => official::export(args),
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
    let json = args.output.json;
    let checked = check_each(files, json, |path| {
        let file = shown(path).to_string();
        let Some(records) = records_unless_description(path)? else {
            all.set(all.get() - 1);
            let folder = Folder::at(path.parent().unwrap_or_else(|| Path::new("")));
            let engines = Some(folder.manifest()?.engines.len());
            return Ok(CheckedRecord { file, games: Vec::new(), engines });
        };
        for record in &records {
            record.check().map_err(|reason| CliError::Failed(format!("{file}: {reason}")))?;
        }
        good.set(good.get() + 1);
        Ok(CheckedRecord {
            file,
            games: records.iter().map(RecordSummary::of).collect(),
            engines: None,
        })
    });
    if all.get() > 1 && !json {
        print(&format!("{} of {} are good\n", good.get(), counted(all.get(), "record")))?;
    }
    checked
}

/// A good file of `record check`, as `--json` prints it.
#[derive(Serialize)]
struct CheckedRecord {
    #[serde(skip)]
    file: String,
    /// The games: one of a record, several of a match in the official client's format.
    games: Vec<RecordSummary>,
    /// Number of engines, if the file is no game but the description of a match.
    engines: Option<usize>,
}

impl Display for CheckedRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, games, engines } = self;
        if let Some(engines) = engines {
            let engines = counted(*engines, "engine");
            return write!(f, "{file}: not a game, but the description of a match of {engines}");
        }
        let lines = games.iter().map(|game| format!("{file}: {}", game.summary));
        write!(f, "{}", lines.collect::<Vec<_>>().join("\n"))
    }
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
