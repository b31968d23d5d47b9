//! The likeliest ratings by Newton's method, in natural units: a difference of 1 is odds of e.

use crate::util::cholesky::Cholesky;

/// The games of a pair.
pub(super) struct Games {
    /// The index of one player.
    pub a: usize,
    /// The index of the other player.
    pub b: usize,
    /// The number of games.
    pub games: f64,
    /// The points that `a` scored in them.
    pub points: f64,
}

/// A player's rating.
#[derive(Clone, Copy, Default)]
pub(super) struct Fitted {
    pub value: f64,
    /// The standard deviation of the rating; 0 for an anchor.
    pub deviation: f64,
}

/// The method ends at a step that changes no difference by this or more.
const PRECISION: f64 = 1e-10;

/// Maximum number of Newton steps. Seven are typical; 10^9 games without a loss take fifty.
const STEPS: usize = 200;

/// A term added to the diagonal of the information, relative to its greatest element. It keeps the
/// matrix invertible where rounding removes small parts of the information.
const RIDGE: f64 = 1e-12;

/// Returns the likeliest ratings of all players. Anchors keep their ratings; without anchors, the
/// mean is 0. Games must connect every player with an anchor, or without anchors with all others.
pub(super) fn fit(games: &[Games], anchors: &[Option<f64>]) -> Vec<Fitted> {
    let fixed: Vec<f64> = anchors.iter().copied().flatten().collect();
    let start = if fixed.is_empty() { 0.0 } else { fixed.iter().sum::<f64>() / fixed.len() as f64 };
    let mut ratings: Vec<f64> = anchors.iter().map(|anchor| anchor.unwrap_or(start)).collect();
    let free: Vec<usize> = (0..anchors.len()).filter(|&player| anchors[player].is_none()).collect();
    for _ in 0..STEPS {
        let (factors, _) = information(games, &ratings, &free, fixed.is_empty());
        let mut slope = vec![0.0; ratings.len()];
        for pair in games {
            // The points above the expected score, written so that a few losses among a great many
            // wins are not rounded away.
            let difference = ratings[pair.a] - ratings[pair.b];
            let lost = pair.games - pair.points;
            let surplus = pair.points * logistic(-difference) - lost * logistic(difference);
            slope[pair.a] += surplus;
            slope[pair.b] -= surplus;
        }
        let slope: Vec<f64> = free.iter().map(|&player| slope[player]).collect();
        let mut step = vec![0.0; ratings.len()];
        for (&player, part) in free.iter().zip(factors.solve(&slope)) {
            step[player] = part;
        }
        let reach =
            games.iter().map(|pair| (step[pair.a] - step[pair.b]).abs()).fold(0.0, f64::max);
        if reach < PRECISION {
            break;
        }
        // A full step may overshoot. A step of this length never does for the logistic curve, and
        // close to the maximum it is almost a full one (Sun and Tran-Dinh 2019, *Generalized
        // self-concordant functions*).
        let length = reach.ln_1p() / reach;
        for (rating, step) in ratings.iter_mut().zip(step) {
            *rating += length * step;
        }
    }
    let (factors, excess) = information(games, &ratings, &free, fixed.is_empty());
    let mut fitted: Vec<Fitted> =
        ratings.iter().map(|&value| Fitted { value, deviation: 0.0 }).collect();
    for (&player, variance) in free.iter().zip(factors.inverse_diagonal()) {
        fitted[player].deviation = (variance - excess).max(0.0).sqrt();
    }
    fitted
}

/// Returns the factors of the Fisher information of the games about the free players' ratings, whose
/// inverse is the ratings' covariance. If `centred`, the ratings are differences from their mean, of
/// which the games say nothing: information about it is added, and the second value is its part of
/// each variance, else 0.
fn information(games: &[Games], ratings: &[f64], free: &[usize], centred: bool) -> (Cholesky, f64) {
    let mut row = vec![None; ratings.len()];
    for (index, &player) in free.iter().enumerate() {
        row[player] = Some(index);
    }
    let mut information = vec![vec![0.0; free.len()]; free.len()];
    for pair in games {
        let difference = ratings[pair.a] - ratings[pair.b];
        let known = pair.games * logistic(difference) * logistic(-difference);
        let rows = [row[pair.a], row[pair.b]];
        for row in rows.into_iter().flatten() {
            information[row][row] += known;
        }
        if let [Some(a), Some(b)] = rows {
            information[a.max(b)][a.min(b)] -= known;
        }
    }
    let greatest = (0..free.len()).map(|at| information[at][at]).fold(0.0, f64::max);
    let players = free.len() as f64;
    // Of the same order as the rest.
    let mean = if centred { greatest / players } else { 0.0 };
    for (at, row) in information.iter_mut().enumerate() {
        row[at] += RIDGE * greatest;
        row.iter_mut().for_each(|cell| *cell += mean);
    }
    let factors = Cholesky::new(information);
    let excess = if centred { 1.0 / (mean * players * players) } else { 0.0 };
    (factors.expect("the ridge makes the information positive definite"), excess)
}

/// Returns the expected score at a difference.
fn logistic(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}
