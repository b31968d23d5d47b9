//! Systems of linear equations whose matrix is symmetric and positive definite.

/// The Cholesky factors of a matrix: a lower triangle that, times its transpose, gives the matrix.
pub struct Cholesky {
    /// The rows of the triangle, each up to its diagonal.
    rows: Vec<Vec<f64>>,
}

impl Cholesky {
    /// Factors a matrix, of whose rows only the part up to the diagonal is read; `None` if it is not
    /// positive definite. The Cholesky-Banachiewicz algorithm (Golub and Van Loan, *Matrix
    /// Computations*, 4.2), with `rows.len()`³ / 3 operations.
    #[must_use]
    pub fn new(mut rows: Vec<Vec<f64>>) -> Option<Self> {
        for at in 0..rows.len() {
            let (above, row) = rows.split_at_mut(at);
            let row = &mut row[0];
            row.truncate(at + 1);
            for (column, other) in above.iter().enumerate() {
                row[column] = (row[column] - dot(&row[..column], other)) / other[column];
            }
            let rest = row[at] - dot(&row[..at], &row[..at]);
            // NaN is not positive either.
            if !(rest > 0.0 && rest.is_finite()) {
                return None;
            }
            row[at] = rest.sqrt();
        }
        Some(Self { rows })
    }

    /// Returns the vector that the matrix multiplies to `right`, which has a value for each row.
    #[must_use]
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut solution = self.forward(right);
        for (at, row) in self.rows.iter().enumerate().rev() {
            solution[at] /= row[at];
            let known = solution[at];
            for (value, factor) in solution.iter_mut().zip(&row[..at]) {
                *value -= factor * known;
            }
        }
        solution
    }

    /// Returns the diagonal of the inverse matrix: the variances of a covariance matrix.
    #[must_use]
    pub fn inverse_diagonal(&self) -> Vec<f64> {
        let count = self.rows.len();
        let column = |at: usize| {
            let unit: Vec<f64> = (0..count).map(|row| f64::from(u8::from(row == at))).collect();
            let values = self.forward(&unit);
            dot(&values, &values)
        };
        (0..count).map(column).collect()
    }

    /// Returns the vector that the triangle multiplies to `right`.
    fn forward(&self, right: &[f64]) -> Vec<f64> {
        let mut solution = Vec::with_capacity(right.len());
        for (row, &value) in self.rows.iter().zip(right) {
            let known = dot(row, &solution);
            solution.push((value - known) / row[solution.len()]);
        }
        solution
    }
}

/// Returns the sum of the products of the values, as far as both vectors go.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_solution_and_the_variances_fit_the_matrix(
            parts in prop::collection::vec(prop::collection::vec(-10.0..10.0, 6), 6),
            right in prop::collection::vec(-10.0..10.0, 6),
        ) {
            // A matrix times its transpose, with a ridge, is positive definite.
            let cell = |a: usize, b: usize| dot(&parts[a], &parts[b]) + f64::from(u8::from(a == b));
            let matrix: Vec<Vec<f64>> =
                (0..6).map(|a| (0..6).map(|b| cell(a, b)).collect()).collect();
            let factors = Cholesky::new(matrix.clone()).unwrap();
            let solution = factors.solve(&right);
            for (row, value) in matrix.iter().zip(&right) {
                prop_assert!((dot(row, &solution) - value).abs() < 1e-6);
            }
            for (at, variance) in factors.inverse_diagonal().into_iter().enumerate() {
                let unit: Vec<f64> = (0..6).map(|row| f64::from(u8::from(row == at))).collect();
                prop_assert!((factors.solve(&unit)[at] - variance).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn a_matrix_that_is_not_positive_definite_has_no_factors() {
        assert!(Cholesky::new(vec![vec![1.0, 2.0], vec![2.0, 1.0]]).is_none());
        assert!(Cholesky::new(vec![vec![0.0]]).is_none());
        assert!(Cholesky::new(vec![vec![f64::NAN]]).is_none());
        assert!(Cholesky::new(vec![]).unwrap().solve(&[]).is_empty());
    }
}
