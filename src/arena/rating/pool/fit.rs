//! The likeliest ratings by Newton's method, in natural units: a difference of 1 is odds of e.

use nalgebra::{Cholesky, DMatrix, DVector};

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
        let covariance = covariance(games, &ratings, &free, fixed.is_empty());
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
        let slope = DVector::from_iterator(free.len(), free.iter().map(|&player| slope[player]));
        let mut step = vec![0.0; ratings.len()];
        for (&player, &part) in free.iter().zip(&(covariance * slope)) {
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
    let covariance = covariance(games, &ratings, &free, fixed.is_empty());
    let mut fitted: Vec<Fitted> =
        ratings.iter().map(|&value| Fitted { value, deviation: 0.0 }).collect();
    for (index, &player) in free.iter().enumerate() {
        fitted[player].deviation = covariance[(index, index)].max(0.0).sqrt();
    }
    fitted
}

/// Returns the covariance of the free players' ratings: the inverse of the Fisher information of
/// the games. If `centred`, it is the covariance of their differences from the mean.
fn covariance(games: &[Games], ratings: &[f64], free: &[usize], centred: bool) -> DMatrix<f64> {
    let mut row = vec![None; ratings.len()];
    for (index, &player) in free.iter().enumerate() {
        row[player] = Some(index);
    }
    let mut information = DMatrix::zeros(free.len(), free.len());
    for pair in games {
        let difference = ratings[pair.a] - ratings[pair.b];
        let known = pair.games * logistic(difference) * logistic(-difference);
        let rows = [row[pair.a], row[pair.b]];
        for row in rows.into_iter().flatten() {
            information[(row, row)] += known;
        }
        if let [Some(a), Some(b)] = rows {
            information[(a, b)] -= known;
            information[(b, a)] -= known;
        }
    }
    let greatest = information.diagonal().iter().copied().fold(0.0, f64::max);
    for index in 0..free.len() {
        information[(index, index)] += RIDGE * greatest;
    }
    if !centred {
        return inverse(information);
    }
    // Games carry no information about the mean, so the matrix has no inverse. Information about
    // the mean, of the same order as the rest, is added, and its part of the variance is subtracted
    // afterwards.
    let players = free.len() as f64;
    let mean = greatest / players;
    information.add_scalar_mut(mean);
    let mut covariance = inverse(information);
    covariance.add_scalar_mut(-1.0 / (mean * players * players));
    covariance
}

/// Returns the inverse of a symmetric, positive definite matrix.
fn inverse(matrix: DMatrix<f64>) -> DMatrix<f64> {
    let factors = Cholesky::new(matrix);
    factors.expect("the ridge makes the information positive definite").inverse()
}

/// Returns the expected score at a difference.
fn logistic(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}
