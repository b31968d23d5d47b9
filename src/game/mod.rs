//! The rules of CODE VS Reborn, and nothing else.
//!
//! Everybody who needs to know what a turn does (the bot, the referee, the replayer, the tests)
//! asks this module, so that there is one answer.
//!
//! * [`Cell`], [`Cells`]: what stands where, in plain form;
//! * [`Situation`]: drawn fields and packs, as a person writes them down;
//! * [`Pack`], [`Packs`], [`Placement`], [`Action`]: what falls and what a player does with it;
//! * [`Chain`], [`Explosion`], [`Gauge`], [`Stock`]: what an action earns;
//! * [`Simulate`]: the small interface through which the rules see a field;
//! * [`mod@reference`]: the plain simulator, a page of loops over cells, against which the fast ones
//!   are tested;
//! * [`mod@trace`]: a turn of one player, step by step, for those who look at games;
//! * [`Player`] and its turn, [`State`] and the turn of both players at once, [`Verdict`].

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
mod situation;
mod state;
pub mod trace;
mod verdict;

pub use action::{Action, ParseActionError};
pub use cell::{Cell, Number};
pub use cells::{Cells, CellsError};
pub use field::{Dropped, Exploded, Potential, Simulate};
pub use gauge::Gauge;
pub use pack::{DropColumns, Pack, PackError, Placement, Position, Rotation};
pub use packs::{Packs, PacksError};
pub use player::{Player, SkillNotReady, Step};
pub use score::{Chain, Explosion, Stock};
pub use situation::{Situation, SituationError};
pub use state::{Seat, State, Turn};
pub use verdict::{End, Fault, Verdict, judge_faults, judge_scores};

/// Columns of a field.
pub const WIDTH: usize = 10;

/// Rows in which a block may rest at the end of a turn. A player with a block above them has lost.
pub const HEIGHT: usize = 16;

/// Rows that can be occupied in the middle of a turn: [`HEIGHT`], a row of ojama, two blocks.
pub const ROWS: usize = HEIGHT + 3;

/// Turns of a game, and so packs of a game.
pub const TURNS: usize = 500;

/// Ojama that fall in a turn, if so many are in stock: one on each column.
pub const OJAMA_ROW: u64 = 10;
