//! Games on disk.
//!
//! A record is one JSON object in one file. It holds all that is needed to play the game again by
//! the rules, so that any turn can be looked at, and thought about, once more; states are not kept,
//! as they follow. The fields of [`Record`] and its parts are the fields of the JSON; those that
//! are `null` are left out.
//!
//! Matches in the format of the contest's own client are turned into records and back by
//! [`official`].

mod files;
mod input;
pub mod official;
mod output;
mod result;

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use files::{check_new, json_line, parse, try_write_new, write_new, write_over};
pub use output::{Destination, folder_of, is_standard_output};
pub use result::{name, plain};

use crate::foreign_text::{quoted, shown};
use crate::game::{Action, Cells, End, Fault, Pack, Packs, Seat, State, Turn, Verdict};
use crate::input_file;
use crate::protocol::MOST;

/// What `format` says in every record.
pub const FORMAT: &str = "tensai game";

/// The newest version of the format, which is the one written. A later one may add fields, which
/// a reader of this one ignores; one that changes the meaning of a field is refused by it.
pub const VERSION: u32 = 1;

/// A game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`] of the writer.
    pub version: u32,
    /// When the game began, as `2026-11-21T08:00:00Z`.
    pub date: String,
    /// The number of the game in its match, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// Where the packs come from: a file's name, or a seed.
    pub packs_from: String,
    /// All packs of the game, each two rows of two numbers, the upper row first; 0 is empty.
    pub packs: Vec<[[u8; 2]; 2]>,
    /// What each player had to keep to.
    pub limits: Limits,
    /// Both players, in the order of seats.
    pub players: [Contestant; 2],
    /// The turns that were played, from turn 0 on.
    pub turns: Vec<TurnRecord>,
    /// How it ended.
    pub result: GameResult,
}

/// Time limits, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// For all turns of the game together.
    pub game_ms: u64,
    /// For one turn.
    pub turn_ms: u64,
    /// By how much the referee let a limit be passed.
    pub grace_ms: u64,
}

impl Limits {
    /// The contest's own.
    pub const CONTEST: Self = Self { game_ms: 180_000, turn_ms: 20_000, grace_ms: 0 };
}

/// A player of a recorded game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Contestant {
    /// The name that it gave; empty if it gave none.
    pub name: String,
    /// The command that started it.
    pub command: String,
    /// What it was called in its match, where that gave it a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Its own time for the game, where it differed from [`Limits::game_ms`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// Nodes that it was to use for a decision; if there is such a limit, its clock did not run:
    /// it was told the same time left at each turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The processor cores that it was pinned to; none if it was not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cores: Vec<usize>,
    /// What it used, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

/// What a player has used in a game, with all its processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Usage {
    /// The most memory that one of its processes held at a time, in KiB.
    pub peak_kib: u64,
    /// Processor time, in milliseconds.
    pub cpu_ms: u64,
    /// Time from its start to its end, in milliseconds.
    pub wall_ms: u64,
    /// The most threads that were seen at a time, at one look a second and one at the end of the game.
    pub threads: u64,
}

/// A turn of a recorded game; pairs are in the order of seats.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TurnRecord {
    /// The answers, as the protocol writes them.
    pub answers: [String; 2],
    /// Microseconds from sending the turn to receiving the answer.
    pub think_us: [u64; 2],
    /// What each bot wrote on standard error, as a line `info {...}` that names this turn in its
    /// field `turn`.
    #[serde(default, skip_serializing_if = "no_info")]
    pub info: [Option<serde_json::Value>; 2],
}

fn no_info(info: &[Option<serde_json::Value>; 2]) -> bool {
    *info == [None, None]
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameResult {
    /// Who won: `{"win": "first"}`, `{"win": "second"}` or `"draw"`.
    pub verdict: Verdict,
    /// By the rules of play, if so: `"danger-line"` or `"last-turn"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
    /// What each bot did wrong in the turn after the last recorded one, if that ended the game.
    #[serde(default, skip_serializing_if = "no_fault")]
    pub faults: [Option<FaultRecord>; 2],
    /// Both scores.
    pub scores: [u64; 2],
    /// Of the turn that a fault ended: microseconds from sending the turn until the answer came, or
    /// until the referee waited no longer. `null` for a player that was not asked, and where it is
    /// not known.
    #[serde(default, skip_serializing_if = "no_time")]
    pub think_us: [Option<u64>; 2],
}

fn no_time(think_us: &[Option<u64>; 2]) -> bool {
    *think_us == [None, None]
}

fn no_fault(faults: &[Option<FaultRecord>; 2]) -> bool {
    *faults == [None, None]
}

/// What a bot did wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FaultRecord {
    /// Its kind: `"out-of-time"`, `"invalid"`, `"crash"` or `"no-start"`.
    pub fault: Fault,
    /// What happened, in words.
    pub what: String,
    /// The answer that was given, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The last lines that it wrote on standard error.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub last_words: Vec<String>,
}

