//! Vectors of 256 bits as two of WebAssembly's 128 bits.
//!
//! A host without these instructions refuses a module that has them as a whole, so that the token
//! needs no check: the code exists only in a build with `-C target-feature=+simd128`.

use std::arch::wasm32::{
    i64x2_add, i64x2_shuffle, i64x2_sub, u64x2, u64x2_bitmask, u64x2_extract_lane, u64x2_shl,
    u64x2_shr, u64x2_splat, v128, v128_and, v128_andnot, v128_any_true, v128_or, v128_xor,
};
use std::ops::{BitAnd, BitOr, BitXor};

use super::portable::compact;
use super::{Isa, Vector, Words, Work};

/// The token of the backend with vectors of 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Simd128;

/// Words 0 and 1, and words 2 and 3.
#[derive(Clone, Copy)]
pub struct Halves(v128, v128);

impl Halves {
    /// Applies an operation to both halves.
    #[inline(always)]
    fn both(self, operation: impl Fn(v128) -> v128) -> Self {
        Self(operation(self.0), operation(self.1))
    }

    /// Applies an operation to the halves of two vectors. The operations of `std::arch` have to be
    /// in a closure: they are no `Fn` themselves.
    #[inline(always)]
    fn with(self, other: Self, operation: impl Fn(v128, v128) -> v128) -> Self {
        Self(operation(self.0, other.0), operation(self.1, other.1))
    }

    /// All bits shifted up by `BITS`, across the words.
    #[inline(always)]
    fn raised<const BITS: u32>(self) -> Self {
        let lower = Self(after(u64x2_splat(0), self.0), after(self.0, self.1));
        let carried = lower.both(|half| u64x2_shr(half, 64 - BITS));
        self.both(|half| u64x2_shl(half, BITS)) | carried
    }

    /// All bits shifted down by `BITS`, across the words.
    #[inline(always)]
    fn lowered<const BITS: u32>(self) -> Self {
        let higher = Self(after(self.0, self.1), after(self.1, u64x2_splat(0)));
        let carried = higher.both(|half| u64x2_shl(half, 64 - BITS));
        self.both(|half| u64x2_shr(half, BITS)) | carried
    }
}

/// The upper word of `first` and the lower word of `second`.
#[inline(always)]
fn after(first: v128, second: v128) -> v128 {
    i64x2_shuffle::<1, 2>(first, second)
}

impl BitAnd for Halves {
    type Output = Halves;
    #[inline(always)]
    fn bitand(self, other: Halves) -> Halves {
        self.with(other, |a, b| v128_and(a, b))
    }
}

impl BitOr for Halves {
    type Output = Halves;
    #[inline(always)]
    fn bitor(self, other: Halves) -> Halves {
        self.with(other, |a, b| v128_or(a, b))
    }
}

impl BitXor for Halves {
    type Output = Halves;
    #[inline(always)]
    fn bitxor(self, other: Halves) -> Halves {
        self.with(other, |a, b| v128_xor(a, b))
    }
}

impl Vector for Halves {
    #[inline(always)]
    fn without(self, other: Halves) -> Halves {
        self.with(other, |a, b| v128_andnot(a, b))
    }

    #[inline(always)]
    fn up(self) -> Halves {
        self.plus(self)
    }

    #[inline(always)]
    fn down(self) -> Halves {
        self.down_by::<1>()
    }

    #[inline(always)]
    fn down_by<const N: i32>(self) -> Halves {
        self.both(|half| u64x2_shr(half, N as u32))
    }

    #[inline(always)]
    fn words_up<const SHIFT: u32>(self) -> Halves {
        Halves(after(u64x2_shl(self.1, SHIFT), self.0), after(self.0, self.1))
    }

    #[inline(always)]
    fn words_down<const SHIFT: u32>(self) -> Halves {
        Halves(after(self.0, self.1), after(self.1, u64x2_shr(self.0, SHIFT)))
    }

    #[inline(always)]
    fn shifted_up(self) -> Halves {
        self.raised::<1>()
    }

    #[inline(always)]
    fn shifted_down(self) -> Halves {
        self.lowered::<1>()
    }

    #[inline(always)]
    fn shifted_up_3_bytes(self) -> Halves {
        self.raised::<24>()
    }

    #[inline(always)]
    fn shifted_down_3_bytes(self) -> Halves {
        self.lowered::<24>()
    }

    #[inline(always)]
    fn plus(self, other: Halves) -> Halves {
        self.with(other, |a, b| i64x2_add(a, b))
    }

    #[inline(always)]
    fn minus(self, other: Halves) -> Halves {
        self.with(other, |a, b| i64x2_sub(a, b))
    }

    #[inline(always)]
    fn any(self) -> bool {
        v128_any_true(v128_or(self.0, self.1))
    }

    #[inline(always)]
    fn meets(self, other: Halves) -> bool {
        (self & other).any()
    }

    #[inline(always)]
    fn alternate(self, odd: Halves) -> Halves {
        self.with(odd, |even, odd| i64x2_shuffle::<0, 3>(even, odd))
    }

    #[inline(always)]
    fn lane_tops<const LANE: u32>(self) -> u32 {
        // Each shift, by a constant, moves the top bits of one lane to the sign bits.
        let signs = |lanes: u32| {
            let moved = self.both(|half| u64x2_shl(half, 64 - lanes * LANE));
            u32::from(u64x2_bitmask(moved.0) | u64x2_bitmask(moved.1) << 2)
        };
        signs(1) | signs(2) << 4 | signs(3) << 8
    }
}

impl Isa for Simd128 {
    super::one_field!();
    type V = Halves;

    #[inline(always)]
    fn detect() -> Option<Simd128> {
        Some(Simd128)
    }

    #[inline(always)]
    fn load(self, words: &Words) -> Halves {
        let [a, b, c, d] = words.0;
        Halves(u64x2(a, b), u64x2(c, d))
    }

    #[inline(always)]
    fn store(self, vector: Halves, words: &mut Words) {
        let lanes = |half| [u64x2_extract_lane::<0>(half), u64x2_extract_lane::<1>(half)];
        let ([a, b], [c, d]) = (lanes(vector.0), lanes(vector.1));
        words.0 = [a, b, c, d];
    }

    #[inline(always)]
    fn splat(self, word: u64) -> Halves {
        Halves(u64x2_splat(word), u64x2_splat(word))
    }

    #[inline(always)]
    fn compact(self, bits: u64, from: u64, to: u64) -> u64 {
        compact(bits, from, to)
    }

    // Not inlined, as with the other instruction sets, so that it is compiled once for all callers.
    #[inline(never)]
    fn run<W: Work<Simd128>>(self, work: W) -> W::Output {
        work.run(self)
    }
}
