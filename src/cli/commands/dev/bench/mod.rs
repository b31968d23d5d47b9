//! `tensai bench`: the speed of the simulators, or of the engine, and a signature of their results;
//! decisions with few nodes against those with many; planted blunders.

mod args;
mod beam;
mod blunders;

use std::num::NonZeroU64;

use serde::Serialize;

pub use self::args::BenchArgs;
use self::args::NODES;

use crate::board::Backend;
use crate::cli::commands::dev::decisions;
use crate::cli::commands::output::{print, print_json};
use crate::cli::error::CliError;
use crate::dev::{self, DecisionFigures, Signature};

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
    /// The hash of the actions.
    signature: String,
}

/// Measures, and prints the speed and the signature.
pub fn run(args: &BenchArgs) -> Result<(), CliError> {
    let backend = Backend::choose(args.backend);
    if args.beam {
        return beam::run(args, backend);
    }
    if args.of_games.decisions {
        return decisions::run(&args.of_games, backend, args.nodes, args.output);
    }
    if args.of_games.blunders {
        return blunders::run(&args.of_games, backend, args.nodes, args.output);
    }
    let mut text = format!("backend            {backend}\n");
    if args.engine {
        let figures = dev::decisions(args.nodes.map_or(NODES, NonZeroU64::get));
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
    let (figures, signature) = (dev::bench(backend, args.passes.get()), dev::signature(backend));
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
