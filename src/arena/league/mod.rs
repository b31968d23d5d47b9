//! A league: engines come and go while games are played, and one list rates them all.
//!
//! The folder of a league holds
//!
//! * `league.json`: the settings and the engines, a [`League`];
//! * `games/`: a record of each finished game, named by its number, as in the folder of a match;
//! * `running.json`: the games in progress, so that the same engines play an interrupted game
//!   again, on the same packs;
//! * `league.lock`: locked while a process changes `league.json`.
//!
//! [`next_pair`] is the rule by which engines meet, [`LeagueRunner`] plays the games with the
//! arena's referee, [`List`] is the rating list.

mod league_folder;
mod league_json;
mod list;
mod pairing;
mod results;
mod runner;

pub use league_folder::{LeagueFolder, RunningGame, RunningGames};
pub use league_json::{Added, League, Member, resolved};
pub use list::{List, ListEntry, Pair};
pub use pairing::{RatedEngine, next_pair};
pub use results::{LeagueResults, Rating};
pub use runner::{Bounds, LeagueRunner, PackReader};
