//! `tensai bench`: the speed of the simulators, or of the engine, and a signature of their results;
//! decisions with few nodes against those with many.

mod beam;

use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

#[cfg(feature = "arena")]
use super::yardstick;
use super::{CliError, JsonFlag, backend, print, print_json};
use crate::backend::Backend;
use crate::board::Kernel;
use crate::tools::{self, DecisionFigures, Signature};

/// The section of `--help` with an example.
#[cfg(feature = "arena")]
const EXAMPLE: &str = "Example:\n  tensai bench --engine --json\n  tensai bench --decisions";
#[cfg(not(feature = "arena"))]
const EXAMPLE: &str = "Example:\n  tensai bench --engine --json";

/// Simulated drops for each decision of `--engine` or for the longest beam of each field of `--beam`,
/// unless `--nodes` is given.
const NODES: u64 = 1_000_000;

/// Arguments of `tensai bench`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLE)]
pub struct BenchArgs {
    /// The backend that simulates drops [default: the fastest on this processor].
    #[arg(long, value_parser = backend())]
    backend: Option<Backend>,

    /// Passes over the 500 fields for each figure.
    #[arg(long, value_name = "N", default_value = "1000")]
    passes: NonZeroU32,

    /// Measure the engine instead, by a fixed set of decisions on one thread. The signature is then
    /// a hash of the answers.
    #[arg(long, visible_alias = "mind", conflicts_with = "passes", group = "engine_nodes")]
    engine: bool,

    /// Measure beams instead: the longest chains by turn as a function of time, on 336 fields and
    /// one thread. Pin the program to a core: `taskset -c 1 tensai bench --beam`.
    #[arg(long, conflicts_with = "passes", group = "engine_nodes")]
    beam: bool,

    #[cfg(feature = "arena")]
    #[command(flatten)]
    decisions: yardstick::YardstickArgs,

    /// Simulated drops for each decision, or for the longest beam of each field [default: 1000000;
    /// with --decisions 50000].
    #[arg(long, value_name = "N", requires = "engine_nodes")]
    nodes: Option<NonZeroU64>,

    /// Run the beams of another version of this program too, in turns, and print how many times as
    /// fast this program finds chains of equal length.
    #[arg(long, value_name = "PROGRAM", requires = "beam")]
    against: Option<PathBuf>,

    /// Measure other fields than the standing set, drawn from this seed.
    #[arg(long, value_name = "N", requires = "beam")]
    seed: Option<u64>,

    /// Repetitions of each beam; the shortest time of a beam counts.
    #[arg(long, value_name = "N", default_value = "1", requires = "beam")]
    rounds: NonZeroU32,

    /// Run the beams that standard input asks for (for `--against`).
    #[arg(long, hide = true, requires = "beam", conflicts_with_all = ["against", "seed", "rounds", "nodes", "json"])]
    serve: bool,

    #[command(flatten)]
    output: JsonFlag,
}

/// The speed of the simulators, as `--json` prints it.
#[derive(Serialize)]
struct SimulatorReport {
    backend: String,
    /// Simulated drops a second.
    children: f64,
    /// Simulated drops a second, with the hash of each field.
    children_hashed: f64,
    /// Simulated drops a second whose chains are counted.
    chains: f64,
    /// Fields a second whose potential is computed.
    potential: f64,
    /// The signature, as in the text.
    signature: String,
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
    /// The hash of the answers.
    signature: String,
}

/// Measures, and prints the speed and the signature.
pub fn run(args: &BenchArgs) -> Result<(), CliError> {
    let backend = Backend::choose(args.backend);
    if args.beam {
        return beam::run(args, backend);
    }
    #[cfg(feature = "arena")]
    if args.decisions.decisions {
        return yardstick::run(&args.decisions, backend, args.nodes, args.output);
    }
    let mut text = format!("backend            {backend}\n");
    if args.engine {
        let figures = tools::decisions(args.nodes.map_or(NODES, NonZeroU64::get));
        let DecisionFigures { decisions, nodes, time, signature } = figures;
        let seconds = time.as_secs_f64();
        if args.output.json {
            let (backend, signature) = (backend.to_string(), format!("{signature:016x}"));
            return print_json(&EngineReport { backend, decisions, nodes, seconds, signature });
        }
        let millions = nodes as f64 / 1e6;
        let speed = millions / seconds;
        text += &format!("decisions          {decisions}\n");
        text += &format!("drops              {millions:.3} million\n");
        text += &format!("speed              {speed:.3} million drops/s\n");
        text += &format!("signature          {signature:016x}\n");
        return print(&text);
    }
    let kernel = Kernel::current();
    let (figures, signature) = (tools::bench(kernel, args.passes.get()), tools::signature(kernel));
    let Signature { chains, potentials, hash } = signature;
    let signature = format!("{chains} {potentials} {hash:016x}");
    if args.output.json {
        return print_json(&SimulatorReport {
            backend: backend.to_string(),
            children: figures.children,
            children_hashed: figures.children_hashed,
            chains: figures.chains,
            potential: figures.potential,
            signature,
        });
    }
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
    text += &format!("signature          {signature}\n");
    print(&text)
}
