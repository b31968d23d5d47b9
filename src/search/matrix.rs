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

/// The gain by deviating, and the error of a sum of probabilities, that an equilibrium may have.
const TOLERANCE: f64 = 1e-6;

/// Payoffs are rounded to multiples of 1 / `GRID` if rounding errors spoil the exact ones.
const GRID: f64 = 4096.0;

/// The most steps of the simplex method. Games of up to 7 rows and columns take 70 at most.
const MOST_STEPS: usize = 400;

/// The variable that a step of the simplex method adds to the basis.
#[derive(Clone, Copy)]
enum Entering {
    /// The first one that improves the sum (Bland's rule): without rounding errors, no game makes
    /// the method cycle.
    First,
    /// The one of the lowest price, which divides by small numbers less often.
    LowestPrice,
}

/// Solves the game with `payoffs`, the gains of the row player (about -1 to 1), row by row. Returns
/// `None` if there is no row or no column.
///
/// If there is a saddle point (a row and a column from which neither player gains by deviating),
/// the first one is the solution. Otherwise the simplex method finds a mixed solution, from which
/// no player gains more than 1e-6 by deviating. Payoffs that hardly differ (hyperbolic tangents of
/// large balances) can make it divide by a rounding error. The game is then solved with payoffs
/// rounded to 1/4096, so that a player may gain 0.00025 by deviating; and if that fails too, each
/// player plays the row or column with the best worst payoff.
///
/// # Panics
/// If the rows are not of equal length, or a payoff is not finite.
pub fn solve(payoffs: &[Vec<Payoff>]) -> Option<Solution> {
    let columns = payoffs.first()?.len();
    assert!(payoffs.iter().all(|row| row.len() == columns), "rows of equal length");
    assert!(payoffs.iter().flatten().all(|payoff| payoff.0.is_finite()), "finite payoffs");
    let plain: Vec<Vec<f64>> =
        payoffs.iter().map(|row| row.iter().map(|payoff| payoff.0).collect()).collect();
    if columns == 0 {
        return None;
    }
    let simplex = |payoffs: &[Vec<f64>], entering| {
        mixture(payoffs, entering).filter(|found| is_equilibrium(payoffs, found))
    };
    let of_rounded = || {
        let round =
            |row: &Vec<f64>| row.iter().map(|payoff| (payoff * GRID).round() / GRID).collect();
        simplex(&plain.iter().map(round).collect::<Vec<_>>(), Entering::LowestPrice)
    };
    let found =
        saddle_point(&plain).or_else(|| simplex(&plain, Entering::First)).or_else(of_rounded);
    Some(found.unwrap_or_else(|| best_worst(&plain)))
}

/// The probabilities of a player that always plays the row or column `index` of `count`.
fn pure(index: usize, count: usize) -> Vec<Probability> {
    (0..count).map(|other| Probability(f64::from(u8::from(other == index)))).collect()
}

/// Whether the probabilities add up to 1, and no player gains by deviating.
fn is_equilibrium(payoffs: &[Vec<f64>], solution: &Solution) -> bool {
    let Solution { value: Payoff(value), rows, columns } = solution;
    let is_whole =
        |of: &[Probability]| (of.iter().map(|part| part.0).sum::<f64>() - 1.0).abs() < TOLERANCE;
    let of_row =
        |row: &Vec<f64>| row.iter().zip(columns).map(|(payoff, part)| payoff * part.0).sum();
    let of_column =
        |column: usize| payoffs.iter().zip(rows).map(|(row, part)| row[column] * part.0).sum();
    is_whole(rows)
        && is_whole(columns)
        && payoffs.iter().all(|row| {
            let gain: f64 = of_row(row);
            gain < value + TOLERANCE
        })
        && (0..columns.len()).all(|column| {
            let gain: f64 = of_column(column);
            gain > value - TOLERANCE
        })
}

/// The row of the greatest least payoff against the column of the least greatest payoff; the value
/// lies between the two.
fn best_worst(payoffs: &[Vec<f64>]) -> Solution {
    let count = payoffs[0].len();
    let least = |row: usize| payoffs[row].iter().copied().fold(f64::INFINITY, f64::min);
    let greatest =
        |column: usize| payoffs.iter().map(|row| row[column]).fold(f64::NEG_INFINITY, f64::max);
    let row = (0..payoffs.len()).max_by(|&a, &b| least(a).total_cmp(&least(b)));
    let column = (0..count).min_by(|&a, &b| greatest(a).total_cmp(&greatest(b)));
    let (row, column) = (row.unwrap_or(0), column.unwrap_or(0));
    Solution {
        value: Payoff(f64::midpoint(least(row), greatest(column))),
        rows: pure(row, payoffs.len()),
        columns: pure(column, count),
    }
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
    found.map(|(row, column, value)| Solution {
        value: Payoff(value),
        rows: pure(row, payoffs.len()),
        columns: pure(column, count),
    })
}

