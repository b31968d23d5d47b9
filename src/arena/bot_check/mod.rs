//! Checks that a bot follows the protocol, edge cases included, and reports its faults.
//!
//! * [`SITUATIONS`]: the situations, in the order in which they are played;
//! * [`BotChecker`]: starts the bot once or more for each situation;
//! * [`Finding`]: a fault or a remark, with the rule of the protocol that it is about.
//!
//! The checker is no referee: it sends states that no game leads to, such as a field that is full
//! in turn 60, and does not score the bot's play.

mod checker;
mod dialogue;
mod finding;
mod situations;

pub use checker::{BotChecker, BotSituation, CheckInterrupted, SituationResult};
pub use dialogue::CheckLimits;
pub use finding::{Finding, Severity};
pub use situations::SITUATIONS;