/// Why a record cannot be written, read or played again.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The file system says no.
    #[error("{}: cannot {verb}: {source}", shown(path))]
    File {
        /// The file.
        path: PathBuf,
        /// What was tried.
        verb: &'static str,
        /// Why it failed.
        source: std::io::Error,
    },
    /// The file holds no record.
    #[error("{}: not a game record: {what}", shown(path))]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
}

impl Record {
    /// Writes the record to a file, whole or not at all.
    ///
    /// # Errors
    /// The file system says no.
    pub fn write(&self, path: &Path) -> Result<(), RecordError> {
        write_over(path, &json_line(self))
    }

    /// Reads a record and plays it again, so that it is known to be a game.
    ///
    /// # Errors
    /// The file cannot be read, is no record, or its turns break the rules.
    pub fn read(path: &Path) -> Result<Self, RecordError> {
        let text = input_file::read(path, input_file::RECORD)
            .map_err(|source| RecordError::File { path: path.to_owned(), verb: "read", source })?;
        Self::of_file(path, &text)
    }

    /// Reads the text of a file that was read already, and plays it again.
    ///
    /// # Errors
    /// As [`Record::parse`]; the error names the file.
    pub fn of_file(path: &Path, text: &[u8]) -> Result<Self, RecordError> {
        Self::parse(text).map_err(|what| RecordError::Format { path: path.to_owned(), what })
    }

