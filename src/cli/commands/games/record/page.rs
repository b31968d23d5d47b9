//! `tensai record page`: recorded games as a page for a browser.

use std::path::PathBuf;

use clap::Args;

use crate::cli::commands::game_files::DistinctGames;
use crate::cli::commands::games::replay::GameList;
use crate::cli::error::CliError;
use crate::record::RecordError;
use crate::util::message;
use crate::util::numbers::counted;
use crate::util::sanitize::shown;
use crate::web::pages::{Page, check_place};

/// Arguments of `tensai record page`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai record page games/A -o page.html")]
pub struct PageArgs {
    /// Records of games, folders of records, of matches and of leagues, files of the official client
    /// with their packs beside them, and standard inputs of bots, whose answers are inferred. A game
    /// with several equal records is shown once.
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,

    /// The file for the page, which a browser plays without a network; `-` is standard output. An
    /// earlier page is overwritten, any other file is not.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Size in bytes from which on a page is slow in a browser.
const LARGE: usize = 10_000_000;

/// Writes the page.
pub fn run(args: &PageArgs) -> Result<(), CliError> {
    check_place(&args.output)?;
    let (mut page, mut games) = (Page::new(), DistinctGames::default());
    for path in &args.records {
        for file in &games.files(path)? {
            let invalid = |reason: String| RecordError::Format { path: file.clone(), reason };
            let source = games.source(file)?;
            match &source.games {
                GameList::Records(records) => {
                    for record in records {
                        page.add(record).map_err(invalid)?;
                    }
                }
                GameList::Inferred(games) => {
                    for game in source.known_parts(games) {
                        page.add_inferred(game).map_err(invalid)?;
                    }
                }
            }
        }
    }
    games.tell_repeated();
    if page.is_empty() {
        return Err(CliError::Refused("there is no game to show".to_owned()));
    }
    let size = page.write(&args.output)?;
    if size >= LARGE {
        let (file, games) = (shown(&args.output), counted(page.count(), "game"));
        message::line(format_args!(
            "tensai: {file}: {games}, {} MB, which a browser may be slow to open: choose fewer \
             records for a smaller page",
            size / 1_000_000
        ));
    }
    Ok(())
}
