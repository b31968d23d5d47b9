//! Zero-sum matrix games, in which both players choose at once.

use super::{Payoff, Probability};

/// The equilibrium of a matrix game.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// The average gain of the row player.
    pub value: Payoff,
    /// The probability of each row for the row player; the sum is 1.
    pub rows: Vec<Probability>,
    /// The probability of each column for the column player; the sum is 1.
    pub columns: Vec<Probability>,
}

/// Smaller differences count as 0.
const EPSILON: f64 = 1e-9;

/// Solves the game with `payoffs`, the gains of the row player, row by row. Returns `None` if there
/// is no row or no column.
///
/// If there is a saddle point (a row and a column from which neither player gains by deviating),
/// the first one is the solution. Otherwise the simplex method finds a mixed solution.
///
/// # Panics
/// If the rows are not of equal length, or a payoff is not finite.
pub fn solve(payoffs: &[Vec<Payoff>]) -> Option<Solution> {
    let columns = payoffs.first()?.len();
    assert!(payoffs.iter().all(|row| row.len() == columns), "rows of equal length");
    assert!(payoffs.iter().flatten().all(|payoff| payoff.0.is_finite()), "finite payoffs");
    let plain: Vec<Vec<f64>> =
        payoffs.iter().map(|row| row.iter().map(|payoff| payoff.0).collect()).collect();
    (columns > 0).then(|| saddle_point(&plain).unwrap_or_else(|| mixture(&plain)))
}

fn saddle_point(payoffs: &[Vec<f64>]) -> Option<Solution> {
    let worst = |row: &Vec<f64>| row.iter().copied().fold(f64::INFINITY, f64::min);
    let column = |column: usize| payoffs.iter().map(move |row| row[column]);
    let best = |index: usize| column(index).fold(f64::NEG_INFINITY, f64::max);
    let count = payoffs[0].len();
    let found = payoffs.iter().enumerate().find_map(|(row, of_row)| {
        let value = worst(of_row);
        let is_saddle = |&column: &usize| of_row[column] <= value && best(column) <= value;
        Some((row, (0..count).find(is_saddle)?, value))
    });
    let pure = |index: usize, count: usize| {
        (0..count).map(|other| Probability(f64::from(u8::from(other == index)))).collect()
    };
    found.map(|(row, column, value)| Solution {
        value: Payoff(value),
        rows: pure(row, payoffs.len()),
        columns: pure(column, count),
    })
}

/// Solves the game as a linear programme.
///
/// All payoffs are raised above 0, which raises only the value `v`. The vector `y`, the column
/// probabilities divided by `v`, then has the largest sum for which no row gains more than 1. The
/// prices of these bounds are the row probabilities divided by `v`.
fn mixture(payoffs: &[Vec<f64>]) -> Solution {
    let (rows, columns) = (payoffs.len(), payoffs[0].len());
    let least = payoffs.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    let raised = 1.0 - least;
    // A row for each bound: the columns' parts, the slacks, the bound. The last row is the prices.
    let width = columns + rows + 1;
    let mut tableau: Vec<Vec<f64>> = payoffs
        .iter()
        .enumerate()
        .map(|(index, row)| {
            let mut line: Vec<f64> = row.iter().map(|payoff| payoff + raised).collect();
            line.resize(width, 0.0);
            line[columns + index] = 1.0;
            line[width - 1] = 1.0;
            line
        })
        .collect();
    let mut prices = vec![0.0; width];
    prices[..columns].fill(-1.0);
    tableau.push(prices);
    let mut basis: Vec<usize> = (columns..columns + rows).collect();
    // Bland's rule against cycles: the first variable that improves the sum enters, and the first
    // of the tightest bounds leaves.
    while let Some(enters) = (0..width - 1).find(|&index| tableau[rows][index] < -EPSILON) {
        let bound = |row: &usize| tableau[*row][width - 1] / tableau[*row][enters];
        let leaves = (0..rows)
            .filter(|&row| tableau[row][enters] > EPSILON)
            .min_by(|a, b| bound(a).total_cmp(&bound(b)).then(basis[*a].cmp(&basis[*b])));
        let Some(leaves) = leaves else { unreachable!("payoffs above 0 bound the sum") };
        pivot(&mut tableau, leaves, enters);
        basis[leaves] = enters;
    }
    let sum = tableau[rows][width - 1];
    let probability = |part: f64| Probability((part / sum).clamp(0.0, 1.0));
    let mut of_columns = vec![Probability(0.0); columns];
    for (row, &variable) in basis.iter().enumerate().filter(|&(_, &variable)| variable < columns) {
        of_columns[variable] = probability(tableau[row][width - 1]);
    }
    let of_rows = tableau[rows][columns..columns + rows].iter().map(|&price| probability(price));
    Solution { value: Payoff(1.0 / sum - raised), rows: of_rows.collect(), columns: of_columns }
}

