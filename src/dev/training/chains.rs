//! Measures the lengths of the chains that beams find with given weights.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::ops::Range;

use serde::Serialize;
use statrs::statistics::Statistics as _;

use crate::board::Field;
use crate::dev::beam_bench::{self, later_field};
use crate::game::Packs;
use crate::search::beam::FeatureWeights;
use crate::util::parallel::{map_shared_out, shared_out};

pub use crate::dev::beam_bench::{PLAIN, plain};

/// The number of settings in which beams are measured.
pub const SETTING_COUNT: usize = beam_bench::BEAM_SETTINGS.len();

/// The factor between the drops of the beam that builds the later field and the drops of a measured
/// beam.
const GROWN: u64 = 5;

/// Packs, and the field after the first drops of them.
#[derive(Clone, Debug)]
pub struct Sample {
    packs: Packs,
    later: Field,
}

impl Sample {
    /// Returns one sample for each seed; only the first ones if `stop` returns true. The later
    /// field lies on the path to the longest chain that a beam finds with the [`plain`] weights, so
    /// that it does not depend on learned weights.
    pub fn of(
        seeds: Range<u64>,
        drops: u64,
        threads: NonZeroUsize,
        stop: &(impl Fn() -> bool + Sync),
    ) -> Vec<Self> {
        let seeds: Vec<u64> = seeds.collect();
        shared_out(seeds.len(), threads, stop, &|| {}, &|index| {
            let packs = Packs::from_seed(seeds[index]);
            let later = later_field(&packs, drops.saturating_mul(GROWN));
            Self { packs, later }
        })
    }

    /// Returns the longest chain up to each turn, averaged over the turns, for each setting.
    fn chains(&self, weights: &FeatureWeights, drops: u64) -> [f64; SETTING_COUNT] {
        beam_bench::BEAM_SETTINGS.each_ref().map(|setting| {
            let field = if setting.is_later { self.later } else { Field::EMPTY };
            let drops = drops / setting.divisor;
            let turn = setting.turn();
            setting.mean(&beam_bench::chains(setting, &self.packs, turn, field, weights, drops))
        })
    }
}

/// Returns, for each sample and setting, the longest chain up to each turn, averaged over the
/// turns, in rounds.
///
/// Each beam has `drops` drops; under rows a beam has a tenth of them. The result does not depend
/// on `threads`.
pub fn measure(
    samples: &[&Sample],
    weights: &FeatureWeights,
    drops: u64,
    threads: NonZeroUsize,
) -> Vec<[f64; SETTING_COUNT]> {
    map_shared_out(samples, threads, |sample| sample.chains(weights, drops))
}

/// Returns the mean over the samples by which `chains` are longer than `others`, summed over the
/// settings.
pub fn longer(chains: &[[f64; SETTING_COUNT]], others: &[[f64; SETTING_COUNT]]) -> f64 {
    let sum = |chains: &[[f64; SETTING_COUNT]]| chains.as_flattened().iter().sum::<f64>();
    (sum(chains) - sum(others)) / chains.len().max(1) as f64
}

/// The mean length of the chains that beams find by one set of weights, in each setting.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MeasuredWeights {
    /// The name of the weights.
    pub weights: String,
    /// The settings.
    pub settings: Vec<SettingMean>,
}

/// The chains in one setting.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SettingMean {
    /// `empty`, `turn 8` or `rows`.
    pub setting: &'static str,
    /// The mean length of the longest chain by turn, in rounds.
    pub chain: f64,
    /// The mean difference from the first set of weights, in rounds.
    pub difference: f64,
    /// The standard error of the difference.
    pub error: f64,
}

