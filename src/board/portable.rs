//! The BitBoard on any processor: planes as four words.

use super::isa::{Isa, Kernel};
use super::planes::{LANE, Plane};

/// No instructions but those that every processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Portable(());

impl Isa for Portable {
    const NAME: &'static str = "portable";

    type Vector = [u64; 4];

    fn detect() -> Option<Self> {
        Some(Self(()))
    }

    fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    #[inline(always)]
    fn load(self, plane: &Plane) -> [u64; 4] {
        plane.words()
    }

    #[inline(always)]
    fn store(self, vector: [u64; 4]) -> Plane {
        Plane::from_words(vector)
    }

    #[inline(always)]
    fn and(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        std::array::from_fn(|i| a[i] & b[i])
    }

    #[inline(always)]
    fn or(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        std::array::from_fn(|i| a[i] | b[i])
    }

    #[inline(always)]
    fn without(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        std::array::from_fn(|i| a[i] & !b[i])
    }

    #[inline(always)]
    fn is_empty(self, a: [u64; 4]) -> bool {
        a == [0; 4]
    }

    #[inline(always)]
    fn up(self, a: [u64; 4]) -> [u64; 4] {
        raise::<1>(a)
    }

    #[inline(always)]
    fn down(self, a: [u64; 4]) -> [u64; 4] {
        lower::<1>(a)
    }

    #[inline(always)]
    fn left(self, a: [u64; 4]) -> [u64; 4] {
        lower::<LANE>(a)
    }

    #[inline(always)]
    fn right(self, a: [u64; 4]) -> [u64; 4] {
        raise::<LANE>(a)
    }

    #[inline(always)]
    fn compact(self, bits: u64, mut from: u64, mut to: u64) -> u64 {
        let mut moved = 0;
        while from != 0 {
            let (source, target) = (lowest(from), lowest(to));
            if bits & source != 0 {
                moved |= target;
            }
            from ^= source;
            to ^= target;
        }
        moved
    }
}

/// The lowest set bit.
#[inline(always)]
const fn lowest(word: u64) -> u64 {
    word & word.wrapping_neg()
}

/// All bits moved up by `BITS`, across the words.
#[inline(always)]
fn raise<const BITS: usize>(a: [u64; 4]) -> [u64; 4] {
    std::array::from_fn(|i| a[i] << BITS | if i > 0 { a[i - 1] >> (64 - BITS) } else { 0 })
}

/// All bits moved down by `BITS`, across the words.
#[inline(always)]
fn lower<const BITS: usize>(a: [u64; 4]) -> [u64; 4] {
    std::array::from_fn(|i| a[i] >> BITS | if i < 3 { a[i + 1] << (64 - BITS) } else { 0 })
}
