//! `tensai record puzzles`: puzzles from recorded games.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use rayon::prelude::*;

use crate::analysis::PuzzleKind;
use crate::board::Backend;
use crate::cli::commands::arguments::{start_threads, threads};
use crate::cli::commands::format::bar;
use crate::cli::commands::game_files::DistinctGames;
use crate::cli::commands::games::replay::GameList;
use crate::cli::commands::output::print_beside;
use crate::cli::error::CliError;
use crate::record::{RecordError, check_new, json_line, write_new};
use crate::search::SearchControl;
use crate::util::numbers::counted;
use crate::util::sanitize::shown;
use crate::web::api::{Finder, GameData, PuzzleData, PuzzleFile, StartedGame};

/// Arguments of `tensai record puzzles`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai record puzzles games/A -o puzzles.json")]
pub struct PuzzlesArgs {
    /// Records of games, folders of records, of matches and of leagues, files of the official client
    /// with their packs beside them, and standard inputs of bots, whose answers are inferred. A game
    /// with several equal records is searched once.
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,

    /// The most packs of a puzzle. All actions within them are tried: with four, a game takes some
    /// seconds.
    #[arg(long, value_name = "1..4", default_value = "3")]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=4))]
    packs: u8,

    /// Number of search threads [default: one for each core].
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZeroUsize>,

    /// The file for the puzzles, which the page of a client reads. It must not exist yet; `-` is
    /// standard output.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Finds the puzzles and writes them.
pub fn run(args: &PuzzlesArgs) -> Result<(), CliError> {
    check_new(&args.output)?;
    let (mut games, mut records) = (Vec::new(), DistinctGames::default());
    for path in &args.records {
        for file in &records.files(path)? {
            let invalid = |reason: String| RecordError::Format { path: file.clone(), reason };
            let source = records.source(file)?;
            let found = match &source.games {
                GameList::Records(records) => {
                    let found = records.iter().map(GameData::of_record);
                    found.collect::<Result<Vec<_>, _>>().map_err(invalid)?
                }
                GameList::Inferred(games) => source.known_parts(games),
            };
            for game in &found {
                let game = StartedGame::whole(game);
                games.push(game.map_err(|error| invalid(error.message))?);
            }
        }
    }
    records.tell_repeated();
    start_threads(args.threads)?;
    Backend::choose(None);
    let control = Arc::new(SearchControl::default());
    let progress = bar(games.len());
    let found = games.par_iter().enumerate().map(|(index, game)| {
        let mut finder = Finder::new(game, index + 1, args.packs.into());
        let turns = game.turns.iter().flat_map(|_| finder.next_turn(&control));
        let found: Vec<PuzzleData> = turns.collect();
        progress.inc(1);
        found
    });
    let puzzles: Vec<PuzzleData> = found.collect::<Vec<_>>().concat();
    progress.finish_and_clear();
    let report = report(&puzzles, games.len());
    write_new([(args.output.clone(), json_line(&PuzzleFile::new(puzzles)))])?;
    print_beside(&args.output, &format!("{}: {report}\n", shown(&args.output)))
}

/// The number of puzzles by kind.
fn report(puzzles: &[PuzzleData], games: usize) -> String {
    let count = |kind: PuzzleKind| puzzles.iter().filter(|puzzle| puzzle.kind == kind).count();
    let kinds = [PuzzleKind::Chain, PuzzleKind::Survive, PuzzleKind::Kill];
    let kinds = kinds.map(|kind| format!("{} {}", count(kind), kind.name())).join(", ");
    format!("{} from {}: {kinds}", counted(puzzles.len(), "puzzle"), counted(games, "game"))
}
