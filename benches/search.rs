//! Speed of the searches, on one thread: a beam, an alpha-beta search, and a whole decision.
#![allow(missing_docs)] // the functions that criterion's macros make

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rayon::ThreadPoolBuilder;
use tensai::board::Field;
use tensai::dev;
use tensai::dev::beam_bench::standing_set;
use tensai::game::{Packs, Player, Seat, State};
use tensai::search::{Budget, TranspositionTable, alpha_beta, beam, threats};

/// Drops of a search: those of a turn of a short game.
const DROPS: u64 = 100_000;

/// Fields of each setting that one iteration searches.
const FIELDS: usize = 4;

/// A beam from the empty field, from a field of turn 8, and from that field under rows.
fn beams(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("beam");
    group.sample_size(20).throughput(Throughput::Elements(DROPS * FIELDS as u64));
    let fields = standing_set();
    for name in ["empty", "turn 8", "rows"] {
        let fields: Vec<_> =
            fields.iter().filter(|field| field.setting.name == name).take(FIELDS).collect();
        let packs: Vec<Packs> = fields.iter().map(|field| Packs::from_seed(field.seed)).collect();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for (field, packs) in fields.iter().zip(&packs) {
                    let request = field.request(packs);
                    black_box(beam::search(&request, &Budget::new(DROPS, None)));
                }
            });
        });
    }
    group.finish();
}

/// Alpha-beta searches of two and of three plies between two fields of turn 8.
fn alpha_betas(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("alpha-beta");
    group.sample_size(20);
    let fields = standing_set();
    let fields: Vec<_> = fields.iter().filter(|field| field.setting.name == "turn 8").collect();
    let packs = Packs::from_seed(fields[0].seed);
    let player = |index: usize| Player { field: fields[index].field, ..Player::new() };
    let state = State::<Field> { turn: fields[0].turn, players: [player(0), player(1)] };
    let packs = packs.from_turn(state.turn);
    for plies in [2, 3] {
        group.bench_function(format!("{plies} plies"), |bencher| {
            bencher.iter(|| {
                let table = &mut TranspositionTable::new(16);
                let budget = Budget::new(u64::MAX, None);
                let threats = threats::search(&state[Seat::Second], packs, plies, table, &budget)
                    .expect("the budget has no end");
                black_box(alpha_beta::search(&state, packs, &threats, None, table, &budget))
            });
        });
    }
    group.finish();
}

/// 40 decisions of the engine (`tensai dev bench engine`).
fn decisions(criterion: &mut Criterion) {
    /// Drops of a decision.
    const NODES: u64 = 3000;
    let mut group = criterion.benchmark_group("decisions");
    group.sample_size(10).throughput(Throughput::Elements(40));
    group.bench_function("40 of 3000 drops", |bencher| {
        bencher.iter(|| black_box(dev::decisions(NODES)));
    });
    group.finish();
}

/// All benches, with searches on one thread.
fn searches(criterion: &mut Criterion) {
    ThreadPoolBuilder::new().num_threads(1).build_global().expect("no pool has been started");
    beams(criterion);
    alpha_betas(criterion);
    decisions(criterion);
}

criterion_group!(benches, searches);
criterion_main!(benches);
