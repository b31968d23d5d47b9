//! Files of games.
//!
//! A record is one JSON object in one file. It contains everything needed to play the game again by
//! the rules, so a person can view any turn and search it again. It does not contain states,
//! because they follow from the answers. The fields of [`Record`] and its parts are the fields of
//! the JSON; fields that are `null` are left out.
//!
//! [`official`] converts matches in the format of the official client into records.

mod derived;
#[cfg(feature = "arena")]
mod files;
mod json_text;
pub mod official;
pub mod serde_errors;

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use derived::{name, plain};
#[cfg(feature = "arena")]
pub use files::*;
pub use json_text::{JsonText, json_line, parse};

use crate::game::{Action, Cells, End, Fault, Pack, Packs, Seat, State, Turn, Verdict};
use crate::protocol::MOST;
use crate::util::input_file;
use crate::util::sanitize::{quoted, shown};

/// The value of `format` in every record.
pub const FORMAT: &str = "tensai game";

/// The newest version of the format, which is the one that is written. A reader ignores unknown
/// fields and refuses later versions. A field whose meaning changes needs a later version.
pub const VERSION: u32 = 1;

/// A game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// The source of the packs: a file's name, or a seed.
    pub packs_from: String,
    /// All packs of the game, each two rows of two numbers, the upper row first; 0 is empty.
    pub packs: Vec<[[u8; 2]; 2]>,
    /// The time limits.
    pub limits: Limits,
    /// Both players, in the order of seats.
    pub players: [Contestant; 2],
    /// The number of the first turns that the arena chose at random. Both players play them alike;
    /// the answers of the bots were not used, and no clock ran.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub opening: usize,
    /// The turns that were played, from turn 0 on.
    pub turns: Vec<TurnRecord>,
    /// The result of the game.
    pub result: GameResult,
}

/// Time limits, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Limits {
    /// The time of a player for all turns of the game.
    pub game_ms: u64,
    /// The most time of a player for one turn.
    pub turn_ms: u64,
    /// The time by which the referee let a limit be exceeded.
    pub grace_ms: u64,
}

impl Limits {
    /// The contest's own limits.
    pub const CONTEST: Self = Self { game_ms: 180_000, turn_ms: 20_000, grace_ms: 0 };
}

/// A player of a recorded game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Contestant {
    /// The name that the player gave; empty if it gave none.
    pub name: String,
    /// The command that started it.
    pub command: String,
    /// The engine's name in its match, if it had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The player's own time for the game, where it differed from `game_ms` of the limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// The most nodes of a decision. If it is given, the player's clock did not run: it was sent
    /// the same time left at each turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The processor cores that the player was pinned to; empty if it was not pinned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cores: Vec<usize>,
    /// The resources that it used, if they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The file with the player's log, if the arena wrote one: a path from the folder in which the
    /// match was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
}

/// The resources that a player used in a game, with all its processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Usage {
    /// The most memory of a single process at a time, in KiB.
    pub peak_kib: u64,
    /// Processor time, in milliseconds.
    pub cpu_ms: u64,
    /// Time from the player's start to its end, in milliseconds.
    pub wall_ms: u64,
    /// The greatest number of threads seen at a time; they are counted once a second, and at the
    /// end of the game.
    pub threads: u64,
}

/// A turn of a recorded game; pairs are in the order of seats.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TurnRecord {
    /// The answers, as the protocol writes them.
    pub answers: [String; 2],
    /// Microseconds from sending the turn to receiving the answer.
    pub think_us: [u64; 2],
    /// The JSON of the line `info {...}` that each bot wrote on standard error with this turn in
    /// its field `turn`.
    #[serde(default, skip_serializing_if = "no_info")]
    pub info: [Option<JsonText>; 2],
}

/// Whether `number` is 0, which records leave out.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
const fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn no_info(info: &[Option<JsonText>; 2]) -> bool {
    *info == [None, None]
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GameResult {
    /// The winner: `{"win": "first"}`, `{"win": "second"}` or `"draw"`.
    pub verdict: Verdict,
    /// How the game ended, if no fault ended it: `"danger-line"` or `"last-turn"` by the rules of
    /// play, `"adjudication"` by the referee, because a player was proven to lose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
    /// The fault of each bot in the turn after the last recorded one, if faults ended the game.
    #[serde(default, skip_serializing_if = "no_fault")]
    pub faults: [Option<FaultRecord>; 2],
    /// Both scores.
    pub scores: [u64; 2],
    /// The thinking time in the turn that a fault ended: microseconds from sending the turn until
    /// the answer came, or until the referee stopped waiting. `null` for a player that was not
    /// asked, and where the time is not known.
    #[serde(default, skip_serializing_if = "no_time")]
    pub think_us: [Option<u64>; 2],
}

fn no_time(think_us: &[Option<u64>; 2]) -> bool {
    *think_us == [None, None]
}

fn no_fault(faults: &[Option<FaultRecord>; 2]) -> bool {
    *faults == [None, None]
}

/// The fault of a bot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FaultRecord {
    /// The kind: `"out-of-time"`, `"invalid"`, `"crash"` or `"no-start"`.
    pub fault: Fault,
    /// The description.
    #[serde(rename = "what")]
    pub reason: String,
    /// The answer, if the bot gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The last lines that the bot wrote on standard error.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub last_words: Vec<String>,
}

