//! What matches say about strength.
//!
//! * [`Tally`]: games won, drawn and lost; [`Elo`]: a difference in strength;
//! * [`estimate`]: the difference that a tally shows, how far off that may be, and how likely the
//!   better one is better;
//! * [`Sprt`]: a test that goes on until one of two hypotheses is accepted.
//!
//! Nothing here reads, writes or draws lots, and games count as independent of each other. A draw
//! is half a win throughout.

mod elo;
mod score;
mod sprt;
mod suggest;

pub use elo::{Estimate, estimate};
pub use score::{Elo, Tally};
pub use sprt::{Sprt, Verdict};
