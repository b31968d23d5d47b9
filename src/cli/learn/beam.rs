//! `tensai learn beam` and `chains`: the weights by which a beam orders fields of equal potential.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

use clap::{Args, value_parser};

use super::{WorkArgs, last_name, may_be_written, progress, quoted, refused, text_of};
use crate::cli::arena::ArenaError;
use crate::cli::{CliError, print, print_beside};
use crate::foreign_text::shown;
use crate::input_file;
use crate::record::{Destination, write_over};
use crate::search::beam::{FEATURES, NAMES, Weights};
use crate::stop::Stop;
use crate::training::Climb;
use crate::training::chains::{PLAIN, SETTINGS, Sample, longer, measure, plain, report};
use crate::weights;
use crate::wording::counted;

/// Arguments of `tensai learn beam`.
#[derive(Args, Debug)]
pub struct BeamArgs {
    /// The file for the weights, written every ten steps. Earlier weights are overwritten, any
    /// other file is not.
    #[arg(short, long, value_name = "WEIGHTS")]
    output: PathBuf,

    /// The weights to begin with [default: blocks and steps alone].
    #[arg(long, value_name = "WEIGHTS")]
    from: Option<PathBuf>,

    /// Number of steps; each step changes all weights at once.
    #[arg(long, value_name = "N", default_value = "100")]
    steps: NonZeroUsize,

    /// Packs for one step, drawn from all packs.
    #[arg(long, value_name = "N", default_value = "100", value_parser = value_parser!(u64).range(1..=MOST))]
    batch: u64,

    /// Seed of the random numbers.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    #[command(flatten)]
    sample: SampleArgs,

    #[command(flatten)]
    work: WorkArgs,
}

/// Arguments of `tensai learn chains`.
#[derive(Args, Debug)]
pub struct ChainsArgs {
    /// Files of weights to compare with blocks and steps alone and with the weights of this
    /// program.
    #[arg(value_name = "WEIGHTS")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    sample: SampleArgs,

    #[command(flatten)]
    work: WorkArgs,
}

/// The sample on which chains are measured.
#[derive(Args, Debug)]
struct SampleArgs {
    /// Number of packs, each with the empty field and a field of turn 8. `beam` and `chains` draw
    /// different packs.
    #[arg(long, value_name = "N", default_value = "320", value_parser = value_parser!(u64).range(1..=MOST))]
    packs: u64,

    /// Simulated drops for each beam; a tenth of that under rows.
    #[arg(long, value_name = "N", default_value = "1000000")]
    nodes: NonZeroU64,
}

/// The first line of a file of weights.
const TITLE: &str = "# What fields of the same promise are good for (src/search/beam/value.rs): \
                     a feature and its weight a line.";

/// The difference by which each weight is changed to measure its effect, in the order of [`NAMES`]:
/// half of the value that was first found for the weight, because less makes too little of a
/// difference. The weight of a block is not changed, because only the proportions of the weights
/// matter.
const STRIDES: [f64; FEATURES] = [0.0, 0.5, 3.0, 0.5, 0.5, 0.5, 0.5, 0.5];

/// Number of steps between two writes of the weights.
const WRITTEN: usize = 10;

/// The largest number of packs, in all or for a step.
const MOST: u64 = 1_000_000;

/// The seed of the first packs to learn from.
const TO_LEARN: u64 = MOST;

/// The seed of the first packs to measure learned weights on. These packs differ from those to
/// learn from.
const TO_LOOK: u64 = TO_LEARN + MOST;