/// What the input of a bot is good for, where a record is expected.
const BOT_INPUT: &str = "the input of a bot: `tensai replay` shows its games, and `tensai record page` \
                         makes a page of them";

/// What to do with an official replay that was given instead of a record.
const OFFICIAL: &str = "an official replay: `tensai replay` shows its games, and `tensai record \
                        import` makes records of them";

/// Why a record cannot be written, read or played again.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The file system reports an error.
    #[error("{}: cannot {verb}: {source}", shown(path))]
    File {
        /// The file.
        path: PathBuf,
        /// The operation that failed.
        verb: &'static str,
        /// The reason.
        source: std::io::Error,
    },
    /// The file holds no record.
    #[error("{}: not a game record: {reason}", shown(path))]
    Format {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The file holds games, but is of another kind.
    #[error("{}: not a game record, but {kind}", shown(path))]
    OtherKind {
        /// The file.
        path: PathBuf,
        /// The kind of the file, and the commands that read it.
        kind: &'static str,
    },
    /// The record is of another match or league.
    #[error("{}: a record of other engines: {reason}; move the file elsewhere", shown(path))]
    OtherEngines {
        /// The file.
        path: PathBuf,
        /// The difference.
        reason: String,
    },
    /// The record is of a game on other packs than those of its round.
    #[error(
        "{}: the packs are not those of round {round} ({expected}): move the record elsewhere, or \
         give the match its packs again",
        shown(path)
    )]
    OtherPacks {
        /// The file.
        path: PathBuf,
        /// The round, from 1.
        round: usize,
        /// The source of the packs of the round, or a record that has them.
        expected: String,
    },
}

impl RecordError {
    /// Makes an error about the file `path` from an error of the operating system.
    pub(crate) fn file(path: &Path, verb: &'static str) -> impl Fn(std::io::Error) -> Self {
        move |source| Self::File { path: path.to_owned(), verb, source }
    }
}

impl Record {
    /// Reads a record and plays it again, which proves that it is a game.
    ///
    /// # Errors
    /// The file cannot be read, is no record, or its turns break the rules.
    pub fn read(path: &Path) -> Result<Self, RecordError> {
        let text = input_file::read(path, input_file::RECORD);
        Self::of_file(path, &text.map_err(RecordError::file(path, "read"))?)
    }

    /// Reads a regular file as [`Record::read`] does. A FIFO in an untrusted
    /// folder is refused, because reading it could wait forever.
    ///
    /// # Errors
    /// As [`Record::read`]; also fails if `path` is not a regular file.
    pub fn read_regular(path: &Path) -> Result<Self, RecordError> {
        let text = input_file::read_regular(path, input_file::RECORD);
        Self::of_file(path, &text.map_err(RecordError::file(path, "read"))?)
    }

    /// Parses `text`, which was read from the file `path`, and plays the game again.
    ///
    /// # Errors
    /// As [`Record::parse`]; the error names the file.
    pub fn of_file(path: &Path, text: &[u8]) -> Result<Self, RecordError> {
        Self::parse(text).map_err(|reason| {
            let path = path.to_owned();
            match text.trim_ascii_start().first() {
                Some(b'0'..=b'9') => RecordError::OtherKind { path, kind: BOT_INPUT },
                Some(b'{') if official::is_official(text) => {
                    RecordError::OtherKind { path, kind: OFFICIAL }
                }
                _ => RecordError::Format { path, reason },
            }
        })
    }