    /// Reads the text of a record, and plays it again.
    ///
    /// # Errors
    /// It is no record, or no game by the rules: what is wrong, in one line.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let record: Self = parse(text, FORMAT, VERSION)?;
        let times = record.players.iter().filter_map(|player| player.time_ms);
        let longest = times.fold(record.limits.game_ms, u64::max);
        if longest > MOST {
            return Err(format!("time for the game: expected at most {MOST} ms, found {longest}"));
        }
        record.replay()?;
        Ok(record)
    }

    /// The packs of the game.
    ///
    /// # Errors
    /// They are not what a game has, said in words.
    pub fn packs(&self) -> Result<Packs, String> {
        let pack = |(index, rows): (usize, &[[u8; 2]; 2])| {
            let [[a, b], [c, d]] = *rows;
            Pack::new([a, b, c, d]).map_err(|error| format!("pack {index}: {error}"))
        };
        let packs = self.packs.iter().enumerate().map(pack).collect::<Result<_, _>>()?;
        Packs::new(packs).map_err(|error| error.to_string())
    }

    /// A player's time for the whole game; no clock runs where its nodes are limited instead.
    pub fn time(&self, seat: Seat) -> Duration {
        let own = self.players[seat.index()].time_ms;
        Duration::from_millis(own.unwrap_or(self.limits.game_ms))
    }

    /// What a player had left at the end of the game, after the turn that a fault ended too; `None`
    /// where no clock ran.
    pub fn clock_at_end(&self, seat: Seat) -> Option<Duration> {
        let left = self.time_left(seat, self.turns.len());
        let last = self.result.think(seat).unwrap_or_default();
        self.players[seat.index()].nodes.is_none().then(|| left.saturating_sub(last))
    }

    /// What a player had left of its time for the game when so many turns were played; it does not
    /// run out where nodes were limited instead.
    pub fn time_left(&self, seat: Seat, turns: usize) -> Duration {
        let player = &self.players[seat.index()];
        let time = self.time(seat);
        if player.nodes.is_some() {
            return time;
        }
        let used = self.turns.iter().take(turns).map(|turn| turn.think_us[seat.index()]);
        used.fold(time, |left, used| left.saturating_sub(Duration::from_micros(used)))
    }

    /// Plays the game again: every turn that was played, by the rules.
    ///
    /// # Errors
    /// The first turn that breaks the rules, said in words.
    pub fn replay(&self) -> Result<Vec<Turn<Cells>>, String> {
        let packs = self.packs()?;
        let mut state = State::new();
        let mut turns = Vec::with_capacity(self.turns.len());
        for (index, turn) in self.turns.iter().enumerate() {
            let place = |what: String| format!("turn {index}: {what}");
            if let Some((end, _)) = state.end() {
                return Err(place(format!("the game had ended already: {}", end.name())));
            }
            let action = |seat: usize| {
                let answer = &turn.answers[seat];
                let action = answer.parse::<Action>();
                action.map_err(|error| {
                    place(format!("player {seat}: {error}, found {}", quoted(answer)))
                })
            };
            let pack = packs.get(index).ok_or_else(|| place("no pack is left".to_owned()))?;
            let played = state.play(pack, [action(0)?, action(1)?]).map_err(|refused| {
                let reasons: Vec<String> = Seat::BOTH
                    .into_iter()
                    .zip(refused)
                    .filter_map(|(seat, why)| Some(format!("player {}: {}", seat.index(), why?)))
                    .collect();
                place(reasons.join("; "))
            })?;
            state = played.after;
            turns.push(played);
        }
        Ok(turns)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn record(answers: &[[&str; 2]]) -> Record {
        let packs = Packs::from_seed(3);
        let turns = answers.iter().map(|answers| TurnRecord {
            answers: answers.map(str::to_owned),
            think_us: [1, 2],
            info: [None, Some(serde_json::json!({ "depth": 4 }))],
        });
        Record {
            format: FORMAT.to_owned(),
            version: VERSION,
            date: "2026-11-21T08:00:00Z".to_owned(),
            number: None,
            packs_from: "seed 3".to_owned(),
            packs: packs.from_turn(0).iter().map(Pack::rows).collect(),
            limits: Limits { game_ms: 180_000, turn_ms: 20_000, grace_ms: 0 },
            players: ["a", "b"]
                .map(|name| Contestant { name: name.to_owned(), ..Contestant::default() }),
            turns: turns.collect(),
            result: GameResult {
                verdict: Verdict::Win(Seat::Second),
                end: None,
                faults: [
                    Some(FaultRecord {
                        fault: Fault::Invalid,
                        what: "answered `x`".to_owned(),
                        answer: Some("x".to_owned()),
                        last_words: vec!["oh".to_owned()],
                    }),
                    None,
                ],
                scores: [0, 0],
                think_us: [Some(5), None],
            },
        }
    }

    #[test]
    fn a_record_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games/one.json");
        let written = record(&[["0 0", "8 3"], ["4 1", "4 2"]]);
        written.write(&path).unwrap();
        assert_eq!(Record::read(&path).unwrap(), written);
        assert_eq!(written.replay().unwrap().len(), 2);
        assert_eq!(
            fs::read_dir(path.parent().unwrap()).unwrap().count(),
            1,
            "nothing is left over"
        );
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one.json");
        let refused = |record: &Record| {
            record.write(&path).unwrap();
            let message = Record::read(&path).unwrap_err().to_string();
            message.split_once("one.json: ").unwrap().1.to_owned()
        };
        let mut buried = record(&[["0 0", "0 0"]; 100]);
        buried.result.faults = [None, None];
        assert!(refused(&buried).ends_with(": the game had ended already: danger line"));
        assert_eq!(
            refused(&record(&[["0 0", "S"]])),
            "not a game record: turn 0: player 1: the skill needs a gauge of 80, found 0"
        );
        assert_eq!(
            refused(&record(&[["0 0", "9 0"]])),
            "not a game record: turn 0: player 1: expected `POSITION ROTATION` (0 to 8, 0 to 3) \
             or `S`, found `9 0`"
        );
        let newer = Record { version: 2, ..record(&[]) };
        assert_eq!(refused(&newer), "not a game record: expected version 1 or earlier, found 2");
        // Even where nothing else of it is as it was.
        fs::write(&path, r#"{"format":"tensai game","version":2,"turns":{}}"#).unwrap();
        let message = Record::read(&path).unwrap_err().to_string();
        assert!(message.ends_with("expected version 1 or earlier, found 2"), "{message}");
        let mut short = record(&[]);
        short.packs.pop();
        assert_eq!(refused(&short), "not a game record: a game has 500 packs, found 499");
        fs::write(&path, "{}").unwrap();
        assert!(Record::read(&path).unwrap_err().to_string().contains("missing field `format`"));
        assert!(Record::read(&folder.path().join("none")).is_err());
    }
}
