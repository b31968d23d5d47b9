//! tensai: a bot for CODE VS Reborn, and an arena to play it in.
//!
//! The modules (docs/architecture.md has their layers):
//!
//! * [`clock`]: the source of the time; [`duration`]: durations as users write them.
//! * [`game`]: the rules: cells, packs, actions, turns, verdicts. The bot, the referee and the
//!   tests use them.
//! * [`board`]: the fast field and its simulators; [`backend`]: the choice of a simulator.
//! * [`protocol`]: the messages that the referee writes and a bot reads.
//! * [`search`]: beam search, exchanges, alpha-beta search, endgame searches.
//! * [`engine`]: the decision of a turn, the time manager, the watchdog, the session of a bot.
//! * [`arena`]: matches: the schedule, the referee, the processes of bots.
//! * [`league`]: engines that come and go, rated by one list.
//! * [`tuning`]: tunes an engine's parameters by games.
//! * [`bot_checker`]: a bot in situations in which bots fail.
//! * [`record`]: games on disk.
//! * [`analysis`]: analysis of games and fields: inferred answers, turns searched again.
//! * [`statistics`]: figures of recorded games by engine; positions for other programs.
//! * [`training`]: fits the win probability and the weights of the beam.
//! * [`rating`]: Elo, SPRT and rating lists.
//! * [`client`]: the methods that a page asks for, as functions on JSON.
//! * `wasm`: the exports of the library as WebAssembly.
//! * [`server`]: answers a page's requests over HTTP.
//! * [`web`]: recorded games as a page for a browser.
//! * [`tools`]: `bench` and `perft`.
//! * [`submission`]: the zip for the contest's runner.
//! * [`cli`]: the command line, one file a subcommand.
//! * [`foreign_text`]: foreign text made safe for a terminal; [`message`]: lines on standard error;
//!   [`input_file`]: foreign files up to a maximum size; [`wording`]: errors of parsers;
//!   [`did_you_mean`]: the nearest known word; [`proportion`]: the interval of a proportion.
//! * [`system`]: signals and streams of the operating system; [`stop`]: a request to stop a
//!   command; [`shared_out()`](shared_out::shared_out): work on several threads.
//!
//! `analysis`, `client`, `proportion`, `record` and `web` need the cargo feature `client`; `arena`,
//! `bot_checker`, `did_you_mean`, `league`, `rating`, `server`, `shared_out`, `statistics`, `stop`,
//! `submission`, `system`, `tools`, `training`, `tuning`, the engine `classic`, the parts of
//! `record` and `web` that write files, and `planted_blunders` and `yardstick` of `analysis` need
//! the feature `arena`, which is on by default and includes `client`. The bot needs none of these
//! modules. All modules but `wasm` are built on every system; the engines
//! of a match start on Linux only ([`arena::process`]).
#![deny(missing_docs, unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

#[cfg(feature = "client")]
pub mod analysis;
#[cfg(feature = "arena")]
pub mod arena;
pub mod backend;
pub mod board;
#[cfg(feature = "arena")]
pub mod bot_checker;
pub mod cli;
#[cfg(feature = "client")]
pub mod client;
pub mod clock;
#[cfg(feature = "arena")]
pub mod did_you_mean;
pub mod duration;
pub mod engine;
pub mod foreign_text;
pub mod game;
pub mod input_file;
#[cfg(feature = "arena")]
pub mod league;
pub mod message;
#[cfg(feature = "client")]
pub mod proportion;
pub mod protocol;
#[cfg(feature = "arena")]
pub mod rating;
#[cfg(feature = "client")]
pub mod record;
#[cfg(all(test, feature = "arena", target_os = "linux"))]
mod schemas;
pub mod search;
#[cfg(feature = "arena")]
pub mod server;
#[cfg(feature = "arena")]
pub mod shared_out;
#[cfg(feature = "arena")]
pub mod statistics;
#[cfg(feature = "arena")]
pub mod stop;
#[cfg(feature = "arena")]
pub mod submission;
#[cfg(feature = "arena")]
pub mod system;
#[cfg(feature = "arena")]
pub mod tools;
#[cfg(feature = "arena")]
pub mod training;
#[cfg(feature = "arena")]
pub mod tuning;
#[cfg(all(feature = "client", target_arch = "wasm32"))]
pub mod wasm;
#[cfg(feature = "client")]
pub mod web;
pub mod wording;
