//! Simultaneous perturbation stochastic approximation, for parameters that only games measure.

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::parameter::Parameter;

/// The shifts and steps of a tuning (J. C. Spall 1998, *Implementation of the simultaneous
/// perturbation algorithm for stochastic optimization*, IEEE Transactions on Aerospace and
/// Electronic Systems 34).
///
/// In iteration k, from 0, each parameter is shifted by its stride times `1 / (k + 1)^GAMMA`, up or
/// down at random, and by the opposite. If the shifted side scores `y` more points a game than the
/// other, -1 to 1, each parameter moves by its stride times `rate * y * (A + 1)^ALPHA / (A + k +
/// 1)^ALPHA` in the direction of its shift, divided by the factor of the shift. `A` is a tenth of
/// the iterations. The exponents are Spall's.
///
/// One game says little about each parameter, but an iteration costs the same for forty parameters
/// as for one.
#[derive(Clone, Copy, Debug)]
pub struct Spsa<'a> {
    /// The parameters.
    pub parameters: &'a [Parameter],
    /// The number of iterations that the step sizes are made for.
    pub iterations: usize,
    /// The first step after a whole point of difference, in strides.
    pub rate: f64,
    /// The seed of the directions.
    pub seed: u64,
}

const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;

/// The part of the iterations that slows the first steps.
const STABILITY: f64 = 0.1;

/// An iteration's directions, 1 or -1 for each parameter, and the random numbers that
/// round its whole parameters.
struct Perturbation {
    directions: Vec<f64>,
    rounding: Vec<f64>,
}

impl Spsa<'_> {
    /// The values of both sides of the `iteration`, from 0, around `values`. Values are kept within
    /// their ranges. A whole parameter is rounded up with the probability of its fraction, so that
    /// its mean over many iterations is right.
    pub fn sides(&self, iteration: usize, values: &[f64]) -> [Vec<f64>; 2] {
        let perturbation = self.perturbation(iteration);
        let shift = shift(iteration);
        [1.0, -1.0].map(|sign| {
            let each = self.parameters.iter().zip(values).enumerate();
            let side = each.map(|(index, (parameter, value))| {
                let moved =
                    value + sign * perturbation.directions[index] * shift * parameter.stride;
                let moved = moved.clamp(parameter.min, parameter.max);
                if !parameter.whole {
                    return moved;
                }
                (moved + perturbation.rounding[index])
                    .floor()
                    .clamp(parameter.min.ceil(), parameter.max.floor())
            });
            side.collect()
        })
    }

    /// The values after the `iteration`, in which the first side scored `better` points a game more
    /// than the second, -1 to 1.
    pub fn step(&self, iteration: usize, values: &[f64], better: f64) -> Vec<f64> {
        let directions = self.perturbation(iteration).directions;
        let stability = STABILITY * self.iterations as f64;
        let gain = ((stability + 1.0) / (stability + 1.0 + iteration as f64)).powf(ALPHA);
        let length = self.rate * gain * better / shift(iteration);
        let each = self.parameters.iter().zip(values).zip(directions);
        let moved = each.map(|((parameter, value), direction)| {
            (value + length * direction * parameter.stride).clamp(parameter.min, parameter.max)
        });
        moved.collect()
    }

    /// Chooses the perturbation of `iteration` from the seed and `iteration` alone, so that a
    /// resumed tuning goes on alike.
    fn perturbation(&self, iteration: usize) -> Perturbation {
        /// Keeps neighbouring seeds and iterations apart.
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let seed = self.seed.wrapping_add((iteration as u64 + 1).wrapping_mul(FACTOR));
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let directions =
            self.parameters.iter().map(|_| if random.random() { 1.0 } else { -1.0 }).collect();
        let rounding = self.parameters.iter().map(|_| random.random::<f64>()).collect();
        Perturbation { directions, rounding }
    }
}

