//! `tensai record show`: a game as text.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::summary::{RecordSummary, summary};
use crate::cli::commands::output::print_json;
use crate::cli::error::CliError;
use crate::game::{Action, Cells, Chain, Seat, Turn};
use crate::record::{Record, TurnRecord, plain};
use crate::util::sanitize::shown;

/// Columns of text for a player's half of a turn.
const HALF: usize = 37;

/// Reads the record at `path` and formats its game.
pub fn text(path: &Path) -> Result<String, CliError> {
    let record = Record::read(path)?;
    game(&record).map_err(|what| CliError::Refused(format!("{}: {what}", shown(path))))
}

/// A recorded game turn by turn, as `--json` prints it (docs/cli.md).
#[derive(Serialize)]
pub struct GameListing {
    #[serde(flatten)]
    summary: RecordSummary,
    /// The turns, from 0.
    list: Vec<TurnListing>,
}

/// Both players' halves of a turn.
#[derive(Serialize)]
struct TurnListing {
    /// The turn, 0 to 499.
    turn: usize,
    /// The halves, by seat.
    players: [HalfListing; 2],
}

/// A player's half of a turn.
#[derive(Serialize)]
struct HalfListing {
    /// The answer in the spelling of the protocol.
    answer: String,
    /// Rounds of the chain; 0 for none.
    chain: u64,
    /// Blocks that the skill blew up; 0 without the skill.
    explosion: u64,
    /// Ojama that were sent.
    sent: u64,
    /// Ojama in the stock after the turn.
    stock: u64,
    /// The gauge after the turn, 0 to 100.
    gauge: u64,
    /// Time of the answer in microseconds.
    think_us: u64,
}

/// Reads the record at `path` and prints its game as JSON.
pub fn json(path: &Path) -> Result<(), CliError> {
    let record = Record::read(path)?;
    let listing = listing(&record);
    print_json(&listing.map_err(|what| CliError::Refused(format!("{}: {what}", shown(path))))?)
}

/// Lists the turns of a record. The error says how the game breaks the rules.
pub fn listing(record: &Record) -> Result<GameListing, String> {
    let turns = record.replay()?;
    let list = record.turns.iter().zip(&turns).enumerate().map(|(number, (turn, played))| {
        let half = |seat: Seat| {
            let (step, player) = (&played.steps[seat.index()], &played.after[seat]);
            HalfListing {
                answer: turn.answers[seat.index()].clone(),
                chain: step.chain.0.into(),
                explosion: step.explosion.0.into(),
                sent: step.sent(),
                stock: player.stock,
                gauge: player.gauge.get().into(),
                think_us: turn.think_us[seat.index()],
            }
        };
        TurnListing { turn: number, players: Seat::BOTH.map(half) }
    });
    Ok(GameListing { summary: RecordSummary::of(record), list: list.collect() })
}

/// Formats the game of a record. The error says how the game breaks the rules.
pub fn game(record: &Record) -> Result<String, String> {
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

/// Formats a line for each turn.
fn table(record: &Record, turns: &[Turn<Cells>]) -> String {
    let names = Seat::BOTH.map(|seat| {
        let name: String = record.name(seat).chars().take(HALF - 2).collect();
        format!("  {name:<width$}", width = HALF - 2)
    });
    let columns =
        format!("  ans{:>6} {:>5}{:>6}{:>6}{:>8}", "chain", "sent", "stock", "gauge", "time");
    let mut text = format!("\n    {}\nturn{columns}{columns}\n", names.concat().trim_end());
    for (number, (turn, played)) in record.turns.iter().zip(turns).enumerate() {
        let halves = Seat::BOTH.map(|seat| half(turn, played, seat));
        let _ = writeln!(text, "{number:>4}{}", halves.concat());
    }
    text + "* attack: a chain of three or more, or the skill (its blocks + its chain)\n"
}

/// Formats a player's half of a turn: the answer and its effect, the stock and gauge after it, and
/// the time in seconds.
fn half(turn: &TurnRecord, played: &Turn<Cells>, seat: Seat) -> String {
    let (step, player) = (&played.steps[seat.index()], &played.after[seat]);
    let answer = &turn.answers[seat.index()];
    // The action in the spelling of the protocol, without further blanks of the file.
    let action = answer.parse::<Action>().ok();
    let used_skill = action == Some(Action::Skill);
    let answer = action.map_or_else(|| plain(answer), |action| action.to_string());
    let chain = match step.chain.0 {
        chain if used_skill => format!("{}+{chain}", step.explosion.0),
        0 => String::new(),
        chain => chain.to_string(),
    };
    let mark = if used_skill || step.chain >= Chain(3) { '*' } else { ' ' };
    let sent = Some(step.sent()).filter(|&sent| sent > 0).map(|sent| sent.to_string());
    let time = Duration::from_micros(turn.think_us[seat.index()]).as_secs_f64();
    format!(
        "  {:<3}{chain:>6}{mark}{:>5}{:>6}{:>6}{time:>8.3}",
        answer,
        sent.unwrap_or_default(),
        player.stock,
        player.gauge.get()
    )
}

/// Describes the faults of the turn after the last.
fn faults(record: &Record) -> String {
    let mut text = String::new();
    for seat in Seat::BOTH {
        let Some(fault) = &record.result.faults[seat.index()] else { continue };
        let kind = fault.fault.name();
        let (turn, name, what) = (record.turns.len(), record.name(seat), plain(&fault.what));
        let _ = writeln!(text, "{turn:>4}  {name}: {kind}: {what}");
        for line in &fault.last_words {
            let _ = writeln!(text, "        | {}", plain(line));
        }
    }
    text
}
