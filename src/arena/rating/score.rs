//! Results of games, and differences in strength.

use std::f64::consts::LN_10;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

use crate::game::{Seat, Verdict};

/// The results of games between two players, or of one player against several, from the first
/// player's view.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// The result of one game as a tally of the player in `seat`.
    pub fn of(verdict: Verdict, seat: Seat) -> Self {
        Self {
            wins: u64::from(verdict == Verdict::Win(seat)),
            draws: u64::from(verdict == Verdict::Draw),
            losses: u64::from(verdict == Verdict::Win(seat.other())),
        }
    }

    /// Returns the number of games.
    pub const fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the points: 1 for a win, one half for a draw.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Returns the points per game, 0 to 1, or `None` without games.
    pub fn score(self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| self.points() / games as f64)
    }

    /// Returns the tally of the same games from the opponent's view.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), Self::add)
    }
}

/// The difference, in Elo points, at which the odds are e to one.
pub(super) const POINTS: f64 = 400.0 / LN_10;

/// A difference in strength between two players, in Elo points; infinite if one player scores all.
///
/// The scale is the logistic curve of rating lists: 400 points are odds of ten to one.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Elo(pub f64);

impl Elo {
    /// Returns the difference at which a player is expected to score `score` per game, 0 to 1.
    pub fn from_score(score: f64) -> Self {
        Self(400.0 * (score / (1.0 - score)).log10())
    }

    /// Returns the expected score per game, 0 to 1, of the player that is stronger by this
    /// difference.
    pub fn expected_score(self) -> f64 {
        1.0 / (1.0 + 10_f64.powf(-self.0 / 400.0))
    }
}

impl fmt::Display for Elo {
    /// Whole points with a sign: `+120`, `-35`, `+0`, `+inf`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding 0 turns a negative zero into a positive one.
        f.pad(&format!("{:+.0}", self.0.round() + 0.0))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tallies_add_up() {
        let tally = Tally { wins: 5, draws: 3, losses: 2 };
        assert_eq!((tally.games(), tally.points(), tally.score()), (10, 6.5, Some(0.65)));
        assert_eq!(tally.reversed().score(), Some(0.35));
        assert_eq!(Tally::default().score(), None);
        let both = Tally { wins: 7, draws: 6, losses: 7 };
        assert_eq!([tally, tally.reversed()].into_iter().sum::<Tally>(), both);
        let mut sum = tally;
        sum += tally.reversed();
        assert_eq!(sum, both);
    }

    #[test]
    fn known_differences() {
        assert_eq!(Elo::from_score(0.5), Elo(0.0));
        assert_eq!(Elo::from_score(1.0), Elo(f64::INFINITY));
        assert_eq!(Elo::from_score(0.0), Elo(f64::NEG_INFINITY));
        assert!((Elo::from_score(10.0 / 11.0).0 - 400.0).abs() < 1e-9);
        assert!((Elo(200.0).expected_score() - 0.759_746_926_647_958).abs() < 1e-12);
        assert_eq!(Elo(f64::INFINITY).expected_score(), 1.0);
        assert_eq!(Elo(f64::NEG_INFINITY).expected_score(), 0.0);
    }

    #[test]
    fn differences_have_a_sign() {
        let shown = [120.4, -34.6, 0.0, -0.3, 0.3, f64::INFINITY, f64::NEG_INFINITY];
        let shown = shown.map(|points| Elo(points).to_string());
        assert_eq!(shown, ["+120", "-35", "+0", "+0", "+0", "+inf", "-inf"]);
        assert_eq!(format!("[{:>6}]", Elo(7.0)), "[    +7]");
    }

    proptest! {
        #[test]
        fn scores_and_differences_convert_back(points in -1200.0..1200.0) {
            let elo = Elo(points);
            prop_assert!((Elo::from_score(elo.expected_score()).0 - points).abs() < 1e-6);
            let opponent = Elo(-points).expected_score();
            prop_assert!((elo.expected_score() + opponent - 1.0).abs() < 1e-12);
        }
    }
}
