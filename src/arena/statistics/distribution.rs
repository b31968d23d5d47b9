//! The distribution of a figure.

use serde::Serialize;

/// The distribution of a number of values.
///
/// Quantiles between two values are interpolated linearly: of n values in ascending order, the
/// quantile q is at the index (n - 1) q.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Distribution {
    /// The number of values, from 1.
    pub count: u64,
    /// The mean.
    pub mean: f64,
    /// The least value.
    pub min: f64,
    /// The quantile 0.25.
    pub lower_quartile: f64,
    /// The quantile 0.5.
    pub median: f64,
    /// The quantile 0.75.
    pub upper_quartile: f64,
    /// The greatest value.
    pub max: f64,
}

impl Distribution {
    /// The distribution of `values`; `None` without values.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_unstable_by(f64::total_cmp);
        let (&min, &max) = (values.first()?, values.last()?);
        let quantile = |q: f64| {
            let index = (values.len() - 1) as f64 * q;
            let (below, above) = (values[index.floor() as usize], values[index.ceil() as usize]);
            below + (above - below) * index.fract()
        };
        Some(Self {
            count: values.len() as u64,
            mean: values.iter().sum::<f64>() / values.len() as f64,
            min,
            lower_quartile: quantile(0.25),
            median: quantile(0.5),
            upper_quartile: quantile(0.75),
            max,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_are_interpolated() {
        let of = |values: &[f64]| {
            let d = Distribution::of(values.iter().copied()).unwrap();
            [d.mean, d.min, d.lower_quartile, d.median, d.upper_quartile, d.max]
        };
        assert_eq!(of(&[7.0]), [7.0; 6]);
        assert_eq!(of(&[4.0, 1.0, 2.0, 3.0]), [2.5, 1.0, 1.75, 2.5, 3.25, 4.0]);
        assert_eq!(of(&[10.0, 30.0, 20.0, 0.0, 90.0]), [30.0, 0.0, 10.0, 20.0, 30.0, 90.0]);
        assert_eq!(Distribution::of([]), None);
    }
}
