//! The measurement that chooses a kernel.

use std::hint::black_box;
use std::sync::OnceLock;
use std::time::Duration;

use super::{ChildBuffer, Field, Kernel};
use crate::game::{DropColumns, Pack, Packs, Placement};
use crate::util::clock::Instant;

/// The number of fields of the measurement.
const FIELDS: usize = 32;

/// The least height of the tallest column of a measured field.
const LEAST_HEIGHT: u8 = 8;

/// The number of passes over the fields. The fastest pass counts, because the caches are cold in
/// the first one and other processes use the machine too.
const PASSES: usize = 20;

impl Kernel {
    /// Returns the fastest kernel that is meant to play, measured once in a process, in about two
    /// milliseconds.
    ///
    /// The features of a processor do not determine its speed. AMD processors before Zen 3 run
    /// `pext` in microcode, in hundreds of cycles (the BitBoard needs `pext`; the measured kernels
    /// do not). Some processors split each AVX2 vector into halves. An emulator may be slower with
    /// vectors than with words.
    pub fn fastest() -> Self {
        static FASTEST: OnceLock<Kernel> = OnceLock::new();
        *FASTEST.get_or_init(|| {
            let fields = fields();
            let measured = Self::available()
                .iter()
                // The others are for comparisons only.
                .filter(|kernel| kernel.is_packed())
                .map(|&kernel| (fastest_pass(kernel, &fields), kernel));
            let fastest = measured.min_by_key(|&(time, _)| time).map(|(_, kernel)| kernel);
            fastest.expect("plain words are always there")
        })
    }
}

/// Returns fields of games with scattered drops, each with the next pack.
fn fields() -> Vec<(Field, Pack)> {
    let (packs, kernel) = (Packs::from_seed(0), Kernel::available()[0]);
    let mut field = Field::EMPTY;
    let mut fields = Vec::new();
    for (turn, pack) in packs.from_turn(0).iter().enumerate() {
        if field.is_over() {
            field = Field::EMPTY;
        }
        // Fields of early turns hold few blocks.
        if field.tallest() >= LEAST_HEIGHT {
            fields.push((field, *pack));
        }
        // 7 and the number of placements are coprime, so each placement occurs.
        let placement = Placement::from_index(7 * turn % Placement::COUNT);
        let placement = placement.expect("an index below the number of placements");
        field = kernel.drop_pack(&field, pack, placement).field;
    }
    fields.truncate(FIELDS);
    fields
}

fn fastest_pass(kernel: Kernel, fields: &[(Field, Pack)]) -> Duration {
    let buffer = &mut ChildBuffer::of(kernel);
    let mut pass = || {
        let start = Instant::now();
        for (field, pack) in black_box(fields) {
            field.children(pack, DropColumns::ALL, buffer);
            black_box(&*buffer);
        }
        start.elapsed()
    };
    (0..PASSES).map(|_| pass()).min().unwrap_or(Duration::MAX)
}
