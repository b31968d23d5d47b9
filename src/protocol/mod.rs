//! The contest's text protocol: the input and the answers of a bot.
//!
//! * [`Reader`]: the bot's side of the input, as a stream of [`InputMessage`]s;
//! * [`writer`]: the referee's side of the input;
//! * [`Log`]: a bot's log on standard error.

mod error;
mod log;
mod reader;
pub mod writer;

pub use error::{InputError, InputPart};
pub use log::Log;
pub use reader::{InputMessage, Reader, read_packs};

use std::time::Duration;

use crate::game::{Cells, State};

/// The largest stock, score, and time in milliseconds in the input: far beyond any game, and small
/// enough for sums.
pub const MOST: u64 = 1 << 40;

/// The characters that a bot's name may not have, because names were once parts of file names.
pub const FORBIDDEN_IN_NAMES: &str = r#"\/:*?"<>|"#;

/// The state of the game that a bot receives at the start of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Observation {
    /// The state at the end of the turn before: this turn's row of ojama has not fallen.
    /// [`crate::game::Seat::First`] is the bot itself, in either seat.
    pub state: State<Cells>,
    /// The time that the bot and its opponent have left for the game.
    pub time_left: [Duration; 2],
}
