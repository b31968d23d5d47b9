//! `tensai dev learn beam` and `chains`: the weights by which a beam orders fields of equal potential.

use std::num::{NonZeroU64, NonZeroUsize};

use clap::{Args, value_parser};

use crate::cli::commands::arguments::JsonFlag;
use crate::cli::commands::dev::work::WorkArgs;
use crate::cli::commands::format::bar;
use crate::cli::commands::output::{print, print_data, print_json};
use crate::cli::error::CliError;
use crate::dev::training::Climb;
use crate::dev::training::chains::{
    MeasuredWeights, PLAIN, SETTING_COUNT, Sample, longer, measure, plain, report, table,
};
use crate::dev::training::constant::{BEAM, Source, rounded};
use crate::search::beam::{FEATURES, FeatureWeights, NAMES};
use crate::util::numbers::counted;
use crate::util::sanitize::quoted;
use crate::util::system::stop::Stop;

/// Arguments of `tensai dev learn beam`.
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  tensai dev learn beam --packs 320 --nodes 1000000 > weights.rs"
)]
pub struct BeamArgs {
    /// The weights to begin with: eight numbers, separated by commas [default: blocks and steps
    /// alone].
    #[arg(long, value_name = "WEIGHTS", value_parser = weights, allow_hyphen_values = true)]
    from: Option<[f64; FEATURES]>,

    /// Number of steps; each step changes all weights at once.
    #[arg(long, value_name = "N", default_value = "100")]
    steps: NonZeroUsize,

    /// Packs for one step, chosen from all packs.
    #[arg(
        long,
        value_name = "N",
        default_value = "100",
        value_parser = value_parser!(u64).range(1..=MOST)
    )]
    batch: u64,

    /// Seed of the random numbers.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    #[command(flatten)]
    sample: SampleArgs,

    #[command(flatten)]
    work: WorkArgs,
}

/// Arguments of `tensai dev learn chains`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai dev learn chains --packs 320")]
pub struct ChainsArgs {
    /// Weights to compare with blocks and steps alone and with the weights of this program: eight
    /// numbers, separated by commas, as `tensai dev learn beam` writes them for `--from`.
    #[arg(
        long = "weights",
        value_name = "WEIGHTS",
        value_parser = weights,
        allow_hyphen_values = true
    )]
    others: Vec<[f64; FEATURES]>,

    #[command(flatten)]
    sample: SampleArgs,

    #[command(flatten)]
    work: WorkArgs,

    #[command(flatten)]
    report: JsonFlag,
}

/// The sample on which chains are measured.
#[derive(Args, Debug)]
struct SampleArgs {
    /// Number of packs, each with the empty field and a field of turn 8. `beam` and `chains`
    /// generate different packs.
    #[arg(
        long,
        value_name = "N",
        default_value = "320",
        value_parser = value_parser!(u64).range(1..=MOST)
    )]
    packs: u64,

    /// Simulated drops for each beam; a tenth of that under rows.
    #[arg(long, value_name = "N", default_value = "1000000")]
    nodes: NonZeroU64,
}

/// The difference by which each weight is changed to measure its effect, in the order of [`NAMES`]:
/// half of the value that was first found for the weight, because less makes too little of a
/// difference. The weight of a block is not changed, because only the proportions of the weights
/// matter.
const STRIDES: [f64; FEATURES] = [0.0, 0.5, 3.0, 0.5, 0.5, 0.5, 0.5, 0.5];

/// The largest number of packs, in all or for a step.
const MOST: u64 = 1_000_000;

/// The seed of the first packs to learn from.
const TO_LEARN: u64 = MOST;

/// The seed of the first packs to measure learned weights on. These packs differ from those to
/// learn from.
const TO_LOOK: u64 = TO_LEARN + MOST;

