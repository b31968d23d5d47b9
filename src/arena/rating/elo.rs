//! Estimates the difference in strength from the results of a match.

use std::f64::consts::FRAC_1_SQRT_2;

use statrs::function::beta::beta_reg;
use statrs::function::erf::erfc;

use super::score::POINTS;
use super::{Elo, Tally};
use crate::util::interval::SPREAD_95;

/// The number of drawn games that every estimate adds to the games of a pair, so that a player that
/// won all of them is not infinitely strong.
pub(super) const ADDED_DRAWS: f64 = 1.0;

/// The strength of a match's first player relative to the second, with its uncertainty.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The difference whose expected score is the score of the match.
    pub elo: Elo,
    /// The lower end of the 95 % interval.
    pub low: Elo,
    /// The upper end of the 95 % interval.
    pub high: Elo,
    /// The likelihood of superiority, 0 to 1: the probability that the first player is stronger.
    pub los: f64,
}

/// Estimates the difference in strength from `tally`. Returns `None` without games.
///
/// This is the difference of the two ratings that [`Pool`](super::Pool) gives for the same games,
/// in closed form. One drawn game is added. With `w` points won and `l` points lost, half a point more
/// each, the difference is the logarithm of `w / l` (J. B. S. Haldane 1956, *The estimation and
/// significance of the logarithm of a ratio of frequencies*), and its variance `1 / w + 1 / l`
/// (J. J. Gart and J. R. Zweifel 1967, *On the bias of various estimators of the logit*). It is finite
/// even if one player wins all games; the far end of the interval then says little. The interval is
/// too wide if there are draws.
///
/// The likelihood of superiority ignores draws, because they favour neither side. It is the
/// posterior probability of p > 1/2, where p is the probability to win a decided game and has a
/// uniform prior. It does not assume many games.
pub fn estimate(tally: Tally) -> Option<Estimate> {
    if tally.games() == 0 {
        return None;
    }
    let [won, lost] = [tally, tally.reversed()].map(|tally| tally.points() + ADDED_DRAWS / 2.0);
    let elo = POINTS * (won / lost).ln();
    let deviation = POINTS * (1.0 / won + 1.0 / lost).sqrt();
    let los = superiority(tally.wins as f64, tally.losses as f64);
    Some(Estimate::new(elo, deviation, los))
}

impl Estimate {
    /// The estimate of a difference, in Elo points, with its standard deviation.
    pub(super) fn new(elo: f64, deviation: f64, los: f64) -> Self {
        let error = SPREAD_95 * deviation;
        Self { elo: Elo(elo), low: Elo(elo - error), high: Elo(elo + error), los }
    }
}

/// The number of decided games from which the normal distribution replaces the beta distribution:
/// its error is at most 1.3e-6 there and falls with more games, whereas the continued fraction of
/// [`beta_reg`] is off by 6e-10 here and does not converge for a million games.
const MANY_GAMES: f64 = 100_000.0;

/// Returns P(p > 1/2), where p has the beta distribution of `wins` + 1 and `losses` + 1.
pub(super) fn superiority(wins: f64, losses: f64) -> f64 {
    let games = wins + losses;
    if games < MANY_GAMES {
        return rounded(beta_reg(losses + 1.0, wins + 1.0, 0.5));
    }
    let deviations = (wins - losses) / games.sqrt();
    erfc(-deviations * FRAC_1_SQRT_2) / 2.0
}

