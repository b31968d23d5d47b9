//! The skill gauge.

use super::Chain;

/// A player's skill gauge, 0 to [`Gauge::FULL`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Gauge(u8);

impl Gauge {
    /// The maximum of a gauge.
    pub const FULL: u8 = 100;

    /// The gauge that the skill needs at the end of the turn before.
    pub const SKILL: u8 = 80;

    /// The amount that a turn with a chain adds.
    pub const CHARGE: u8 = 8;

    /// A gauge, or `None` above [`Gauge::FULL`].
    pub const fn new(gauge: u8) -> Option<Self> {
        if gauge <= Self::FULL { Some(Self(gauge)) } else { None }
    }

    /// The value, 0 to 100.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Whether the skill may be used.
    pub const fn allows_skill(self) -> bool {
        self.0 >= Self::SKILL
    }

    /// The gauge after the player's own chain; a chain of 0 does not change it.
    #[must_use]
    pub fn charged(self, chain: Chain) -> Self {
        if chain.0 == 0 { self } else { Self((self.0 + Self::CHARGE).min(Self::FULL)) }
    }

    /// The gauge after the opponent's chain.
    #[must_use]
    pub const fn drained(self, chain: Chain) -> Self {
        Self(self.0.saturating_sub(chain.drain()))
    }
}
