//! Every fast simulator against the plain reference.

use proptest::collection::vec;
use proptest::prelude::*;
use rand::SeedableRng as _;
use rand::rngs::SmallRng;
use tensai::board::{Avx2, BitBoard, Isa, Portable};
use tensai::game::{
    Action, Cell, Cells, Field, HEIGHT, Number, Pack, Packs, Placement, Player, ROWS, State, WIDTH,
};

/// Any field that may stand before a turn; mostly unsettled, as its cells are independent.
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

/// One drop, or one skill, with or without a row of ojama, gives the same everywhere.
fn same_turn<F: Field>(cells: &Cells, pack: &Pack, placement: Placement, rain: bool) {
    let (mut plain, mut fast) = (*cells, F::from_cells(cells));
    assert_eq!(fast.to_cells(), plain, "there and back");
    if rain {
        plain.rain();
        fast.rain();
    }
    same_field(&plain, &fast);
    let (slow, quick) = (plain.drop_pack(pack, placement), fast.drop_pack(pack, placement));
    assert_eq!(quick.chain, slow.chain);
    same_field(&slow.field, &quick.field);
    let (slow, quick) = (plain.explode(), fast.explode());
    assert_eq!((quick.chain, quick.explosion), (slow.chain, slow.explosion));
    same_field(&slow.field, &quick.field);
}

/// All that can be asked of a field.
fn same_field<F: Field>(plain: &Cells, fast: &F) {
    assert_eq!(fast.to_cells(), *plain);
    assert_eq!(Field::heights(fast), Field::heights(plain));
    assert_eq!(fast.hash(), Field::hash(plain));
    let counts = |field: (u32, u32)| field;
    assert_eq!(counts((fast.blocks(), fast.ojama())), counts((plain.blocks(), plain.ojama())));
    assert_eq!(fast.explosion(), plain.explosion());
    assert_eq!((fast.tallest(), fast.is_over()), (plain.tallest(), plain.is_over()));
}

/// Whole random games: all 36 children at every turn, and the state of both players.
fn same_games<F: Field>(games: u64) {
    for seed in 0..games {
        let mut rng = SmallRng::seed_from_u64(seed);
        let packs = Packs::generate(&mut rng);
        let (mut plain, mut fast) = (State::<Cells>::new(), State::<F>::new());
        let mut children = Vec::new();
        while plain.end().is_none() {
            let pack = packs.get(plain.turn).unwrap();
            for (slow, quick) in plain.players.iter().zip(&fast.players) {
                quick.field.children(pack, &mut children);
                let chains = quick.field.chains(pack);
                for (child, placement) in children.iter().zip(Placement::all()) {
                    let expected = slow.field.drop_pack(pack, placement);
                    assert_eq!(child.field.to_cells(), expected.field, "game {seed}");
                    assert_eq!(child.chain, expected.chain);
                    if placement.index() % 12 == 0 {
                        assert_eq!(child.field.potential(), expected.field.potential());
                    }
                    assert_eq!(chains[placement.index()], expected.chain);
                }
            }
            let mut action = |player: &Player<Cells>| match rng.random_range(0..=36) {
                36 if player.gauge.allows_skill() => Action::Skill,
                index => Action::Drop(Placement::from_index(index % 36).unwrap()),
            };
            let actions = [action(&plain.players[0]), action(&plain.players[1])];
            let (slow, quick) =
                (plain.play(pack, actions).unwrap(), fast.play(pack, actions).unwrap());
            // Some rain in every game: random players send hardly any.
            let mut after = slow.after;
            let rain = rng.random_range(0..4);
            after.players[rain % 2].stock += if rain < 2 { 10 } else { 0 };
            assert_eq!(quick.after.convert::<Cells>(), slow.after, "game {seed}");
            assert_eq!(quick.after.end(), slow.after.end());
            (plain, fast) = (after, after.convert());
        }
    }
}

macro_rules! same_as_reference {
    ($name:ident, $board:ty, $isa:ty) => {
        mod $name {
            use super::*;

            proptest! {
                #![proptest_config(ProptestConfig::with_cases(100_000))]

                /// A field, a row of ojama or none, a drop, and the skill.
                #[test]
                fn random_fields(
                    cells in fields(), pack in packs(), index in 0..36usize, rain: bool
                ) {
                    if <$isa>::detect().is_some() {
                        same_turn::<$board>(
                            &cells, &pack, Placement::from_index(index).unwrap(), rain
                        );
                    }
                }
            }

            proptest! {
                #![proptest_config(ProptestConfig::with_cases(10_000))]

                #[test]
                fn random_potentials(cells in fields()) {
                    if <$isa>::detect().is_some() {
                        let fast = <$board>::from_cells(&cells).potential();
                        prop_assert_eq!(fast, cells.potential());
                    }
                }
            }

            #[test]
            fn random_games() {
                if <$isa>::detect().is_some() {
                    same_games::<$board>(30);
                }
            }
        }
    };
}

same_as_reference!(portable, BitBoard<Portable>, Portable);
#[cfg(target_arch = "x86_64")]
same_as_reference!(avx2, BitBoard<Avx2>, Avx2);

/// The chains of all drops on the fields of `tests/data/boards.txt`, from games between strong
/// bots, add up to what three simulators of other authors found.
fn measured_boards<F: Field>() {
    let (mut chains, mut firing) = (0, 0);
    for (cells, pack) in boards() {
        let drops = F::from_cells(&cells).chains(&pack);
        chains += drops.iter().map(|chain| u32::from(chain.0)).sum::<u32>();
        firing += drops.iter().filter(|chain| chain.0 > 0).count();
    }
    assert_eq!((chains, firing), (17_952, 10_089));
}

#[test]
fn measured_boards_everywhere() {
    measured_boards::<Cells>();
    measured_boards::<BitBoard<Portable>>();
    #[cfg(target_arch = "x86_64")]
    if Avx2::detect().is_some() {
        measured_boards::<BitBoard<Avx2>>();
    }
}

/// The fields and packs of `tests/data/boards.txt`.
fn boards() -> impl Iterator<Item = (Cells, Pack)> {
    include_str!("data/boards.txt").lines().map(|line| {
        let numbers = |part: &str| part.split_whitespace().map(|n| n.parse().unwrap()).collect();
        let (pack, field) = line.split_once('|').unwrap();
        let (pack, field): (Vec<u8>, Vec<u8>) = (numbers(pack), numbers(field));
        let rows: Vec<[Cell; WIDTH]> = field
            .chunks(WIDTH)
            .map(|row| std::array::from_fn(|x| Cell::from_code(row[x]).unwrap()))
            .collect();
        let pack = Pack::new(pack.try_into().unwrap()).unwrap();
        (Cells::from_rows(&rows).unwrap(), pack)
    })
}

/// The neighbourhood planes hold the cells around a number's blocks.
#[test]
fn neighbourhoods() {
    let cells: Cells = "
        5.........
        9#.......5"
        .parse()
        .unwrap();
    let board = BitBoard::<Portable>::from_cells(&cells);
    let around = board.neighbourhood(Number::FIVE);
    let inside: Vec<(usize, usize)> = (0..WIDTH)
        .flat_map(|x| (0..3).map(move |y| (x, y)))
        .filter(|&(x, y)| around.contains(x, y))
        .collect();
    assert_eq!(inside, [(0, 0), (0, 2), (1, 0), (1, 1), (1, 2), (8, 0), (8, 1), (9, 1)]);
}
