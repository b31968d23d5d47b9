//! `tensai dev bench engine`: the speed of the engine, and a signature of its decisions.

use std::num::NonZeroU64;

use clap::Args;

use crate::board::Backend;
use crate::cli::commands::arguments::backend;
use crate::cli::commands::output::print;
use crate::cli::error::CliError;
use crate::dev::{self, DecisionFigures};

/// Arguments of `tensai dev bench engine`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai dev bench engine --nodes 3000000")]
pub struct EngineArgs {
    /// The backend that simulates drops [default: the fastest on this processor].
    #[arg(long, value_parser = backend())]
    backend: Option<Backend>,

    /// Simulated drops for each decision.
    #[arg(long, value_name = "N", default_value = "1000000")]
    nodes: NonZeroU64,
}

/// Measures, and prints the speed and the signature.
pub fn run(args: &EngineArgs) -> Result<(), CliError> {
    let backend = Backend::choose(args.backend);
    let DecisionFigures { decisions, nodes, time, signature } = dev::decisions(args.nodes.get());
    let millions = nodes as f64 / 1e6;
    let speed = millions / time.as_secs_f64();
    print(&format!(
        "backend            {backend}\n\
         decisions          {decisions}\n\
         drops              {millions:.3} million\n\
         speed              {speed:.3} million drops/s\n\
         signature          {signature:016x}\n"
    ))
}
