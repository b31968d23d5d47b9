//! Converts recorded games into a match.

use std::collections::BTreeMap;
use std::time::Duration;

use super::play::GAME_TIME;
use super::{Replay, ReplayError};
use crate::game::{Action, End, Fault, Gauge, Seat, State};
use crate::record::{FaultRecord, Record};
use crate::util::sanitize::{MESSAGE, quoted, visible};

impl Replay {
    /// The match of these games, which must be between the same two players in the same seats. The
    /// packs are not part of the match.
    ///
    /// Values that the format needs and a record does not contain are written as follows. The seeds
    /// are 0; version and map size are `1.0` and `SMALL`, as in the client's own files. In the turn
    /// of a fault, a refused answer is written unchanged, or as an empty line if it is unknown.
    /// An answer that came too late is an empty text, without an end of line, and its time is just
    /// more than the 180 s allow; all other times in that turn are 0. A player without a fault
    /// answers `0 0`. Only the last game may have been cut short, and only if no game ended by time
    /// or by a skill before its time: [`Replay::games`] would doubt the packs.
    ///
    /// A player gets its name in the match. If the records of several matches differ in that name,
    /// the player gets the name that its bot printed.
    ///
    /// # Errors
    /// There are no games, the players differ, a game breaks the rules, a game was ended by
    /// adjudication, or a game would not be the same under the contest's 180 s.
    pub fn from_records(records: &[Record]) -> Result<Self, ReplayError> {
        let none = || ReplayError::Unfit("a match has at least one game".to_owned());
        let first = records.first().ok_or_else(none)?;
        let given = |record: &Record| record.players.clone().map(|player| player.name);
        let in_match = |record: &Record| {
            record.players.clone().map(|player| player.engine.unwrap_or(player.name))
        };
        let agree = |names: &dyn Fn(&Record) -> [String; 2]| {
            records.iter().all(|record| names(record) == names(first))
        };
        let names: &dyn Fn(&Record) -> [String; 2] =
            if agree(&in_match) || !agree(&given) { &in_match } else { &given };
        let players = names(first);
        let mut outputs = players.clone().map(|name| vec![name]);
        let mut times = [Vec::new(), Vec::new()];
        let mut doubtful = false;
        for (game, record) in (1..).zip(records) {
            let invalid = |reason: String| ReplayError::Game {
                game,
                reason: visible(&reason, MESSAGE).to_string(),
            };
            let found = names(record);
            if found != players {
                let [expected, found] =
                    [players, found].map(|names| names.map(|name| quoted(&name)).join(" and "));
                return Err(invalid(format!("expected the players {expected}, found {found}")));
            }
            if record.is_cut_short() && (game < records.len() || doubtful) {
                let why = "it was cut short; only the last game may be cut short, and only if no \
                           game was lost on time or by an early skill";
                return Err(invalid(why.to_owned()));
            }
            if record.result.end == Some(End::Adjudication) {
                let why = "the referee ended it by adjudication, which the format does not have";
                return Err(invalid(why.to_owned()));
            }
            let played = record.check().map_err(invalid)?;
            let state = played.last().map_or_else(State::new, |turn| turn.after);
            for seat in Seat::BOTH {
                let (output, time) = (&mut outputs[seat.index()], &mut times[seat.index()]);
                for turn in &record.turns {
                    let think = Duration::from_micros(turn.think_us[seat.index()]);
                    output.push(format!("{}\n", turn.answers[seat.index()]));
                    time.push(nanoseconds(think));
                }
                let used = record.used_in_turns(seat);
                if used > GAME_TIME {
                    return Err(invalid(format!(
                        "{} took {:.1} s, expected at most 180 s, the only limit of the format",
                        record.name(seat),
                        used.as_secs_f64()
                    )));
                }
                if record.result.faults != [None, None] {
                    let fault = record.result.faults[seat.index()].as_ref();
                    let answer = last_answer(fault, state[seat].gauge);
                    let late = fault.is_some_and(|fault| fault.fault == Fault::OutOfTime);
                    doubtful |= late || answer == "S\n";
                    output.push(answer);
                    time.push(if late { nanoseconds(GAME_TIME - used) + 1 } else { 0 });
                }
            }
        }
        let [output0, output1] = outputs;
        let [think_time0, think_time1] = times;
        Ok(Self {
            game_seed: 0,
            all_battle: records.len(),
            is_online: false,
            current_version: "1.0".to_owned(),
            map_size: "SMALL".to_owned(),
            map_seed: 0,
            bgm_seed: 0,
            output0,
            output1,
            think_time0,
            think_time1,
            unknown: BTreeMap::new(),
        })
    }
}

/// The answer in the file for a player in the turn in which the game ended by a fault.
pub(super) fn last_answer(fault: Option<&FaultRecord>, gauge: Gauge) -> String {
    let Some(fault) = fault else { return "0 0\n".to_owned() };
    if fault.fault == Fault::OutOfTime {
        return String::new();
    }
    // The referee may have refused a legal answer: the bot had not been asked.
    let answer = fault.answer.as_deref().unwrap_or_default();
    let refused = match answer.parse() {
        Ok(Action::Skill) => !gauge.allows_skill(),
        Ok(Action::Drop(_)) => false,
        Err(_) => true,
    };
    if refused { format!("{answer}\n") } else { "\n".to_owned() }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
