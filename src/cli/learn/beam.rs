//! `tensai learn beam` and `chains`: what a beam goes by among fields of the same promise.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

use clap::{Args, value_parser};

use super::{WorkArgs, last_name, may_be_written, progress, quoted, refused, text_of};
use crate::arena::Stop;
use crate::cli::arena::ArenaError;
use crate::cli::{CliError, print, print_beside};
use crate::foreign_text::shown;
use crate::input_file;
use crate::record::{Destination, write_over};
use crate::search::beam::{FEATURES, NAMES, Weights};
use crate::training::Climb;
use crate::training::chains::{PLAIN, SETTINGS, Sample, longer, measure, plain, report};
use crate::weights;
use crate::wording::counted;

/// How the weights are found, and where they go.
#[derive(Args, Debug)]
pub struct BeamArgs {
    /// The file for the weights, written every ten steps. Earlier weights are written over, any
    /// other file is not.
    #[arg(short, long, value_name = "WEIGHTS")]
    output: PathBuf,

    /// The weights to begin with [default: blocks and steps alone].
    #[arg(long, value_name = "WEIGHTS")]
    from: Option<PathBuf>,

    /// Steps, each of which turns all weights at once.
    #[arg(long, value_name = "N", default_value = "100")]
    steps: NonZeroUsize,

    /// Packs for one step, drawn from all.
    #[arg(long, value_name = "N", default_value = "100", value_parser = value_parser!(u64).range(1..=MOST))]
    batch: u64,

    /// What is drawn is drawn from this.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    #[command(flatten)]
    sample: SampleArgs,

    #[command(flatten)]
    work: WorkArgs,
}

/// What is looked at.
#[derive(Args, Debug)]
pub struct ChainsArgs {
    /// Files of weights, beside blocks and steps alone and the weights that the program comes with.
    #[arg(value_name = "WEIGHTS")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    sample: SampleArgs,

    #[command(flatten)]
    work: WorkArgs,
}

/// What chains are measured on.
#[derive(Args, Debug)]
struct SampleArgs {
    /// Packs, each with the empty field and a field of turn 8. To learn and to look others are
    /// drawn.
    #[arg(long, value_name = "N", default_value = "320", value_parser = value_parser!(u64).range(1..=MOST))]
    packs: u64,

    /// Simulated drops for each beam; under rows a tenth.
    #[arg(long, value_name = "N", default_value = "1000000")]
    nodes: NonZeroU64,
}

/// The first line of a file of weights.
const TITLE: &str = "# What fields of the same promise are good for (src/search/beam/value.rs): \
                     a feature and its weight a line.";

/// How far each weight is turned to see what it does, in the order of [`NAMES`]: half of what it
/// came to when it was first found, as less makes too little of a difference. What weights are in
/// proportion to each other is all that matters: that of a block stays.
const STRIDES: [f64; FEATURES] = [0.0, 0.5, 3.0, 0.5, 0.5, 0.5, 0.5, 0.5];

/// Steps after which the weights are written.
const WRITTEN: usize = 10;

/// No more packs are drawn, in all or for a step.
const MOST: u64 = 1_000_000;

/// The seed of the first packs to learn from, ...
const TO_LEARN: u64 = MOST;

/// ... and of those to look at what was learned: never the same.
const TO_LOOK: u64 = TO_LEARN + MOST;

/// Finds weights.
pub fn learn(args: &BeamArgs) -> Result<(), CliError> {
    may_be_written(&args.output, TITLE)?;
    let from = match &args.from {
        None => PLAIN,
        Some(path) => weights_of(path)?,
    };
    args.work.choose_backend();
    let (steps, drops, threads) = (args.steps.get(), args.sample.nodes.get(), args.work.threads());
    let samples: Vec<Sample> = args.sample.drawn(TO_LEARN, threads);
    // Into a stream the weights are written once.
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
    // As a file holds them.
    let learned = weights::parse(&weights::lines(&NAMES, &climb.weights()), &NAMES);
    let learned = learned.expect("what is written can be read");
    let of_learned = ("learned".to_owned(), Weights::new(learned));
    let table = args.sample.compared([of_plain(), of_learned], threads);
    let more = quoted(&format!("Chains in as many other packs:\n{table}"));
    write_over(&args.output, &args.text(&learned, &more))?;
    print_beside(&args.output, &table)
}

impl BeamArgs {
    /// A file of weights, which says how they were made.
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

/// Looks at weights.
pub fn chains(args: &ChainsArgs) -> Result<(), CliError> {
    let mut all = vec![of_plain(), ("its own".to_owned(), Weights::learned().clone())];
    for path in &args.files {
        all.push((last_name(path), Weights::new(weights_of(path)?)));
    }
    let ChainsArgs { sample, work, .. } = args;
    work.choose_backend();
    let SampleArgs { packs, nodes } = sample;
    let said = format!(
        "{}, {}: the longest chain by turn; how much longer than the first, and the standard \
         error of that\n\n",
        counted(packs, "pack"),
        counted(nodes, "drop")
    );
    print(&(said + &sample.compared(all, work.threads())))
}

impl SampleArgs {
    fn drawn(&self, from: u64, threads: NonZeroUsize) -> Vec<Sample> {
        Sample::of(from..from + self.packs, self.nodes.get(), threads)
    }

    /// A table of the chains by some weights, on the packs to look at.
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
