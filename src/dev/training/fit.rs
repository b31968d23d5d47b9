//! Logistic regression.

use super::TrainingPosition;
use crate::engine::win_probability::{FEATURES, WinProbability, logistic};
use crate::util::cholesky::Cholesky;

/// The ridge penalty: half of this times the square of each weight is added to the total loss of
/// all positions. W-04.4.
const RIDGE: f64 = 10.0;

/// The most steps of Newton's method; it takes about eight.
const STEPS: usize = 50;

/// The method ends when no weight changes by this or more in a step.
const EXACT: f64 = 1e-9;

/// A value for each feature.
type Values = [f64; FEATURES];

/// Returns the model under which the results of the positions, as both players see them, are most
/// likely. Sums are taken in the order of the positions, so that equal input gives equal weights.
pub fn fit<'a>(positions: impl IntoIterator<Item = &'a TrainingPosition>) -> WinProbability {
    let rows: Vec<(Values, f64)> = positions
        .into_iter()
        .flat_map(TrainingPosition::views)
        .map(|view| (*view.features.values(), view.result))
        .collect();
    let mut weights = [0.0; FEATURES];
    for _ in 0..STEPS {
        let step = newton(&rows, &weights);
        for (weight, change) in weights.iter_mut().zip(&step) {
            *weight -= change;
        }
        if step.iter().all(|change| change.abs() < EXACT) {
            break;
        }
    }
    WinProbability::new(weights)
}

/// Returns a step of Newton's method: the gradient times the inverse of the second derivatives.
fn newton(rows: &[(Values, f64)], weights: &Values) -> Vec<f64> {
    let mut gradient = weights.map(|weight| weight * RIDGE);
    let mut curvature = vec![vec![0.0; FEATURES]; FEATURES];
    for (at, row) in curvature.iter_mut().enumerate() {
        row[at] = RIDGE;
    }
    for (values, result) in rows {
        let chance = logistic(values.iter().zip(weights).map(|(a, b)| a * b).sum());
        for (at, value) in values.iter().enumerate() {
            gradient[at] += value * (chance - result);
            let scaled = chance * (1.0 - chance) * value;
            for (cell, other) in curvature[at].iter_mut().zip(&values[..=at]) {
                *cell += scaled * other;
            }
        }
    }
    let factors = Cholesky::new(curvature);
    factors.expect("the ridge makes the matrix positive definite").solve(&gradient)
}

#[cfg(test)]
pub mod tests {
    use rand::{RngExt as _, SeedableRng as _};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::super::PlayersView;
    use super::*;
    use crate::engine::win_probability::{Features, Measures};

    /// Generates positions whose results follow the probabilities of the built-in weights.
    pub fn sampled(count: usize) -> Vec<TrainingPosition> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut position = || {
            let mut player = || {
                let single = [60, 40, 60, 20, 16, 14, 100, 200];
                let single = single.map(|most| random.random_range(0..=most));
                let mut most = 0;
                let curve = std::array::from_fn(|_| {
                    most += random.random_range(0..20);
                    most
                });
                Measures::from_parts(single, curve)
            };
            let players = [player(), player()];
            let turn = random.random_range(4..60);
            let chance =
                WinProbability::learned().of(&Features::between(&players[0], &players[1], turn)).0;
            let result = f64::from(u8::from(random.random_bool(chance)));
            TrainingPosition {
                game: "drawn".to_owned(),
                packs: random.random(),
                turn,
                result,
                players,
                plans: Default::default(),
            }
        };
        (0..count).map(|_| position()).collect()
    }

    #[test]
    fn the_model_behind_the_results_is_found() {
        let positions = sampled(20_000);
        let found = fit(&positions);
        for position in positions.iter().step_by(100) {
            let features = position.views()[0].features;
            let (found, made) = (found.of(&features).0, WinProbability::learned().of(&features).0);
            assert!((found - made).abs() < 0.12, "{found} instead of {made}");
        }
    }

    #[test]
    fn the_gradient_is_zero_at_the_end() {
        let positions = sampled(500);
        let row = |view: PlayersView| (*view.features.values(), view.result);
        let rows: Vec<_> = positions.iter().flat_map(|one| one.views()).map(row).collect();
        let found = fit(&positions);
        let step = newton(&rows, found.weights());
        assert!(step.iter().all(|change| change.abs() < 1e-6), "{step:?}");
        assert_eq!(fit(&positions), found);
        assert_eq!(fit([]), WinProbability::new([0.0; FEATURES]), "all weights are 0");
    }
}
