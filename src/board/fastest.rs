//! The measurement that chooses a kernel.

use std::hint::black_box;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::{ChildBuffer, Field, Kernel};
use crate::game::{DropColumns, Pack, Packs, Placement};

/// Fields measured on.
const FIELDS: usize = 32;

/// The height of the tallest column of a field measured on, at least.
const LEAST_HEIGHT: u8 = 8;

/// Passes over them, of which the fastest counts: the first meets cold caches, and others use the
/// machine too.
const PASSES: usize = 20;

impl Kernel {
    /// The fastest one that plays, measured in about a millisecond, once in a process.
    ///
    /// What a processor says that it can do says nothing about how fast it does it: AMD's before
    /// Zen 3 have `pext`, in microcode, hundreds of cycles a time (the BitBoard needs it; none of
    /// those measured here does), some halve every vector of AVX2, and an emulator may take longer
    /// over vectors than over words.
    pub fn fastest() -> Self {
        static FASTEST: OnceLock<Kernel> = OnceLock::new();
        *FASTEST.get_or_init(|| {
            let fields = fields();
            let measured = Self::available()
                .iter()
                .filter(|kernel| kernel.plays())
                .map(|&kernel| (fastest_pass(kernel, &fields), kernel));
            let fastest = measured.min_by_key(|&(time, _)| time).map(|(_, kernel)| kernel);
            fastest.expect("plain words are always there")
        })
    }

    /// Whether it is meant to play, not only to be compared with.
    const fn plays(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) | Self::Avx2(_) => true,
            Self::Portable(_) => true,
            #[cfg(feature = "arena")]
            _ => false,
        }
    }
}

/// Fields of games of scattered drops, each with the pack that is next.
fn fields() -> Vec<(Field, Pack)> {
    let (packs, kernel) = (Packs::from_seed(0), Kernel::available()[0]);
    let mut field = Field::EMPTY;
    let mut fields = Vec::new();
    for (turn, pack) in packs.from_turn(0).iter().enumerate() {
        if field.is_over() {
            field = Field::EMPTY;
        }
        // Fields of early turns have little on them.
        if field.tallest() >= LEAST_HEIGHT {
            fields.push((field, *pack));
        }
        // 7 has no divisor in common with the number of placements: each has its turn.
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
