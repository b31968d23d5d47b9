//! `tensai dev bench engine`: the speed of the engine, and a signature of its decisions.

use std::num::NonZeroU64;

use clap::Args;
use serde::Serialize;

use super::BenchOutput;
use crate::board::Backend;
use crate::cli::commands::output::{print, print_json};
use crate::cli::error::CliError;
use crate::dev::{self, DecisionFigures};

/// Arguments of `tensai dev bench engine`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai dev bench engine --json")]
pub struct EngineArgs {
    #[command(flatten)]
    output: BenchOutput,

    /// Simulated drops for each decision.
    #[arg(long, value_name = "N", default_value = "1000000")]
    nodes: NonZeroU64,
}

/// The speed of the engine, as `--json` prints it.
#[derive(Serialize)]
struct EngineReport {
    backend: String,
    /// Number of decisions.
    decisions: usize,
    /// Simulated drops of all decisions.
    nodes: u64,
    /// Time of all decisions in seconds.
    seconds: f64,
    /// The hash of the actions.
    signature: String,
}

/// Measures, and prints the speed and the signature.
pub fn run(args: &EngineArgs) -> Result<(), CliError> {
    let backend = Backend::choose(args.output.backend).to_string();
    let DecisionFigures { decisions, nodes, time, signature } = dev::decisions(args.nodes.get());
    let (seconds, signature) = (time.as_secs_f64(), format!("{signature:016x}"));
    if args.output.report.json {
        return print_json(&EngineReport { backend, decisions, nodes, seconds, signature });
    }
    let millions = nodes as f64 / 1e6;
    let speed = millions / seconds;
    print(&format!(
        "backend            {backend}\n\
         decisions          {decisions}\n\
         drops              {millions:.3} million\n\
         speed              {speed:.3} million drops/s\n\
         signature          {signature}\n"
    ))
}