/// The factor on the stride in an iteration.
fn shift(iteration: usize) -> f64 {
    (iteration as f64 + 1.0).powf(-GAMMA)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::rating::Elo;

    fn parameter(name: &str, start: f64, stride: f64, whole: bool) -> Parameter {
        Parameter { name: name.to_owned(), start, min: 0.0, max: 10.0, stride, whole }
    }

    /// The strength of an engine in Elo points: best with 7 and 3; the third parameter is idle.
    fn strength(values: &[f64]) -> f64 {
        -20.0 * (values[0] - 7.0).powi(2) - 20.0 * (values[1] - 3.0).powi(2)
    }

    /// The values of a tuning by single games: the mean over the later half of its iterations.
    fn tuned(seed: u64) -> Vec<f64> {
        const ITERATIONS: usize = 2000;
        let parameters = [
            parameter("a", 4.0, 1.0, false),
            parameter("b", 6.0, 1.0, true),
            parameter("idle", 5.0, 1.0, false),
        ];
        let spsa = Spsa { parameters: &parameters, iterations: ITERATIONS, rate: 0.1, seed };
        let mut games = Xoshiro256PlusPlus::seed_from_u64(seed + 1000);
        let mut values: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
        let mut sum = [0.0; 3];
        for iteration in 0..ITERATIONS {
            let [plus, minus] = spsa.sides(iteration, &values);
            let chance = Elo(strength(&plus) - strength(&minus)).expected_score();
            let better = if games.random::<f64>() < chance { 1.0 } else { -1.0 };
            values = spsa.step(iteration, &values, better);
            if iteration >= ITERATIONS / 2 {
                sum.iter_mut().zip(&values).for_each(|(sum, value)| *sum += value);
            }
        }
        sum.iter().map(|sum| sum / (ITERATIONS - ITERATIONS / 2) as f64).collect()
    }

    #[test]
    fn the_strongest_values_are_found_by_games() {
        for seed in 0..10 {
            let found = tuned(seed);
            assert!((found[0] - 7.0).abs() < 1.0, "seed {seed}: {found:?}");
            assert!((found[1] - 3.0).abs() < 1.0, "seed {seed}: {found:?}");
        }
        assert_eq!(tuned(1), tuned(1));
    }

    #[test]
    fn sides_are_opposite_and_within_the_range() {
        let parameters = [parameter("a", 5.0, 2.0, false), parameter("b", 0.5, 2.0, false)];
        let spsa = Spsa { parameters: &parameters, iterations: 10, rate: 0.1, seed: 3 };
        let [plus, minus] = spsa.sides(0, &[5.0, 0.5]);
        assert!((plus[0] + minus[0] - 10.0).abs() < 1e-12 && (plus[0] - minus[0]).abs() == 4.0);
        let mut second = [plus[1], minus[1]];
        second.sort_by(f64::total_cmp);
        assert_eq!(second, [0.0, 2.5]);
        let later = spsa.sides(99, &[5.0, 0.5])[0][0];
        assert!((later - 5.0).abs() < 2.0, "shifts become smaller");
        // A step goes towards the better side; no difference is no step.
        let step = spsa.step(0, &[5.0, 5.0], 1.0);
        assert!(((step[0] - 5.0) * (plus[0] - minus[0])) > 0.0);
        assert!(((step[0] - 5.0).abs() - 0.2).abs() < 1e-12);
        assert_eq!(spsa.step(0, &[5.0, 5.0], 0.0), [5.0, 5.0]);
    }

    #[test]
    fn whole_values_are_right_in_the_mean() {
        let parameters = [parameter("a", 5.3, 1.0, true)];
        let spsa = Spsa { parameters: &parameters, iterations: 10, rate: 0.1, seed: 3 };
        let mut sum = 0.0;
        for iteration in 0..4000 {
            let [plus, minus] = spsa.sides(iteration, &[5.3]);
            assert!(plus[0].fract() == 0.0 && minus[0].fract() == 0.0);
            sum += plus[0] + minus[0];
        }
        assert!((sum / 8000.0 - 5.3).abs() < 0.03, "{}", sum / 8000.0);
    }
}
