//! What matches say about strength.
//!
//! * [`Tally`]: games won, drawn and lost; [`Elo`]: a difference in strength;
//! * [`estimate`]: the difference that a tally shows, how far off that may be, and how likely the
//!   first player is the better one;
//! * [`Sprt`]: a test that goes on until one of two hypotheses is accepted;
//! * [`Pool`]: one list of ratings from the games of many players.
//!
//! Nothing here reads, writes or draws lots, and games count as independent of each other. A draw
//! is half a win, save in the likelihood of superiority, which leaves draws out.

mod elo;
mod pool;
mod score;
mod sprt;

pub use elo::{Estimate, estimate};
pub use pool::{Pool, PoolError, Rated};
pub use score::{Elo, Tally};
pub use sprt::{Sprt, Verdict};
