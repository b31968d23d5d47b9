//! Vector operations on planes of 256 bits, one file an instruction set.
//!
//! An instruction set is a token of no size. Where it needs features of the processor, the only way
//! to a token is a check of them, and the only way to a vector is a token; so a vector is the proof
//! that its operations are sound to call, and code that holds a token may make vectors. Unsafe code
//! is in `avx2.rs` and nowhere else in the crate.
//!
//! Simulators are written once against [`Isa`] and [`Vector`], and run as [`Work`] inside the one
//! function of each file that is compiled with its instructions.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;

use std::ops::{BitAnd, BitOr, BitXor};

#[cfg(target_arch = "x86_64")]
pub use avx2::{Avx2, Avx512};
pub use portable::Portable;

/// 256 bits as they lie in memory: four words, the lowest bits first. The simulators define which
/// cell is which bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C, align(32))]
pub struct Words(pub [u64; 4]);

impl Words {
    /// No bit.
    pub const EMPTY: Self = Self([0; 4]);

    /// The same word four times.
    pub const fn splat(word: u64) -> Self {
        Self([word; 4])
    }

    /// Bits that are in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]])
    }

    /// Whether a bit is set. In plain words: the vector units have enough to do.
    #[inline(always)]
    pub const fn any(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] != 0
    }

    /// Number of bits.
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

    /// Each word moves to the next higher one; the highest becomes the lowest, shifted up by `SHIFT`
    /// bits.
    #[must_use]
    fn words_up<const SHIFT: u32>(self) -> Self;

    /// Each word moves to the next lower one; the lowest becomes the highest, shifted down by `SHIFT`
    /// bits.
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

    /// The highest bit of each lane of `LANE` bits, three lanes a word: that of lane `l` in word `w` is
    /// bit `4 * l + w` of the result.
    fn lane_tops<const LANE: u32>(self) -> u32;
}

/// Work to run inside one function compiled for an instruction set.
///
/// `run` must be `#[inline(always)]`, with everything that it calls on its hot path, so that it
/// becomes part of that function.
pub trait Work<I: Isa> {
    /// What the work yields.
    type Output;

    /// Does the work.
    fn run(self, isa: I) -> Self::Output;
}

/// An instruction set: a token that proves the processor has it.
pub trait Isa: Copy + Eq + std::fmt::Debug + Send + Sync + 'static {
    /// Its vectors.
    type V: Vector;

    /// The token, if this processor has the features.
    fn detect() -> Option<Self>;

    /// A plane from memory.
    fn load(self, words: &Words) -> Self::V;

    /// A plane to memory.
    fn store(self, vector: Self::V, words: &mut Words);

    /// The same word four times.
    fn splat(self, word: u64) -> Self::V;

    /// Moves the bits of `bits` that `from` names, in order, to the places that `to` names. Both
    /// name equally many. (`pext` followed by `pdep`.)
    fn compact(self, bits: u64, from: u64, to: u64) -> u64;

    /// Runs work compiled for this instruction set.
    fn run<W: Work<Self>>(self, work: W) -> W::Output;
}