/// Solves the game as a linear programme. Returns `None` if rounding errors prevent a solution.
///
/// All payoffs are raised above 0, which raises only the value `v`. The vector `y`, the column
/// probabilities divided by `v`, then has the largest sum for which no row gains more than 1. The
/// prices of these bounds are the row probabilities divided by `v`.
fn mixture(payoffs: &[Vec<f64>], entering: Entering) -> Option<Solution> {
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
    for step in 0.. {
        let prices = &tableau[rows];
        let mut improving = (0..width - 1).filter(|&index| prices[index] < -EPSILON);
        let enters = match entering {
            Entering::First => improving.next(),
            Entering::LowestPrice => improving.min_by(|&a, &b| prices[a].total_cmp(&prices[b])),
        };
        let Some(enters) = enters else { break };
        if step == MOST_STEPS {
            return None;
        }
        // The first of the tightest bounds leaves.
        let bound = |row: &usize| tableau[*row][width - 1] / tableau[*row][enters];
        let leaves = (0..rows)
            .filter(|&row| tableau[row][enters] > EPSILON)
            .min_by(|a, b| bound(a).total_cmp(&bound(b)).then(basis[*a].cmp(&basis[*b])))?;
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
    let value = Payoff(1.0 / sum - raised);
    Some(Solution { value, rows: of_rows.collect(), columns: of_columns })
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

    /// The greatest gain of a player by deviating, after a check of the probabilities.
    fn gain_by_deviating(payoffs: &[Vec<f64>]) -> f64 {
        let (value, rows, columns) = solved(payoffs).unwrap();
        let are_probabilities = |of: &[f64]| {
            close(of.iter().sum(), 1.0) && of.iter().all(|part| (0.0..=1.0).contains(part))
        };
        assert!(are_probabilities(&rows) && are_probabilities(&columns), "{payoffs:?}");
        let of_row = |row: &Vec<f64>| row.iter().zip(&columns).map(|(p, part)| p * part).sum();
        let of_rows = payoffs.iter().map(|row| -> f64 { of_row(row) }).map(|gain| gain - value);
        let of_columns = (0..columns.len()).map(|column| {
            value - payoffs.iter().zip(&rows).map(|(row, part)| row[column] * part).sum::<f64>()
        });
        of_rows.chain(of_columns).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The payoffs of balances in ojama, as the planner computes them.
    fn payoffs_of(scale: f64, balances: &str) -> Vec<Vec<f64>> {
        let payoff = |text: &str| (text.trim().parse::<f64>().unwrap() / scale).tanh();
        balances.split(';').map(|row| row.split(',').map(payoff).collect()).collect()
    }

    /// With these payoffs, an earlier version of the simplex method divided by a rounding error: it
    /// panicked, or its probabilities were wrong.
    #[test]
    fn payoffs_that_hardly_differ_have_a_solution() {
        for (scale, balances) in [
            (
                50.0,
                "300,21,-300,-19,-300,-300,300; 300,300,300,-300,300,300,-300; \
                 -300,300,300,-300,300,41,300; 300,300,-300,-19,58,-30,300; \
                 300,300,-300,-19,59,-30,300; 299,22,-300,-19,-300,-300,300; \
                 300,300,-300,-19,57,-30,300",
            ),
            (
                50.0,
                "300,-35,-19,-300; 300,-35,-19,-300; 300,-34,-19,-300; 299,-34,-19,-299; \
                 10,-300,-300,26",
            ),
            (
                5.0,
                "300,-58,-87,-300,73; -300,300,-80,40,-46; 300,-49,-300,-300,87; \
                 -300,53,-89,300,-60; -81,-45,-300,49,-300; 81,66,-300,-44,-85; 42,75,64,-41,300",
            ),
            (5.0, "1,3,-24,-51,-96; 1,-11,-12,-44,-14; 1,-11,-12,-36,-300; 1,3,-20,-44,-300"),
            (
                10.0,
                "-26,-38,-37,-106,-139; -26,-38,-46,-1,-136; -26,-38,-46,-300,-126; \
                 -26,-38,-46,-300,-300",
            ),
        ] {
            let gain = gain_by_deviating(&payoffs_of(scale, balances));
            assert!(gain < 3e-4, "{balances}: {gain}");
        }
    }

    #[test]
    fn similar_rows_of_balances_have_a_solution() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
        for _ in 0..20_000 {
            let (rows, columns) = (rng.random_range(2..8), rng.random_range(2..8));
            let scale = [5.0, 10.0, 20.0, 50.0][rng.random_range(0..4)];
            let mut balance = || match rng.random_range(0..3) {
                0 => 300.0,
                1 => -300.0,
                _ => f64::from(rng.random_range(-100..100_i32)),
            };
            let mut all: Vec<Vec<f64>> = vec![(0..columns).map(|_| balance()).collect()];
            for row in 1..rows {
                let mut next = all[row - 1].clone();
                next[row % columns] = balance();
                next[(2 * row) % columns] += 1.0;
                all.push(next);
            }
            let payoff = |row: &Vec<f64>| row.iter().map(|ojama| (ojama / scale).tanh()).collect();
            let payoffs: Vec<Vec<f64>> = all.iter().map(payoff).collect();
            let gain = gain_by_deviating(&payoffs);
            assert!(gain < 3e-4, "{all:?} by {scale}: {gain}");
        }
    }

    #[test]
    fn without_an_equilibrium_the_best_worst_payoffs_are_played() {
        let solution = best_worst(&[vec![1.0, -1.0], vec![-0.5, 0.5], vec![0.2, -0.6]]);
        assert_eq!((solution.rows, solution.value), (pure(1, 3), Payoff(0.0)));
        assert_eq!(solution.columns, pure(1, 2));
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
