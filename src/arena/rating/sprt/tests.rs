//! Compares the test with a plain maximisation, published figures, and random matches.

use proptest::prelude::*;
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;

fn tally(wins: u64, draws: u64, losses: u64) -> Tally {
    Tally { wins, draws, losses }
}

fn verdict(test: &Sprt, tally: Tally) -> Option<Hypothesis> {
    test.accepted(test.llr(tally))
}

fn sprt(text: &str) -> Sprt {
    text.parse().unwrap()
}

/// Computes the ratio by a ternary search over the share of draws; the other shares follow from the
/// score. The likelihood has one maximum.
fn plain_llr(sprt: &Sprt, tally: Tally) -> f64 {
    let counts = [tally.wins, tally.draws, tally.losses];
    let [wins, draws, losses] = counts.map(|count| if count == 0 { 1e-3 } else { count as f64 });
    let greatest = |score: f64| {
        let likelihood = |drawn: f64| {
            let (won, lost) = (score - drawn / 2.0, 1.0 - score - drawn / 2.0);
            wins * won.ln() + draws * drawn.ln() + losses * lost.ln()
        };
        let (mut low, mut high) = (0.0, 2.0 * score.min(1.0 - score));
        for _ in 0..200 {
            let [left, right] = [(2.0 * low + high) / 3.0, (low + 2.0 * high) / 3.0];
            if likelihood(left) < likelihood(right) { low = left } else { high = right }
        }
        likelihood(f64::midpoint(low, high))
    };
    greatest(sprt.elo1.expected_score()) - greatest(sprt.elo0.expected_score())
}

#[test]
fn known_ratios() {
    // The expected values of the logistic model in fastchess's tests, to within 1 %.
    let known = [
        ("elo0=0.5 elo1=2.5", tally(21404, 40708, 21184), -1.57),
        ("elo0=0 elo1=2", tally(57433, 106_593, 57030), -2.59),
    ];
    for (words, tally, expected) in known {
        let llr = sprt(words).llr(tally);
        assert!((llr / expected - 1.0).abs() < 0.01, "{words}: {llr}, not {expected}");
    }
    // Wins alone: under each hypothesis, the probability of a win is close to the expected score.
    let llr = sprt("elo0=0 elo1=100").llr(tally(10, 0, 0));
    assert!((llr - 10.0 * (2.0 * Elo(100.0).expected_score()).ln()).abs() < 0.01, "{llr}");
    assert_eq!(sprt("").llr(tally(0, 0, 0)), 0.0);
}

#[test]
fn the_bounds_of_the_ratio_decide_the_test() {
    let test = sprt("elo0=0 elo1=20 alpha=0.05 beta=0.1");
    let (lower, upper) = test.bounds();
    assert!((lower - (0.1_f64 / 0.95).ln()).abs() < 1e-12);
    assert!((upper - (0.9_f64 / 0.05).ln()).abs() < 1e-12);
    assert_eq!(verdict(&test, tally(0, 0, 0)), None);
    assert_eq!(verdict(&test, tally(10, 3, 9)), None);
    assert_eq!(verdict(&test, tally(600, 0, 400)), Some(Hypothesis::H1));
    assert_eq!(verdict(&test, tally(400, 0, 600)), Some(Hypothesis::H0));
    assert_eq!(verdict(&test, tally(0, 500, 0)), Some(Hypothesis::H0), "draws alone are no gain");
}

/// Returns the share of tests that accept H1 among random matches of players with the difference
/// `elo`.
fn accepted(test: &Sprt, elo: f64, drawn: f64, seed: u64) -> f64 {
    const TESTS: u32 = 1000;
    let won = Elo(elo).expected_score() - drawn / 2.0;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut play = || {
        let mut tally = Tally::default();
        loop {
            match (rng.random::<f64>(), verdict(test, tally)) {
                (_, Some(Hypothesis::H0)) => return 0,
                (_, Some(Hypothesis::H1)) => return 1,
                (lot, None) if lot < won => tally.wins += 1,
                (lot, None) if lot < won + drawn => tally.draws += 1,
                (_, None) => tally.losses += 1,
            }
        }
    };
    let accepted: u32 = (0..TESTS).map(|_| play()).sum();
    f64::from(accepted) / f64::from(TESTS)
}