/// Rounds to 12 significant digits, which few games have correct. Their probabilities are multiples
/// of a power of 1/2: two wins of two give 0.875 instead of 0.8749999999999988, 88 % instead of 87
/// %.
fn rounded(probability: f64) -> f64 {
    format!("{probability:.11e}").parse().unwrap_or(probability)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use statrs::distribution::{ContinuousCDF as _, Normal};

    use super::*;
    use crate::arena::rating::Pool;

    fn of(wins: u64, draws: u64, losses: u64) -> Estimate {
        estimate(Tally { wins, draws, losses }).unwrap()
    }

    /// Returns P(p > 1/2) by numerical integration of the beta density.
    fn integrated(wins: u64, losses: u64) -> f64 {
        const STEPS: u32 = 200_000;
        let density = |step: u32| {
            let p = (f64::from(step) + 0.5) / f64::from(STEPS);
            (wins as f64 * (2.0 * p).ln() + losses as f64 * (2.0 - 2.0 * p).ln()).exp()
        };
        let upper: f64 = (STEPS / 2..STEPS).map(density).sum();
        upper / (0..STEPS).map(density).sum::<f64>()
    }

    #[test]
    fn the_spread_is_the_normal_quantile() {
        let quantile = Normal::standard().inverse_cdf(0.975);
        assert!((SPREAD_95 - quantile).abs() < 1e-12, "{quantile}");
    }

    #[test]
    fn no_games_give_no_estimate() {
        assert_eq!(estimate(Tally::default()), None);
    }

    #[test]
    fn known_estimates() {
        let all = of(10, 0, 0);
        assert_eq!(all.elo.to_string(), "+529", "10.5 of 11");
        assert!((all.low.0 + all.high.0 - 2.0 * all.elo.0).abs() < 1e-9);
        assert!((all.los - (1.0 - 0.5_f64.powi(11))).abs() < 1e-15);
        let six = of(6, 0, 0);
        let shown = [six.elo, six.low, six.high].map(|elo| elo.to_string());
        assert_eq!(shown, ["+446", "-54", "+945"]);
        let two = of(2, 0, 0);
        assert_eq!(two.los, 0.875);
        let drawn = of(0, 2, 0);
        assert_eq!((drawn.elo, drawn.los), (Elo(0.0), 0.5));
        let even = of(50, 0, 50);
        assert!((even.high.expected_score() - 0.5962).abs() < 1e-3);
        assert_eq!(of(3, 900, 1).los, of(3, 0, 1).los, "draws do not change it");
    }

    #[test]
    fn superiority_is_the_beta_integral() {
        assert_eq!(of(1, 0, 0).los, 0.75);
        for (wins, losses) in [(0, 0), (1, 1), (3, 1), (0, 7), (20, 31), (300, 250), (5000, 4900)] {
            let (summed, added) =
                (superiority(wins as f64, losses as f64), integrated(wins, losses));
            assert!((summed - added).abs() < 1e-6, "{wins}:{losses}: {summed}, not {added}");
        }
    }

    #[test]
    fn the_normal_distribution_begins_where_it_is_exact_enough() {
        for (wins, losses) in [(50_200, 49_799), (50_200, 49_800), (49_700, 50_300)] {
            let (found, added) = (of(wins, 0, losses).los, integrated(wins, losses));
            assert!((found - added).abs() < 2e-6, "{wins}:{losses}: {found}, not {added}");
        }
    }

    #[test]
    fn superiority_of_many_games() {
        assert_eq!(of(1_000_000, 0, 0).los, 1.0);
        assert_eq!(of(0, 0, 1_000_000).los, 0.0);
        assert!((of(10_000_000, 0, 10_000_000).los - 0.5).abs() < 1e-9);
        // The normal limit: two standard deviations.
        assert!((of(50_100_000, 0, 49_900_000).los - 1.0).abs() < 1e-12);
        assert!((of(50_010_000, 0, 49_990_000).los - 0.977_25).abs() < 1e-5);
    }

    proptest! {
        /// One estimator: a match of two shows the ratings of the list of the same games.
        #[test]
        fn the_difference_is_that_of_the_rating_list(
            wins in 0..400u64, draws in 0..400u64, losses in 0..400u64,
        ) {
            let tally = Tally { wins, draws, losses };
            prop_assume!(tally.games() > 0);
            let mut pool = Pool::default();
            pool.add("a", "b", tally);
            let list = pool.ratings(&[]).unwrap();
            let rated = |name: &str| list.iter().find(|rated| rated.name == name).unwrap();
            let found = estimate(tally).unwrap();
            prop_assert!((rated("a").rating - rated("b").rating - found.elo.0).abs() < 1e-6);
            // Each rating is half of the difference from the mean.
            prop_assert!((4.0 * rated("a").error - (found.high.0 - found.low.0)).abs() < 1e-6);
        }

        #[test]
        fn the_opponents_view_gives_the_opposite_estimate(
            wins in 0..400u64, draws in 0..400u64, losses in 0..400u64,
        ) {
            let tally = Tally { wins, draws, losses };
            prop_assume!(tally.games() > 0);
            let (ours, theirs) = (estimate(tally).unwrap(), estimate(tally.reversed()).unwrap());
            prop_assert!(ours.low < ours.elo && ours.elo < ours.high && ours.high.0.is_finite());
            prop_assert!((ours.los + theirs.los - 1.0).abs() < 1e-11);
            let near = |a: Elo, b: Elo| a.0 == -b.0 || (a.0 + b.0).abs() < 1e-6;
            prop_assert!(near(ours.elo, theirs.elo));
            prop_assert!(near(ours.low, theirs.high) && near(ours.high, theirs.low));
        }

        #[test]
        fn a_win_raises_the_elo(wins in 0..400u64, draws in 0..9u64, losses in 0..400u64) {
            prop_assume!(wins + draws + losses > 0);
            let (before, after) = (of(wins, draws, losses), of(wins + 1, draws, losses));
            prop_assert!(after.los > before.los || after.los > 1.0 - 1e-11);
            prop_assert!(after.elo >= before.elo && after.low > before.low);
        }
    }
}
