//! Every fast simulator against the plain reference.
#![cfg(feature = "arena")]

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use tensai::board::bitboard::BitBoard;
use tensai::board::comparison::BitBoards;
use tensai::board::simd::Portable;
use tensai::board::{Backend, ChildBuffer, Field};
use tensai::dev::{Perft, Signature, boards, perft, signature};
use tensai::game::{
    Action, Cell, Cells, Chain, DropColumn, DropColumns, Explosion, Gauge, HEIGHT, Number, Pack,
    Packs, Placement, Player, ROWS, State, WIDTH,
};
use tensai::search::Rain;

/// The BitBoard in plain words, which is only tested.
const PLAIN_BITBOARD: Backend =
    Backend::Comparison(&BitBoards { name: "bitboard in plain words", isa: Portable });

/// Every simulator that this processor can run.
fn backends() -> impl Iterator<Item = Backend> {
    Backend::available().chain([PLAIN_BITBOARD])
}

/// Any field that may stand before a turn; mostly unstable, as its cells are independent.
fn fields() -> impl Strategy<Value = Cells> {
    let cell = prop_oneof![
        5 => (1..=9u8).prop_map(|code| Cell::from_code(code).unwrap()),
        1 => Just(Cell::Ojama),
    ];
    vec(vec(cell, 0..=HEIGHT), WIDTH).prop_map(|columns| {
        let mut cells = [[Cell::Empty; ROWS]; WIDTH];
        for (column, standing) in cells.iter_mut().zip(columns) {
            column[..standing.len()].copy_from_slice(&standing);
        }
        Cells::from_columns(cells).unwrap()
    })
}

fn packs() -> impl Strategy<Value = Pack> {
    (prop::array::uniform4(1..=9u8), 0..5usize).prop_map(|(mut cells, hole)| {
        if let Some(cell) = cells.get_mut(hole) {
            *cell = 0;
        }
        Pack::new(cells).unwrap()
    })
}

/// The results of all queries of a field, by the plain simulator.
struct Plain {
    cells: Cells,
    heights: [u8; WIDTH],
    hash: u64,
    counts: (u32, u32),
    explosion: Explosion,
    tallest: u8,
    is_over: bool,
}

impl Plain {
    fn new(cells: Cells) -> Self {
        Self {
            cells,
            heights: cells.heights(),
            hash: cells.hash(),
            counts: (cells.blocks(), cells.ojama()),
            explosion: cells.explosion(),
            tallest: cells.tallest(),
            is_over: cells.is_over(),
        }
    }

    fn check(&self, field: &Field) {
        assert_eq!(*field, Field::from_cells(&self.cells));
        assert_eq!(field.heights(), self.heights);
        assert_eq!(field.hash(), self.hash);
        assert_eq!((field.blocks(), field.ojama()), self.counts);
        assert_eq!(field.explosion(), self.explosion);
        assert_eq!((field.tallest(), field.is_over()), (self.tallest, self.is_over));
    }
}

/// The results of a drop and of the skill on a field, with or without a row of ojama, by the plain
/// simulator.
struct ExpectedTurn {
    before: Cells,
    rain: bool,
    pack: Pack,
    placement: Placement,
    start: Plain,
    dropped: (Chain, Plain),
    exploded: (Chain, Explosion, Plain),
}

impl ExpectedTurn {
    fn new(before: Cells, pack: Pack, placement: Placement, rain: bool) -> Self {
        let mut cells = before;
        if rain {
            cells.rain();
        }
        let (dropped, exploded) = (cells.drop_pack(&pack, placement), cells.explode());
        Self {
            before,
            rain,
            pack,
            placement,
            start: Plain::new(cells),
            dropped: (dropped.chain, Plain::new(dropped.field)),
            exploded: (exploded.chain, exploded.explosion, Plain::new(exploded.field)),
        }
    }

    /// The results of a fast simulator: of the drop alone, as one of all drops, and as one of some.
    fn check(&self, backend: Backend) {
        let mut field = Field::from_cells(&self.before);
        assert_eq!(field.to_cells(), self.before, "there and back");
        if self.rain {
            field.rain();
        }
        self.start.check(&field);
        let exploded = backend.explode(&field);
        assert_eq!((exploded.chain, exploded.explosion), (self.exploded.0, self.exploded.1));
        self.exploded.2.check(&exploded.field);
        let first = self.placement.column;
        let last = DropColumn::new((first.get() + 2).min(8)).unwrap();
        let mut buffer = ChildBuffer::of(backend);
        let mut child = |columns| {
            field.children(&self.pack, columns, &mut buffer);
            buffer.child(self.placement)
        };
        let all = child(DropColumns::ALL);
        let few = child(DropColumns { first, last });
        for dropped in [backend.drop_pack(&field, &self.pack, self.placement), all, few] {
            assert_eq!(dropped.chain, self.dropped.0);
            self.dropped.1.check(&dropped.field);
        }
    }
}