/// Summarises the measured chains of each named set of weights, compared with the first set.
pub fn report(measured: &[(String, Vec<[f64; SETTING_COUNT]>)]) -> Vec<MeasuredWeights> {
    let settings = |chains: &[[f64; SETTING_COUNT]]| {
        let summarise = |(index, setting): (usize, &beam_bench::BeamSetting)| {
            let chains: Vec<f64> = chains.iter().map(|chains| chains[index]).collect();
            let pairs = chains.iter().zip(&measured[0].1);
            let differences: Vec<f64> = pairs.map(|(own, first)| own - first[index]).collect();
            let (difference, error) = mean(&differences);
            SettingMean { setting: setting.name, chain: mean(&chains).0, difference, error }
        };
        beam_bench::BEAM_SETTINGS.iter().enumerate().map(summarise).collect()
    };
    let of_weights = |(name, chains): &(String, Vec<[f64; SETTING_COUNT]>)| MeasuredWeights {
        weights: name.clone(),
        settings: settings(chains),
    };
    measured.iter().map(of_weights).collect()
}

/// Formats a line for each set of weights; after the first line, with the difference from the first
/// set and its standard error.
pub fn table(measured: &[MeasuredWeights]) -> String {
    let width = measured.iter().map(|one| one.weights.chars().count()).max().unwrap_or(0);
    let mut text = " ".repeat(width);
    for setting in &beam_bench::BEAM_SETTINGS {
        let _ = write!(text, "  {:>22}", setting.name);
    }
    text.push('\n');
    for (index, MeasuredWeights { weights, settings }) in measured.iter().enumerate() {
        let _ = write!(text, "{weights:width$}");
        for SettingMean { chain, difference, error, .. } in settings {
            let _ = write!(text, "  {chain:>6.2}");
            if index == 0 {
                text += &" ".repeat(16);
            } else {
                let _ = write!(text, " {difference:>+7.3} ±{error:>6.3}");
            }
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

/// Returns the mean of `figures`, at least one, and its standard error; 0 for one figure.
fn mean(figures: &[f64]) -> (f64, f64) {
    let error = match figures.len() {
        0 | 1 => 0.0,
        count => figures.std_dev() / (count as f64).sqrt(),
    };
    (figures.mean(), error)
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREADS: [NonZeroUsize; 2] = [NonZeroUsize::MIN, NonZeroUsize::new(3).unwrap()];

    #[test]
    fn chains_are_the_same_on_more_threads() {
        let measured = THREADS.map(|threads| {
            let samples: Vec<Sample> = Sample::of(5..9, 20_000, threads, &|| false);
            let samples: Vec<_> = samples.iter().collect();
            measure(&samples, FeatureWeights::learned(), 20_000, threads)
        });
        assert_eq!(measured[0], measured[1]);
        for chains in &measured[0] {
            assert!(chains[0] > 2.0 && chains[1] > chains[0] && chains[2] > 1.0, "{chains:?}");
        }
    }

    #[test]
    fn more_drops_make_longer_chains() {
        let samples: Vec<Sample> = Sample::of(20..26, 3000, THREADS[0], &|| false);
        let samples: Vec<_> = samples.iter().collect();
        let [few, more] =
            [2000, 20_000].map(|drops| measure(&samples, &plain(), drops, THREADS[0]));
        assert!(longer(&more, &few) > 0.5, "{}", longer(&more, &few));
        let same = longer(&few, &few);
        assert_eq!(same, 0.0);
    }

    #[test]
    fn differences_are_shown_with_their_errors() {
        let first = vec![[8.0, 12.0, 6.0], [9.0, 13.0, 7.0]];
        let second = vec![[8.5, 12.0, 6.0], [9.5, 12.0, 7.0]];
        let measured = report(&[("one".to_owned(), first), ("other".to_owned(), second)]);
        assert_eq!(
            (measured[1].settings[1].difference, measured[1].settings[0].error),
            (-0.5, 0.0)
        );
        let text = table(&measured);
        let lines: Vec<Vec<&str>> =
            text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[0], ["empty", "turn", "8", "rows"]);
        assert_eq!(lines[1], ["one", "8.50", "12.50", "6.50"]);
        let other = ["other", "9.00", "+0.500", "±", "0.000", "12.00", "-0.500", "±", "0.500"];
        assert_eq!(lines[2][..9], other);
    }
}
