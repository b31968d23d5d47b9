//! `tensai replay GAME`: games, with a line for each turn.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};
use std::time::Duration;

use super::GameArgs;
use super::source::{GameList, GameSource};
use crate::analysis::RecordedGame;
use crate::cli::commands::games::record::summary;
use crate::cli::commands::table;
use crate::cli::error::CliError;
use crate::game::{Action, Cells, Chain, Seat, Turn};
use crate::record::{Record, plain};
use crate::util::message;
use crate::util::sanitize::shown;

/// Columns of text for a player's recorded answer.
const ANSWER: usize = 3;

/// Columns of text for a player's inferred answers.
const ANSWERS: usize = 15;

/// Columns of text for the effect of an answer: chain, ojama, stock, gauge and time.
const EFFECT: usize = 32;

/// What an asterisk means, below a table.
const MARK: &str = "* attack: a chain of three or more, or the skill (its blocks + its chain)\n";

/// Formats the games. Tells a person at a terminal which command finds where they were lost, because a
/// list searches nothing.
pub fn text(source: &GameSource, args: &GameArgs) -> Result<String, CliError> {
    let mut text = String::new();
    for index in source.chosen(args.game)? {
        if source.count() > 1 {
            // Writing to a string cannot fail, here and below.
            let begin = if text.is_empty() { "" } else { "\n" };
            let _ = writeln!(text, "{begin}game {} of {}", index + 1, source.count());
        }
        text += &match &source.games {
            GameList::Records(records) => {
                game(&records[index]).map_err(|reason| args.invalid(reason))?
            }
            GameList::Inferred(games) => inferred(&games[index], table::width()),
        };
    }
    let of_game = if source.count() > 1 { " --game N" } else { "" };
    if io::stdout().is_terminal() {
        let file = shown(&args.file);
        message::line(format_args!("where you lost: tensai replay blunders {file}{of_game}"));
    }
    Ok(text)
}

/// Formats the game of a record. The error says how the game breaks the rules.
fn game(record: &Record) -> Result<String, String> {
    let turns = record.replay()?;
    Ok(head(record) + &table(record, &turns) + &faults(record))
}

/// Formats the players, limits and result.
fn head(record: &Record) -> String {
    let mut text = format!("{}\n", summary(record));
    for seat in Seat::BOTH {
        let (name, used) = (record.name(seat), record.used(seat).as_secs_f64());
        let score = record.result.scores[seat.index()];
        // Writing to a string cannot fail, here and below.
        let _ = write!(text, "player {}  {name}: score {score}, {used:.1} s used", seat.index());
        let command = plain(&record.players[seat.index()].command);
        let _ = writeln!(text, "{}{command}", if command.is_empty() { "" } else { "  " });
    }
    let limits = Seat::BOTH.map(|seat| record.limits_of(seat));
    if limits[0] == limits[1] {
        let _ = writeln!(text, "limits    {}", limits[0]);
    } else {
        for (seat, limits) in limits.iter().enumerate() {
            let _ = writeln!(text, "limits {seat}  {limits}");
        }
    }
    for (label, value) in [("packs", &record.packs_from), ("date", &record.date)] {
        if !value.is_empty() {
            let _ = writeln!(text, "{label:8}  {}", plain(value));
        }
    }
    text
}

/// The first lines of a table: the names of the players, and the columns of both, of which the first
/// is `title`, `width` wide.
fn heading(names: &[String; 2], title: &str, width: usize) -> String {
    let names = names.each_ref().map(|name| {
        let name: String = name.chars().take(width + EFFECT).collect();
        format!("  {name:<columns$}", columns = width + EFFECT)
    });
    let columns = columns(title, width);
    format!("\n    {}\nturn{columns}{columns}\n", names.concat().trim_end())
}

/// The titles of a player's columns, of which the first is `title`, `width` wide.
fn columns(title: &str, width: usize) -> String {
    let [chain, sent, stock, gauge, time] = ["chain", "sent", "stock", "gauge", "time"];
    format!("  {title:<width$}{chain:>6} {sent:>5}{stock:>6}{gauge:>6}{time:>8}")
}

