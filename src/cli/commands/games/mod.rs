//! Commands that show, search and convert games.

pub mod analyse;
pub mod packs;
pub mod puzzles;
pub mod record;
pub mod replay;
pub mod search_args;
pub mod view;
