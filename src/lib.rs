//! tensai: a bot for CODE VS Reborn, and an arena to play it in.
//!
//! From the bottom up; `docs/architecture.md` lists the layers, and a test checks them:
//!
//! * [`util`]: small modules that any other may use: clock, durations, untrusted text, messages.
//! * [`game`]: the rules, and the plain reference simulator.
//! * [`board`]: encodings of a field, their simulators, and the choice of one.
//! * [`protocol`]: the texts that a referee writes and a bot reads.
//! * [`search`]: beam search, exchanges, alpha-beta search, endgame searches.
//! * [`engine`]: how a turn is decided, the clock, the watchdog, the session of a bot.
//! * [`record`]: games on disk.
//! * [`analysis`]: what is computed of recorded games and drawn fields.
//! * [`arena`]: matches, leagues, tunings, checks of a bot, ratings, statistics, the submission.
//! * [`web`]: pages for browsers, their server, and the API that they ask.
//! * [`dev`]: measurements and training for those who develop tensai.
//! * [`cli`]: the command line.
//!
//! The bot alone needs `util`, `game`, `board`, `protocol`, `search`, `engine` and `cli/bot.rs`. The
//! cargo feature `arena`, on by default, adds the rest. Its part `api` adds what a page needs
//! without files and processes: the page's WebAssembly is built with it.
#![deny(missing_docs, unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

pub mod board;
pub mod cli;
pub mod engine;
pub mod game;
pub mod protocol;
pub mod search;
pub mod util;

#[cfg(feature = "api")]
pub mod analysis;
#[cfg(feature = "api")]
pub mod record;
#[cfg(feature = "api")]
pub mod web;

#[cfg(feature = "arena")]
pub mod arena;
#[cfg(feature = "arena")]
pub mod dev;
