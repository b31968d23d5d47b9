//! Matrix games: both players choose at once, and what one gains the other loses.

/// What comes of a matrix game if both play as well as can be.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// What the player of the rows gains on average.
    pub value: f64,
    /// How likely that player should choose each row: 0 to 1, 1 in all.
    pub rows: Vec<f64>,
    /// How likely the other should choose each column.
    pub columns: Vec<f64>,
}

/// Differences below this are none.
const EPSILON: f64 = 1e-9;

/// Solves a game whose payoffs, to the player of the rows, are given row by row. `None` if there is
/// nothing to choose for one of the players.
///
/// Where there is a saddle point, a row and a column of which neither player gains by leaving it, it
/// is the solution: the first such. Everywhere else both have to mix, which is found by the simplex
/// method.
///
/// # Panics
/// If the rows are not of equal length, or a payoff is not finite.
pub fn solve(payoffs: &[Vec<f64>]) -> Option<Solution> {
    let columns = payoffs.first()?.len();
    assert!(payoffs.iter().all(|row| row.len() == columns), "rows of equal length");
    assert!(payoffs.iter().flatten().all(|payoff| payoff.is_finite()), "finite payoffs");
    (columns > 0).then(|| saddle_point(payoffs).unwrap_or_else(|| mixture(payoffs)))
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
        (0..count).map(|other| f64::from(u8::from(other == index))).collect()
    };
    found.map(|(row, column, value)| Solution {
        value,
        rows: pure(row, payoffs.len()),
        columns: pure(column, count),
    })
}

/// The game as a linear programme. All payoffs are raised above 0, which only raises the value `v`;
/// then `y`, the columns' likelihoods over `v`, is what has the largest sum and gains no row more
/// than 1, and the prices of these bounds are the rows' likelihoods over `v`.
fn mixture(payoffs: &[Vec<f64>]) -> Solution {
    let (rows, columns) = (payoffs.len(), payoffs[0].len());
    let least = payoffs.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    let raised = 1.0 - least;
    // A row for each bound: the columns' parts, the bounds' slacks, the bound; and last the prices.
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
    // Always the first variable that helps, and the first that gives way: so it does not go round in
    // circles (Bland's rule).
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
    let likelihood = |part: f64| (part / sum).clamp(0.0, 1.0);
    let mut of_columns = vec![0.0; columns];
    for (row, &variable) in basis.iter().enumerate().filter(|&(_, &variable)| variable < columns) {
        of_columns[variable] = likelihood(tableau[row][width - 1]);
    }
    let of_rows = tableau[rows][columns..columns + rows].iter().map(|&price| likelihood(price));
    Solution { value: 1.0 / sum - raised, rows: of_rows.collect(), columns: of_columns }
}

/// Makes a column of the tableau one of the unit matrix's.
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
    use rand::rngs::SmallRng;
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-6
    }

    #[test]
    fn a_saddle_point_is_played() {
        let solution = solve(&[vec![3.0, 1.0, 4.0], vec![0.0, -1.0, 9.0]]).unwrap();
        let expected = Solution { value: 1.0, rows: vec![1.0, 0.0], columns: vec![0.0, 1.0, 0.0] };
        assert_eq!(solution, expected);
    }

    #[test]
    fn who_can_be_read_has_to_mix() {
        // Rock, paper, scissors; and a coin that is worth three on one side.
        let beats = [vec![0.0, -1.0, 1.0], vec![1.0, 0.0, -1.0], vec![-1.0, 1.0, 0.0]];
        let solution = solve(&beats).unwrap();
        assert!(close(solution.value, 0.0), "{solution:?}");
        let all = solution.rows.iter().chain(&solution.columns);
        assert!(all.copied().all(|part| close(part, 1.0 / 3.0)), "{solution:?}");
        let solution = solve(&[vec![3.0, -1.0], vec![-1.0, 1.0]]).unwrap();
        assert!(close(solution.value, 1.0 / 3.0) && close(solution.rows[0], 1.0 / 3.0));
        assert!(close(solution.columns[1], 2.0 / 3.0));
    }

    #[test]
    fn nothing_to_choose_has_no_solution() {
        assert_eq!(solve(&[]), None);
        assert_eq!(solve(&[vec![], vec![]]), None);
    }

    /// Nobody gains by leaving the solution: that is all there is to it.
    #[test]
    fn neither_player_can_do_better() {
        let mut rng = SmallRng::seed_from_u64(5);
        for _ in 0..3000 {
            let (rows, columns) = (rng.random_range(1..7), rng.random_range(1..7));
            // Few different payoffs: ties are where the simplex method may go round in circles.
            let finest = if rng.random() { 1.0 } else { 1e-3 };
            let payoff = |_| (rng.random_range(-2.0..2.0_f64) / finest).round() * finest;
            let cells: Vec<f64> = (0..rows * columns).map(payoff).collect();
            let payoffs: Vec<Vec<f64>> = cells.chunks(columns).map(<[f64]>::to_vec).collect();
            let Solution { value, rows: of_rows, columns: of_columns } = solve(&payoffs).unwrap();
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
