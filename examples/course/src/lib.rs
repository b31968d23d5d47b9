//! What the nine bots of the course share (`docs/course.md`).

pub mod clock;
pub mod field;
pub mod potential;
pub mod protocol;
pub mod random;
pub mod search;
pub mod simulator;
