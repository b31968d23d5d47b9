//! tensai: a bot for CODE VS Reborn, and an arena to play it in.
//!
//! The rooms of the house, in the order in which a game passes through them:
//!
//! * [`clock`]: where the time is read.
//! * [`game`]: the rules. What a cell, a pack, an action is; a turn of one player and of both; who
//!   wins. The bot, the referee and the tests all ask here.
//! * [`board`]: the fast field and its simulators; [`backend`]: their names for the command line.
//! * [`protocol`]: what the referee writes and a bot reads; the bot's life.
//! * [`search`]: looking ahead: the beam that finds chains, the alpha-beta search of both sides.
//! * [`engine`]: the decision, the clock, and the watchdog that sees to it that an answer goes out.
//! * [`arena`]: processes of bots, and the referee.
//! * [`record`]: games on disk.
//! * [`analysis`]: looking at games and fields: answers inferred, turns thought about again.
//! * [`training`]: the chance to win, from recorded games; what fields are good for, from beams;
//!   [`weights`]: what was learned, in a file.
//! * [`rating`]: what matches say about strength.
//! * [`web`]: recorded games as a page for a browser.
//! * [`tools`]: measuring the simulators.
//! * [`submission`]: the zip for the contest's runner.
//! * [`cli`]: the command line, one file a subcommand;
//! * [`foreign_text`]: what others have written, made fit for a terminal; [`message`]: lines on
//!   standard error; [`input_file`]: files of others, read up to a size.
//!
//! Arena, records, ratings and submission are there on Linux, and with the feature `arena`, which is
//! on unless it is switched off; the bot needs none of them.
#![deny(missing_docs, unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

#[cfg(all(feature = "arena", target_os = "linux"))]
pub mod analysis;
#[cfg(all(feature = "arena", target_os = "linux"))]
pub mod arena;
pub mod backend;
pub mod board;
#[cfg(all(feature = "arena", target_os = "linux"))]
pub mod bot_checker;
pub mod cli;
pub mod clock;
#[cfg(all(feature = "arena", target_os = "linux"))]
pub mod did_you_mean;
pub mod duration;
pub mod engine;
pub mod foreign_text;
pub mod game;
pub mod input_file;
pub mod message;
#[cfg(all(feature = "arena", target_os = "linux"))]
pub mod training;

pub mod protocol;
#[cfg(all(feature = "arena", target_os = "linux"))]
pub mod rating;
#[cfg(all(feature = "arena", target_os = "linux"))]
pub mod record;
pub mod search;

#[cfg(all(feature = "arena", target_os = "linux"))]
pub mod submission;
pub mod tools;
#[cfg(all(feature = "arena", target_os = "linux"))]
pub mod web;
pub mod weights;
pub mod wording;