    /// Parses the text of a record, and plays the game again.
    ///
    /// # Errors
    /// The text is no record, or its game breaks the rules; the message says why, in one line.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let record: Self = parse(text, FORMAT, VERSION)?;
        let times = record.players.iter().filter_map(|player| player.time_ms);
        let longest = times.fold(record.limits.game_ms, u64::max);
        if longest > MOST {
            return Err(format!("time for the game: expected at most {MOST} ms, found {longest}"));
        }
        let alike = record.turns.iter().take_while(|turn| turn.answers[0] == turn.answers[1]);
        let alike = alike.count();
        if record.opening > alike {
            let found = record.opening;
            return Err(format!(
                "opening: expected turns that both play alike, {alike} at most, found {found}"
            ));
        }
        record.replay()?;
        Ok(record)
    }

    /// The packs of the game.
    ///
    /// # Errors
    /// A pack or their number is wrong; the message says which.
    pub fn packs(&self) -> Result<Packs, String> {
        let pack = |(index, rows): (usize, &[[u8; 2]; 2])| {
            let [[a, b], [c, d]] = *rows;
            Pack::new([a, b, c, d]).map_err(|error| format!("pack {index}: {error}"))
        };
        let packs = self.packs.iter().enumerate().map(pack).collect::<Result<_, _>>()?;
        Packs::new(packs).map_err(|error| error.to_string())
    }

    /// A player's time for the whole game; its clock does not run if its nodes are limited.
    pub fn time(&self, seat: Seat) -> Duration {
        let own = self.players[seat.index()].time_ms;
        Duration::from_millis(own.unwrap_or(self.limits.game_ms))
    }

    /// The time that a player had left at the end of the game, after the turn that a fault ended if
    /// there was one; `None` if its clock did not run.
    pub fn clock_at_end(&self, seat: Seat) -> Option<Duration> {
        let left = self.time_left(seat, self.turns.len());
        let last = self.result.think(seat).unwrap_or_default();
        self.players[seat.index()].nodes.is_none().then(|| left.saturating_sub(last))
    }

    /// The time for the game that a player had left after `turns` turns; it does not decrease if
    /// its nodes are limited.
    pub fn time_left(&self, seat: Seat, turns: usize) -> Duration {
        let player = &self.players[seat.index()];
        let time = self.time(seat);
        if player.nodes.is_some() {
            return time;
        }
        let used = self.turns.iter().take(turns).map(|turn| turn.think_us[seat.index()]);
        used.fold(time, |left, used| left.saturating_sub(Duration::from_micros(used)))
    }

    /// Plays the game again: all recorded turns, by the rules.
    ///
    /// # Errors
    /// Describes the first turn that breaks the rules.
    pub fn replay(&self) -> Result<Vec<Turn<Cells>>, String> {
        let packs = self.packs()?;
        let mut state = State::new();
        let mut turns = Vec::with_capacity(self.turns.len());
        for (index, turn) in self.turns.iter().enumerate() {
            let played = play_answers(&state, &packs, &turn.answers);
            let (_, played) = played.map_err(|reason| format!("turn {index}: {reason}"))?;
            state = played.after;
            turns.push(played);
        }
        Ok(turns)
    }
}

/// Plays the turn of `state` by the answers of both players, as the protocol writes them. Returns
/// the actions too.
///
/// # Errors
/// The game had ended, no pack is left, or an answer is no legal action; the message says which.
pub fn play_answers(
    state: &State<Cells>,
    packs: &Packs,
    answers: &[String; 2],
) -> Result<([Action; 2], Turn<Cells>), String> {
    if let Some((end, _)) = state.end() {
        return Err(format!("the game had ended already: {}", end.name()));
    }
    let pack = packs.get(state.turn).ok_or("no pack is left")?;
    let action = |seat: usize| {
        let answer = &answers[seat];
        let action = answer.parse::<Action>();
        action.map_err(|error| format!("player {seat}: {error}, found {}", quoted(answer)))
    };
    let actions = [action(0)?, action(1)?];
    let turn = state.play(pack, actions).map_err(|refused| {
        let reasons = (0..).zip(refused);
        let reasons = reasons.filter_map(|(seat, why)| Some(format!("player {seat}: {}", why?)));
        reasons.collect::<Vec<String>>().join("; ")
    })?;
    Ok((actions, turn))
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
            info: [None, JsonText::new("{\"depth\":4}")],
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
            opening: 0,
            turns: turns.collect(),
            result: GameResult {
                verdict: Verdict::Win(Seat::Second),
                end: None,
                faults: [
                    Some(FaultRecord {
                        fault: Fault::Invalid,
                        reason: "answered `x`".to_owned(),
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
    fn invalid_games_are_refused() {
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
        let opening = Record { opening: 2, ..record(&[["0 0", "0 0"], ["0 0", "4 0"]]) };
        assert_eq!(
            refused(&opening),
            "not a game record: opening: expected turns that both play alike, 1 at most, found 2"
        );
        let newer = Record { version: 2, ..record(&[]) };
        assert_eq!(refused(&newer), "not a game record: expected version 1 or earlier, found 2");
        // The version is refused even if the other fields are wrong.
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