/// Whole random games: all 36 children at every turn, and the state of both players.
fn same_games(backend: Backend, games: u64) {
    for seed in 0..games {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let packs = Packs::generate(&mut rng);
        let (mut plain, mut fast) = (State::<Cells>::new(), State::<Field>::new());
        let (mut buffer, mut other) = (ChildBuffer::of(backend), ChildBuffer::of(backend));
        while plain.end().is_none() {
            let pack = packs.get(plain.turn).unwrap();
            for (slow, quick) in plain.players.iter().zip(&fast.players) {
                quick.field.children(pack, DropColumns::ALL, &mut buffer);
                for placement in Placement::all() {
                    let expected = slow.field.drop_pack(pack, placement);
                    let child = buffer.child(placement);
                    assert_eq!(child.field.to_cells(), expected.field, "game {seed}");
                    assert_eq!(child.chain, expected.chain);
                    assert_eq!(buffer.chain(placement), expected.chain);
                    if placement.index() % 12 == 0 {
                        let potential = child.field.potential(&mut other);
                        assert_eq!(potential, expected.field.potential());
                    }
                }
            }
            let mut action = |player: &Player<Cells>| match rng.random_range(0..=36) {
                36 if player.gauge.allows_skill() => Action::Skill,
                index => Action::Drop(Placement::from_index(index % 36).unwrap()),
            };
            let actions = [action(&plain.players[0]), action(&plain.players[1])];
            let (slow, quick) =
                (plain.play(pack, actions).unwrap(), fast.play(pack, actions).unwrap());
            // Rows are added in every game, because random players send few ojama.
            let mut after = slow.after;
            let rain = rng.random_range(0..4);
            after.players[rain % 2].stock += if rain < 2 { 10 } else { 0 };
            assert_eq!(quick.after.convert::<Cells>(), slow.after, "game {seed}");
            assert_eq!(quick.after.end(), slow.after.end());
            (plain, fast) = (after, after.convert());
        }
    }
}

/// Checks a property with `cases` random values of a strategy, in four parallel parts. The variable
/// `TENSAI_CASES` is a factor on `cases`, for a longer search by hand.
fn for_cases<S: Strategy>(
    cases: u32,
    strategy: impl Fn() -> S + Sync,
    check: impl Fn(S::Value) + Sync,
) {
    const PARTS: u32 = 4;
    let factor = std::env::var("TENSAI_CASES").map_or(1, |factor| factor.parse().unwrap());
    let cases = cases * factor;
    (0..PARTS).into_par_iter().for_each(|_| {
        let config = ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::with_cases(cases / PARTS)
        };
        let outcome = TestRunner::new(config).run(&strategy(), |value| {
            check(value);
            Ok(())
        });
        outcome.unwrap_or_else(|error| panic!("{error}"));
    });
}

/// A field, a row of ojama or none, a drop, and the skill.
#[test]
fn backends_agree_with_the_reference_on_random_fields() {
    let turns = || (fields(), packs(), 0..Placement::COUNT, any::<bool>());
    for_cases(20_000, turns, |(cells, pack, index, rain)| {
        let turn = ExpectedTurn::new(cells, pack, Placement::from_index(index).unwrap(), rain);
        backends().for_each(|backend| turn.check(backend));
    });
}

#[test]
fn backends_agree_on_random_potentials() {
    for_cases(
        3_000,
        || (fields(), 0..10_u8),
        |(cells, rows)| {
            let expected = (cells.potential(), cells.potential_after(rows));
            for backend in backends() {
                let (field, mut buffer) = (Field::from_cells(&cells), ChildBuffer::of(backend));
                let found =
                    (field.potential(&mut buffer), field.potential_after(rows, &mut buffer));
                assert_eq!(found, expected, "{backend}");
            }
        },
    );
}

/// Checks the potentials and summaries of `fields`, stable ones, computed together by every
/// backend. The field of index `i` is followed by `rows` rows, or none if `i` is even.
fn check_together(fields: &[Cells], rows: u8) {
    let rows = |index: usize| if index.is_multiple_of(2) { 0 } else { rows };
    let expected: Vec<_> = fields
        .iter()
        .enumerate()
        .map(|(index, cells)| (cells.potential(), cells.potential_after(rows(index)).1))
        .collect();
    for backend in backends() {
        let mut buffer = ChildBuffer::of(backend);
        // A second batch, as the first one leaves its content in the buffer.
        for part in [&fields[fields.len() / 2..], fields] {
            buffer.clear_potentials();
            for (index, cells) in part.iter().enumerate() {
                buffer.add_potential(&Field::from_cells(cells), rows(index));
            }
            buffer.run_potentials();
        }
        for (index, (cells, expected)) in fields.iter().zip(&expected).enumerate() {
            assert_eq!(buffer.potential(index), *expected, "{backend}, field {index}");
            let summary = buffer.summary(index);
            assert_eq!((summary.heights, summary.blocks), (cells.heights(), cells.blocks()));
        }
    }
}

