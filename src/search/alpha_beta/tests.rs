use proptest::prelude::*;
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use crate::board::Field;
use crate::game::{Cells, Packs};
use crate::search::threats;

fn packs() -> Vec<Pack> {
    [[1, 9, 0, 2], [3, 5, 5, 1], [0, 7, 2, 4]].map(|cells| Pack::new(cells).unwrap()).to_vec()
}

fn state(own: &str, opponent: &str) -> State<Field> {
    let mut state = State::new();
    state.players[0].field = own.parse().unwrap();
    state.players[1].field = opponent.parse().unwrap();
    state
}

/// The root moves of a search that uses `table`.
fn searched(
    state: &State<Field>,
    packs: &[Pack],
    exact: Option<Action>,
    table: &mut TranspositionTable,
) -> Vec<RootMove> {
    let budget = Budget::new(u64::MAX, None);
    let threats = threats::search(&state.players[1], packs, packs.len(), table, &budget).unwrap();
    search(state, packs, &threats, exact, table, &budget).unwrap()
}

fn alpha_beta(state: &State<Field>, plies: usize, exact: Option<Action>) -> Vec<RootMove> {
    searched(state, &packs()[..plies], exact, &mut TranspositionTable::new(14))
}

/// The search without pruning and without a transposition table.
fn plain(search: &mut Search<'_>, mut node: Node, ply: usize) -> OjamaTenths {
    if ply == search.threats.plies() {
        return search.value(node, ply, LOSS, WIN).unwrap();
    }
    node.let_rain(ply);
    let alive = search.threats.at(ply, node.opponents_rain).alive;
    let drained = search.opponents_gauge.get() - node.opponents_gauge.get();
    let threat = search.threats.at(ply, node.opponents_rain);
    let most = threat.drained(drained);
    let mut best = LOSS;
    for child in search.children(&node, ply).unwrap() {
        let after = Node {
            field: child.field,
            gauge: child.gauge_after(node.gauge),
            opponents_gauge: node.opponents_gauge.drained(child.chain),
            net: node.net - child.sent() as i64,
            ..node
        };
        let value = match (child.field.is_over(), alive) {
            (true, true) => loss_after(ply),
            (false, false) => win_after(ply),
            (true, false) => search.balance.mutual_end(),
            (false, true) if node.opponents_attack != OpponentsAttack::None || most.ojama == 0 => {
                plain(search, after, ply + 1)
            }
            (false, true) => {
                let attacked = Node {
                    gauge: after.gauge.drained(most.chain),
                    net: after.net + most.ojama as i64,
                    opponents_attack: OpponentsAttack::of(&threat, drained),
                    ..after
                };
                plain(search, after, ply + 1).min(plain(search, attacked, ply + 1))
            }
        };
        best = best.max(value);
    }
    best
}

/// The value of the best action, without pruning and without a transposition table.
fn plain_value(state: &State<Field>, packs: &[Pack]) -> OjamaTenths {
    let table = &mut TranspositionTable::without_slots();
    let budget = Budget::new(u64::MAX, None);
    let threats = threats::search(&state.players[1], packs, packs.len(), table, &budget).unwrap();
    let [own, opponent] = &state.players;
    let mut search = Search {
        packs,
        threats: &threats,
        budget: &budget,
        balance: Balance::new(own, opponent),
        opponents_gauge: opponent.gauge,
        table,
        buffer: ChildBuffer::new(),
    };
    let root = Node {
        field: own.field,
        gauge: own.gauge,
        opponents_gauge: opponent.gauge,
        net: own.stock as i64 - opponent.stock as i64,
        opponents_rain: Rain::NONE,
        opponents_attack: OpponentsAttack::None,
    };
    plain(&mut search, root, 0)
}

#[test]
fn pruning_changes_no_value() {
    let mut state =
        state("6.........\n43........\n2851......\n174289....", "6....4....\n2.82.3....");
    state.players[0].stock = 25;
    state.players[0].gauge = Gauge::new(72).unwrap();
    assert_eq!(alpha_beta(&state, 2, None)[0].value, plain_value(&state, &packs()[..2]));
}

/// A position after random drops of both players, with a random stock and random gauges, and the
/// packs of the coming turns.
fn random_position(seed: u64) -> (State<Field>, Vec<Pack>) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let packs = Packs::from_seed(seed);
    let mut state = State::<Cells>::new();
    for _ in 0..rng.random_range(0..28) {
        let drops = [0; 2].map(|_| {
            Action::Drop(Placement::from_index(rng.random_range(0..Placement::COUNT)).unwrap())
        });
        let after = state.play(packs.get(state.turn).unwrap(), drops).unwrap().after;
        if after.end().is_some() {
            break;
        }
        state = after;
    }
    let stocks = [rng.random_range(0..50), 0];
    let first = rng.random_range(0..2);
    for (seat, player) in state.players.iter_mut().enumerate() {
        player.stock = stocks[(seat + first) % 2];
        player.gauge = Gauge::new(rng.random_range(0..=100)).unwrap();
    }
    (state.convert(), packs.from_turn(state.turn)[..3].to_vec())
}

