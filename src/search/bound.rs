//! Exact values and bounds of an alpha-beta search.

/// The exact value of a position, or a bound on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The value.
    Exact(i64),
    /// The value is at least this.
    Lower(i64),
    /// The value is at most this.
    Upper(i64),
}

impl Bound {
    /// The bound that the result `value` of a fail-soft search between `alpha` and `beta` proves.
    pub const fn of(value: i64, alpha: i64, beta: i64) -> Self {
        if value >= beta {
            Self::Lower(value)
        } else if value <= alpha {
            Self::Upper(value)
        } else {
            Self::Exact(value)
        }
    }

    /// Returns the value with which a search between `alpha` and `beta` may end, if this bound
    /// suffices for that.
    pub const fn cutoff(self, alpha: i64, beta: i64) -> Option<i64> {
        match self {
            Self::Exact(value) => Some(value),
            Self::Lower(value) if value >= beta => Some(value),
            Self::Upper(value) if value <= alpha => Some(value),
            Self::Lower(_) | Self::Upper(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_ends_the_searches_that_it_decides() {
        assert_eq!(
            [2, 5, 8].map(|value| Bound::of(value, 2, 8)),
            [Bound::Upper(2), Bound::Exact(5), Bound::Lower(8)]
        );
        assert_eq!(Bound::Exact(5).cutoff(7, 9), Some(5));
        assert_eq!([4, 5].map(|alpha| Bound::Upper(5).cutoff(alpha, 9)), [None, Some(5)]);
        assert_eq!([5, 6].map(|beta| Bound::Lower(5).cutoff(0, beta)), [Some(5), None]);
    }
}
