//! The backends for comparisons: the BitBoard, and the reference simulator.
//!
//! With `--backend bitboard` the whole bot plays on the owner's design, and the tests compare the
//! packed backends with both. They hold a field in another encoding, so that each call converts it.

use super::Field;
use super::backend::{Backend, Comparison, NamedBackend};
use super::bitboard::BitBoard;
#[cfg(target_arch = "x86_64")]
use super::simd::Avx2;
use super::simd::Isa;
use crate::game::{DropColumns, Dropped, Exploded, Pack, Placement, Potential};

/// The backends for comparisons, for [`Backend::all`].
pub(super) fn backends() -> [NamedBackend; 2] {
    #[cfg(target_arch = "x86_64")]
    let bitboard = Avx2::detect().map(|isa| {
        // The token has no size, so that nothing is allocated.
        Backend::Comparison(Box::leak(Box::new(BitBoards { name: "bitboard", isa })))
    });
    #[cfg(not(target_arch = "x86_64"))]
    let bitboard = None;
    let about = "A plane for each content of a cell, with AVX2 and BMI2, for comparisons";
    let reference = "The reference simulator, hundreds of times slower, for comparisons";
    [("bitboard", about, bitboard), ("reference", reference, Some(Backend::Comparison(&Reference)))]
}

/// The BitBoard with an instruction set. The tests use it with plain words too.
pub struct BitBoards<I> {
    /// The name of the backend.
    pub name: &'static str,
    /// The instruction set.
    pub isa: I,
}

impl<I: Isa> Comparison for BitBoards<I> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn children(
        &self,
        field: &Field,
        pack: &Pack,
        columns: DropColumns,
        take: &mut dyn FnMut(Placement, &Dropped<Field>),
    ) {
        BitBoard::from_field(self.isa, field).children(pack, columns, take);
    }

    fn drop_pack(&self, field: &Field, pack: &Pack, placement: Placement) -> Dropped<Field> {
        BitBoard::from_field(self.isa, field).drop_pack(pack, placement)
    }

    fn explode(&self, field: &Field) -> Exploded<Field> {
        BitBoard::from_field(self.isa, field).explode()
    }

    fn potential(&self, field: &Field) -> Potential {
        BitBoard::from_field(self.isa, field).potential()
    }
}

/// The reference simulator, [`mod@crate::game::reference`].
struct Reference;

impl Comparison for Reference {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn children(
        &self,
        field: &Field,
        pack: &Pack,
        columns: DropColumns,
        take: &mut dyn FnMut(Placement, &Dropped<Field>),
    ) {
        for placement in columns.placements() {
            take(placement, &self.drop_pack(field, pack, placement));
        }
    }

    fn drop_pack(&self, field: &Field, pack: &Pack, placement: Placement) -> Dropped<Field> {
        let Dropped { field, chain } = field.to_cells().drop_pack(pack, placement);
        Dropped { field: Field::from_cells(&field), chain }
    }

    fn explode(&self, field: &Field) -> Exploded<Field> {
        let Exploded { field, explosion, chain } = field.to_cells().explode();
        Exploded { field: Field::from_cells(&field), explosion, chain }
    }

    fn potential(&self, field: &Field) -> Potential {
        field.to_cells().potential()
    }
}
