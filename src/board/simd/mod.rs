//! Vector operations on planes of 256 bits, one file a family of instruction sets.
//!
//! An instruction set is a zero-sized token. If it needs features of the processor, a token is made
//! only after a check of these features, and a vector is made only with a token. A vector therefore
//! proves that its operations are sound to call. All `unsafe` blocks of the crate are in `avx2.rs`.
//!
//! Simulators are written once against [`Isa`] and [`Vector`], and run as [`Work`] inside the one
//! function of each [`Isa`] that is compiled with its instructions.
//!
//! They loop by `while i < n`. A `for` loop calls `Range::next`, and an iterator or `array::map` calls
//! closures; the compiler need not make these calls part of the function that has the instructions,
//! and a vector that leaves that function goes through memory. Only `#[inline(always)]` forces it. The
//! tables are constants, in which Rust has no `for` loops.

/// The methods for wide vectors of an [`Isa`] whose `Wide` is its `V`: one plane, `FIELDS` = 1.
macro_rules! one_field {
    () => {
        type Wide = Self::V;
        const FIELDS: usize = 1;

        #[inline(always)]
        fn load_wide(self, first: &Words, _second: &Words) -> Self::V {
            self.load(first)
        }

        #[inline(always)]
        fn store_first(self, wide: Self::V, words: &mut Words) {
            self.store(wide, words);
        }

        #[inline(always)]
        fn store_second(self, _wide: Self::V, _words: &mut Words) {}

        #[inline(always)]
        fn splat_wide(self, word: u64) -> Self::V {
            self.splat(word)
        }

        #[inline(always)]
        fn any_wide(self, wide: Self::V) -> (bool, bool) {
            (wide.any(), false)
        }
    };
}
use one_field;

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

use std::ops::{BitAnd, BitOr, BitXor};

#[cfg(target_arch = "x86_64")]
pub use avx2::{Avx2, Avx512};
pub use portable::Portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use simd128::Simd128;

/// 256 bits in memory: four words, the lowest bits first. The simulators define the bit of each
/// cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C, align(32))]
pub struct Words(pub [u64; 4]);

impl Words {
    /// No bit.
    pub const EMPTY: Self = Self([0; 4]);

    /// `word` in all four words.
    pub const fn splat(word: u64) -> Self {
        Self([word; 4])
    }

    /// The bits that are set in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]])
    }

    /// Whether a bit is set. In plain words, because the vector units are already busy.
    #[inline(always)]
    pub const fn any(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] != 0
    }

    /// The number of set bits.
    #[inline(always)]
    pub const fn count(&self) -> u32 {
        let [a, b, c, d] = self.0;
        a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()
    }
}

/// 256 bits in a register.
///
/// `up`, `down` and `words_*` take the bits as four words; `shifted_*` take them as one number, for
/// lanes that do not fit words.
pub trait Vector:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// The bits of `self` that are not in `other`.
    #[must_use]
    fn without(self, other: Self) -> Self;

    /// Every word shifted up by one bit.
    #[must_use]
    fn up(self) -> Self;

    /// Every word shifted down by one bit.
    #[must_use]
    fn down(self) -> Self;

    /// Every word shifted down by `N` bits.
    #[must_use]
    fn down_by<const N: i32>(self) -> Self;

    /// Moves each word to the next higher one; the highest becomes the lowest, shifted up by
    /// `SHIFT` bits.
    #[must_use]
    fn words_up<const SHIFT: u32>(self) -> Self;

    /// Moves each word to the next lower one; the lowest becomes the highest, shifted down by
    /// `SHIFT` bits.
    #[must_use]
    fn words_down<const SHIFT: u32>(self) -> Self;

    /// All 256 bits shifted up by one.
    #[must_use]
    fn shifted_up(self) -> Self;

    /// All 256 bits shifted down by one.
    #[must_use]
    fn shifted_down(self) -> Self;

    /// All 256 bits shifted up by 24.
    #[must_use]
    fn shifted_up_3_bytes(self) -> Self;

    /// All 256 bits shifted down by 24.
    #[must_use]
    fn shifted_down_3_bytes(self) -> Self;

    /// Sums of the words.
    #[must_use]
    fn plus(self, other: Self) -> Self;

    /// Differences of the words.
    #[must_use]
    fn minus(self, other: Self) -> Self;

    /// Whether a bit is set.
    fn any(self) -> bool;

    /// Whether the two have a bit in common.
    fn meets(self, other: Self) -> bool;

    /// Words 0 and 2 of `self`, words 1 and 3 of `odd`.
    #[must_use]
    fn alternate(self, odd: Self) -> Self;

    /// The highest bit of each lane of `LANE` bits, three lanes a word: bit `4 * l + w` of the
    /// result is the highest bit of lane `l` in word `w`.
    fn lane_tops<const LANE: u32>(self) -> u32;
}

/// Work to run inside one function compiled for an instruction set.
///
/// `run`, and all functions that it calls on its hot path, must be `#[inline(always)]`, so that
/// they become part of that function.
pub trait Work<I: Isa> {
    /// The result of the work.
    type Output;

    /// Does the work.
    fn run(self, isa: I) -> Self::Output;
}

/// An instruction set: a token that proves the processor has it.
pub trait Isa: Copy + Eq + std::fmt::Debug + Send + Sync + 'static {
    /// The vector type.
    type V: Vector;

    /// A vector of [`Self::FIELDS`] planes of different fields, one beside the other. Each plane is
    /// 256 bits, and no operation of [`Vector`] mixes them.
    type Wide: Vector;

    /// The number of planes in a [`Self::Wide`], 1 or 2.
    const FIELDS: usize;

    /// Returns the token if this processor has the features.
    fn detect() -> Option<Self>;

    /// Loads a plane from memory.
    fn load(self, words: &Words) -> Self::V;

    /// Stores a plane in memory.
    fn store(self, vector: Self::V, words: &mut Words);

    /// A vector with `word` in all four words.
    fn splat(self, word: u64) -> Self::V;

    /// Loads a plane of one field, and beside it one of another field if there is room.
    fn load_wide(self, first: &Words, second: &Words) -> Self::Wide;

    /// Stores the plane of the first field.
    fn store_first(self, wide: Self::Wide, words: &mut Words);

    /// Stores the plane of the second field, if there is one.
    fn store_second(self, wide: Self::Wide, words: &mut Words);

    /// A wide vector with `word` in all words.
    fn splat_wide(self, word: u64) -> Self::Wide;

    /// Whether a bit is set, for the first field and for the second one.
    fn any_wide(self, wide: Self::Wide) -> (bool, bool);

    /// Moves the bits of `bits` at the set bits of `from`, in order, to the set bits of `to`. Both
    /// have the same number of set bits. (`pext` followed by `pdep`.)
    fn compact(self, bits: u64, from: u64, to: u64) -> u64;

    /// Runs work compiled for this instruction set.
    fn run<W: Work<Self>>(self, work: W) -> W::Output;
}
