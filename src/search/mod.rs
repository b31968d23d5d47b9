//! Searches of a player's actions.
//!
//! * [`Budget`]: the drops or the time that a search may spend;
//! * [`beam`]: the best chains that one player can build and set off, many turns ahead;
//! * [`threats`]: the most that a player can send within a few plies, under any rain;
//! * [`exchange`]: the balance of each plan of one side against each plan of the other;
//! * [`matrix`]: the solution of matrix games, in which both sides choose at once;
//! * [`endgame`]: mates and survival;
//! * [`OjamaTenths`], [`Ojama`], [`Payoff`], [`Probability`]: the scales of value;
//! * [`alpha_beta`]: an exhaustive search of one player's actions against the other's threats.
//!
//! The searches access a field only by [`crate::board::Field`].

pub mod alpha_beta;
pub mod beam;
mod budget;
pub mod endgame;
pub mod exchange;
pub mod matrix;
mod rain;
pub mod threats;
mod transposition;
mod value;

pub use budget::{Budget, Mark};
pub use rain::Rain;
pub use threats::Threats;
pub use transposition::TranspositionTable;
pub use value::{Ojama, OjamaTenths, Payoff, Probability};
