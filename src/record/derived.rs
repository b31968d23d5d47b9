//! What follows from a record: a check of its result by the rules, descriptions in words, and the
//! input of each bot.

use std::time::Duration;

use serde::Serialize;

use super::{GameResult, Record};
use crate::game::{Cells, End, Fault, Seat, State, Turn, Verdict, judge_faults};
use crate::protocol::writer;
use crate::search::endgame::adjudication;
use crate::util::numbers::counted;
use crate::util::sanitize::{LINE, NAME, visible};

/// The shown name of a player: `given`, [visible] and cut to [`NAME`] characters; `player 0` or
/// `player 1` if it is empty.
pub fn name(given: &str, seat: Seat) -> String {
    match given.trim() {
        "" => format!("player {}", seat.index()),
        name => visible(name, NAME).to_string(),
    }
}

/// A text that a bot or a command gave, [visible] and cut to [`LINE`] characters.
pub fn plain(text: &str) -> String {
    visible(text, LINE).to_string()
}

impl GameResult {
    /// The result of a game that was stopped before its end. The verdict is a draw without meaning,
    /// and neither the rules of play nor a fault ended the game.
    pub fn cut_short(scores: [u64; 2]) -> Self {
        Self {
            verdict: Verdict::Draw,
            end: None,
            faults: [None, None],
            scores,
            think_us: [None, None],
        }
    }

    /// The time that a player took in the turn that a fault ended, if it was asked and the time is
    /// known.
    pub fn think(&self, seat: Seat) -> Option<Duration> {
        self.think_us[seat.index()].map(Duration::from_micros)
    }
}

impl Record {
    /// Whether the game was stopped before its end ([`GameResult::cut_short`]).
    pub fn is_cut_short(&self) -> bool {
        self.result.end.is_none() && self.result.faults == [None, None]
    }

    /// The shown name of a player, by [`name`]: its name in the match, or else the name that it
    /// gave.
    pub fn name(&self, seat: Seat) -> String {
        let player = &self.players[seat.index()];
        name(player.engine.as_ref().unwrap_or(&player.name), seat)
    }

    /// The total thinking time of a player, with the turn that a fault ended.
    pub fn used(&self, seat: Seat) -> Duration {
        let last = self.result.think_us[seat.index()].unwrap_or_default();
        let think = self.turns.iter().map(|turn| turn.think_us[seat.index()]);
        Duration::from_micros(think.fold(last, u64::saturating_add))
    }

    /// A player's limits in words: its clock, or its nodes if its clock did not run.
    pub fn limits_of(&self, seat: Seat) -> String {
        if let Some(nodes) = self.players[seat.index()].nodes {
            return format!("{} a decision, no clock", counted(nodes, "node"));
        }
        let [turn, grace] = [self.limits.turn_ms, self.limits.grace_ms].map(Duration::from_millis);
        let grace = if grace.is_zero() { String::new() } else { format!(", {grace:?} grace") };
        format!("{:?} a game, {turn:?} a turn{grace}", self.time(seat))
    }

    /// How the game ended, in a word or two: by the rules of play, or by the faults of the bots,
    /// the first seat's first.
    pub fn ending(&self) -> String {
        let faults = self.result.faults.iter().flatten().map(|fault| fault.fault.name());
        let faults: Vec<&str> = faults.collect();
        self.result.end.map_or_else(|| faults.join(", "), |end| end.name().to_owned())
    }

    /// The winner and the reason, in words: `a wins, danger line at turn 20`.
    pub fn outcome(&self) -> String {
        let turns = self.turns.len();
        let ending = self.ending();
        let reason = match self.result.end {
            Some(_) => format!("{ending} at turn {}", turns.saturating_sub(1)),
            None if self.is_cut_short() => {
                return format!("cut short after {}", counted(turns, "turn"));
            }
            None => format!("{ending} at turn {turns}"),
        };
        match self.result.verdict {
            Verdict::Win(seat) => format!("{} wins, {reason}", self.name(seat)),
            Verdict::Draw => format!("a draw, {reason}"),
        }
    }

    /// Plays the game again and compares its result with that of the rules.
    ///
    /// # Errors
    /// Describes the first turn that breaks the rules, or the first part of the result that
    /// differs.
    pub fn check(&self) -> Result<Vec<Turn<Cells>>, String> {
        let turns = self.replay()?;
        let state = turns.last().map_or_else(State::new, |turn| turn.after);
        let scores = state.players.map(|player| player.score);
        let result = &self.result;
        differs("scores", &scores, &result.scores)?;
        let kinds = [0, 1].map(|seat| result.faults[seat].as_ref().map(|fault| fault.fault));
        let (end, verdict) = match state.end() {
            Some((end, verdict)) => (Some(end), verdict),
            None if result.end == Some(End::Adjudication) => {
                let packs = self.packs()?;
                let winner = adjudication::decided(&state.convert(), packs.from_turn(state.turn));
                let reason =
                    "result, end: the game was adjudicated, but no player is proven to lose";
                (result.end, winner.ok_or_else(|| reason.to_owned())?)
            }
            None => (None, judge_faults(kinds, scores).unwrap_or(Verdict::Draw)),
        };
        if end.is_some() {
            differs("faults", &[None, None], &kinds)?;
        }
        differs("end", &end, &result.end)?;
        differs("verdict", &verdict, &result.verdict)?;
        Ok(turns)
    }
}

/// An error if a field of the result is not as expected; it shows both values as JSON.
fn differs<T: PartialEq + Serialize>(field: &str, expected: &T, found: &T) -> Result<(), String> {
    if expected == found {
        return Ok(());
    }
    let [expected, found] =
        [expected, found].map(|value| serde_json::to_string(value).unwrap_or_default());
    Err(format!("result, {field}: expected {expected} by the rules, found {found}"))
}

impl Record {
    /// The input that the player in `seat` received: the packs, then every turn as the referee sent
    /// it. The turn in which a fault ended the game is included if it was sent.
    ///
    /// # Errors
    /// Describes the first turn that breaks the rules.
    pub fn input(&self, seat: Seat) -> Result<String, String> {
        let mut text = self.packs()?.to_string();
        let mut state = State::new();
        let sent = |state: &State<Cells>| {
            let left = Seat::BOTH.map(|seat| self.time_left(seat, state.turn));
            writer::turn(state, seat, left)
        };
        for played in self.replay()? {
            text += &sent(&state);
            state = played.after;
        }
        if self.was_asked_last(seat) {
            text += &sent(&state);
        }
        Ok(text)
    }

    /// Whether faults ended the game, and the turn of the faults was sent to the player in `seat`.
    ///
    /// No turn is sent after a player has not said its name. A player that writes a line before it
    /// is asked is not sent the turn: its answer is invalid, and it has no thinking time. Records
    /// from official replays and those of 0.1.0 have no time of this turn at all: there, the turn
    /// counts as sent, unless both answers are invalid.
    fn was_asked_last(&self, seat: Seat) -> bool {
        let GameResult { faults, think_us, .. } = &self.result;
        let has = |seat: Seat, kind: Fault| {
            faults[seat.index()].as_ref().is_some_and(|fault| fault.fault == kind)
        };
        if *faults == [None, None] || Seat::BOTH.into_iter().any(|seat| has(seat, Fault::NoStart)) {
            return false;
        }
        let is_timed = |seat: Seat| think_us[seat.index()].is_some();
        let is_early = |seat: Seat| has(seat, Fault::Invalid) && !is_timed(seat);
        let has_times = Seat::BOTH.into_iter().all(|seat| is_timed(seat) || is_early(seat));
        !(has_times && is_early(seat))
    }
}
