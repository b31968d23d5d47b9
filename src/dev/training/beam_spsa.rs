//! Optimises the weights of a beam by comparison (SPSA), where only the difference of two sets can be
//! measured.

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::arena::tuning::{Parameter, Spsa};

/// Length of the first step, in strides per round by which the mean chains of the two sides differ.
const RATE: f64 = 1.0;

/// The difference of the sides beyond which a step does not become longer.
const MOST_DIFFERENCE: f64 = 0.3;

/// Climbs to better weights by the shifts and steps of [`Spsa`]. A comparison costs no game here, and
/// its noise is small.
#[derive(Clone, Debug)]
pub struct Climb<const N: usize> {
    parameters: [Parameter; N],
    weights: [f64; N],
    steps: usize,
    seed: u64,
    /// Chooses the samples.
    random: Xoshiro256PlusPlus,
    /// The weights after each step.
    path: Vec<[f64; N]>,
}

impl<const N: usize> Climb<N> {
    /// Starts a climb of `steps` steps at the weights `from`. A stride should be the change of a
    /// weight that makes a measurable difference; a weight with a stride of 0 does not change.
    pub fn new(from: [f64; N], strides: [f64; N], steps: usize, seed: u64) -> Self {
        let parameters = std::array::from_fn(|n| Parameter {
            name: String::new(),
            start: from[n],
            min: f64::NEG_INFINITY,
            max: f64::INFINITY,
            stride: strides[n],
            whole: false,
        });
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        Self { parameters, weights: from, steps, seed, random, path: Vec::new() }
    }

    fn spsa(&self) -> Spsa<'_> {
        let (parameters, iterations) = (&self.parameters, self.steps);
        Spsa { parameters, iterations, rate: RATE, seed: self.seed }
    }

    /// Returns the two sets of weights to compare.
    pub fn sides(&self) -> [[f64; N]; 2] {
        self.spsa().sides(self.path.len(), &self.weights).map(array)
    }

    /// Chooses `count` indices below `of`, with repetition: the samples that compare the sides.
    pub fn sampled(&mut self, of: usize, count: usize) -> Vec<usize> {
        (0..count).map(|_| self.random.random_range(0..of)).collect()
    }

    /// Takes a step. `better` is the result of the first side minus that of the second.
    pub fn step(&mut self, better: f64) {
        let better = better.clamp(-MOST_DIFFERENCE, MOST_DIFFERENCE);
        self.weights = array(self.spsa().step(self.path.len(), &self.weights, better));
        self.path.push(self.weights);
    }

    /// Returns the mean of the weights after the later half of the steps, because the last step
    /// alone depends on chance.
    pub fn weights(&self) -> [f64; N] {
        let half = &self.path[self.path.len() / 2..];
        if half.is_empty() {
            return self.weights;
        }
        let mean = |weight: usize| half.iter().map(|at| at[weight]).sum::<f64>();
        std::array::from_fn(|weight| mean(weight) / half.len() as f64)
    }
}

/// The values of all weights as an array.
fn array<const N: usize>(values: Vec<f64>) -> [f64; N] {
    std::array::from_fn(|n| values[n])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hill with its maximum at 3 and -1; the third weight has no effect.
    fn height(weights: &[f64; 3]) -> f64 {
        -(weights[0] - 3.0).powi(2) - 4.0 * (weights[1] + 1.0).powi(2)
    }

    fn climb(seed: u64) -> [f64; 3] {
        let mut climb = Climb::new([0.0; 3], [1.0, 0.5, 0.0], 400, seed);
        let mut noise = Xoshiro256PlusPlus::seed_from_u64(seed + 1);
        for _ in 0..400 {
            let [one, other] = climb.sides();
            let noise: f64 = noise.random_range(-0.5..0.5);
            climb.step((height(&one) - height(&other)) / 8.0 + noise);
        }
        climb.weights()
    }

    #[test]
    fn the_maximum_is_found_in_noise() {
        for seed in 0..20 {
            let [first, second, third] = climb(seed);
            assert!((first - 3.0).abs() < 0.5 && (second + 1.0).abs() < 0.25, "{first} {second}");
            assert_eq!(third, 0.0, "its stride is 0");
        }
        assert_eq!(climb(1), climb(1));
        assert_ne!(climb(1), climb(2));
    }

    #[test]
    fn a_climb_without_steps_returns_its_start() {
        let mut climb = Climb::new([1.0, 2.0], [1.0; 2], 9, 4);
        assert_eq!(climb.weights(), [1.0, 2.0]);
        let [one, other] = climb.sides();
        let middle: [f64; 2] = std::array::from_fn(|n| f64::midpoint(one[n], other[n]));
        assert_eq!(middle, [1.0, 2.0]);
        assert_eq!(climb.sampled(3, 50).iter().max(), Some(&2));
    }
}