/// All children of a field that are still in the game.
fn children(cells: &Cells, pack: &Pack) -> Vec<Cells> {
    let children = Placement::all().map(|placement| cells.drop_pack(pack, placement).field);
    children.filter(|child| !child.is_over()).collect()
}

#[test]
fn potentials_of_several_fields_are_those_of_each() {
    for_cases(
        100,
        || (fields(), packs(), 0..10_u8),
        |(cells, pack, rows)| check_together(&children(&cells, &pack), rows),
    );
    // Fields of games have more triggers: those of 36 fill the slots more than once.
    boards().par_iter().step_by(25).for_each(|(cells, pack)| {
        check_together(&children(cells, pack), 3);
    });
    check_together(&[], 0);
}

#[test]
fn backends_agree_with_the_reference_in_random_games() {
    same_games(PLAIN_BITBOARD, 20);
    for backend in Backend::available() {
        // Both halves of a turn use the process's backend.
        Backend::choose(Some(backend));
        same_games(backend, 20);
    }
}

/// The results of every simulator on the measured boards. Three simulators of other authors found
/// this sum of chains; the plain simulator found the potentials and, by its definition, the hash.
const SIGNATURE: Signature =
    Signature { chains: 17_952, potentials: 2_131, hash: 0x4fff_c0c8_44b1_d434 };

#[test]
fn every_backend_has_the_pinned_signature() {
    for backend in backends() {
        assert_eq!(signature(backend), SIGNATURE, "{backend}");
    }
}

/// 10,089 of the 18,000 drops on the measured boards set off a chain.
#[test]
fn the_measured_boards_are_the_published_ones() {
    let drops = |(cells, pack): &(Cells, Pack)| {
        let chains = Placement::all().map(|placement| cells.drop_pack(pack, placement).chain);
        chains.filter(|chain| chain.0 > 0).count()
    };
    assert_eq!(boards().iter().map(drops).sum::<usize>(), 10_089);
}

/// The counts of all lines of three actions from two positions, found by the plain simulator.
#[test]
fn perft_counts_are_pinned() {
    let packs = Packs::generate(&mut Xoshiro256PlusPlus::seed_from_u64(0));
    let counts = |perft: &Perft| (perft.leaves, perft.deaths, perft.states, perft.hash);
    let empty = Player::<Field>::new();
    let field = Field::from_cells(&boards()[77].0);
    let crowded = Player { field, gauge: Gauge::new(72).unwrap(), ..empty };
    let rain = Rain::from_bits(0b110);
    for backend in backends() {
        let lines = perft(backend, &crowded, packs.from_turn(0), 2, rain);
        assert_eq!(counts(&lines), CROWDED, "{backend}");
        let lines = perft(backend, &empty, packs.from_turn(0), 3, Rain::NONE);
        assert_eq!(counts(&lines), EMPTY, "{backend}");
        assert_eq!(lines.chains.values().sum::<u64>(), 36 + 36 * 36 + 36 * 36 * 36);
    }
}

/// Leaves, deaths, states and hash of [`perft_counts_are_pinned`].
const CROWDED: (u64, u64, u64, u64) = (1_308, 21, 1_307, 0xd2be_0e9c_f81c_1a84);
const EMPTY: (u64, u64, u64, u64) = (46_656, 0, 41_656, 0xa87d_f988_169b_20c5);

/// The hashes that are computed with the children are equal to the hashes of the children.
#[test]
fn hashes_of_children_equal_those_of_their_fields() {
    for backend in backends() {
        let mut buffer = ChildBuffer::of(backend);
        for (cells, pack) in boards() {
            let all = Field::from_cells(&cells).children_hashed(&pack, &mut buffer);
            let hashes = buffer.hashes();
            for placement in Placement::all() {
                let child = buffer.child(placement).field;
                assert_eq!(hashes[placement.index()], child.hash(), "{backend}");
            }
            assert_eq!(hashes.iter().fold(0, |all, hash| all ^ hash), all);
        }
    }
}

/// A BitBoard from cells equals the BitBoard from a field with these cells, and contains them.
#[test]
fn a_bitboard_is_made_from_cells_and_from_fields() {
    for (cells, _) in boards() {
        let board = BitBoard::from_cells(Portable, &cells);
        assert_eq!(board.to_cells(), cells);
        assert_eq!(board, BitBoard::from_field(Portable, &Field::from_cells(&cells)));
    }
}

/// A neighbourhood plane contains the cells around the blocks of its number.
#[test]
fn the_neighbourhood_of_fives_is_the_cells_around_them() {
    let cells: Cells = "
        5.........
        9#.......5"
        .parse()
        .unwrap();
    let board = BitBoard::from_cells(Portable, &cells);
    let around = board.neighbourhood(Number::FIVE);
    let inside: Vec<(usize, usize)> = (0..WIDTH)
        .flat_map(|x| (0..3).map(move |y| (x, y)))
        .filter(|&(x, y)| around.contains(x, y))
        .collect();
    assert_eq!(inside, [(0, 0), (0, 2), (1, 0), (1, 1), (1, 2), (8, 0), (8, 1), (9, 1)]);
}
