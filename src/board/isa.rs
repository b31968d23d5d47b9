//! What the BitBoard needs of a processor.

use std::fmt;

use super::planes::Plane;

/// An instruction set that simulates a BitBoard. One file each: [`super::Avx2`],
/// [`super::Portable`].
///
/// A value is a proof that this processor has the instructions: it comes from [`Isa::detect`]
/// alone. Whoever holds one may call any method, and a board holds one.
pub trait Isa: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// The name that reports and `--backend` use.
    const NAME: &'static str;

    /// A plane in a register.
    type Vector: Copy;

    /// The proof, where the processor has the instructions.
    fn detect() -> Option<Self>;

    /// Runs a kernel compiled for this instruction set. All else here is meant to be called by
    /// kernels: outside of one it works, slowly.
    fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output;

    /// Reads a plane.
    fn load(self, plane: &Plane) -> Self::Vector;

    /// Writes a plane.
    fn store(self, vector: Self::Vector) -> Plane;

    /// Cells in both.
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// Cells in either.
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// Cells in `a` that are not in `b`.
    fn without(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// Whether no cell is set.
    fn is_empty(self, a: Self::Vector) -> bool;

    /// The cells one row further up.
    fn up(self, a: Self::Vector) -> Self::Vector;

    /// The cells one row further down.
    fn down(self, a: Self::Vector) -> Self::Vector;

    /// The cells one column further left.
    fn left(self, a: Self::Vector) -> Self::Vector;

    /// The cells one column further right.
    fn right(self, a: Self::Vector) -> Self::Vector;

    /// Moves the bits of `bits` that `from` names, in order, to the places that `to` names. Both
    /// name equally many. (`pext` followed by `pdep`.)
    fn compact(self, bits: u64, from: u64, to: u64) -> u64;

    /// The eight cells around each cell. A cell itself belongs to them only as another's
    /// neighbour. Cells outside the field may be among them, in the rows above [`super::ROWS`].
    #[inline(always)]
    fn around(self, a: Self::Vector) -> Self::Vector {
        let beside = self.or(self.up(a), self.down(a));
        let three = self.or(beside, a);
        self.or(beside, self.or(self.left(three), self.right(three)))
    }
}

/// Work that is compiled once for each instruction set.
///
/// `run` must be `#[inline(always)]`, with everything that it calls on its hot path, so that it
/// becomes part of the one function that the instruction set's file allows to use its instructions.
pub trait Kernel<I> {
    /// What it yields.
    type Output;

    /// Does the work.
    fn run(self, isa: I) -> Self::Output;
}
