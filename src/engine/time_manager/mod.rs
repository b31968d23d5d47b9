//! Divides the time of a game among its turns, and the time of a turn among its searches.
//!
//! * [`TurnClock`]: the deadline of a turn and the time that it may use;
//! * [`TimeParameters::share`]: the planned time of a turn, as a part of the time left;
//! * [`TimeManager`]: the budgets of the searches of one decision.

mod budgets;
mod shares;
mod turn_clock;

pub use budgets::TimeManager;
pub use shares::{Overruns, TimeParameters};
pub use turn_clock::{TimeLimits, TurnClock};
