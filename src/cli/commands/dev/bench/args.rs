//! The arguments of `tensai bench`.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;

use crate::board::Backend;
use crate::cli::commands::arguments::{JsonFlag, backend, threads};
use crate::cli::commands::dev::decisions;

/// The section of `--help` with an example.
const EXAMPLE: &str = "Example:\n  tensai bench --engine --json\n  tensai bench --decisions";

/// Simulated drops for each decision of `--engine` or for the longest beam of each field of
/// `--beam`, unless `--nodes` is given.
pub const NODES: u64 = 1_000_000;

/// The options with which `bench` runs no beams of `--beam`. The options that need `--beam` name
/// them: clap ignores `requires` where another given option conflicts with the required one.
const WITHOUT_BEAMS: [&str; 4] = ["engine", "decisions", "blunders", "passes"];

/// Arguments of `tensai bench`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLE)]
pub struct BenchArgs {
    /// The backend that simulates drops [default: the fastest on this processor].
    #[arg(long, value_parser = backend())]
    pub backend: Option<Backend>,

    /// Passes over the 500 fields for each figure.
    #[arg(long, value_name = "N", default_value = "1000")]
    pub passes: NonZeroU32,

    /// Measure the engine instead, by a fixed set of decisions on one thread. The signature is then
    /// a hash of the answers.
    #[arg(long, visible_alias = "mind", conflicts_with = "passes", group = "engine_nodes")]
    pub engine: bool,

    /// Measure beams instead: the longest chains by turn as a function of time, on 336 fields and
    /// one thread. Pin the program to a core: `taskset -c 1 tensai bench --beam`.
    #[arg(long, conflicts_with = "passes", group = "engine_nodes")]
    pub beam: bool,

    #[command(flatten)]
    pub of_games: decisions::YardstickArgs,

    /// Simulated drops for each decision, or for the longest beam of each field [default: 1000000;
    /// with --decisions 50000, with --blunders 2000000].
    #[arg(long, value_name = "N", requires = "engine_nodes")]
    pub nodes: Option<NonZeroU64>,

    /// Run the beams of another version of this program too, in turns, and print how many times as
    /// fast this program finds chains of equal length.
    #[arg(long, value_name = "PROGRAM", requires = "beam")]
    #[arg(conflicts_with_all = WITHOUT_BEAMS)]
    pub against: Option<PathBuf>,

    /// Run each beam on this many threads too, in turns with one thread, and print how many times
    /// as fast it is.
    #[arg(
        long,
        value_name = "N",
        value_parser = threads,
        requires = "beam",
        conflicts_with = "against",
        conflicts_with_all = WITHOUT_BEAMS
    )]
    pub beam_threads: Option<NonZeroUsize>,

    /// Measure other fields than the standing set, drawn from this seed.
    #[arg(long, value_name = "N", requires = "beam")]
    #[arg(conflicts_with_all = WITHOUT_BEAMS)]
    pub seed: Option<u64>,

    /// Repetitions of each beam; the shortest time of a beam counts.
    #[arg(long, value_name = "N", default_value = "1", requires = "beam")]
    #[arg(conflicts_with_all = WITHOUT_BEAMS)]
    pub rounds: NonZeroU32,

    /// Run the beams that standard input asks for (for `--against`).
    #[arg(
        long,
        hide = true,
        requires = "beam",
        conflicts_with_all = ["against", "beam_threads", "seed", "rounds", "nodes", "json"]
    )]
    pub serve: bool,

    #[command(flatten)]
    pub output: JsonFlag,
}
