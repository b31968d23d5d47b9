//! Estimates and tests by pairs: known values, and error rates by simulation.

use proptest::prelude::*;
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use crate::arena::rating::{Elo, Hypothesis, Sprt, Tally, estimate};

fn pairs(better: u64, equal: u64, worse: u64) -> PairTally {
    PairTally { better, equal, worse, ..PairTally::default() }
}

#[test]
fn a_pair_is_counted_by_the_difference_of_its_points() {
    let counted = |new, old| {
        let PairTally { better, half_better, equal, half_worse, worse } =
            PairTally::of_points(new, old);
        [better, half_better, equal, half_worse, worse].iter().position(|&count| count == 1)
    };
    let points = [0.0, 0.5, 1.0];
    let indices = points.map(|new| points.map(|old| counted(new, old).unwrap()));
    assert_eq!(indices, [[2, 3, 4], [1, 2, 3], [0, 1, 2]]);
    let mut sum = PairTally::of_points(1.0, 0.0);
    sum += PairTally::of_points(0.5, 0.5);
    assert_eq!((sum.pairs(), sum.decided()), (2, 1));
}

#[test]
fn the_sign_test_counts_the_pairs_that_differ() {
    assert_eq!(pairs(0, 9, 0).sign_test(), None);
    let half = PairTally { half_better: 1, ..pairs(2, 5, 0) };
    assert_eq!(half.sign_test(), Some(0.25), "three heads or three tails of three tosses");
    for (tally, p) in [
        (pairs(1, 0, 0), 1.0),
        (pairs(7, 3, 7), 1.0),
        (pairs(18, 219, 13), 0.473_129_659_891),
        (pairs(13, 219, 18), 0.473_129_659_891),
        (pairs(31, 58, 19), 0.118_920_452_559),
        (pairs(10, 0, 0), 1.0 / 512.0),
    ] {
        let found = tally.sign_test().unwrap();
        assert!((found - p).abs() < 1e-10, "{tally:?}: {found}");
    }
}

#[test]
fn equal_pairs_change_neither_the_estimate_nor_the_ratio() {
    let test: Sprt = "elo0=0 elo1=50".parse().unwrap();
    assert_eq!(pairs(0, 900, 0).estimate(), None);
    assert_eq!(test.llr_of_pairs(pairs(0, 900, 0)), 0.0);
    assert_eq!(pairs(30, 0, 20).estimate(), pairs(30, 900, 20).estimate());
    assert_eq!(test.llr_of_pairs(pairs(30, 0, 20)), test.llr_of_pairs(pairs(30, 900, 20)));
}

#[test]
fn pairs_without_draws_are_games_between_the_versions() {
    let test: Sprt = "elo0=0 elo1=50".parse().unwrap();
    let tally = Tally { wins: 60, draws: 0, losses: 40 };
    let (by_pairs, by_games) = (pairs(60, 7, 40).estimate().unwrap(), estimate(tally).unwrap());
    assert!((by_pairs.elo.0 - by_games.elo.0).abs() < 1e-6);
    assert!((by_pairs.low.0 - by_games.low.0).abs() < 1e-6, "{by_pairs:?}, {by_games:?}");
    assert!((by_pairs.high.0 - by_games.high.0).abs() < 1e-6, "{by_pairs:?}, {by_games:?}");
    assert_eq!(by_pairs.los, by_games.los);
    let (llr, of_games) = (test.llr_of_pairs(pairs(60, 7, 40)), test.llr(tally));
    assert!((llr - of_games).abs() < 0.01, "{llr}, not {of_games}");
    // Wald's ratio of two win probabilities.
    let p = Elo(50.0).expected_score();
    let plain = 60.0 * (p / 0.5).ln() + 40.0 * ((1.0 - p) / 0.5).ln();
    assert!((llr - plain).abs() < 1e-9, "{llr}, not {plain}");
}

#[test]
fn a_half_difference_shows_half_of_the_strength() {
    let halves = PairTally { half_better: 30, half_worse: 10, ..PairTally::default() };
    let estimate = halves.estimate().unwrap();
    // The added draw takes a fiftieth of it.
    let plain = 2.0 * Elo::from_score(0.75).0;
    assert!((0.9 * plain..plain).contains(&estimate.elo.0), "{estimate:?}");
    let test: Sprt = "elo0=0 elo1=50".parse().unwrap();
    let half: Sprt = "elo0=0 elo1=25".parse().unwrap();
    let (llr, plain) = (test.llr_of_pairs(halves), half.llr_of_pairs(pairs(30, 0, 10)));
    assert!((llr - plain).abs() < 1e-9, "{llr}, not {plain}");
}

#[test]
fn a_version_that_is_never_worse_has_a_finite_estimate() {
    let all = pairs(10, 3, 0).estimate().unwrap();
    assert_eq!(all.elo.to_string(), "+529", "as ten wins of ten games");
    let none = pairs(0, 3, 10).estimate().unwrap();
    assert!((none.low.0 + all.high.0).abs() < 1e-6 && (none.high.0 + all.low.0).abs() < 1e-6);
    let halves = PairTally { half_better: 10, ..PairTally::default() }.estimate().unwrap();
    assert!(halves.elo.0.is_finite() && halves.low < halves.elo && halves.high.0.is_finite());
}

