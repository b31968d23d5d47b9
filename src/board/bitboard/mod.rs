//! The BitBoard: a field as planes of 256 bits, one for each content of a cell.
//!
//! [`Field`], the default of the search, is several times as fast (S-01, S-02). As a backend
//! ([`super::comparison`]), each call converts the field to a board and the result back.
//!
//! * [`Plane`], [`ContentPlanes`]: the layout;
//! * `simulate`: drops, vanishing (in vectors) and falls (`pext`), written once against
//!   [`Isa`].

mod planes;
mod simulate;

pub use planes::{ContentPlanes, LANE, LANE_PAIR, Plane};

use super::packed::Field;
use super::simd::Isa;
use crate::game::{Cells, DropColumns, Dropped, Exploded, Number, Pack, Placement, Potential};

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
    planes: ContentPlanes,
    /// Whether neighbours sum to ten before any drop; see [`Field`].
    is_unstable: bool,
    isa: I,
}

impl<I: Isa> BitBoard<I> {
    /// A board without blocks that vanish.
    #[inline(always)]
    const fn stable(isa: I, planes: ContentPlanes) -> Self {
        Self { planes, is_unstable: false, isa }
    }

    /// The board in plain form.
    pub fn to_cells(&self) -> Cells {
        self.planes.to_cells()
    }

    /// The plane of the cells around the blocks of a number.
    pub fn neighbourhood(&self, number: Number) -> Plane {
        self.isa.run(simulate::Around(&self.planes.0[usize::from(number.get())]))
    }

    /// The board with the given cells.
    pub fn from_cells(isa: I, cells: &Cells) -> Self {
        let planes = ContentPlanes::from_cells(cells);
        Self { planes, is_unstable: isa.run(simulate::IsUnstable(&planes)), isa }
    }

    /// The board with the cells of a field of four planes.
    pub fn from_field(isa: I, field: &Field) -> Self {
        let planes = ContentPlanes::from_codes(&field.cells());
        Self { planes, is_unstable: field.is_unstable(), isa }
    }

    /// Converts a board without blocks that vanish to a field of four planes.
    fn to_stable_field(self) -> Field {
        Field::from_planes(self.planes.to_codes())
    }

    /// Drops a pack and lets the chain run.
    pub fn drop_pack(&self, pack: &Pack, placement: Placement) -> Dropped<Field> {
        let dropped = self.isa.run(simulate::BitBoardDrop { board: self, pack, placement });
        Dropped { field: dropped.field.to_stable_field(), chain: dropped.chain }
    }

    /// Uses the skill and lets the chain run.
    pub fn explode(&self) -> Exploded<Field> {
        let Exploded { field, explosion, chain } = self.isa.run(simulate::BitBoardSkill(self));
        Exploded { field: field.to_stable_field(), explosion, chain }
    }

    /// The potential.
    pub fn potential(&self) -> Potential {
        self.isa.run(simulate::FindPotential(self))
    }

    /// Drops a pack at the given columns in all rotations, and calls `take` with each child.
    pub fn children(
        &self,
        pack: &Pack,
        columns: DropColumns,
        mut take: impl FnMut(Placement, &Dropped<Field>),
    ) {
        let take = |placement, Dropped { field, chain }: Dropped<Self>| {
            take(placement, &Dropped { field: field.to_stable_field(), chain });
        };
        self.isa.run(simulate::BitBoardDrops { board: self, pack, columns, take });
    }
}

impl<I: Isa> std::fmt::Debug for BitBoard<I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.to_cells())
    }
}
