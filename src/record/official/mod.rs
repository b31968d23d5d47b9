//! The replay file of the official client, which no longer exists.
//!
//! One JSON object on one line contains the answers of all games of a match in a row. The ends of
//! the games are not in the file, but follow from the rules and the packs. The packs are not in it
//! either: the official client generated them from `gameSeed` by a method that was never published.
//! By a convention of this project the packs are stored beside the file: the packs of the games of
//! `NAME.json` are in `NAME.1.pack`, `NAME.2.pack` and so on, in the order of the games
//! ([`packs_path`]).

mod play;

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde::de::IgnoredAny;
use thiserror::Error;

use super::{Record, RecordError};
use crate::game::{Packs, Seat};
use crate::record::serde_errors::from_json;
use crate::util::input_file;
use crate::util::numbers::counted;
use crate::util::sanitize::shown;
use play::Play;

/// Whether a JSON file is the official client's and not a record.
pub fn is_official(json: &[u8]) -> bool {
    // The values are skipped, because stored values would take memory of their own.
    #[derive(Deserialize)]
    struct Heading {
        output0: Option<IgnoredAny>,
        format: Option<IgnoredAny>,
    }
    let is_object = json.trim_ascii_start().starts_with(b"{");
    let heading = serde_json::from_slice(json).ok().filter(|_| is_object);
    heading.is_some_and(|Heading { output0, format }| output0.is_some() && format.is_none())
}

/// A match in the format of the official client. The fields are those of the file that games follow
/// from; lists are in the order of turns, one game after the other.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Replay {
    /// The number of games of the match.
    pub all_battle: usize,
    /// The first player's name, without an end of line, then its answers, each with an end of line.
    pub output0: Vec<String>,
    /// The second player's name and answers.
    pub output1: Vec<String>,
    /// Thinking time of the first player for each answer, in nanoseconds.
    pub think_time0: Vec<u64>,
    /// Thinking time of the second player for each answer, in nanoseconds.
    pub think_time1: Vec<u64>,
}

/// An error of a file, or of the games of a match.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// The file system reports an error.
    #[error(transparent)]
    File(#[from] RecordError),
    /// The file holds no match.
    #[error("{}: not an official replay: {reason}", shown(path))]
    Format {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The lists of the file, the games and the packs do not belong together.
    #[error("{0}")]
    Unfit(String),
    /// Answers are left when the packs are used up.
    #[error("game {0} has answers, but no packs are given for it")]
    NoPacks(usize),
    /// The answers belong to other packs: with these packs, the games do not end where the match
    /// does.
    #[error(
        "the packs are not those of this match, because its games end differently on them: {0}"
    )]
    OtherPacks(String),
    /// The games of a file cannot be converted.
    #[error("{}: {source}", shown(path))]
    InFile {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: Box<Self>,
    },
}

/// The file with the packs of the game `game`, counted from 1, of a match: `NAME.1.pack` for the
/// first game of `NAME.json`.
pub fn packs_path(replay: &Path, game: usize) -> PathBuf {
    let name = match replay.extension() {
        Some(extension) if extension == "json" => replay.file_stem(),
        _ => replay.file_name(),
    };
    let mut name = name.unwrap_or_default().to_owned();
    name.push(format!(".{game}.pack"));
    replay.with_file_name(name)
}

impl Replay {
    /// Reads a file of the official client.
    ///
    /// # Errors
    /// The file cannot be read, or is not in the format.
    pub fn read(path: &Path) -> Result<Self, ReplayError> {
        let text =
            input_file::read(path, input_file::RECORD).map_err(RecordError::file(path, "read"))?;
        Self::of_file(path, &text)
    }

    /// Parses `text`, which was read from the file `path`.
    ///
    /// # Errors
    /// As [`Replay::parse`]; the error names the file.
    pub fn of_file(path: &Path, text: &[u8]) -> Result<Self, ReplayError> {
        Self::parse(text).map_err(|reason| ReplayError::Format { path: path.to_owned(), reason })
    }

