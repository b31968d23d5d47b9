//! The board in its planes.

use super::super::simd::Isa;
use super::planes::ContentPlanes;
use crate::game::Cells;

/// A field in twenty planes, with one bit a cell in each plane.
///
/// Eleven planes are stored ([`ContentPlanes`]): any block or ojama, the numbers 1 to 9, ojama. The
/// other nine, the neighbourhoods of the numbers, are computed on demand
/// ([`BitBoard::neighbourhood`]): a block vanishes if it lies in the neighbourhood of its
/// complement. Stored neighbourhoods would nearly double the bytes that every drop copies, while
/// computing one takes about twenty instructions and only the neighbourhoods of numbers that moved
/// are needed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BitBoard<I> {
    pub(super) planes: ContentPlanes,
    /// Whether neighbours sum to ten before any drop; see [`Field`](super::super::packed::Field).
    pub(super) is_unsettled: bool,
    pub(super) isa: I,
}

impl<I: Isa> BitBoard<I> {
    /// A board without blocks that vanish.
    #[inline(always)]
    pub(super) const fn settled(isa: I, planes: ContentPlanes) -> Self {
        Self { planes, is_unsettled: false, isa }
    }

    /// The board in plain form.
    pub fn to_cells(&self) -> Cells {
        self.planes.to_cells()
    }
}

impl<I: Isa> std::fmt::Debug for BitBoard<I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.to_cells())
    }
}
