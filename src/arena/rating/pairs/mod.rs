//! Pairs of games: two versions meet the same opponent on the same packs.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::elo::{ADDED_DRAWS, superiority};
use super::score::POINTS;
use super::{Elo, Estimate};

#[cfg(test)]
mod tests;

/// Pairs of games, counted by the points of the new version minus those of the old version. Both
/// play one game of the pair against the same opponent on the same packs.
///
/// Let the odds of a win against a loss be `x` for the old version and `x * d` for the new one,
/// where `x` stands for the opponent and the packs. Of the pairs in which one version wins and the
/// other loses, the new version wins the share `d / (1 + d)` for every `x` (D. R. Cox 1958, *Two
/// further applications of a model for binary regression*). The number of pairs in which both
/// versions win, or both lose, depends on `x` as well; these pairs are left out. So the pairs that
/// differ count as results of the new version against the old one, in the same Elo points as games
/// between the two.
///
/// The probability of a draw is taken as proportional to the square root of the product of the
/// probabilities of a win and of a loss (R. R. Davidson 1970, *On extending the Bradley-Terry model
/// to accommodate ties in paired comparison experiments*). Of the pairs with one draw, the new
/// version then is the better one with odds of the square root of `d`, for every `x` and every
/// number of draws. Such a half difference shows half of the difference in strength.
///
/// The multinomial test of fishtest on the differences of pairs is not used, because the mean
/// difference of points depends on the strength of the opponents.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PairTally {
    /// The new version won, the old version lost.
    pub better: u64,
    /// The new version won beside a draw, or drew beside a loss.
    pub half_better: u64,
    /// Both versions had the same result.
    pub equal: u64,
    /// The new version drew beside a win, or lost beside a draw.
    pub half_worse: u64,
    /// The new version lost, the old version won.
    pub worse: u64,
}

/// The greatest absolute difference that is estimated, in Elo points.
const FARTHEST: f64 = 4000.0;

/// Bisection steps: the range of 8000 points becomes smaller than the precision of a few points.
const HALVINGS: u32 = 60;

impl PairTally {
    /// One pair, from the points of the new version and of the old version: 0, 0.5 or 1 each.
    pub fn of_points(new: f64, old: f64) -> Self {
        let mut tally = Self::default();
        let count = match new - old {
            difference if difference > 0.75 => &mut tally.better,
            difference if difference > 0.25 => &mut tally.half_better,
            difference if difference > -0.25 => &mut tally.equal,
            difference if difference > -0.75 => &mut tally.half_worse,
            _ => &mut tally.worse,
        };
        *count = 1;
        tally
    }

    /// Returns the number of pairs.
    pub const fn pairs(self) -> u64 {
        self.equal + self.decided()
    }

    /// Returns the number of pairs in which the versions had different results.
    pub const fn decided(self) -> u64 {
        self.better + self.half_better + self.half_worse + self.worse
    }

    /// Returns the log-likelihood of the pairs that differ, if the new version is stronger by
    /// `elo`.
    pub fn log_likelihood(self, elo: Elo) -> f64 {
        let half = Elo(elo.0 / 2.0);
        let counts = [
            (self.better, elo),
            (self.worse, Elo(-elo.0)),
            (self.half_better, half),
            (self.half_worse, Elo(-half.0)),
        ];
        // 0 times an infinite logarithm would be no number.
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        counts.map(|(count, elo)| count as f64 * elo.expected_score().ln()).sum()
    }

    /// Estimates the difference in strength of the new version relative to the old one, from the
    /// pairs that differ. Returns `None` if no pair differs.
    ///
    /// The estimate is the difference of the greatest likelihood, as that of games
    /// ([`estimate`](super::estimate)): with one drawn game between the versions added, and an interval
    /// by the Fisher information. The likelihood of superiority counts the pairs in which either
    /// version was better, as games.
    pub fn estimate(self) -> Option<Estimate> {
        if self.decided() == 0 {
            return None;
        }
        // The slope of the likelihood decreases, and is 0 at the maximum.
        let best = boundary(-FARTHEST, FARTHEST, |elo| self.slope(elo) > 0.0);
        let information = |games: f64, elo: f64| {
            let p = Elo(elo).expected_score();
            games * p * (1.0 - p)
        };
        let whole = (self.better + self.worse) as f64 + ADDED_DRAWS;
        let half = (self.half_better + self.half_worse) as f64;
        // A half difference shows half of the strength, and a quarter of the information.
        let known = information(whole, best) + information(half, best / 2.0) / 4.0;
        let better = self.better + self.half_better;
        let worse = self.worse + self.half_worse;
        let los = superiority(better as f64, worse as f64);
        Some(Estimate::new(best, POINTS / known.sqrt(), los))
    }

    /// The probability that two equal versions would differ at least as one-sidedly in as many
    /// pairs: the two-sided sign test (J. Arbuthnot 1710). `None` if no pair differs.
    ///
    /// It holds for a number of pairs that was fixed before the first game.
    pub fn sign_test(self) -> Option<f64> {
        let signs = self.decided();
        if signs == 0 {
            return None;
        }
        let better = self.better + self.half_better;
        let fewer = better.min(signs - better);
        // Of `signs` tosses of a coin, at most `fewer` show a given side.
        let tail = superiority(fewer as f64, (signs - fewer - 1) as f64);
        Some((2.0 * tail).min(1.0))
    }

    /// A positive multiple of the derivative of the log-likelihood at the difference `elo`, with the
    /// added draw.
    fn slope(self, elo: f64) -> f64 {
        let above = |better: f64, worse: f64, elo: f64| {
            better * Elo(-elo).expected_score() - worse * Elo(elo).expected_score()
        };
        let added = ADDED_DRAWS / 2.0;
        above(self.better as f64 + added, self.worse as f64 + added, elo)
            + above(self.half_better as f64, self.half_worse as f64, elo / 2.0) / 2.0
    }
}

/// The end of the range from `low` in which `is_before` holds, at most `high`.
fn boundary(mut low: f64, mut high: f64, is_before: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if is_before(middle) { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

impl AddAssign for PairTally {
    fn add_assign(&mut self, other: Self) {
        self.better += other.better;
        self.half_better += other.half_better;
        self.equal += other.equal;
        self.half_worse += other.half_worse;
        self.worse += other.worse;
    }
}
