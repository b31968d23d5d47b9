//! A match: a fixed list of engines plays a fixed schedule of games.
//!
//! * [`Manifest`]: the definition of a match, `match.json`; [`Folder`]: its files, by which it can be
//!   resumed; [`Schedule`]: which games are played;
//! * [`OpenMatch`]: a match that is played; [`Standing`]: its results; [`MatchTest`]: the test that ends
//!   it early;
//! * [`Tournament`]: plays the games of any [`GameSource`], several at a time: the core of matches,
//!   tunings and leagues.

mod match_folder;
mod match_json;
mod open_match;
mod schedule;
mod sprt_decision;
mod standing;
mod tournament;

pub use match_folder::{Folder, FolderError};
pub use match_json::Manifest;
pub use open_match::{OpenMatch, other_packs};
pub use schedule::{Fixture, PackSource, Pairing, Schedule, Shard};
pub use sprt_decision::{Evidence, MatchTest, TestDecision};
pub use standing::{GameSummary, Row, Standing};
pub use tournament::{
    Failure, GameSource, Next, NextGame, NoStart, Resources, Tournament, cores_of_a_game,
    cores_of_pair,
};
