//! Chains as a function of time, and the ratio of times at equal chains.

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{BEAM_SETTINGS, BeamField, Found, LEVELS};

/// The number of samples of the bootstrap.
const SAMPLES: usize = 1000;

/// The mean time and the mean of the chains at each level of drops.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MeanCurve {
    /// Seconds a field.
    pub seconds: [f64; LEVELS],
    /// The mean over fields and turns of the longest chain up to each turn, in rounds.
    pub chains: [f64; LEVELS],
}

/// The curves of a program, by setting.
pub type Curves = [MeanCurve; BEAM_SETTINGS.len()];

/// The time of the second program divided by that of the first at equal chains, with its 95 %
/// interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RatioInterval {
    /// The ratio.
    pub ratio: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end of the 95 % interval.
    pub high: f64,
}

/// Ratios of times at equal chains. More than 1: the first program is faster.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ratios {
    /// By setting; `None` if the two programs have no chains in common.
    pub settings: [Option<RatioInterval>; BEAM_SETTINGS.len()],
    /// The geometric mean over the settings, if each has a ratio.
    pub all: Option<RatioInterval>,
}

impl MeanCurve {
    /// Returns the curve of the fields at `indices`, which may repeat.
    ///
    /// `found` lists the results of each field's beams, by level.
    pub fn of(fields: &[BeamField], found: &[[Found; LEVELS]], indices: &[usize]) -> Self {
        let (mut seconds, mut chains) = ([0.0; LEVELS], [0.0; LEVELS]);
        for &index in indices {
            for (level, found) in found[index].iter().enumerate() {
                seconds[level] += found.seconds;
                chains[level] += fields[index].setting.mean(&found.chains);
            }
        }
        let mean = |sum: f64| sum / indices.len().max(1) as f64;
        Self { seconds: seconds.map(mean), chains: chains.map(mean) }
    }

    /// Returns the logarithm of the time at which the curve reaches `chains`, interpolated linearly
    /// in `chains` between two levels; `None` outside the levels.
    fn time_of(&self, chains: f64) -> Option<f64> {
        let time = |level: usize| self.seconds[level].max(f64::MIN_POSITIVE).ln();
        let mut longest = f64::NEG_INFINITY;
        let rising = self.chains.map(|chains| {
            longest = longest.max(chains);
            longest
        });
        let level = rising.iter().position(|&reached| reached >= chains)?;
        if rising[level] == chains {
            return Some(time(level));
        }
        let before = level.checked_sub(1)?;
        let part = (chains - rising[before]) / (rising[level] - rising[before]);
        Some(time(before) + part * (time(level) - time(before)))
    }

    /// Returns the logarithm of the ratio of `other`'s time to this curve's time at equal chains,
    /// averaged over the levels of both curves; `None` if the two have no chains in common.
    fn ratio(&self, other: &Self) -> Option<f64> {
        let at = |chains: f64| Some(other.time_of(chains)? - self.time_of(chains)?);
        let ratios: Vec<f64> =
            self.chains.iter().chain(&other.chains).filter_map(|&chains| at(chains)).collect();
        (!ratios.is_empty()).then(|| ratios.iter().sum::<f64>() / ratios.len() as f64)
    }
}

/// Returns the indices of the fields of each setting.
pub fn by_setting(fields: &[BeamField]) -> [Vec<usize>; BEAM_SETTINGS.len()] {
    BEAM_SETTINGS.each_ref().map(|setting| {
        let is_its = |&index: &usize| fields[index].setting == setting;
        (0..fields.len()).filter(is_its).collect()
    })
}

