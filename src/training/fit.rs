//! Logistic regression.

use super::Position;
use crate::engine::win_probability::{FEATURES, WinProbability, logistic};

/// The ridge penalty: half of this times the square of each weight is added to the total loss of
/// all positions. W-04.4.
const RIDGE: f64 = 10.0;

/// The most steps of Newton's method; it takes about eight.
const STEPS: usize = 50;

/// The method ends when no weight changes by this or more in a step.
const EXACT: f64 = 1e-9;

/// Returns the model under which the results of the positions are most likely. Sums are taken in
/// the order of the positions, so that equal input gives equal weights.
pub fn fit<'a>(positions: impl IntoIterator<Item = &'a Position>) -> WinProbability {
    let rows: Vec<([f64; FEATURES], f64)> = positions
        .into_iter()
        .map(|position| (*position.features().values(), position.result))
        .collect();
    let mut weights = [0.0; FEATURES];
    for _ in 0..STEPS {
        let step = newton(&rows, &weights);
        weights.iter_mut().zip(step).for_each(|(weight, step)| *weight -= step);
        if step.iter().all(|step| step.abs() < EXACT) {
            break;
        }
    }
    WinProbability::new(weights)
}

type Matrix = [[f64; FEATURES]; FEATURES];

/// Returns a step of Newton's method: the gradient times the inverse of the second derivatives.
fn newton(rows: &[([f64; FEATURES], f64)], weights: &[f64; FEATURES]) -> [f64; FEATURES] {
    let mut gradient = weights.map(|weight| RIDGE * weight);
    let mut curvature: Matrix = [[0.0; FEATURES]; FEATURES];
    for (index, row) in curvature.iter_mut().enumerate() {
        row[index] = RIDGE;
    }
    for (values, result) in rows {
        let sum = values.iter().zip(weights).map(|(value, weight)| value * weight).sum();
        let chance = logistic(sum);
        let steep = chance * (1.0 - chance);
        for (i, value) in values.iter().enumerate() {
            gradient[i] += (chance - result) * value;
            for j in 0..=i {
                curvature[i][j] += steep * value * values[j];
            }
        }
    }
    solve(&curvature, gradient)
}

/// Solves a system of equations whose matrix is symmetric and positive definite (Cholesky). Only
/// the lower half of `matrix` is read.
fn solve(matrix: &Matrix, right: [f64; FEATURES]) -> [f64; FEATURES] {
    let mut lower: Matrix = [[0.0; FEATURES]; FEATURES];
    for i in 0..FEATURES {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| lower[i][k] * lower[j][k]).sum();
            let left = matrix[i][j] - known;
            lower[i][j] = if i == j { left.sqrt() } else { left / lower[j][j] };
        }
    }
    let mut solved = right;
    for i in 0..FEATURES {
        let known: f64 = (0..i).map(|k| lower[i][k] * solved[k]).sum();
        solved[i] = (solved[i] - known) / lower[i][i];
    }
    for i in (0..FEATURES).rev() {
        let known: f64 = (i + 1..FEATURES).map(|k| lower[k][i] * solved[k]).sum();
        solved[i] = (solved[i] - known) / lower[i][i];
    }
    solved
}

#[cfg(test)]
pub mod tests {
    use rand::rngs::SmallRng;
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;
    use crate::engine::win_probability::{Features, Measures};

    /// Draws positions whose results follow the probabilities of the built-in weights.
    pub fn drawn(count: usize) -> Vec<Position> {
        let mut random = SmallRng::seed_from_u64(5);
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
            Position { game: "drawn".to_owned(), packs: random.random(), turn, result, players }
        };
        (0..count).map(|_| position()).collect()
    }

    #[test]
    fn the_model_behind_the_results_is_found() {
        let positions = drawn(20_000);
        let found = fit(&positions);
        for position in positions.iter().step_by(100) {
            let features = position.features();
            let (found, made) = (found.of(&features).0, WinProbability::learned().of(&features).0);
            assert!((found - made).abs() < 0.12, "{found} instead of {made}");
        }
    }

    #[test]
    fn the_gradient_is_zero_at_the_end() {
        let positions = drawn(500);
        let rows: Vec<_> = positions.iter().map(|p| (*p.features().values(), p.result)).collect();
        let found = fit(&positions);
        assert!(newton(&rows, found.weights()).iter().all(|step| step.abs() < 1e-6));
        assert_eq!(fit(&positions), found);
        assert_eq!(fit([]), WinProbability::new([0.0; FEATURES]), "nothing is known");
    }
}
