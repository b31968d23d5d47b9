//! Lists games, with a line for each turn.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};
use std::num::NonZeroUsize;

use serde::Serialize;

use super::args::ReplayArgs;
use super::source::{GameList, GameSource};
use crate::analysis::{Moment, RecordedGame};
use crate::cli::commands::games::record::show;
use crate::cli::commands::output::print_json;
use crate::cli::error::CliError;
use crate::game::{Action, Cells, Chain, Seat, Turn};
use crate::util::message;
use crate::util::sanitize::shown;

/// Columns of text for a player's answers.
const ANSWERS: usize = 15;

/// Formats the games. Tells a person at a terminal which command finds where they were lost, because a
/// list searches nothing.
pub fn text(source: &GameSource, args: &ReplayArgs) -> Result<String, CliError> {
    let mut text = String::new();
    for index in source.chosen(args.game)? {
        if source.count() > 1 {
            // Writing to a string cannot fail, here and below.
            let begin = if text.is_empty() { "" } else { "\n" };
            let _ = writeln!(text, "{begin}game {} of {}", index + 1, source.count());
        }
        text += &match &source.games {
            GameList::Records(records) => show::game(&records[index]).map_err(CliError::Refused)?,
            GameList::Inferred(games) => inferred(&games[index]),
        };
    }
    let of_game = if source.count() > 1 { " --game N" } else { "" };
    if io::stdout().is_terminal() {
        let file = shown(&args.file);
        message::line(format_args!("where you lost: tensai replay {file}{of_game} --blunders"));
    }
    Ok(text)
}

/// A game whose answers are inferred, as `--json` prints it.
#[derive(Serialize)]
struct InferredGame {
    /// The players' names, by seat.
    names: [String; 2],
    /// The turns of the input.
    list: Vec<InferredTurn>,
}

/// A turn whose answers are inferred.
#[derive(Serialize)]
struct InferredTurn {
    /// The turn, 0 to 499.
    turn: usize,
    /// The answers that have the effect of the one that was given, by seat; empty if unknown.
    answers: [Vec<String>; 2],
}

/// Prints the games as JSON: an array of games, as `record show --json` prints one.
pub fn json(source: &GameSource, number: Option<NonZeroUsize>) -> Result<(), CliError> {
    let chosen = source.chosen(number)?;
    match &source.games {
        GameList::Records(records) => {
            let games = records[chosen].iter().map(show::listing);
            print_json(&games.collect::<Result<Vec<_>, _>>().map_err(CliError::Refused)?)
        }
        GameList::Inferred(games) => {
            let turn = |moment: &Moment| InferredTurn {
                turn: moment.state.turn,
                answers: moment.answers.each_ref().map(|answers| texts(answers)),
            };
            let games = games[chosen].iter().map(|game| InferredGame {
                names: game.names.clone(),
                list: game.moments.iter().map(turn).collect(),
            });
            print_json(&games.collect::<Vec<_>>())
        }
    }
}

fn texts(answers: &[Action]) -> Vec<String> {
    answers.iter().map(Action::to_string).collect()
}

/// Formats a game whose answers are inferred.
fn inferred(game: &RecordedGame) -> String {
    let mut text = String::from(
        "the input of player 0; the answers are inferred from the next turn by the rules\n\n",
    );
    let name = |name: &str| format!("  {name:<width$}", width = ANSWERS + 32);
    let names = game.names.each_ref().map(|n| name(n)).concat();
    let columns = format!(
        "  {:<ANSWERS$}{:>6} {:>5}{:>6}{:>6}{:>8}",
        "answers", "chain", "sent", "stock", "gauge", "time"
    );
    let _ = writeln!(text, "    {}\nturn{columns}{columns}", names.trim_end());
    for moment in &game.moments {
        let played = moment.played(&game.packs);
        let halves = Seat::BOTH.map(|seat| half(moment, played.as_ref(), seat));
        let _ = writeln!(text, "{:>4}{}", moment.state.turn, halves.concat().trim_end());
    }
    text + "* attack: a chain of three or more, or the skill (its blocks + its chain)\n\
            a|b: these answers have the same effect; unknown: the input has no next turn, or one that \
            no answers lead to\n"
}

/// Formats a player's half of a turn: the stock and gauge after it, and the time in seconds.
fn half(moment: &Moment, played: Option<&Turn<Cells>>, seat: Seat) -> String {
    let answers = &moment.answers[seat.index()];
    let answers: Vec<String> = answers.iter().map(Action::to_string).collect();
    let answers = match answers.is_empty() {
        true => "unknown".to_owned(),
        false => answers.join("|"),
    };
    let Some(played) = played else {
        return format!("  {answers:<width$}", width = ANSWERS + 32);
    };
    let (step, player) = (&played.steps[seat.index()], &played.after[seat]);
    let chain = match (moment.answer(seat), step.chain.0) {
        (Some(Action::Skill), chain) => format!("{}+{chain}", step.explosion.0),
        (_, 0) => String::new(),
        (_, chain) => chain.to_string(),
    };
    let attacks = chain.contains('+') || step.chain >= Chain(3);
    let mark = if attacks { '*' } else { ' ' };
    let sent = Some(step.sent()).filter(|&sent| sent > 0).map(|sent| sent.to_string());
    let time = moment.think[seat.index()];
    let time = time.map_or_else(String::new, |time| format!("{:.3}", time.as_secs_f64()));
    format!(
        "  {answers:<ANSWERS$}{chain:>6}{mark}{:>5}{:>6}{:>6}{time:>8}",
        sent.unwrap_or_default(),
        player.stock,
        player.gauge.get()
    )
}