/// Formats a player's half of a turn: `answer`, `width` wide; its effect, and the stock and gauge after
/// it, if they are known; and the time in seconds.
fn half(
    (answer, width): (&str, usize),
    is_skill: bool,
    played: Option<&Turn<Cells>>,
    seat: Seat,
    time: Option<Duration>,
) -> String {
    let Some(played) = played else {
        return format!("  {answer:<columns$}", columns = width + EFFECT);
    };
    let (step, player) = (&played.steps[seat.index()], &played.after[seat]);
    let chain = match step.chain.0 {
        chain if is_skill => format!("{}+{chain}", step.explosion.0),
        0 => String::new(),
        chain => chain.to_string(),
    };
    let mark = if is_skill || step.chain >= Chain(3) { '*' } else { ' ' };
    let sent = Some(step.sent()).filter(|&sent| sent > 0).map(|sent| sent.to_string());
    let time = time.map_or_else(String::new, |time| format!("{:.3}", time.as_secs_f64()));
    format!(
        "  {answer:<width$}{chain:>6}{mark}{:>5}{:>6}{:>6}{time:>8}",
        sent.unwrap_or_default(),
        player.stock,
        player.gauge.get()
    )
}

/// Formats a line for each turn of a record.
fn table(record: &Record, turns: &[Turn<Cells>]) -> String {
    let mut text = heading(&Seat::BOTH.map(|seat| record.name(seat)), "ans", ANSWER);
    for (number, (turn, played)) in record.turns.iter().zip(turns).enumerate() {
        let halves = Seat::BOTH.map(|seat| {
            let answer = &turn.answers[seat.index()];
            // The action in the spelling of the protocol, without further blanks of the file.
            let action = answer.parse::<Action>().ok();
            let answer = action.map_or_else(|| plain(answer), |action| action.to_string());
            let time = Duration::from_micros(turn.think_us[seat.index()]);
            let is_skill = action == Some(Action::Skill);
            half((&answer, ANSWER), is_skill, Some(played), seat, Some(time))
        });
        let _ = writeln!(text, "{number:>4}{}", halves.concat());
    }
    text + MARK
}

/// Describes the faults of the turn after the last.
fn faults(record: &Record) -> String {
    let mut text = String::new();
    for seat in Seat::BOTH {
        let Some(fault) = &record.result.faults[seat.index()] else { continue };
        let kind = fault.fault.name();
        let (turn, name, reason) = (record.turns.len(), record.name(seat), plain(&fault.reason));
        let _ = writeln!(text, "{turn:>4}  {name}: {kind}: {reason}");
        for line in &fault.last_words {
            let _ = writeln!(text, "        | {}", plain(line));
        }
    }
    text
}

/// Formats a game whose answers are inferred. Each player has a line of its own where those of both
/// do not fit in `width` columns of text.
fn inferred(game: &RecordedGame, width: Option<usize>) -> String {
    let mut text = String::from(
        "the input of player 0; the answers are inferred from the next turn by the rules\n",
    );
    let is_narrow = width.is_some_and(|width| width < 4 + 2 * (2 + ANSWERS + EFFECT));
    text += &match is_narrow {
        false => heading(&game.names, "answers", ANSWERS),
        // An input names no player: `game.names` are the numbers of the seats.
        true => format!("\nturn  player{}\n", columns("answers", ANSWERS)),
    };
    for moment in &game.moments {
        let played = moment.played(&game.packs);
        let halves = Seat::BOTH.map(|seat| {
            let answers = &moment.answers[seat.index()];
            let answers: Vec<String> = answers.iter().map(Action::to_string).collect();
            let answers = match answers.is_empty() {
                true => "unknown".to_owned(),
                false => answers.join("|"),
            };
            let is_skill = moment.answer(seat) == Some(Action::Skill);
            let time = moment.think[seat.index()];
            half((&answers, ANSWERS), is_skill, played.as_ref(), seat, time)
        });
        let turn = moment.state.turn;
        let _ = match (is_narrow, &halves) {
            (false, halves) => writeln!(text, "{turn:>4}{}", halves.concat().trim_end()),
            (true, [first, second]) => {
                let [first, second] = [first, second].map(|half| half.trim_end());
                writeln!(text, "{turn:>4}  0     {first}\n      1     {second}")
            }
        };
    }
    text + MARK
        + "a|b: these answers have the same effect; unknown: the input has no next turn, or\n\
           one that no answers lead to\n"
}
