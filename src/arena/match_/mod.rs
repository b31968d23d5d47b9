//! A match: a fixed list of engines plays a fixed schedule of games.
//!
//! * [`Schedule`]: which games are played; [`Tournament`]: plays them;
//! * [`Manifest`]: the definition of a match; [`Folder`]: its files, by which it can be resumed;
//! * [`Standing`]: the results.

mod manifest;
mod match_folder;
mod schedule;
mod standing;
mod tournament;

pub use manifest::{Hypothesis, Manifest, TestDecision, check_engines, check_settings};
pub use match_folder::{Folder, FolderError};
pub use schedule::{Fixture, PackSource, Pairing, Schedule, Shard};
pub use standing::{GameSummary, Row, Standing};
pub use tournament::{Failure, MatchEvent, NoStart, Tournament};
