//! The input of a bot in a recorded game.

use super::{GameResult, Record};
use crate::game::{Cells, Fault, Seat, State};
use crate::protocol::writer;

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