    /// Parses the text of a file of the official client.
    ///
    /// # Errors
    /// Describes what is wrong with the text, in one line.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        from_json(text)
    }

    /// The games of the match, played by the rules with the packs of each game. A game ends where
    /// the rules of play, an invalid answer or the end of a player's 180 s end it, and the next
    /// answers belong to the next game. A game in the middle of which the file ends is kept up to
    /// there ([`Record::is_cut_short`]).
    ///
    /// Values that a record has and the file does not are left empty: the date, the commands, the
    /// source of the packs. Times are cut to microseconds, and the limits are the contest's.
    ///
    /// # Errors
    /// The lists do not belong together, there are packs for too few or too many games, or the
    /// packs are recognised as those of another match. A drop is legal with any packs, but with
    /// wrong packs games end at wrong turns: answers remain in the end, or the last game is cut
    /// short and an earlier one ended by a skill before its time or by time.
    pub fn games(&self, packs: &[Packs]) -> Result<Vec<Record>, ReplayError> {
        if packs.len() > self.all_battle {
            return Err(too_many_packs(self.all_battle, packs.len()));
        }
        let sides = self.sides()?;
        let [shorter, longer] = {
            let [first, second] = sides.each_ref().map(|side| side.answers.len());
            [first.min(second), first.max(second)]
        };
        let mut next = 0;
        let mut games: Vec<Record> = Vec::new();
        let mut doubt = None;
        for packs in packs {
            if next == shorter {
                break;
            }
            let mut game = Play::new(packs);
            let mut result = None;
            while result.is_none() && next < shorter {
                result = game.turn(sides.each_ref().map(|side| side.turn(next)));
                next += 1;
            }
            if let Some(fault) = game.doubt() {
                doubt.get_or_insert(format!("game {}, {fault}", games.len() + 1));
            }
            games.push(game.record(sides.each_ref().map(|side| side.name), result));
        }
        // A file that ends in the middle of a game may end in the middle of a turn.
        let cut = games.last().is_some_and(Record::is_cut_short);
        // It may also end in the middle of the first turn of a game, which then has no turn.
        let begins = !cut && next == shorter && shorter < longer && games.len() < self.all_battle;
        let left = if cut || begins { 0 } else { longer - next };
        if left > 0 && packs.len() < self.all_battle {
            return Err(ReplayError::NoPacks(packs.len() + 1));
        }
        if left > 0 || cut {
            let left =
                (left > 0).then(|| format!("answers are left for {}", counted(left, "turn")));
            if let Some(why) = doubt.or(left) {
                return Err(ReplayError::OtherPacks(why));
            }
        }
        let begun = games.len() + usize::from(begins);
        if begun < packs.len() && packs.len() < self.all_battle {
            return Err(too_many_packs(begun, packs.len()));
        }
        Ok(games)
    }

    /// Both players' parts, whose lengths fit together.
    fn sides(&self) -> Result<[OfficialPlayer<'_>; 2], ReplayError> {
        let sides = [
            OfficialPlayer::new(Seat::First, &self.output0, &self.think_time0)?,
            OfficialPlayer::new(Seat::Second, &self.output1, &self.think_time1)?,
        ];
        let [first, second] = sides.each_ref().map(|side| side.answers.len());
        // The match may have been stopped after one of the last two answers.
        if first.abs_diff(second) > 1 {
            let expected = counted(first, "answer");
            let reason = format!("output1: expected {expected}, as in output0, found {second}");
            return Err(ReplayError::Unfit(reason));
        }
        Ok(sides)
    }
}

/// The error of packs for `found` games, of which `expected` are there or were begun.
fn too_many_packs(expected: usize, found: usize) -> ReplayError {
    let expected = counted(expected, "game");
    ReplayError::Unfit(format!("expected the packs of {expected}, found those of {found}"))
}

/// A player's part of the file.
struct OfficialPlayer<'a> {
    name: &'a str,
    answers: &'a [String],
    /// The thinking times in nanoseconds, one for each answer.
    times: &'a [u64],
}

impl<'a> OfficialPlayer<'a> {
    fn new(seat: Seat, output: &'a [String], times: &'a [u64]) -> Result<Self, ReplayError> {
        let seat = seat.index();
        let [name, answers @ ..] = output else {
            let expected = "the player's name and its answers";
            return Err(ReplayError::Unfit(format!("output{seat}: expected {expected}, found 0")));
        };
        if times.len() != answers.len() {
            let (expected, found) = (counted(answers.len(), "time"), times.len());
            let reason = format!("expected {expected}, one for each answer, found {found}");
            return Err(ReplayError::Unfit(format!("thinkTime{seat}: {reason}")));
        }
        Ok(Self { name, answers, times })
    }

    /// The answer of a turn, and its thinking time.
    fn turn(&self, turn: usize) -> (&'a str, Duration) {
        (&self.answers[turn], Duration::from_nanos(self.times[turn]))
    }
}

#[cfg(test)]
mod tests;
