//! Commands that play, rate and tune bots.

pub mod arena_error;
pub mod check_bot;
pub mod league;
pub mod logs;
pub mod match_;
pub mod stats;
pub mod tune;