/// Returns the ratio of `second`'s time to `first`'s time at equal chains, with a 95 % interval by
/// a bootstrap over the fields. `first` and `second` list the results of each field's beams, by
/// level.
pub fn ratios(
    fields: &[BeamField],
    first: &[[Found; LEVELS]],
    second: &[[Found; LEVELS]],
) -> Ratios {
    let indices = by_setting(fields);
    let ratio = |indices: &[usize]| {
        MeanCurve::of(fields, first, indices).ratio(&MeanCurve::of(fields, second, indices))
    };
    let found = indices.each_ref().map(|indices| ratio(indices));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
    let mut samples: Vec<[Option<f64>; BEAM_SETTINGS.len()]> = Vec::with_capacity(SAMPLES);
    for _ in 0..SAMPLES {
        samples.push(indices.each_ref().map(|indices| {
            let sampled = indices.iter().map(|_| indices[random.random_range(0..indices.len())]);
            ratio(&sampled.collect::<Vec<usize>>())
        }));
    }
    let interval = |ratio: f64, mut samples: Vec<f64>| {
        samples.sort_unstable_by(f64::total_cmp);
        let at = |part: f64| samples.get((part * samples.len() as f64) as usize);
        let end = |part: f64| at(part).unwrap_or(&ratio).exp();
        RatioInterval { ratio: ratio.exp(), low: end(0.025), high: end(0.975) }
    };
    let of_setting = |index: usize| {
        let samples = samples.iter().filter_map(|sample| sample[index]).collect();
        found[index].map(|ratio| interval(ratio, samples))
    };
    let mean = |ratios: &[Option<f64>; BEAM_SETTINGS.len()]| {
        let sum: Option<f64> = ratios.iter().copied().sum();
        sum.map(|sum| sum / BEAM_SETTINGS.len() as f64)
    };
    let all = mean(&found).map(|ratio| interval(ratio, samples.iter().filter_map(mean).collect()));
    Ratios { settings: std::array::from_fn(of_setting), all }
}

#[cfg(test)]
mod tests {
    use super::super::standing_set;
    use super::*;

    /// Beams whose chains grow by one with each level, with a field's own time.
    fn found(fields: &[BeamField], slower: f64, more: u8) -> Vec<[Found; LEVELS]> {
        let of_field = |index: usize| {
            std::array::from_fn(|level| Found {
                seconds: slower * (1.0 + (index % 7) as f64) * 4f64.powi(level as i32),
                chains: vec![level as u8 + 3 + more + (index % 3) as u8; 16],
            })
        };
        (0..fields.len()).map(of_field).collect()
    }

    #[test]
    fn equal_chains_in_half_the_time_are_a_ratio_of_two() {
        let fields = standing_set();
        let ratios = ratios(&fields, &found(&fields, 1.0, 0), &found(&fields, 2.0, 0));
        for interval in ratios.settings.iter().flatten().chain(&ratios.all) {
            for end in [interval.ratio, interval.low, interval.high] {
                assert!((end - 2.0).abs() < 1e-9, "{interval:?}");
            }
        }
    }

    #[test]
    fn a_longer_chain_at_each_level_is_a_ratio_of_one_level() {
        let fields = standing_set();
        let ratios = ratios(&fields, &found(&fields, 1.0, 1), &found(&fields, 1.0, 0));
        let all = ratios.all.unwrap();
        for end in [all.ratio, all.low, all.high] {
            assert!((end - 4.0).abs() < 1e-9, "{all:?}");
        }
    }

    #[test]
    fn different_ratios_of_fields_widen_the_interval() {
        let fields = standing_set();
        let mut slower = found(&fields, 1.0, 0);
        slower.iter_mut().step_by(2).flatten().for_each(|found| found.seconds *= 2.0);
        let RatioInterval { ratio, low, high } =
            ratios(&fields, &found(&fields, 1.0, 0), &slower).all.unwrap();
        assert!(1.3 < low && low < ratio && ratio < high && high < 1.7, "{low} {ratio} {high}");
    }

    #[test]
    fn chains_without_a_common_length_have_no_ratio() {
        let fields = standing_set();
        let ratios = ratios(&fields, &found(&fields, 1.0, 9), &found(&fields, 1.0, 0));
        assert_eq!(ratios, Ratios { settings: [None; BEAM_SETTINGS.len()], all: None });
    }

    #[test]
    fn a_time_lies_between_two_levels() {
        let curve =
            MeanCurve { seconds: [1.0, 2.0, 4.0, 8.0, 16.0], chains: [1.0, 2.0, 2.0, 1.5, 3.0] };
        let time = |chains| curve.time_of(chains).map(f64::exp);
        assert_eq!((time(0.9), time(3.1)), (None, None));
        assert_eq!((time(1.0), time(2.0)), (Some(1.0), Some(2.0)));
        assert!((time(1.5).unwrap() - 2f64.sqrt()).abs() < 1e-12);
        assert!((time(2.5).unwrap() - 128f64.sqrt()).abs() < 1e-12, "{:?}", time(2.5));
    }
}
