//! Searches of a player's actions.
//!
//! * [`Budget`]: the drops or the time that a search may spend;
//! * [`TranspositionTable`]: the positions that the exhaustive searches of an engine have seen;
//! * [`child`]: an action of one player, with its result;
//! * [`root`]: the search of all first actions on all threads;
//! * [`beam`]: the best chains that one player can build and set off, many turns ahead;
//! * [`threats`]: the most that a player can send within a few plies, under any rain;
//! * [`exchange`]: the balance of each plan of one side against each plan of the other;
//! * [`matrix`]: the solution of matrix games, in which both sides choose at once;
//! * [`endgame`]: mates and survival;
//! * [`OjamaTenths`], [`OjamaHundredths`], [`Ojama`], [`Payoff`], [`Probability`]: the scales of
//!   value;
//! * [`alpha_beta`]: an exhaustive search of one player's actions against the other's threats.
//!
//! The searches access a field only by [`crate::board::Field`].

pub mod alpha_beta;
pub mod beam;
mod budget;
pub mod child;
pub mod endgame;
pub mod exchange;
pub mod matrix;
mod rain;
pub mod root;
pub mod threats;
pub mod transposition;
mod value;

pub use budget::{Budget, BudgetMark, DROPS_OF_DEPTH, SearchControl};
pub use rain::Rain;
pub use threats::Threats;
pub use transposition::{Bound, TranspositionTable};
pub use value::{Ojama, OjamaHundredths, OjamaTenths, Payoff, Probability};
