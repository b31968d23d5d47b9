//! `tensai view`: recorded games as a page for a browser, and the page without a server.

use std::path::PathBuf;

use clap::Args;

use super::replay::GameList;
use crate::cli::commands::game_files::DistinctGames;
use crate::cli::error::CliError;
use crate::record::RecordError;
use crate::util::message;
use crate::util::numbers::counted;
use crate::util::sanitize::shown;
use crate::web::pages::{Page, ShownGame, check_place, offline};

/// Arguments of `tensai view`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai view games/A -o page.html\n  \
                        tensai view --client target/tensai.wasm -o client.html")]
pub struct ViewArgs {
    /// Records of games, folders of records, of matches and of leagues, files of the official client
    /// with their packs beside them, and standard inputs of bots, whose answers are inferred. A game
    /// with several equal records is shown once.
    #[arg(value_name = "RECORD", required_unless_present = "client")]
    records: Vec<PathBuf>,

    /// Write the page on which games are played and analysed without a server, around this library
    /// as WebAssembly; `.ci/wasm build` makes it.
    #[arg(long, value_name = "WASM", conflicts_with = "records")]
    client: Option<PathBuf>,

    /// The file for the page, which a browser plays without a network; `-` is standard output. An
    /// earlier page is overwritten, any other file is not.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Size in bytes from which on a page is slow in a browser.
const LARGE: usize = 10_000_000;

/// Writes the page.
pub fn run(args: &ViewArgs) -> Result<(), CliError> {
    if let Some(wasm) = &args.client {
        return Ok(offline::write_offline(wasm, &args.output)?);
    }
    check_place(&args.output)?;
    let (mut page, mut games) = (Page::new(), DistinctGames::default());
    for path in &args.records {
        for file in &games.files(path)? {
            let wrong = |what: String| RecordError::Format { path: file.clone(), what };
            let source = games.source(file)?;
            match &source.games {
                GameList::Records(records) => {
                    for record in records {
                        page.add(record).map_err(wrong)?;
                    }
                }
                GameList::Inferred(games) => {
                    for game in source.known_parts(games) {
                        let shown = game.page_game(page.count() + 1);
                        page.put(ShownGame::of(&shown.map_err(|error| wrong(error.message))?));
                    }
                }
            }
        }
    }
    games.tell_repeated();
    if page.is_empty() {
        return Err(CliError::Refused("there is no game to show".to_owned()));
    }
    let size = page.write(&args.output, false)?;
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
