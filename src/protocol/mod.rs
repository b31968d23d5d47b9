//! The contest's text protocol: what a bot reads and what it answers.
//!
//! * [`Reader`]: the bot's side of the input, as a stream of [`Message`]s;
//! * [`writer`]: the referee's side, which writes what the reader reads;
//! * [`Log`]: its notes for people.

mod error;
mod log;
mod reader;
pub mod writer;

pub use error::{InputError, Part};
pub use log::Log;
pub use reader::{Message, Reader, read_packs};

use std::time::Duration;

use crate::game::{Cells, State};

/// The largest stock and score, and time in milliseconds, that a bot is told: far beyond any game,
/// and small enough for sums.
pub const MOST: u64 = 1 << 40;

/// What no bot may have in its name: it once became part of the names of files.
pub const FORBIDDEN_IN_NAMES: &str = r#"\/:*?"<>|"#;

/// What a bot is told at the start of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Observation {
    /// The game as it was at the end of the turn before: this turn's row of ojama has not fallen.
    /// [`crate::game::Seat::First`] is the bot itself, whatever its seat.
    pub state: State<Cells>,
    /// The time that the bot and its opponent have left for the game.
    pub time_left: [Duration; 2],
}
