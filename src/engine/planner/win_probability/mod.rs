//! The win probability, learned from recorded games.
//!
//! Both players are measured at the start of a turn ([`Measures`]), including the ojama that they
//! can send in the coming turns, as found by short beam searches. The [`Features`] compare the
//! measures of both players, and hold the value of the player's own plan, if it is known. The win
//! probability is the logistic function of their weighted sum. All features but those of the plan
//! change their signs when the players are exchanged, so the probabilities of both players add up
//! to 1 if no plan is known.
//!
//! The learned weights are in `weights.rs`, with the command that fits them and their quality.
//! Alternatives are in W-02, W-03, W-04 and W-05.

mod features;
mod measures;
mod weights;

use crate::search::Probability;
pub use features::{FEATURES, Features, names};
pub use measures::{Measures, NAMES as MEASURES, SINGLE, TURNS_AHEAD, sealed};

/// A logistic model that turns features into a win probability.
#[derive(Clone, PartialEq, Debug)]
pub struct WinProbability {
    weights: [f64; FEATURES],
}

impl WinProbability {
    /// Returns the model with the learned weights.
    pub const fn learned() -> &'static Self {
        const LEARNED: WinProbability = WinProbability::new(weights::LEARNED);
        &LEARNED
    }

    /// Creates a model with `weights`, in the order of [`names`].
    pub const fn new(weights: [f64; FEATURES]) -> Self {
        Self { weights }
    }

    /// Returns the probability that the first player of `features` wins.
    pub fn of(&self, features: &Features) -> Probability {
        let products = self.weights.iter().zip(features.values());
        Probability(logistic(products.map(|(weight, value)| weight * value).sum()))
    }

    /// Returns the weights, in the order of [`names`].
    pub const fn weights(&self) -> &[f64; FEATURES] {
        &self.weights
    }
}

/// Returns the logistic function of `sum`.
pub fn logistic(sum: f64) -> f64 {
    1.0 / (1.0 + (-sum).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Field;
    use crate::dev::boards;
    use crate::game::Player;

    #[test]
    fn probabilities_of_both_players_add_up_to_one() {
        let fields: Vec<Field> =
            boards().iter().map(|(cells, _)| Field::from_cells(cells)).take(100).collect();
        for (index, pair) in fields.chunks_exact(2).enumerate() {
            let player = |field, stock| Player { field, stock, ..Player::new() };
            let (a, b) = (player(pair[0], 3 * index as u64), player(pair[1], 0));
            let curve = |scale: u64| (0..14).map(|turn| turn * scale).collect::<Vec<_>>();
            let (of_a, of_b) = (curve(index as u64 % 7), curve(4));
            let there = Features::of(&a, &b, [&of_a, &of_b], index);
            let back = Features::of(&b, &a, [&of_b, &of_a], index);
            let model = WinProbability::learned();
            assert!((model.of(&there).0 + model.of(&back).0 - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_better_position_has_the_higher_probability() {
        let probability = |own: &Measures, opponent: &Measures| {
            WinProbability::learned().of(&Features::between(own, opponent, 20)).0
        };
        let even = Measures { blocks: 40, curve: [30; TURNS_AHEAD], ..Measures::default() };
        assert!((probability(&even, &even) - 0.5).abs() < 1e-12);
        let waiting = Measures { stock: 40, ..even };
        assert!(probability(&even, &waiting) > 0.6);
        let armed = Measures { curve: [80; TURNS_AHEAD], ..even };
        assert!(probability(&armed, &even) > 0.7);
    }
}
