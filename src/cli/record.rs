//! `tensai record`: recorded games.

mod official;
pub(super) mod show;

use std::path::PathBuf;

use clap::{Args, Subcommand};

pub(super) use official::games as official_games;

use super::arena::check_each;
use super::{CliError, print, print_data};
use crate::foreign_text::shown;
use crate::game::Seat;
use crate::record::{Record, write_new};

/// What is done with records.
#[derive(Subcommand, Debug)]
pub enum RecordCommand {
    /// Show a game: its players and result, and a line a turn.
    Show(ShowArgs),
    /// Play games again by the rules, and see whether they end as their records say.
    Check(CheckArgs),
    /// Write the input that a player received in a game, turn by turn.
    Input(InputArgs),
    /// Make records of a match in the official client's format.
    Import(official::ImportArgs),
    /// Make a match in the official client's format of records.
    Export(official::ExportArgs),
}

/// What is shown.
#[derive(Args, Debug)]
pub struct ShowArgs {
    /// A game's record.
    #[arg(value_name = "GAME")]
    game: PathBuf,
}

/// What is played again.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Records of games.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// Whose input is written, and where.
#[derive(Args, Debug)]
pub struct InputArgs {
    /// A game's record.
    #[arg(value_name = "GAME")]
    game: PathBuf,

    /// The player's seat: 0 is the first player, 1 the second.
    #[arg(long, value_name = "0|1", value_parser = seat)]
    seat: Seat,

    /// The file for the input, which may not be there yet [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Parses a seat.
pub fn seat(text: &str) -> Result<Seat, String> {
    let seat = Seat::BOTH.into_iter().find(|seat| seat.index().to_string() == text);
    seat.ok_or_else(|| "expected 0 or 1".to_owned())
}

/// Does it.
pub fn run(command: &RecordCommand) -> Result<(), CliError> {
    match command {
        RecordCommand::Show(args) => print(&show::text(&args.game)?),
        RecordCommand::Check(args) => check(args),
        RecordCommand::Input(args) => input(args),
        RecordCommand::Import(args) => official::import(args),
        RecordCommand::Export(args) => official::export(args),
    }
}

fn check(args: &CheckArgs) -> Result<(), CliError> {
    check_each(&args.files, |file| {
        let record = Record::read(file)?;
        let file = shown(file);
        record.check().map_err(|what| CliError::Refused(format!("{file}: {what}")))?;
        Ok(format!("{file}: {}", told(&record)))
    })
}

fn input(args: &InputArgs) -> Result<(), CliError> {
    let record = Record::read(&args.game)?;
    let input = record.input(args.seat);
    let input =
        input.map_err(|what| CliError::Refused(format!("{}: {what}", shown(&args.game))))?;
    match &args.output {
        Some(path) => Ok(write_new([(path.clone(), input)])?),
        None => print_data(&input),
    }
}

/// Who played, and how it ended.
pub fn told(record: &Record) -> String {
    let [first, second] = Seat::BOTH.map(|seat| record.name(seat));
    format!("{first} - {second}: {}", record.outcome())
}