/// Learns the weights and writes them.
pub fn learn(args: &BeamArgs) -> Result<(), CliError> {
    may_be_written(&args.output, TITLE)?;
    let from = match &args.from {
        None => PLAIN,
        Some(path) => weights_of(path)?,
    };
    args.work.choose_backend();
    let (steps, drops, threads) = (args.steps.get(), args.sample.nodes.get(), args.work.threads());
    let samples: Vec<Sample> = args.sample.drawn(TO_LEARN, threads);
    // The weights are written only once to a stream.
    let may_change = matches!(Destination::of(&args.output), Ok(Destination::File(_)));
    let stop = Stop::on_signals()?;
    let progress = progress(steps);
    let mut climb = Climb::new(from, STRIDES, steps, args.seed);
    for step in 1..=steps {
        let sides = climb.sides();
        let drawn = climb.drawn(samples.len(), args.batch as usize);
        let drawn: Vec<_> = drawn.into_iter().map(|place| &samples[place]).collect();
        let [one, other] = sides.map(|side| measure(&drawn, &Weights::new(side), drops, threads));
        climb.step(longer(&one, &other));
        progress.inc(1);
        let is_stopped = stop.is_asked() && step < steps;
        if may_change && (is_stopped || step % WRITTEN == 0 && step < steps) {
            let so_far = format!("# After {}; --from goes on.\n", counted(step, "step"));
            write_over(&args.output, &args.text(&climb.weights(), &so_far))?;
        }
        if is_stopped {
            progress.finish_and_clear();
            let output = shown(&args.output);
            let what = format!("{output} has the weights after {step} of {steps} steps");
            return Err(ArenaError::StoppedAfter(what).into());
        }
    }
    progress.finish_and_clear();
    // The weights with the precision of a file.
    let learned = weights::parse(&weights::lines(&NAMES, &climb.weights()), &NAMES);
    let learned = learned.expect("written weights can be read");
    let of_learned = ("learned".to_owned(), Weights::new(learned));
    let table = args.sample.compared([of_plain(), of_learned], threads);
    let more = quoted(&format!("Chains on the same number of other packs:\n{table}"));
    write_over(&args.output, &args.text(&learned, &more))?;
    print_beside(&args.output, &table)
}

impl BeamArgs {
    /// Formats a file of weights, with the command that made it.
    fn text(&self, weights: &[f64; FEATURES], more: &str) -> String {
        let Self { steps, batch, seed, sample: SampleArgs { packs, nodes }, .. } = self;
        let from = self.from.as_ref().map(|from| format!(" --from {}", last_name(from)));
        let (from, output) = (from.unwrap_or_default(), last_name(&self.output));
        let lines = weights::lines(&NAMES, weights);
        format!(
            "{TITLE}\n# Made by\n#   tensai learn beam --packs {packs} --nodes {nodes} --steps \
             {steps} --batch {batch} --seed {seed}{from} -o {output}\n{more}{lines}"
        )
    }
}

/// Measures the chains by each set of weights and prints a table.
pub fn chains(args: &ChainsArgs) -> Result<(), CliError> {
    let mut all = vec![of_plain(), ("built in".to_owned(), Weights::learned().clone())];
    for path in &args.files {
        all.push((last_name(path), Weights::new(weights_of(path)?)));
    }
    let ChainsArgs { sample, work, .. } = args;
    work.choose_backend();
    let SampleArgs { packs, nodes } = sample;
    let said = format!(
        "{}, {}: the longest chain by turn, its difference from the first row, and the standard \
         error of the difference\n\n",
        counted(packs, "pack"),
        counted(nodes, "drop")
    );
    print(&(said + &sample.compared(all, work.threads())))
}

impl SampleArgs {
    fn drawn(&self, from: u64, threads: NonZeroUsize) -> Vec<Sample> {
        Sample::of(from..from + self.packs, self.nodes.get(), threads)
    }

    /// Measures the chains by each of `all` on the packs that are not learned from. Returns a
    /// table.
    fn compared(
        &self,
        all: impl IntoIterator<Item = (String, Weights)>,
        threads: NonZeroUsize,
    ) -> String {
        let samples: Vec<Sample> = self.drawn(TO_LOOK, threads);
        let samples: Vec<_> = samples.iter().collect();
        let measured = all
            .into_iter()
            .map(|(name, weights)| (name, measure(&samples, &weights, self.nodes.get(), threads)));
        let measured: Vec<(String, Vec<[f64; SETTINGS]>)> = measured.collect();
        report(&measured)
    }
}

fn of_plain() -> (String, Weights) {
    ("blocks and steps".to_owned(), plain())
}

fn weights_of(path: &Path) -> Result<[f64; FEATURES], CliError> {
    weights::parse(&text_of(path, input_file::BY_HAND)?, &NAMES)
        .map_err(|what| refused(path, &what.to_string()))
}
