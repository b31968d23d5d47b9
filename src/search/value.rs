//! The scales of value that searches and the planner share. Code never adds a value of one scale to
//! a value of another, nor compares the two.

use std::cmp::Ordering;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use serde::Serialize;

use crate::game::Stock;

/// A value of the alpha-beta search, in tenths of an ojama, for the first player. The values of
/// ended games ([`WIN`](crate::search::alpha_beta::WIN) and `LOSS`) lie beyond all others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct OjamaTenths(pub i64);

/// A value of the classic engine, in hundredths of an ojama, for the first player. Whole numbers,
/// so that sums do not depend on their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct OjamaHundredths(pub i64);

/// An amount or a balance of ojama as a real number: the balance of an exchange, or the discounted
/// ojama of a later attack. Whole ojama are a [`Stock`].
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Ojama(pub f64);

/// A payoff: the value of a plan or of an exchange, -1 (lost) to 1 (won). A tie-break or a penalty
/// may exceed this range a little.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Payoff(pub f64);

/// A probability, 0 to 1: of a win, of an opponent's plan, or of a plan in an equilibrium.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Probability(pub f64);

/// Implements `+`, `-`, `+=`, `-=` and negation for scales, by the numbers inside.
macro_rules! sums {
    ($($scale:ident)+) => {
        $(
            impl Add for $scale {
                type Output = Self;

                fn add(self, other: Self) -> Self {
                    Self(self.0 + other.0)
                }
            }

            impl Sub for $scale {
                type Output = Self;

                fn sub(self, other: Self) -> Self {
                    Self(self.0 - other.0)
                }
            }

            impl Neg for $scale {
                type Output = Self;

                fn neg(self) -> Self {
                    Self(-self.0)
                }
            }

            impl AddAssign for $scale {
                fn add_assign(&mut self, other: Self) {
                    self.0 += other.0;
                }
            }

            impl SubAssign for $scale {
                fn sub_assign(&mut self, other: Self) {
                    self.0 -= other.0;
                }
            }
        )+
    };
}

sums!(OjamaTenths OjamaHundredths Ojama Payoff);

impl OjamaHundredths {
    /// The value of `ojama` whole ojama.
    pub const fn of_ojama(ojama: i64) -> Self {
        Self(100 * ojama)
    }

    /// The value times `numerator / denominator`, rounded towards 0.
    #[must_use]
    pub const fn scaled(self, numerator: i64, denominator: i64) -> Self {
        Self(self.0 * numerator / denominator)
    }
}

impl Mul<i64> for OjamaHundredths {
    type Output = Self;

    fn mul(self, times: i64) -> Self {
        Self(self.0 * times)
    }
}

/// Rounds towards 0.
impl From<OjamaHundredths> for OjamaTenths {
    fn from(hundredths: OjamaHundredths) -> Self {
        Self(hundredths.0 / 10)
    }
}

impl From<OjamaHundredths> for Ojama {
    fn from(hundredths: OjamaHundredths) -> Self {
        Self(hundredths.0 as f64 / 100.0)
    }
}

/// Rounds to the nearest hundredth.
impl From<Ojama> for OjamaHundredths {
    fn from(ojama: Ojama) -> Self {
        Self((ojama.0 * 100.0).round() as i64)
    }
}

impl From<OjamaTenths> for Ojama {
    fn from(tenths: OjamaTenths) -> Self {
        Self(tenths.0 as f64 / 10.0)
    }
}

impl Ojama {
    /// Orders by value, for sorting.
    pub fn total_cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }

    /// The nearest value within `-limit..=limit`.
    #[must_use]
    pub fn clamp_to(self, limit: Self) -> Self {
        Self(self.0.clamp(-limit.0, limit.0))
    }
}

impl From<Stock> for Ojama {
    fn from(stock: Stock) -> Self {
        Self(stock as f64)
    }
}

impl Payoff {
    /// Orders by value, for sorting.
    pub fn total_cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// The part of an expected payoff that an outcome of this probability adds.
impl Mul<Probability> for Payoff {
    type Output = Self;

    fn mul(self, probability: Probability) -> Self {
        Self(self.0 * probability.0)
    }
}

impl Sum for Payoff {
    fn sum<I: Iterator<Item = Self>>(payoffs: I) -> Self {
        Self(payoffs.map(|payoff| payoff.0).sum())
    }
}

impl Probability {
    /// Orders by value, for sorting.
    pub fn total_cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }

    /// The average of `self` and `other`, in which `other` has the weight `weight`, 0 to 1.
    #[must_use]
    pub fn mix(self, other: Self, weight: f64) -> Self {
        Self((1.0 - weight) * self.0 + weight * other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The `info` line and the records hold plain numbers.
    #[test]
    fn values_are_written_as_plain_numbers() {
        let values = (OjamaTenths(-125), Ojama(-12.0), Payoff(0.25), Probability(0.5));
        assert_eq!(serde_json::to_string(&values).unwrap(), "[-125,-12.0,0.25,0.5]");
    }

    #[test]
    fn hundredths_convert_to_tenths_and_ojama() {
        let value = OjamaHundredths::of_ojama(-3) - OjamaHundredths(55);
        assert_eq!((value, OjamaTenths::from(value)), (OjamaHundredths(-355), OjamaTenths(-35)));
        assert_eq!(OjamaHundredths::from(Ojama::from(value)), value);
        assert_eq!(OjamaHundredths(199).scaled(1, 2), OjamaHundredths(99));
    }

    #[test]
    fn an_expected_payoff_weighs_payoffs_by_probability() {
        let outcomes = [(Payoff(1.0), Probability(0.75)), (Payoff(-1.0), Probability(0.25))];
        let expected: Payoff = outcomes.into_iter().map(|(payoff, chance)| payoff * chance).sum();
        assert_eq!(expected, Payoff(0.5));
        assert_eq!(Probability(0.5).mix(Probability(1.0), 0.25), Probability(0.625));
        assert_eq!(Ojama(500.0).clamp_to(Ojama(300.0)), Ojama(300.0));
    }
}