#[test]
fn wrong_verdicts_are_as_rare_as_asked_for() {
    // The error of 1000 tests is 0.014 for a share of 0.05, and 0.019 for 0.1, two standard
    // deviations each. The last game passes a bound, so slightly fewer verdicts are wrong.
    let test = sprt("elo0=0 elo1=50 alpha=0.05 beta=0.1");
    for (seed, drawn) in [(1, 0.0), (2, 0.3)] {
        let wrong0 = accepted(&test, 0.0, drawn, seed);
        let wrong1 = 1.0 - accepted(&test, 50.0, drawn, seed + 10);
        assert!((0.025..0.064).contains(&wrong0), "{drawn} drawn: {wrong0} falsely accepted");
        assert!((0.06..0.119).contains(&wrong1), "{drawn} drawn: {wrong1} falsely refused");
    }
}

#[test]
fn words_are_read() {
    assert_eq!(sprt(""), Sprt::default());
    let test = sprt("elo1=20 beta=0.1");
    assert_eq!(test, Sprt::new(Elo(0.0), Elo(20.0), 0.05, 0.1).unwrap());
    assert_eq!(test.to_string(), "elo0=0 elo1=20 alpha=0.05 beta=0.1");
    assert_eq!(sprt(&test.to_string()), test);
    let json = r#"{"elo0":0.0,"elo1":20.0,"alpha":0.05,"beta":0.1}"#;
    assert_eq!(serde_json::to_string(&test).unwrap(), json);
    assert_eq!(serde_json::from_str::<Sprt>(json).unwrap(), test);
    assert!(serde_json::from_str::<Sprt>(&json.replace("20.0", "-1")).is_err());
}

#[test]
fn invalid_tests_are_refused() {
    let refused = |text: &str| text.parse::<Sprt>().unwrap_err();
    let expected = "expected `elo0=`, `elo1=`, `alpha=` or `beta=`, found";
    assert_eq!(refused("alhpa=0.1"), format!("{expected} `alhpa=0.1`; did you mean `alpha`?"));
    assert_eq!(refused("0.1"), format!("{expected} `0.1`"));
    assert_eq!(refused("elo1=ten"), "elo1: expected `elo1=NUMBER`, found `elo1=ten`");
    assert_eq!(refused("beta"), "beta: expected `beta=NUMBER`, found `beta`");
    assert_eq!(refused("elo0=1 elo0=2"), "elo0: expected once, found again in `elo0=2`");
    assert_eq!(refused("elo0=20"), "elo1: expected a number above elo0, found elo0=20 elo1=10");
    assert_eq!(refused("elo1=inf"), "elo1: expected a number from -1000 to 1000, found inf");
    assert!(refused("elo1=1e308").ends_with("to 1000, found 1e308"));
    assert!(refused("elo0=NaN").starts_with("elo0: expected a number"));
    assert_eq!(refused("alpha=0.5"), "alpha: expected a chance above 0 and below 0.5, found 0.5");
    assert!(refused("beta=0").starts_with("beta: ") && refused("beta=NaN").starts_with("beta: "));
}

prop_compose! {
    fn tests()(elo0 in -300.0..300.0, more in 0.5..300.0, alpha in 0.01..0.49) -> Sprt {
        Sprt::new(Elo(elo0), Elo(elo0 + more), alpha, 0.05).unwrap()
    }
}

/// Chooses each count from a small and a large range with equal probability.
fn tallies() -> impl Strategy<Value = Tally> {
    let count = || prop_oneof![0..3u64, 0..2000u64];
    (count(), count(), count()).prop_map(|(wins, draws, losses)| Tally { wins, draws, losses })
}

proptest! {
    #[test]
    fn the_ratio_equals_the_plain_one(test in tests(), tally in tallies()) {
        prop_assume!(tally.games() > 0);
        let (llr, plain) = (test.llr(tally), plain_llr(&test, tally));
        prop_assert!((llr - plain).abs() < 1e-6, "{llr}, not {plain}");
    }

    #[test]
    fn the_opponents_view_gives_the_opposite_ratio(test in tests(), tally in tallies()) {
        let Sprt { elo0: Elo(elo0), elo1: Elo(elo1), .. } = test;
        let mirrored = Sprt { elo0: Elo(-elo1), elo1: Elo(-elo0), ..test };
        prop_assert!((test.llr(tally) + mirrored.llr(tally.reversed())).abs() < 1e-6);
    }

    #[test]
    fn a_win_instead_of_a_loss_favours_h1(test in tests(), tally in tallies()) {
        let better = Tally { wins: tally.wins + 1, ..tally };
        let tally = Tally { losses: tally.losses + 1, ..tally };
        prop_assert!(test.llr(better) > test.llr(tally));
    }
}
