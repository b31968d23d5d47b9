//! tensai: a bot for CODE VS Reborn, and an arena to play it in.
#![deny(missing_docs, unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

pub mod board;
pub mod game;
