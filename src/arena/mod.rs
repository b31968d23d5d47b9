//! Playing bots against each other, as the contest's server did.
//!
//! * [`Bot`]: a bot's process, spoken to over its standard streams;
//! * [`play`]: the referee: one game of two bots;
//! * [`draw`]: a game as text.

mod bot;
pub mod draw;
mod lines;
mod referee;

pub use bot::{Bot, StartError};
pub use referee::{Game, Watch, play};