/// Makes the column `enters` of the tableau a unit vector, with its 1 in the row `leaves`.
fn pivot(tableau: &mut [Vec<f64>], leaves: usize, enters: usize) {
    let divisor = tableau[leaves][enters];
    tableau[leaves].iter_mut().for_each(|cell| *cell /= divisor);
    let line = tableau[leaves].clone();
    for (_, cells) in tableau.iter_mut().enumerate().filter(|&(row, _)| row != leaves) {
        let factor = cells[enters];
        cells.iter_mut().zip(&line).for_each(|(cell, other)| *cell -= factor * other);
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// The value and the probabilities of the rows and the columns.
    type PlainSolution = (f64, Vec<f64>, Vec<f64>);

    fn solved(payoffs: &[Vec<f64>]) -> Option<PlainSolution> {
        let row = |row: &Vec<f64>| row.iter().copied().map(Payoff).collect();
        let solution = solve(&payoffs.iter().map(row).collect::<Vec<_>>())?;
        let plain = |of: Vec<Probability>| of.into_iter().map(|part| part.0).collect();
        Some((solution.value.0, plain(solution.rows), plain(solution.columns)))
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-6
    }

    #[test]
    fn a_saddle_point_is_played() {
        let solution = solved(&[vec![3.0, 1.0, 4.0], vec![0.0, -1.0, 9.0]]).unwrap();
        assert_eq!(solution, (1.0, vec![1.0, 0.0], vec![0.0, 1.0, 0.0]));
    }

    #[test]
    fn a_game_without_a_saddle_point_is_mixed() {
        // Rock, paper, scissors; and matching pennies with a payoff of 3 for one pair.
        let beats = [vec![0.0, -1.0, 1.0], vec![1.0, 0.0, -1.0], vec![-1.0, 1.0, 0.0]];
        let (value, rows, columns) = solved(&beats).unwrap();
        assert!(close(value, 0.0), "{value}");
        let all = rows.iter().chain(&columns);
        assert!(all.copied().all(|part| close(part, 1.0 / 3.0)), "{rows:?} {columns:?}");
        let (value, rows, columns) = solved(&[vec![3.0, -1.0], vec![-1.0, 1.0]]).unwrap();
        assert!(close(value, 1.0 / 3.0) && close(rows[0], 1.0 / 3.0));
        assert!(close(columns[1], 2.0 / 3.0));
    }

    #[test]
    fn a_game_without_rows_or_columns_has_no_solution() {
        assert_eq!(solve(&[]), None);
        assert_eq!(solve(&[vec![], vec![]]), None);
    }

    /// In an equilibrium, neither player gains by deviating.
    #[test]
    fn neither_player_gains_by_deviating() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        for _ in 0..3000 {
            let (rows, columns) = (rng.random_range(1..7), rng.random_range(1..7));
            // Few different payoffs: with ties, the simplex method may cycle.
            let finest = if rng.random() { 1.0 } else { 1e-3 };
            let payoff = |_| (rng.random_range(-2.0..2.0_f64) / finest).round() * finest;
            let cells: Vec<f64> = (0..rows * columns).map(payoff).collect();
            let payoffs: Vec<Vec<f64>> = cells.chunks(columns).map(<[f64]>::to_vec).collect();
            let (value, of_rows, of_columns) = solved(&payoffs).unwrap();
            assert!(close(of_rows.iter().sum(), 1.0) && close(of_columns.iter().sum(), 1.0));
            for column in 0..columns {
                let gain: f64 = of_rows.iter().zip(&payoffs).map(|(p, row)| p * row[column]).sum();
                assert!(gain > value - 1e-6, "{payoffs:?}");
            }
            for row in &payoffs {
                let gain: f64 = of_columns.iter().zip(row).map(|(p, payoff)| p * payoff).sum();
                assert!(gain < value + 1e-6, "{payoffs:?}");
            }
        }
    }
}
