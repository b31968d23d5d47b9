//! Commands that show, search and serve games.

pub mod analyse;
pub mod human;
pub mod packs;
pub mod puzzles;
pub mod record;
pub mod replay;
pub mod search_args;
pub mod serve;
pub mod view;
