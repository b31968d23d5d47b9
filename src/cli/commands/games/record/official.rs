//! `tensai record import`: the official client's format.

use std::path::{Path, PathBuf};

use clap::Args;

use super::summary;
use crate::arena::FolderKind;
use crate::cli::commands::files::packs_file;
use crate::cli::commands::output::{print, print_data};
use crate::cli::error::CliError;
use crate::game::Packs;
use crate::record::official::{Replay, ReplayError, packs_path};
use crate::record::{Record, is_standard_output, json_line, write_new};
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

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
