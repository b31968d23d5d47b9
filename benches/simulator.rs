//! Speed of the simulators on 500 fields from games between strong bots: all 36 drops of each.
#![allow(missing_docs)] // the functions that criterion's macros make

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
#[cfg(target_arch = "x86_64")]
use tensai::board::{Avx2, Isa as _};
use tensai::board::{BitBoard, Portable};
use tensai::game::{Cell, Cells, Field, Pack, Placement, WIDTH};

/// The fields and packs of `tests/data/boards.txt`.
fn boards() -> Vec<(Cells, Pack)> {
    let numbers = |part: &str| -> Vec<u8> {
        part.split_whitespace().map(|number| number.parse().expect("a number")).collect()
    };
    let board = |line: &str| {
        let (pack, field) = line.split_once('|').expect("a pack and a field");
        let field: Vec<Cell> =
            numbers(field).into_iter().map(|code| Cell::from_code(code).expect("a cell")).collect();
        let rows: Vec<[Cell; WIDTH]> = field.as_chunks().0.to_vec();
        let pack = Pack::new(numbers(pack).try_into().expect("four numbers")).expect("a pack");
        (Cells::from_rows(&rows).expect("a field"), pack)
    };
    include_str!("../tests/data/boards.txt").lines().map(board).collect()
}

fn measure<F: Field>(criterion: &mut Criterion, name: &str) {
    let boards: Vec<(F, Pack)> =
        boards().iter().map(|(cells, pack)| (F::from_cells(cells), *pack)).collect();
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements((boards.len() * Placement::COUNT) as u64));
    let mut children = Vec::new();
    group.bench_function("children", |bencher| {
        bencher.iter(|| {
            boards.iter().for_each(|(field, pack)| field.children(pack, &mut children));
        });
    });
    group.bench_function("children hashed", |bencher| {
        bencher.iter(|| {
            let hashes = boards.iter().map(|(field, pack)| {
                field.children(pack, &mut children);
                children.iter().fold(0, |hash, child| hash ^ child.field.hash())
            });
            hashes.fold(0, |all, hash| all ^ hash)
        });
    });
    group.bench_function("chains", |bencher| {
        bencher.iter(|| {
            let chains = boards.iter().flat_map(|(field, pack)| field.chains(pack));
            chains.map(|chain| u32::from(chain.0)).sum::<u32>()
        });
    });
    group.throughput(Throughput::Elements(boards.len() as u64));
    group.bench_function("potential", |bencher| {
        bencher.iter(|| {
            let chains = boards.iter().map(|(field, _)| field.potential().chain);
            chains.map(|chain| u32::from(chain.0)).sum::<u32>()
        });
    });
    group.finish();
}

fn simulators(criterion: &mut Criterion) {
    #[cfg(target_arch = "x86_64")]
    if Avx2::detect().is_some() {
        measure::<BitBoard<Avx2>>(criterion, "bitboard avx2");
    }
    measure::<BitBoard<Portable>>(criterion, "bitboard portable");
}

criterion_group!(benches, simulators);
criterion_main!(benches);
