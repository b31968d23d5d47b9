//! A fixed workload: its speed, and a signature of its results.

use std::hint::black_box;
use std::time::Duration;

use super::boards;
use crate::board::{Backend, ChildBuffer, Field};
use crate::game::{DropColumns, Pack, Placement};
use crate::util::clock::Instant;

/// The speed on [`boards`], in drops or fields a second; the best of several runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Figures {
    /// Drops a second: the chain and the field of each of the 36 drops.
    pub children: f64,
    /// As `children`, with the hash of each field.
    pub children_hashed: f64,
    /// Drops a second: the longest chain of the 36 drops.
    pub chains: f64,
    /// Fields a second: [`Field::potential`].
    pub potential: f64,
}

/// The results of the workload, equal for every simulator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The sum of the rounds of all chains.
    pub chains: u64,
    /// The sum of the rounds of all potentials.
    pub potentials: u64,
    /// A hash of the hashes of all children in order: rotated left by one, then xored with the next
    /// child's hash.
    pub hash: u64,
}

/// Returns the signature of one pass over [`boards`] with `backend`.
pub fn signature(backend: Backend) -> Signature {
    let mut signature = Signature { chains: 0, potentials: 0, hash: 0 };
    let mut buffer = ChildBuffer::of(backend);
    for (cells, pack) in boards() {
        let field = Field::from_cells(&cells);
        field.children(&pack, DropColumns::ALL, &mut buffer);
        for placement in Placement::all() {
            let child = buffer.child(placement);
            signature.chains += u64::from(child.chain.0);
            signature.hash = signature.hash.rotate_left(1) ^ child.field.hash();
        }
        signature.potentials += u64::from(field.potential(&mut buffer).chain.0);
    }
    signature
}

/// Measures `passes` passes over [`boards`] for each figure, on this thread.
pub fn bench(backend: Backend, passes: u32) -> Figures {
    let boards: Vec<(Field, Pack)> =
        boards().iter().map(|(cells, pack)| (Field::from_cells(cells), *pack)).collect();
    let buffer = &mut ChildBuffer::of(backend);
    Figures {
        children: rate(&boards, Placement::COUNT, passes, |field, pack| {
            field.children(pack, DropColumns::ALL, buffer);
            black_box(&*buffer);
        }),
        children_hashed: rate(&boards, Placement::COUNT, passes, |field, pack| {
            black_box(field.children_hashed(pack, buffer));
        }),
        chains: rate(&boards, Placement::COUNT, passes, |field, pack| {
            field.children(pack, DropColumns::ALL, buffer);
            black_box(Placement::all().map(|placement| buffer.chain(placement)).max());
        }),
        potential: rate(&boards, 1, passes, |field, _| {
            black_box(field.potential(buffer));
        }),
    }
}

/// Returns the items a second of `pass`, which handles `items` items a board.
fn rate(
    boards: &[(Field, Pack)],
    items: usize,
    passes: u32,
    mut pass: impl FnMut(&Field, &Pack),
) -> f64 {
    /// The number of parts of the passes. The fastest part counts, because other processes use the
    /// machine too.
    const PARTS: u32 = 10;
    let passes = passes.div_ceil(PARTS);
    let mut best = Duration::MAX;
    for _ in 0..PARTS {
        let start = Instant::now();
        for _ in 0..passes {
            for (field, pack) in black_box(boards) {
                pass(field, pack);
            }
        }
        best = best.min(start.elapsed() / passes);
    }
    (boards.len() * items) as f64 / best.as_secs_f64().max(1e-9)
}