/// The conditions of a simulated match of two versions.
#[derive(Clone, Copy)]
struct Conditions {
    /// By how much each opponent is weaker than the old version, in Elo points.
    opponents: &'static [f64],
    /// The standard deviation of an effect of a round's packs that both versions share.
    packs: f64,
    /// The standard deviation of an effect of a round's packs that only the new version has.
    own_packs: f64,
    /// The weight of draws: `draws / (2 + draws)` of the games between equal players.
    draws: f64,
}

/// A normally distributed number, by the sum of twelve uniform ones.
fn normal(random: &mut Xoshiro256PlusPlus) -> f64 {
    (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0
}

/// The share of simulated matches in which `test` accepts H1, and the mean numbers of pairs and of
/// pairs that differ, if the new version is stronger by `elo`.
fn simulate(test: &Sprt, elo: f64, conditions: &Conditions, seed: u64) -> (f64, f64, f64) {
    const MATCHES: u32 = 1000;
    let random = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut accepted, mut played, mut decided) = (0, 0, 0);
    for _ in 0..MATCHES {
        let mut tally = PairTally::default();
        let verdict = 'rounds: loop {
            let packs = conditions.packs * normal(random);
            let own = conditions.own_packs * normal(random);
            for weaker in conditions.opponents {
                let mut points = |elo: f64| -> f64 {
                    let root = 10_f64.powf(elo / 800.0);
                    let chances = [root, conditions.draws, 1.0 / root];
                    let lot = random.random::<f64>() * chances.iter().sum::<f64>();
                    if lot < chances[0] {
                        1.0
                    } else if lot < chances[0] + chances[1] {
                        0.5
                    } else {
                        0.0
                    }
                };
                let pair = PairTally::of_points(
                    points(weaker + packs + elo + own),
                    points(weaker + packs),
                );
                tally += pair;
                if pair.equal == 0 {
                    match test.accepted(test.llr_of_pairs(tally)) {
                        None => {}
                        verdict => break 'rounds verdict,
                    }
                }
            }
        };
        accepted += u32::from(verdict == Some(Hypothesis::H1));
        played += tally.pairs();
        decided += tally.decided();
    }
    let mean = |sum: u64| sum as f64 / f64::from(MATCHES);
    (f64::from(accepted) / f64::from(MATCHES), mean(played), mean(decided))
}

const EVEN: Conditions = Conditions { opponents: &[0.0], packs: 0.0, own_packs: 0.0, draws: 0.0 };

/// The conditions of experiment A-14.
const CONDITIONS: [Conditions; 5] = [
    EVEN,
    Conditions { opponents: &[200.0], ..EVEN },
    Conditions { opponents: &[300.0, 100.0, -50.0, -200.0], packs: 150.0, ..EVEN },
    Conditions {
        opponents: &[300.0, 100.0, -50.0, -200.0],
        packs: 150.0,
        own_packs: 100.0,
        ..EVEN
    },
    Conditions { opponents: &[100.0, 0.0], packs: 150.0, draws: 0.25, ..EVEN },
];

#[test]
fn wrong_verdicts_by_pairs_are_as_rare_as_asked_for() {
    // The error of 1000 matches is 0.014 for a share of 0.05, two standard deviations. The last
    // pair passes a bound, so slightly fewer verdicts are wrong. One condition violates the model:
    // with packs that favour one version, the pairs of a round depend on each other.
    let test: Sprt = "elo0=0 elo1=50 alpha=0.05 beta=0.05".parse().unwrap();
    let most = [0.064, 0.064, 0.064, 0.1, 0.064];
    for (index, conditions) in CONDITIONS.iter().enumerate() {
        let seed = 10 * index as u64;
        let (wrong0, pairs, decided) = simulate(&test, 0.0, conditions, seed);
        let wrong1 = 1.0 - simulate(&test, 50.0, conditions, seed + 1).0;
        let most = most[index];
        assert!((0.02..most).contains(&wrong0), "{index}: {wrong0} falsely accepted");
        assert!((0.02..most).contains(&wrong1), "{index}: {wrong1} falsely refused");
        assert!(decided < pairs, "{index}: {decided} of {pairs} pairs differ");
    }
}

proptest! {
    #[test]
    fn exchanged_versions_give_the_opposite_ratio_and_estimate(
        counts in prop::array::uniform5(0..300u64),
        elo0 in -200.0..200.0, more in 1.0..200.0,
    ) {
        let [better, half_better, equal, half_worse, worse] = counts;
        let pairs = PairTally { better, half_better, equal, half_worse, worse };
        let opposite = PairTally {
            better: worse, half_better: half_worse, equal, half_worse: half_better, worse: better,
        };
        let test = Sprt::new(Elo(elo0), Elo(elo0 + more), 0.05, 0.05).unwrap();
        let mirrored = Sprt::new(Elo(-elo0 - more), Elo(-elo0), 0.05, 0.05).unwrap();
        let sum = test.llr_of_pairs(pairs) + mirrored.llr_of_pairs(opposite);
        prop_assert!(sum.abs() < 1e-6, "{sum}");
        if let (Some(ours), Some(theirs)) = (pairs.estimate(), opposite.estimate()) {
            prop_assert!((ours.los + theirs.los - 1.0).abs() < 1e-9);
        }
    }
}
