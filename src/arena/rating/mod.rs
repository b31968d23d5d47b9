//! Estimates strength from the results of games.
//!
//! * [`Tally`]: games won, drawn and lost; [`Elo`]: a difference in strength;
//! * [`estimate`]: the difference that a tally shows, its 95 % interval, and the likelihood of
//!   superiority;
//! * [`Sprt`]: a test that continues until it accepts one of two hypotheses;
//! * [`PairTally`]: pairs of games in which two versions meet the same opponent on the same packs;
//! * [`Pool`]: one list of ratings from the games of many players.
//!
//! All of them estimate alike: the likeliest strength under the model of Bradley and Terry, with one
//! drawn game added to the games of each pair.
//!
//! This module has no input, output or random numbers, and games count as independent of each
//! other. A draw is half a win, except in the likelihood of superiority, which ignores draws.

mod elo;
mod pairs;
mod pool;
mod score;
mod sprt;

pub use elo::{Estimate, estimate};
pub use pairs::PairTally;
pub use pool::{Pool, PoolError, Rated, connected};
pub use score::{Elo, Tally};
pub use sprt::{Hypothesis, Sprt};
