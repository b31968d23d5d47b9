//! Commands by which a person plays.

pub mod human;
pub mod serve;
