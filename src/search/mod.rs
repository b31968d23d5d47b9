//! Looking ahead.
//!
//! * [`Budget`]: how much a search may spend, in drops or in time;
//! * [`beam`]: the best chains that one player can build and set off, many turns ahead;
//! * [`threats`]: all that a player can send within a few plies, under any rain;
//! * [`exchange`]: what the plans of both sides come to against each other;
//! * [`matrix`]: how to choose among them, if the other side chooses at once;
//! * [`endgame`]: mates and survival;
//! * [`alpha_beta`]: an exhaustive search of one player's actions against the other's threats.
//!
//! Searches see a field through [`crate::board::Field`] alone.

pub mod alpha_beta;
pub mod beam;
mod budget;
pub mod endgame;
pub mod exchange;
pub mod matrix;
mod rain;
pub mod threats;
mod transposition;

pub use budget::{Budget, Mark};
pub use rain::Rain;
pub use threats::Threats;
pub use transposition::TranspositionTable;
