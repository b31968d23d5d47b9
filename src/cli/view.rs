//! `tensai view`: recorded games as a page for a browser.

use std::path::{Path, PathBuf};

use clap::Args;

use super::CliError;
use super::arena::records_in;
use super::record::official_games;
use crate::input_file;
use crate::record::official::{Replay, is_official};
use crate::record::{Record, RecordError};
use crate::view::{Page, check_place};

/// What is shown, and where the page goes.
#[derive(Args, Debug)]
pub struct ViewArgs {
    /// Records of games, folders of them, and files of the official client's with their packs
    /// beside them.
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,

    /// The file for the page, which a browser plays without any network; `-` is standard output. An
    /// earlier page is written over, any other file is not.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Writes the page.
pub fn run(args: &ViewArgs) -> Result<(), CliError> {
    check_place(&args.output)?;
    let mut page = Page::new();
    for path in &args.records {
        for file in &records_in(path)? {
            for record in records(file)? {
                page.add(&record)
                    .map_err(|what| RecordError::Format { path: file.clone(), what })?;
            }
        }
    }
    if page.is_empty() {
        return Err(CliError::Refused("there is no game to show".to_owned()));
    }
    Ok(page.write(&args.output, false)?)
}

/// The games in a file: its one, or all of a match in the official client's format.
fn records(file: &Path) -> Result<Vec<Record>, CliError> {
    let text = input_file::read(file, input_file::RECORD).map_err(|source| RecordError::File {
        path: file.to_owned(),
        verb: "read",
        source,
    })?;
    match is_official(&text) {
        true => official_games(file, &Replay::read(file)?, &[]),
        false => Ok(vec![Record::read(file)?]),
    }
}
