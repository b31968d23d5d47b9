//! Plays a game of a match from its answers until the rules end it.

use std::time::Duration;

use crate::game::{Action, Cells, Fault, Pack, Packs, Seat, SkillNotReady, State, judge_faults};
use crate::record::{
    Contestant, FORMAT, FaultRecord, GameResult, Limits, Record, TurnRecord, VERSION,
};
use crate::util::duration::microseconds;
use crate::util::sanitize::{FOUND, visible};

/// A player's time for a game, by the contest's limits. The client did not enforce the limit of a
/// turn.
pub(super) const GAME_TIME: Duration = Duration::from_millis(Limits::CONTEST.game_ms);

/// A game in progress.
pub(super) struct Play<'a> {
    packs: &'a Packs,
    state: State<Cells>,
    used: [Duration; 2],
    turns: Vec<TurnRecord>,
    doubt: Option<String>,
}

/// The fault of an answer that ended the game.
struct Wrong {
    fault: Fault,
    reason: String,
    answer: Option<String>,
}

impl<'a> Play<'a> {
    pub fn new(packs: &'a Packs) -> Self {
        Self {
            packs,
            state: State::new(),
            used: [Duration::ZERO; 2],
            turns: Vec::new(),
            doubt: None,
        }
    }

    /// Plays a turn with both answers and their times; returns the result if the turn ends the
    /// game.
    pub fn turn(&mut self, heard: [(&str, Duration); 2]) -> Option<GameResult> {
        let judged = Seat::BOTH.map(|seat| self.judge(seat, heard[seat.index()]));
        let actions = match judged {
            [Ok(first), Ok(second)] => [first, second],
            wrong => return self.fault(wrong.map(Result::err)),
        };
        let pack = self.packs.get(self.state.turn).expect("a game has a pack for each turn");
        let played = self.state.play(pack, actions).expect("both actions were judged");
        self.state = played.after;
        let think = heard.map(|(_, think)| think);
        for (used, think) in self.used.iter_mut().zip(think) {
            *used += think;
        }
        self.turns.push(TurnRecord {
            answers: actions.map(|action| action.to_string()),
            think_us: think.map(microseconds),
            info: [None, None],
        });
        let (end, verdict) = self.state.end()?;
        Some(GameResult { verdict, end: Some(end), ..self.stopped() })
    }

    /// Parses an answer, and checks that it is in time and legal.
    fn judge(&mut self, seat: Seat, (answer, think): (&str, Duration)) -> Result<Action, Wrong> {
        let left = GAME_TIME - self.used[seat.index()];
        if think > left {
            let reason = format!("{left:.1?} were left, the answer came after {think:.1?}");
            self.doubt = Some(self.place(seat, &reason));
            return Err(Wrong { fault: Fault::OutOfTime, reason, answer: None });
        }
        let answer = answer.trim_ascii();
        let invalid = |reason| Wrong {
            fault: Fault::Invalid,
            reason: format!("answered `{}`: {reason}", visible(answer, FOUND)),
            answer: Some(answer.to_owned()),
        };
        let action = answer.parse().map_err(|error| invalid(format!("{error}")))?;
        let gauge = self.state[seat].gauge;
        if action == Action::Skill && !gauge.allows_skill() {
            let why = SkillNotReady(gauge).to_string();
            self.doubt = Some(self.place(seat, &why));
            return Err(invalid(why));
        }
        Ok(action)
    }

    fn place(&self, seat: Seat, reason: &str) -> String {
        format!("turn {}, player {}: {reason}", self.state.turn, seat.index())
    }

    /// The result of faults; `None` if no answer is wrong.
    fn fault(&self, wrong: [Option<Wrong>; 2]) -> Option<GameResult> {
        let kinds = wrong.each_ref().map(|wrong| wrong.as_ref().map(|wrong| wrong.fault));
        let faults = wrong.map(|wrong| {
            wrong.map(|Wrong { fault, reason, answer }| FaultRecord {
                fault,
                reason,
                answer,
                last_words: Vec::new(),
            })
        });
        let stopped = self.stopped();
        let verdict = judge_faults(kinds, stopped.scores)?;
        Some(GameResult { verdict, faults, ..stopped })
    }

    /// The result of a game without further turns.
    fn stopped(&self) -> GameResult {
        GameResult::cut_short(self.state.players.map(|player| player.score))
    }

    /// The fault that ended the game, if it may come from wrong packs: a skill before its time, or
    /// the end of a player's time.
    pub fn doubt(&self) -> Option<&str> {
        self.doubt.as_deref()
    }

    /// The record of the game between the players `names`; without a `result` the game was cut
    /// short.
    pub fn record(self, names: [&str; 2], result: Option<GameResult>) -> Record {
        let result = result.unwrap_or_else(|| self.stopped());
        Record {
            format: FORMAT.to_owned(),
            version: VERSION,
            date: String::new(),
            number: None,
            packs_from: String::new(),
            packs: self.packs.from_turn(0).iter().map(Pack::rows).collect(),
            limits: Limits::CONTEST,
            players: names
                .map(|name| Contestant { name: name.to_owned(), ..Contestant::default() }),
            opening: 0,
            turns: self.turns,
            result,
        }
    }
}
