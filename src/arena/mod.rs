//! Plays bots against each other, as the contest's server did.
//!
//! * [`EngineConfig`]: the configuration of an engine in a match; [`KnownOpponent`]: an engine that
//!   needs no command; [`placeholder`]: the names in a command that each game fills in; [`trust`]:
//!   whether the commands of a folder are this user's own; [`FolderKind`]: what a folder is;
//! * [`referee`]: one game; [`process`]: the processes of bots, which need Linux;
//! * [`match_`]: a match: which games are played, by whom, where they are kept, who leads;
//! * [`league`]: engines that come and go, rated by one list; [`tuning`]: an engine's parameters,
//!   tuned by games; [`bot_check`]: whether a bot follows the protocol, edge cases included;
//! * [`rating`]: Elo, SPRT and rating lists; [`statistics`]: figures of recorded games by engine;
//! * [`submission`]: the zip for the contest's runner, and that runner at home.

pub mod bot_check;
mod cores;
mod engine;
mod folder_kind;
pub mod league;
pub mod match_;
pub mod placeholder;
pub mod process;
pub mod rating;
pub mod referee;
mod starts;
pub mod statistics;
pub mod submission;
pub mod trust;
pub mod tuning;

pub use cores::{Cores, CpuQuota};
pub use engine::{
    EngineConfig, KNOWN_OPPONENTS, KnownOpponent, OWN, PLAYING_VARIABLES, StartError, free_name,
    tell_apart,
};
pub use folder_kind::{FolderKind, OtherKind};
pub use match_::{
    Failure, Fixture, Folder, FolderError, GameSummary, Manifest, MatchTest, NoStart, OpenMatch,
    PackSource, Pairing, Resources, Row, Schedule, Shard, Standing, TestDecision,
};
pub use referee::{
    AnswerTime, BotEvent, BotExit, Connection, Ending, ErrorLog, Game, GameEvent, Happened,
    Interrupted, LogFile, LogFolder, Observer, Order, PlayedTurn, PlayerClock, SeatLimits,
    each_line, play, turn_of,
};
pub use starts::Starts;
