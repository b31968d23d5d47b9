//! `tensai stats ratings`: one rating list over many matches.

use clap::Args;
use serde_json::json;

use super::GamesArgs;
use crate::arena::rating::{Elo, Pool, Rated, Tally};
use crate::cli::commands::arguments::JsonFlag;
use crate::cli::commands::game_files::for_each_game;
use crate::cli::commands::output::{print, print_json};
use crate::cli::commands::table;
use crate::cli::error::CliError;
use crate::game::Seat;

/// Arguments of `tensai stats ratings`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai stats ratings games/A games/B --anchor random=0")]
pub struct RatingsArgs {
    #[command(flatten)]
    games: GamesArgs,

    /// An engine whose rating is fixed, at 0 if ELO is left out; may be repeated [default: none; the
    /// mean of all is 0].
    #[arg(long, value_name = "NAME[=ELO]", value_parser = anchor)]
    anchor: Vec<(String, f64)>,

    #[command(flatten)]
    output: JsonFlag,
}

/// Parses an engine and the rating at which it is fixed.
pub(in crate::cli) fn anchor(text: &str) -> Result<(String, f64), String> {
    let (name, elo) = text.rsplit_once('=').unwrap_or((text, "0"));
    let elo = elo.parse::<f64>().ok().filter(|elo| elo.is_finite() && !name.is_empty());
    elo.map(|elo| (name.to_owned(), elo))
        .ok_or_else(|| "expected a name and a rating such as `random=0`".to_owned())
}

/// Reads all games and prints the rating list.
pub fn run(args: &RatingsArgs) -> Result<(), CliError> {
    let mut pool = Pool::default();
    for_each_game(&args.games.paths, |_, game| {
        if let Some(record) = game {
            let [a, b] = Seat::BOTH.map(|seat| record.name(seat));
            pool.add(&a, &b, Tally::of(record.result.verdict, Seat::First));
        }
        Ok(())
    })?;
    let rated = pool.ratings(&args.anchor).map_err(|error| CliError::Refused(error.to_string()))?;
    match args.output.json {
        true => print_json(&json(&rated)),
        false => print(&list(&rated, table::width())),
    }
}

fn list(rated: &[Rated], width: Option<usize>) -> String {
    let header = ["", "engine", "Elo", "±", "games", "won", "drawn", "lost", "score"];
    let mut rows = Vec::new();
    for (rank, player) in rated.iter().enumerate() {
        let tally = player.tally;
        rows.push(vec![
            (rank + 1).to_string(),
            player.name.clone(),
            Elo(player.rating).to_string(),
            format!("{:.0}", player.error),
            tally.games().to_string(),
            tally.wins.to_string(),
            tally.draws.to_string(),
            tally.losses.to_string(),
            format!("{:.1} %", tally.score().unwrap_or(0.0) * 100.0),
        ]);
    }
    table::fitting(&header, &rows, &[], width)
}

fn json(rated: &[Rated]) -> serde_json::Value {
    let list = rated.iter().map(|player| {
        json!({
            "engine": player.name,
            "elo": player.rating,
            "error": player.error,
            "tally": player.tally,
        })
    });
    list.collect()
}
