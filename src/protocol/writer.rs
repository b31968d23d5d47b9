//! The referee's side of the input: the text that it sends to a bot.

use std::fmt::Write as _;
use std::time::Duration;

use crate::game::{Cell, Cells, Seat, State};

/// The lines that describe a turn to the bot in the given seat.
///
/// `time_left` is in the order of seats, and is sent in whole milliseconds, rounded down.
pub fn turn(state: &State<Cells>, seat: Seat, time_left: [Duration; 2]) -> String {
    let mut text = format!("{}\n", state.turn);
    for seat in [seat, seat.other()] {
        let player = &state[seat];
        let time = time_left[seat.index()].as_millis();
        let gauge = player.gauge.get();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{time}\n{}\n{gauge}\n{}", player.stock, player.score);
        for row in player.field.rows() {
            let codes = row.map(Cell::code);
            for (x, code) in codes.into_iter().enumerate() {
                let _ = write!(text, "{}{code}", if x == 0 { "" } else { " " });
            }
            text.push('\n');
        }
        text.push_str("END\n");
    }
    text
}
