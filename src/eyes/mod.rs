//! Looking at games and fields.
//!
//! * [`Game`]: a game turn by turn, from a record or from what one bot received;
//! * [`infer()`]: which answers lead from one turn to the next;
//! * [`Film`]: a player's half of a turn, round by round, as drawings;
//! * [`think()`] and [`outlook()`]: thinking about a turn again;
//! * [`judge`]: what an answer lost against a better one;
//! * [`triggers()`]: where a block sets off a chain, and how deep that place may be buried.

mod blunders;
mod film;
mod game;
mod infer;
mod think;
mod triggers;

pub use blunders::{Judgement, Value, judge};
pub use film::{Film, Frame, side_by_side};
pub use game::{Game, Moment};
pub use infer::infer;
pub use think::{Limits, Thought, outlook, strikes, think};
pub use triggers::{Trigger, triggers};
