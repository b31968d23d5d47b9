//! The input of a bot in a recorded game.

use super::Record;
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
        // A player that did not say its name is at fault before a turn is sent.
        let mut faults = self.result.faults.iter().flatten();
        if self.result.faults != [None, None] && faults.all(|fault| fault.fault != Fault::NoStart) {
            text += &sent(&state);
        }
        Ok(text)
    }
}