/// Learns the weights and prints them; those so far if a signal stops the command.
pub fn learn(args: &BeamArgs) -> Result<(), CliError> {
    let from = args.from.unwrap_or(PLAIN);
    args.work.choose_backend();
    let (steps, drops, threads) = (args.steps.get(), args.sample.nodes.get(), args.work.threads());
    let stop = Stop::on_signals()?;
    let samples: Vec<Sample> = args.sample.sampled(TO_LEARN, threads, &|| stop.is_asked());
    if stop.is_asked() {
        return Err(CliError::stopped("no step was made".to_owned()));
    }
    let progress = bar(steps);
    let mut climb = Climb::new(from, STRIDES, steps, args.seed);
    for step in 1..=steps {
        let sides = climb.sides();
        let sampled = climb.sampled(samples.len(), args.batch as usize);
        let sampled: Vec<_> = sampled.into_iter().map(|index| &samples[index]).collect();
        let [one, other] =
            sides.map(|side| measure(&sampled, &FeatureWeights::new(side), drops, threads));
        climb.step(longer(&one, &other));
        progress.inc(1);
        if stop.is_asked() && step < steps {
            progress.finish_and_clear();
            let so_far = format!("Weights after {}.\n", counted(step, "step"));
            print_data(&args.text(&climb.weights(), &so_far))?;
            let done = format!("the weights after {step} of {steps} steps were printed");
            return Err(CliError::stopped(done));
        }
    }
    progress.finish_and_clear();
    let learned = climb.weights().map(rounded);
    let of_learned = ("learned".to_owned(), FeatureWeights::new(learned));
    let table = table(&args.sample.compared([of_plain(), of_learned], threads));
    let more = format!("Chains on the same number of other packs:\n{table}");
    print_data(&args.text(&learned, &more))
}

impl BeamArgs {
    /// Formats the source of the weights, with the command that made them and the option that
    /// continues from them.
    fn text(&self, weights: &[f64; FEATURES], more: &str) -> String {
        let Self { steps, batch, seed, sample: SampleArgs { packs, nodes }, .. } = self;
        let from = self.from.map(|from| format!(" --from {}", list(&from))).unwrap_or_default();
        let origin = format!(
            "tensai dev learn beam --packs {packs} --nodes {nodes} --steps {steps} --batch {batch} \
             --seed {seed}{from}\n{more}To continue: --from {}\n",
            list(weights)
        );
        let source = Source {
            title: BEAM,
            features: "super::features::FEATURES",
            names: "super::features::NAMES",
            origin: &origin,
        };
        source.file(&NAMES, weights)
    }
}

/// Measures the chains by each set of weights and prints a table.
pub fn chains(args: &ChainsArgs) -> Result<(), CliError> {
    let mut all = vec![of_plain(), ("built in".to_owned(), FeatureWeights::learned().clone())];
    for (index, &weights) in (1..).zip(&args.others) {
        all.push((format!("weights-{index}"), FeatureWeights::new(weights)));
    }
    let ChainsArgs { sample, work, .. } = args;
    work.choose_backend();
    let measured = sample.compared(all, work.threads());
    if args.report.json {
        return print_json(&measured);
    }
    let SampleArgs { packs, nodes } = sample;
    let heading = format!(
        "{}, {}: the longest chain by turn, its difference from the first row, and the standard \
         error of the difference\n\n",
        counted(packs, "pack"),
        counted(nodes, "drop")
    );
    print(&(heading + &table(&measured)))
}

impl SampleArgs {
    /// Makes the samples; only the first ones if `stop` returns true.
    fn sampled(
        &self,
        from: u64,
        threads: NonZeroUsize,
        stop: &(impl Fn() -> bool + Sync),
    ) -> Vec<Sample> {
        Sample::of(from..from + self.packs, self.nodes.get(), threads, stop)
    }

    /// Measures the chains by each of `all` on the packs that are not learned from.
    fn compared(
        &self,
        all: impl IntoIterator<Item = (String, FeatureWeights)>,
        threads: NonZeroUsize,
    ) -> Vec<MeasuredWeights> {
        let samples: Vec<Sample> = self.sampled(TO_LOOK, threads, &|| false);
        let samples: Vec<_> = samples.iter().collect();
        let measured = all
            .into_iter()
            .map(|(name, weights)| (name, measure(&samples, &weights, self.nodes.get(), threads)));
        let measured: Vec<(String, Vec<[f64; SETTING_COUNT]>)> = measured.collect();
        report(&measured)
    }
}

fn of_plain() -> (String, FeatureWeights) {
    ("blocks and steps".to_owned(), plain())
}

/// Parses weights: a finite number for each feature, separated by commas.
fn weights(text: &str) -> Result<[f64; FEATURES], String> {
    let numbers = text.split(',').map(|number| {
        let parsed = number.trim().parse().ok().filter(|weight: &f64| weight.is_finite());
        parsed.ok_or_else(|| format!("expected a number, found {}", quoted(number)))
    });
    let numbers: Vec<f64> = numbers.collect::<Result<_, _>>()?;
    let count = numbers.len();
    numbers
        .try_into()
        .map_err(|_| format!("expected {FEATURES} numbers ({}), found {count}", NAMES.join(", ")))
}

/// Formats weights as [`weights`] reads them.
fn list(weights: &[f64; FEATURES]) -> String {
    weights.map(|weight| rounded(weight).to_string()).join(",")
}
