//! Commands for those who develop tensai.

pub mod bench;
pub mod completions;
pub mod decisions;
pub mod learn;
pub mod perft;
