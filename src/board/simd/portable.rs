//! Vectors of four plain words, without processor features.

use super::{Isa, Vector, Words, Work};
use std::ops::{BitAnd, BitOr, BitXor};

/// The token of the portable backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Portable;

/// Four words.
#[derive(Clone, Copy)]
pub struct PlainWords([u64; 4]);

/// Applies an operation word by word.
macro_rules! words {
    ($a:expr, $b:expr, |$x:ident, $y:ident| $op:expr) => {{
        let (a, b) = ($a.0, $b.0);
        let word = |$x: u64, $y: u64| $op;
        PlainWords([word(a[0], b[0]), word(a[1], b[1]), word(a[2], b[2]), word(a[3], b[3])])
    }};
}

impl BitAnd for PlainWords {
    type Output = PlainWords;
    #[inline(always)]
    fn bitand(self, other: PlainWords) -> PlainWords {
        words!(self, other, |x, y| x & y)
    }
}

impl BitOr for PlainWords {
    type Output = PlainWords;
    #[inline(always)]
    fn bitor(self, other: PlainWords) -> PlainWords {
        words!(self, other, |x, y| x | y)
    }
}

impl BitXor for PlainWords {
    type Output = PlainWords;
    #[inline(always)]
    fn bitxor(self, other: PlainWords) -> PlainWords {
        words!(self, other, |x, y| x ^ y)
    }
}

impl Vector for PlainWords {
    #[inline(always)]
    fn without(self, other: PlainWords) -> PlainWords {
        words!(self, other, |x, y| x & !y)
    }

    #[inline(always)]
    fn up(self) -> PlainWords {
        words!(self, self, |x, _y| x << 1)
    }

    #[inline(always)]
    fn down(self) -> PlainWords {
        words!(self, self, |x, _y| x >> 1)
    }

    #[inline(always)]
    fn down_by<const N: i32>(self) -> PlainWords {
        words!(self, self, |x, _y| x >> N)
    }

    #[inline(always)]
    fn words_up<const SHIFT: u32>(self) -> PlainWords {
        let [a, b, c, d] = self.0;
        PlainWords([d << SHIFT, a, b, c])
    }

    #[inline(always)]
    fn words_down<const SHIFT: u32>(self) -> PlainWords {
        let [a, b, c, d] = self.0;
        PlainWords([b, c, d, a >> SHIFT])
    }

    #[inline(always)]
    fn shifted_up(self) -> PlainWords {
        raised::<1>(self)
    }

    #[inline(always)]
    fn shifted_down(self) -> PlainWords {
        lowered::<1>(self)
    }

    #[inline(always)]
    fn shifted_up_3_bytes(self) -> PlainWords {
        raised::<24>(self)
    }

    #[inline(always)]
    fn shifted_down_3_bytes(self) -> PlainWords {
        lowered::<24>(self)
    }

    #[inline(always)]
    fn plus(self, other: PlainWords) -> PlainWords {
        words!(self, other, |x, y| x.wrapping_add(y))
    }

    #[inline(always)]
    fn minus(self, other: PlainWords) -> PlainWords {
        words!(self, other, |x, y| x.wrapping_sub(y))
    }

    #[inline(always)]
    fn any(self) -> bool {
        let [a, b, c, d] = self.0;
        a | b | c | d != 0
    }

    #[inline(always)]
    fn meets(self, other: PlainWords) -> bool {
        (self & other).any()
    }

    #[inline(always)]
    fn alternate(self, odd: PlainWords) -> PlainWords {
        PlainWords([self.0[0], odd.0[1], self.0[2], odd.0[3]])
    }

    #[inline(always)]
    fn lane_tops<const LANE: u32>(self) -> u32 {
        let mut columns = 0;
        let mut word = 0;
        while word < 4 {
            let bits = self.0[word] >> (LANE - 1);
            columns |=
                (bits & 1 | bits >> (LANE - 4) & 1 << 4 | bits >> (2 * LANE - 8) & 1 << 8) << word;
            word += 1;
        }
        columns as u32
    }
}

/// All bits shifted up by `BITS`, across the words.
#[inline(always)]
fn raised<const BITS: u32>(plain: PlainWords) -> PlainWords {
    let [a, b, c, d] = plain.0;
    let from = |word: u64| word >> (64 - BITS);
    PlainWords([a << BITS, b << BITS | from(a), c << BITS | from(b), d << BITS | from(c)])
}

/// All bits shifted down by `BITS`, across the words.
#[inline(always)]
fn lowered<const BITS: u32>(plain: PlainWords) -> PlainWords {
    let [a, b, c, d] = plain.0;
    let from = |word: u64| word << (64 - BITS);
    PlainWords([a >> BITS | from(b), b >> BITS | from(c), c >> BITS | from(d), d >> BITS])
}

/// The lowest set bit.
#[inline(always)]
const fn lowest(word: u64) -> u64 {
    word & word.wrapping_neg()
}

/// [`Isa::compact`] bit by bit.
#[inline(always)]
pub(super) const fn compact(bits: u64, mut from: u64, mut to: u64) -> u64 {
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

impl Isa for Portable {
    super::one_field!();
    type V = PlainWords;

    #[inline(always)]
    fn detect() -> Option<Portable> {
        Some(Portable)
    }

    #[inline(always)]
    fn load(self, words: &Words) -> PlainWords {
        PlainWords(words.0)
    }

    #[inline(always)]
    fn store(self, vector: PlainWords, words: &mut Words) {
        words.0 = vector.0;
    }

    #[inline(always)]
    fn compact(self, bits: u64, from: u64, to: u64) -> u64 {
        compact(bits, from, to)
    }

    #[inline(always)]
    fn splat(self, word: u64) -> PlainWords {
        PlainWords([word; 4])
    }

    // Not inlined, as with the other instruction sets, so that it is compiled once for all callers.
    #[inline(never)]
    fn run<W: Work<Portable>>(self, work: W) -> W::Output {
        work.run(self)
    }
}
