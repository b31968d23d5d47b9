//! Weights by trial: where what they are worth can be compared and not much else is known of it.

use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};

/// How far a step goes at first, in strides, for each chain of difference: ...
const RATE: f64 = 1.0;

/// ... at the end only this part of it, ...
const LAST_RATE: f64 = 0.3;

/// ... and never further than this, in strides.
const FURTHEST: f64 = 0.3;

/// A climb to better weights: in every step all of them are turned at once, each up or down by its
/// stride at random; the weights so turned are compared with those turned the other way; and all
/// move to the better side, the further the greater the difference. (Simultaneous perturbation: J.
/// C. Spall, IEEE Transactions on Automatic Control 37, 1992.) One comparison tells little of each
/// weight, but costs as much for thirty of them as for one.
#[derive(Clone, Debug)]
pub struct Climb<const N: usize> {
    at: [f64; N],
    strides: [f64; N],
    /// The side that is tried, weight by weight: 1 or -1.
    side: [f64; N],
    random: SmallRng,
    steps: usize,
    /// Where it was after each step.
    path: Vec<[f64; N]>,
}

impl<const N: usize> Climb<N> {
    /// From some weights, by strides of about what makes a difference, in so many steps. Weights
    /// whose stride is 0 stay.
    pub fn new(from: [f64; N], strides: [f64; N], steps: usize, seed: u64) -> Self {
        let random = SmallRng::seed_from_u64(seed);
        Self { at: from, strides, side: [1.0; N], random, steps, path: Vec::new() }
    }

    /// What is to be compared next.
    pub fn sides(&mut self) -> [[f64; N]; 2] {
        self.side = [0.0; N].map(|_| if self.random.random() { 1.0 } else { -1.0 });
        [1.0, -1.0].map(|sign| self.moved(sign))
    }

    /// Of so many things, as many as are wanted, to compare the sides by.
    pub fn drawn(&mut self, of: usize, count: usize) -> Vec<usize> {
        (0..count).map(|_| self.random.random_range(0..of)).collect()
    }

    /// Goes on, the first side being so much better than the second.
    pub fn step(&mut self, better: f64) {
        let part = self.path.len() as f64 / self.steps.max(1) as f64;
        let rate = RATE * (1.0 - (1.0 - LAST_RATE) * part.min(1.0));
        self.at = self.moved((rate * better).clamp(-FURTHEST, FURTHEST));
        self.path.push(self.at);
    }

    /// The mean of the later half of its steps: the last one is where chance has led it.
    pub fn weights(&self) -> [f64; N] {
        let half = &self.path[self.path.len() / 2..];
        if half.is_empty() {
            return self.at;
        }
        let mean = |weight: usize| half.iter().map(|at| at[weight]).sum::<f64>();
        std::array::from_fn(|weight| mean(weight) / half.len() as f64)
    }

    fn moved(&self, by: f64) -> [f64; N] {
        std::array::from_fn(|n| self.at[n] + by * self.strides[n] * self.side[n])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hill with its top at 3 and -1; the third weight makes no difference.
    fn height(weights: &[f64; 3]) -> f64 {
        -(weights[0] - 3.0).powi(2) - 4.0 * (weights[1] + 1.0).powi(2)
    }

    fn climb(seed: u64) -> [f64; 3] {
        let mut climb = Climb::new([0.0; 3], [1.0, 0.5, 0.0], 400, seed);
        let mut noise = SmallRng::seed_from_u64(seed + 1);
        for _ in 0..400 {
            let [one, other] = climb.sides();
            let noise: f64 = noise.random_range(-0.5..0.5);
            climb.step((height(&one) - height(&other)) / 8.0 + noise);
        }
        climb.weights()
    }

    #[test]
    fn the_top_is_found_in_noise() {
        for seed in 0..20 {
            let [first, second, third] = climb(seed);
            assert!((first - 3.0).abs() < 0.5 && (second + 1.0).abs() < 0.25, "{first} {second}");
            assert_eq!(third, 0.0, "its stride is 0");
        }
        assert_eq!(climb(1), climb(1));
        assert_ne!(climb(1), climb(2));
    }

    #[test]
    fn what_was_not_begun_is_where_it_starts() {
        let mut climb = Climb::new([1.0, 2.0], [1.0; 2], 9, 4);
        assert_eq!(climb.weights(), [1.0, 2.0]);
        let [one, other] = climb.sides();
        let middle: [f64; 2] = std::array::from_fn(|n| f64::midpoint(one[n], other[n]));
        assert_eq!(middle, [1.0, 2.0]);
        assert_eq!(climb.drawn(3, 50).iter().max(), Some(&2));
    }
}
