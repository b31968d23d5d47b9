//! The plies at which a row of ojama falls.

use crate::board::Field;
use crate::game::{OJAMA_ROW, Stock};

/// The plies (0 is the next turn) at which a row of ojama falls on a player, up to 63 ahead.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rain(u64);

impl Rain {
    /// No row falls.
    pub const NONE: Self = Self(0);

    /// The rain of `stock`, if nothing is added to it or offset against it.
    pub fn of_stock(stock: Stock) -> Self {
        Self::rows(0, stock / OJAMA_ROW)
    }

    /// The rain at the plies whose bits are set in `plies`; ply 0 is the lowest bit.
    pub const fn from_bits(plies: u64) -> Self {
        Self(plies)
    }

    /// `rows` rows, one a ply, from the ply `from` on.
    pub fn rows(from: usize, rows: u64) -> Self {
        let plies = if rows >= 64 { u64::MAX } else { (1 << rows) - 1 };
        Self(if from < 64 { plies << from } else { 0 })
    }

    /// Every rain up to and including `ply`, at most 62, in ascending order of [`Self::index`].
    pub fn all(ply: usize) -> impl Iterator<Item = Self> {
        (0..2 << ply).map(Self)
    }

    /// The rain up to and including `ply`, at most 62, as an index below 2^(`ply` + 1).
    pub const fn index(self, ply: usize) -> usize {
        self.0 as usize & ((2 << ply) - 1)
    }

    /// Whether a row falls at `ply`.
    pub const fn falls_at(self, ply: usize) -> bool {
        ply < 64 && self.0 >> ply & 1 == 1
    }

    /// The rain with a further row at `ply`, at most 63.
    #[must_use]
    pub const fn with(self, ply: usize) -> Self {
        Self(self.0 | 1 << ply)
    }

    /// Lets the row of `ply` fall if one is due: on `field`, or on the other player, whose rain is
    /// `self`. `net` is the stock of the field's owner minus the other player's stock; one of them
    /// is 0. Returns whether the row fell on `field`.
    pub fn fall(&mut self, field: &mut Field, net: &mut i64, ply: usize) -> bool {
        let falls = self.take(net, ply);
        if falls {
            field.rain();
        }
        falls
    }

    /// As [`Self::fall`], without a field.
    pub const fn take(&mut self, net: &mut i64, ply: usize) -> bool {
        const ROW: i64 = OJAMA_ROW as i64;
        if *net >= ROW {
            *net -= ROW;
            return true;
        }
        if *net <= -ROW {
            *net += ROW;
            *self = self.with(ply);
        }
        false
    }

    /// The number of rows that fall from `ply` on.
    pub const fn rows_from(self, ply: usize) -> u32 {
        if ply < 64 { (self.0 >> ply).count_ones() } else { 0 }
    }

    /// The plies as bits; ply 0 is the lowest bit.
    pub const fn bits(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_fall_one_a_ply() {
        assert_eq!(Rain::of_stock(9), Rain::NONE);
        assert_eq!(Rain::of_stock(39).bits(), 0b111);
        assert_eq!(Rain::rows(2, 2).bits(), 0b1100);
        assert_eq!(Rain::of_stock(1_000_000).bits(), u64::MAX);
        assert_eq!([63, 64, 200].map(|from| Rain::rows(from, 1).bits()), [1 << 63, 0, 0]);
        assert_eq!((Rain::rows(2, 2).rows_from(0), Rain::rows(2, 2).rows_from(3)), (2, 1));
        assert_eq!([0, 1, 2].map(|ply| Rain::from_bits(0b1110).index(ply)), [0, 0b10, 0b110]);
        assert!(Rain::all(1).map(Rain::bits).eq(0..4));
        assert!(Rain::NONE.with(3).falls_at(3) && !Rain::NONE.falls_at(64));
    }
}