/// The best value is that of the chain at ply 0 that drains the opponent's gauge from 86 to below
/// 80: without the skill, the opponent can send nothing at ply 1.
#[test]
fn a_chain_takes_the_skill_from_the_opponent() {
    let (state, packs) = random_position(11_138_070_446_826_737_713);
    let root_moves = searched(&state, &packs[..2], None, &mut TranspositionTable::new(14));
    assert_eq!((root_moves[0].value, root_moves[0].chain), (OjamaTenths(-211), Chain(3)));
    assert_eq!(plain_value(&state, &packs[..2]), OjamaTenths(-211));
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// The exact values are those of the search without pruning: with a large table, with four
    /// slots or none, with a table that was used before, and for each number of threads.
    #[test]
    fn neither_table_nor_threads_change_an_exact_value(seed: u64, plies in 1usize..=2) {
        let (state, packs) = random_position(seed);
        let packs = &packs[..plies];
        let best = plain_value(&state, packs);
        let mut used = TranspositionTable::new(14);
        let mut tables = [
            TranspositionTable::without_slots(),
            TranspositionTable::new(2),
            TranspositionTable::new(14),
        ];
        let of = |root_moves: &[RootMove], action| {
            root_moves.iter().find(|root_move| root_move.action == action).unwrap().value
        };
        let exact = Action::Drop(Placement::from_index(seed as usize % Placement::COUNT).unwrap());
        let value = of(&searched(&state, packs, Some(exact), &mut used), exact);
        for threads in [1, 3] {
            for table in tables.iter_mut().chain([&mut used]) {
                let found = on_threads(threads, || searched(&state, packs, Some(exact), table));
                let values = (found[0].value, of(&found, exact));
                prop_assert_eq!(values, (best, value), "{} threads", threads);
                let free = on_threads(threads, || searched(&state, packs, None, table));
                prop_assert_eq!(free[0].value, best, "{} threads", threads);
                for root_move in &free {
                    prop_assert!(root_move.value >= LOSS && root_move.value <= best);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn three_plies_have_the_same_value_without_a_table(seed: u64) {
        let (state, packs) = random_position(seed);
        let found = [0, 2, 16].map(|bits| {
            let mut table = match bits {
                0 => TranspositionTable::without_slots(),
                bits => TranspositionTable::new(bits),
            };
            [1, 2].map(|threads| {
                on_threads(threads, || searched(&state, &packs, None, &mut table))[0].value
            })
        });
        prop_assert_eq!(found, [[found[0][0]; 2]; 3]);
    }
}

/// The first root move is the same for each number of threads. It has the best value, not an upper
/// bound that equals it.
#[test]
fn the_first_action_has_the_best_value() {
    let table = &mut TranspositionTable::new(14);
    for seed in 0..60 {
        let (state, packs) = random_position(seed);
        let best = searched(&state, &packs[..2], None, table)[0];
        let again = searched(&state, &packs[..2], Some(best.action), table);
        let value = again.iter().find(|root_move| root_move.action == best.action).unwrap().value;
        assert_eq!(value, best.value, "{seed}: {}", best.action);
        let parallel = on_threads(3, || searched(&state, &packs[..2], None, table))[0];
        assert_eq!(parallel, best, "{seed}");
    }
}

#[test]
fn an_action_to_search_exactly_changes_no_best_value() {
    let state = state("6.........\n43........\n2851......\n174289....", "6....4....\n2.82.3....");
    let all = alpha_beta(&state, 1, None);
    let worst = all.last().unwrap().action;
    let advised = alpha_beta(&state, 1, Some(worst));
    let value = advised.iter().find(|root_move| root_move.action == worst).unwrap().value;
    assert!(value <= all[0].value);
    assert_eq!(advised[0].value, all[0].value);
}

/// A drop that kills its own player is not chosen.
#[test]
fn the_danger_line_is_avoided() {
    let tower = "4.........\n3.........\n".repeat(8);
    let root_moves = alpha_beta(&state(&tower, ""), 1, None);
    let deadly: Vec<&RootMove> =
        root_moves.iter().filter(|root_move| root_move.value.0 < LOSS.0 / 2).collect();
    assert!(!deadly.is_empty() && root_moves[0].value.0 > LOSS.0 / 2);
    assert!(deadly.iter().all(|root_move| root_move.action.to_string().starts_with('0')));
}

#[test]
fn an_opponent_that_cannot_survive_its_row_has_lost() {
    let full = "4343434343\n".repeat(16);
    let mut state = state("", &full);
    state.players[1].stock = 10;
    assert_eq!(alpha_beta(&state, 1, None)[0].value, WIN);
}
