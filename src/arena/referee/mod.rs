//! The referee of one game.
//!
//! * [`play()`]: plays a game by the rules; [`opening`]: its first turns, if those are generated;
//! * [`Observer`]: who watches it;
//! * [`Connection`]: the referee's side of a bot; [`each_line`]: what the bot writes;
//! * [`PlayerClock`]: the clock of a player.

mod connection;
mod lines;
mod log_file;
mod observer;
pub mod opening;
mod play;
mod player_clock;

pub use connection::{BotEvent, BotExit, Connection, Ending};
pub use lines::{ErrorLog, each_line, turn_of};
pub use log_file::{LogFile, LogFolder};
pub use observer::{GameEvent, Happened, Observer, PlayedTurn};
pub use play::{Game, Interrupted, Order, SeatLimits, play};
pub use player_clock::{AnswerTime, PlayerClock};
