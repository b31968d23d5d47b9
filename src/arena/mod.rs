//! Plays bots against each other, as the contest's server did.
//!
//! * [`EngineConfig`]: the configuration of an engine in a match;
//! * [`Connection`]: the referee's side of a bot; [`process`]: its process, which needs Linux;
//! * [`KnownOpponent`]: an engine that needs no command;
//! * [`play`]: the referee of one game; [`PlayerClock`]: the clock of a player;
//! * [`Schedule`]: which games are played; [`opening`]: their first turns, if those are drawn;
//!   [`Tournament`]: plays the games;
//! * [`Manifest`]: the definition of a match; [`Folder`]: its files, by which it can be resumed;
//! * [`trust`]: whether the commands in that folder are this user's own;
//! * [`LogFolder`]: the logs of the bots;
//! * [`Standing`]: the results of a match; [`Starts`]: engines that never start.

mod connection;
mod cores;
mod engine;
mod folder;
mod known_opponent;
mod lines;
mod log_file;
mod manifest;
pub mod opening;
mod player_clock;
pub mod process;
mod referee;
mod schedule;
mod standing;
mod starts;
mod tournament;
pub mod trust;

pub use connection::{BotEvent, BotExit, Connection, Ending};
pub use cores::{Cores, CpuQuota};
pub use engine::{EngineConfig, PLAYING_VARIABLES, StartError, free_name, tell_apart};
pub use folder::{Folder, FolderError};
pub use known_opponent::{KNOWN_OPPONENTS, KnownOpponent, OWN};
pub use lines::{ErrorLog, each_line, turn_of};
pub use log_file::{LogFile, LogFolder};
pub use manifest::{Hypothesis, Manifest, TestDecision, check_engines, check_settings};
pub use player_clock::{AnswerTime, PlayerClock};
pub use referee::{Game, Interrupted, Order, SeatLimits, Watch, play};
pub use schedule::{Division, Fixture, PackSource, Pairing, Schedule, Shard};
pub use standing::{GameSummary, Row, Standing};
pub use starts::Starts;
pub use tournament::{Failure, MatchEvent, NoStart, Tournament};
