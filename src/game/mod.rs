//! The rules of CODE VS Reborn.
//!
//! All code that needs the result of a turn (the bot, the referee, the replayer, the tests) uses
//! this module, so that one place defines the rules.
//!
//! * [`Cell`], [`Cells`]: a field in plain form;
//! * [`Pack`], [`Packs`], [`Placement`], [`Action`]: the packs and the actions of a player;
//! * [`Chain`], [`Explosion`], [`Gauge`], [`Stock`]: the results of an action;
//! * [`Simulate`]: the small interface by which the rules use a field;
//! * [`mod@reference`]: the plain simulator, a page of loops over cells, with which tests compare
//!   the fast ones;
//! * [`mod@trace`]: a player's half of a turn, step by step, for viewers;
//! * [`Player`] and its half of a turn, [`State`] and the turn of both players at once,
//!   [`Verdict`].

mod action;
mod cell;
mod cells;
mod field;
mod gauge;
pub mod hash;
mod pack;
mod packs;
mod player;
pub mod reference;
mod score;
mod seat;
mod state;
pub mod trace;
mod verdict;

pub use action::{Action, ParseActionError};
pub use cell::{Cell, Number};
pub use cells::{Cells, CellsError};
pub use field::{Dropped, Exploded, Potential, Simulate};
pub use gauge::Gauge;
pub use pack::{DropColumn, DropColumns, Pack, PackError, Placement, Rotation};
pub use packs::{Packs, PacksError};
pub use player::{Player, SkillNotReady, Step};
pub use score::{Chain, Explosion, Stock};
pub use seat::Seat;
pub use state::{State, Turn};
pub use verdict::{End, Fault, Verdict, judge_faults, judge_scores};

/// The number of columns of a field.
pub const WIDTH: usize = 10;

/// Rows in which a block may rest at the end of a turn. A player with a block above row 16 has
/// lost.
pub const HEIGHT: usize = 16;

/// Rows that can be occupied in the middle of a turn: [`HEIGHT`], a row of ojama, two blocks.
pub const ROWS: usize = HEIGHT + 3;

/// Turns of a game, and also packs of a game.
pub const TURNS: usize = 500;

/// Ojama that fall in a turn if the stock has at least that number: one on each column.
pub const OJAMA_ROW: u64 = 10;
