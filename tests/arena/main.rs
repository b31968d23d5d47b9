//! The arena and its tools as processes.

mod matches;
mod misbehaving;
mod packs_tools;
mod record_tools;
mod run;
mod tournaments;
