//! The accuracy of a player in a game, in percent, as lichess computes it from losses of win
//! probability.
//!
//! An action that loses nothing has 100 %. The game has the mean of two means of its actions: one
//! that weighs a turn by how much the win probability moves around it, so that an action of a
//! decided game counts little, and the harmonic one, in which a blunder counts much. Experiment
//!

use serde::Serialize;

use super::TurnCost;
use crate::search::Probability;

/// A share of perfect play in percent, 0 to 100.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Serialize)]
#[serde(transparent)]
pub struct Accuracy(pub f64);

/// The curve of an action: `HEIGHT exp(-DECAY lost) - BASE`, and `BONUS` more because a review is
/// not certain. `lost` is in percent. Experiment A-40.
const HEIGHT: f64 = 103.166_810_071_164_9;
/// The decay of the curve for each percent that is lost.
const DECAY: f64 = 0.043_544_153_867_539_51;
/// What is taken off the curve.
const BASE: f64 = 3.166_924_740_191_411;
/// What is added for the uncertainty of a review.
const BONUS: f64 = 1.0;

/// The fewest and the most turns over which the win probability is seen to move; between them, a
/// tenth of the turns.
const WINDOW: [usize; 2] = [2, 8];

/// The least and the greatest weight of a turn: the standard deviation of the win probabilities of
/// its window, in percent.
const WEIGHT: [f64; 2] = [0.5, 12.0];

/// The accuracy of an action that loses a win probability.
fn of_action(Probability(lost): Probability) -> f64 {
    if lost <= 0.0 {
        return 100.0;
    }
    (HEIGHT * (-DECAY * 100.0 * lost).exp() - BASE + BONUS).clamp(0.0, 100.0)
}

/// The accuracy of a player in the turns of `costs`; `None` if there are none.
pub fn accuracy(costs: &[TurnCost]) -> Option<Accuracy> {
    let last = costs.last()?;
    let actions: Vec<f64> = costs.iter().map(|cost| of_action(cost.lost())).collect();
    let end = last.after.unwrap_or_else(|| last.before());
    let chances = costs.iter().map(TurnCost::before).chain([end]);
    let percent: Vec<f64> = chances.map(|chance| 100.0 * chance.0).collect();
    let [fewest, most] = WINDOW;
    let window = (costs.len() / 10).clamp(fewest, most).min(percent.len());
    let weight = |turn: usize| {
        // The window ends at the win probability after the turn.
        let start = (turn + 2).saturating_sub(window);
        let [least, greatest] = WEIGHT;
        deviation(&percent[start..start + window]).clamp(least, greatest)
    };
    let count = actions.len() as f64;
    let weights: f64 = (0..actions.len()).map(weight).sum();
    let weighed: f64 = actions.iter().enumerate().map(|(turn, one)| weight(turn) * one).sum();
    let inverse: f64 = actions.iter().map(|one| 1.0 / one.max(1.0)).sum();
    Some(Accuracy((weighed / weights).midpoint(count / inverse)))
}

/// The standard deviation of values, at least one.
fn deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::costs::tests::cost;
    use super::*;

    fn accuracy_of(turns: &[[f64; 3]]) -> f64 {
        let costs = turns.iter().enumerate();
        let costs = costs.map(|(turn, &[before, after, ojama])| cost(turn, before, after, ojama));
        accuracy(&costs.collect::<Vec<_>>()).unwrap().0
    }

    #[test]
    fn an_action_is_rated_as_on_lichess() {
        let rated = |lost| (10.0 * of_action(Probability(lost))).round() / 10.0;
        assert_eq!([0.0, 0.05, 0.15, 0.5, 1.0].map(rated), [100.0, 80.8, 51.5, 9.5, 0.0]);
    }

    #[test]
    fn a_game_without_a_loss_is_played_with_100_percent() {
        assert_eq!(accuracy(&[]), None);
        assert!((accuracy_of(&[[0.5, 0.4, 0.0], [0.4, 0.2, 0.0]]) - 100.0).abs() < 1e-9);
    }

    #[test]
    fn a_loss_counts_more_in_a_short_game_and_in_one_that_turns() {
        let good = [0.5, 0.5, 0.0];
        let blunder = [0.5, 0.1, 40.0];
        let short = accuracy_of(&[good, blunder]);
        let long = accuracy_of(&[good, good, good, good, blunder]);
        assert!(0.0 < short && short < long && long < 100.0, "{short} {long}");
        let slip = [0.6, 0.5, 8.0];
        let mild = accuracy_of(&[good, slip]);
        assert!(short < mild && mild < 100.0, "{short} {mild}");
    }
}
