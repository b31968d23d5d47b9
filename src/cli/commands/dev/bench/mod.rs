//! `tensai dev bench`: the speed of the simulators, of the engine and of beams, and a signature of
//! their results.

mod beam;
mod engine;

use std::num::NonZeroU32;

use clap::{Args, Subcommand};

use crate::board::Backend;
use crate::cli::commands::arguments::backend;
use crate::cli::commands::output::print;
use crate::cli::error::CliError;
use crate::dev::{self, Signature};

/// The end of the help of `tensai dev bench`.
const EXAMPLE: &str = "Example:
  tensai dev bench --passes 100
  tensai dev bench engine --nodes 3000000";

/// Arguments of `tensai dev bench`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, after_help = EXAMPLE)]
pub struct BenchArgs {
    /// The backend that simulates drops [default: the fastest on this processor].
    #[arg(long, value_parser = backend())]
    backend: Option<Backend>,

    /// Passes over the 500 fields for each figure.
    #[arg(long, value_name = "N", default_value = "1000")]
    passes: NonZeroU32,

    #[command(subcommand)]
    command: Option<BenchCommand>,
}

/// What `tensai dev bench` measures instead of the simulator.
#[derive(Subcommand, Debug)]
enum BenchCommand {
    /// Measure the engine by a fixed set of decisions.
    ///
    /// It decides on one thread. The signature is a hash of the answers.
    Engine(engine::EngineArgs),
    /// Measure beams: the longest chains by turn as a function of time.
    ///
    /// They run on 336 fields and one thread. Pin the program to a core: `taskset -c 1 tensai dev
    /// bench beam`.
    Beam(beam::BeamArgs),
}

/// Measures, and prints the speed and the signature.
pub fn run(args: &BenchArgs) -> Result<(), CliError> {
    match &args.command {
        Some(BenchCommand::Engine(args)) => engine::run(args),
        Some(BenchCommand::Beam(args)) => beam::run(args),
        None => simulator(args),
    }
}

fn simulator(args: &BenchArgs) -> Result<(), CliError> {
    let backend = Backend::choose(args.backend);
    let mut text = format!("backend            {backend}\n");
    let (figures, signature) = (dev::bench(backend, args.passes.get()), dev::signature(backend));
    let Signature { chains, potentials, hash } = signature;
    let rates = [
        ("children", figures.children, "drops/s "),
        ("children + hash", figures.children_hashed, "drops/s "),
        ("chains", figures.chains, "drops/s "),
        ("potential", figures.potential, "fields/s"),
    ];
    for (name, rate, unit) in rates {
        let (millions, nanoseconds) = (rate / 1e6, 1e9 / rate);
        text += &format!("{name:16} {millions:8.3} million {unit} {nanoseconds:7.1} ns\n");
    }
    text += &format!("signature          {chains} {potentials} {hash:016x}\n");
    print(&text)
}
