//! `tensai record import` and `export`: the official client's format.

use std::path::{Path, PathBuf};

use clap::Args;

use super::summary;
use crate::arena::FolderKind;
use crate::cli::commands::files::packs_file;
use crate::cli::commands::game_files::DistinctGames;
use crate::cli::commands::output::{print, print_data};
use crate::cli::error::CliError;
use crate::game::Packs;
use crate::record::official::{Replay, ReplayError, packs_path};
use crate::record::{Destination, Record, is_standard_output, json_line, write_new};
use crate::util::sanitize::shown;

/// Arguments of `tensai record import`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai record import match.json -o games/M")]
pub struct ImportArgs {
    /// A file of the official client, NAME.json. It holds no packs: they are read from NAME.1.pack,
    /// NAME.2.pack and so on beside it, unless --packs is given.
    #[arg(value_name = "REPLAY")]
    replay: PathBuf,

    /// A file with the packs of a game. Repeat the option for each game, in order.
    #[arg(long, value_name = "FILE")]
    packs: Vec<PathBuf>,

    /// The folder for the records, NAME-1.json and so on. None of them may exist yet. `-` writes
    /// all records to standard output, one a line.
    #[arg(short, long, value_name = "FOLDER", default_value = "games")]
    output: PathBuf,
}

/// Arguments of `tensai record export`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai record export games/A/0001.json -o match.json")]
pub struct ExportArgs {
    /// Records of games between the same players in the same seats, in order, or folders of them.
    /// Each game counts once.
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,

    /// The file for the match, NAME.json; the packs are written beside it to NAME.1.pack and so on.
    /// None of the files may exist yet.
    #[arg(short, long, value_name = "REPLAY")]
    output: PathBuf,
}

/// Converts a match to records.
pub fn import(args: &ImportArgs) -> Result<(), CliError> {
    let replay = Replay::read(&args.replay)?;
    let records = games(&args.replay, &replay, &args.packs)?;
    if is_standard_output(&args.output) {
        return print_data(&records.iter().map(json_line).collect::<String>());
    }
    FolderKind::check_none(&args.output)?;
    let stem = args.replay.file_stem().unwrap_or_default().to_string_lossy();
    let path = |game: usize| args.output.join(format!("{stem}-{game}.json"));
    let texts = records.iter().map(json_line);
    write_new((1..).map(path).zip(texts))?;
    let mut report = String::new();
    for (game, record) in (1..).zip(&records) {
        report += &format!("{}: {}\n", shown(&path(game)), summary(record));
    }
    if records.len() < replay.all_battle {
        report +=
            &format!("{} of the match's {} games were played\n", records.len(), replay.all_battle);
    }
    print(&report)
}

/// Returns the games of a match, with the packs of the files `packs` or, if there are none, of the
/// files beside `path`.
pub fn games(path: &Path, replay: &Replay, packs: &[PathBuf]) -> Result<Vec<Record>, CliError> {
    let files: Vec<PathBuf> = if packs.is_empty() {
        let beside = (1..=replay.all_battle).map(|game| packs_path(path, game));
        beside.take_while(|file| file.exists()).collect()
    } else {
        packs.to_owned()
    };
    let read: Vec<Packs> = files.iter().map(|file| packs_file(file)).collect::<Result<_, _>>()?;
    let mut records = replay.games(&read).map_err(|error| match error {
        ReplayError::NoPacks(game) if packs.is_empty() => CliError::Refused(format!(
            "{}: no such file, and the packs of game {game} are needed: \
             put them there, or give the packs of all games with --packs",
            shown(&packs_path(path, game))
        )),
        error => ReplayError::InFile { path: path.to_owned(), source: Box::new(error) }.into(),
    })?;
    for (record, file) in records.iter_mut().zip(&files) {
        record.packs_from = file_name(file);
    }
    Ok(records)
}

/// Converts records to a match.
pub fn export(args: &ExportArgs) -> Result<(), CliError> {
    if matches!(Destination::of(&args.output), Ok(destination) if !destination.is_file()) {
        let reason = "the packs go into files beside the match: give a file";
        return Err(CliError::Refused(format!("{}: {reason}", shown(&args.output))));
    }
    let mut games = DistinctGames::default();
    let (mut files, mut records) = (Vec::new(), Vec::new());
    for path in &args.records {
        for file in games.files(path)? {
            records.extend(games.record(&file)?);
            files.resize(records.len(), file);
        }
    }
    games.tell_repeated();
    let of_file =
        |file: &Path, reason: String| CliError::Refused(format!("{}: {reason}", shown(file)));
    let replay = Replay::from_records(&records).map_err(|error| match error {
        ReplayError::Game { game, reason } => of_file(&files[game - 1], reason),
        error => error.into(),
    })?;
    let packs = records.iter().zip(&files);
    let packs = packs.map(|(record, file)| record.packs().map_err(|reason| of_file(file, reason)));
    replay.write(&args.output, &packs.collect::<Result<Vec<_>, _>>()?)?;
    let mut report = format!("{}\n", shown(&args.output));
    for (game, record) in (1..).zip(&records) {
        report += &format!("{}: {}\n", shown(&packs_path(&args.output, game)), summary(record));
    }
    print(&report)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
