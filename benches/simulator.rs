//! Speed of the simulators on 500 fields from games between strong bots: all 36 drops of each.
#![allow(missing_docs)] // the functions that criterion's macros make

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tensai::board::{Backend, ChildBuffer, Field};
use tensai::dev::boards;
use tensai::game::{DropColumns, Pack, Placement};

/// The figures of one backend.
fn measure(criterion: &mut Criterion, backend: Backend) {
    let boards: Vec<(Field, Pack)> =
        boards().iter().map(|(cells, pack)| (Field::from_cells(cells), *pack)).collect();
    let mut buffer = ChildBuffer::of(backend);
    let mut group = criterion.benchmark_group(backend.name());
    group.throughput(Throughput::Elements((boards.len() * Placement::COUNT) as u64));
    group.bench_function("children", |bencher| {
        bencher.iter(|| {
            for (field, pack) in &boards {
                field.children(pack, DropColumns::ALL, &mut buffer);
            }
        });
    });
    group.bench_function("children hashed", |bencher| {
        bencher.iter(|| {
            let hashes =
                boards.iter().map(|(field, pack)| field.children_hashed(pack, &mut buffer));
            hashes.fold(0, |all, hash| all ^ hash)
        });
    });
    group.bench_function("chains", |bencher| {
        bencher.iter(|| {
            let mut sum = 0;
            for (field, pack) in &boards {
                field.children(pack, DropColumns::ALL, &mut buffer);
                let chains = Placement::all().map(|placement| buffer.chain(placement).0);
                sum += chains.map(u32::from).sum::<u32>();
            }
            sum
        });
    });
    group.throughput(Throughput::Elements(boards.len() as u64));
    group.bench_function("potential", |bencher| {
        bencher.iter(|| {
            let chains = boards.iter().map(|(field, _)| field.potential(&mut buffer).chain);
            chains.map(|chain| u32::from(chain.0)).sum::<u32>()
        });
    });
    group.finish();
}

fn simulators(criterion: &mut Criterion) {
    // The plain reference would take minutes.
    for backend in Backend::available().filter(|backend| backend.name() != "reference") {
        measure(criterion, backend);
    }
}

criterion_group!(benches, simulators);
criterion_main!(benches);
