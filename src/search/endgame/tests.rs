use std::sync::LazyLock;

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::proof::{Proof, prove};
use super::survival::{SurvivalEnd, survive};
use super::*;
use crate::board::Field;
use crate::game::{Cells, Chain, Packs, Seat, State, Stock, Verdict, WIDTH};
use crate::search::TranspositionTable;

type Fast = Field;

static PLENTY: LazyLock<Budget> = LazyLock::new(|| Budget::new(u64::MAX, None));

/// All columns full up to the danger line, without blocks that vanish.
fn full() -> String {
    "4343434343\n".repeat(16)
}

/// Rows of ojama.
fn ojama(rows: usize) -> String {
    "##########\n".repeat(rows)
}

/// A chain of eight that a 1 sets off, on a field that is otherwise empty.
fn ready() -> String {
    let rows =
        ["4.", "4.", "4.", "3.", "3.", "2.", "2.", "9.", "8#", "8#", "7#", "7#", "6#", "6#", "6#"];
    rows.map(|row| format!("{row}........\n")).concat()
}

fn player(drawing: &str, stock: Stock, score: u64) -> Player<Fast> {
    let cells: Cells = drawing.parse().unwrap();
    Player { field: Fast::from_cells(&cells), stock, gauge: Gauge::default(), score }
}

/// Ones, which set off [`ready`], and then fours, which do nothing.
fn packs() -> Vec<Pack> {
    let mut packs = vec![Pack::new([4, 4, 0, 4]).unwrap(); HORIZON];
    packs[0] = Pack::new([1, 1, 0, 1]).unwrap();
    packs
}

fn action(text: &str) -> Action {
    text.parse().unwrap()
}

fn both(attacker: Player<Fast>, victim: Player<Fast>) -> State<Fast> {
    State { turn: 30, players: [attacker, victim] }
}

/// The action that sets off [`ready`] with the first pack.
fn attack() -> Action {
    let field = player(&ready(), 0, 0).field;
    let fires = |&placement: &Placement| field.drop_pack(&packs()[0], placement).chain == Chain(8);
    Action::Drop(Placement::all().find(fires).unwrap())
}

#[test]
fn an_attack_of_one_row_kills_a_field_without_space_for_it() {
    // Nothing vanishes; only two columns of the victim can take this turn's pack and the next.
    let narrow = "43434343..\n".repeat(11) + &ojama(5);
    let state = both(player(&ready(), 0, 0), player(&narrow, 0, 0));
    let found = mate(
        &state,
        &packs(),
        &[vec![], vec![attack()]],
        &mut TranspositionTable::new(18),
        &PLENTY,
    )
    .unwrap();
    assert_eq!((found.path, found.plies, found.proven), (vec![attack()], 1, true));
}

/// With a second column that is three rows lower, a 1 meets the 9 only after a row has fallen.
#[test]
fn an_attack_that_needs_the_row_of_the_turn_kills_as_well() {
    let lower = ready().replacen("8#", "8.", 2).replacen("7#", "7.", 1);
    let attacker = player(&lower, 10, 0);
    let fires = |field: &Fast| {
        let chain = |&placement: &Placement| field.drop_pack(&packs()[0], placement).chain;
        Placement::all().find(|placement| chain(placement) == Chain(8)).map(Action::Drop)
    };
    assert_eq!(fires(&attacker.field), None);
    let attack = fires(&attacker.rained()).unwrap();
    let narrow = "43434343..\n".repeat(11) + &ojama(5);
    let state = both(attacker, player(&narrow, 0, 0));
    let found =
        mate(&state, &packs(), &[vec![], vec![attack]], &mut TranspositionTable::new(18), &PLENTY)
            .unwrap();
    assert_eq!((found.path, found.proven), (vec![attack], true));
}

#[test]
fn a_script_ends_where_the_attacker_dies() {
    let again = vec![action("0 0"); 3];
    let (attacker, victim) = (player(&full(), 0, 0), player(&full(), 0, 0));
    assert!(!MateSearch::new(&attacker, &victim, &packs(), again).is_dangerous());
}

#[test]
fn no_mate_is_found_where_the_victim_offsets() {
    // The victim has the same attack and offsets all of ours.
    let walled: String = ready().lines().map(|row| format!("{}...34343\n", &row[..2])).collect();
    let victim = ".....34343\n".to_owned() + &walled;
    let state = both(player(&ready(), 0, 0), player(&victim, 0, 0));
    let scripts = [vec![], vec![attack()]];
    assert_eq!(mate(&state, &packs(), &scripts, &mut TranspositionTable::new(18), &PLENTY), None);
}

/// The drop on full columns ends the game of both; the score decides.
#[test]
fn the_score_decides_when_both_die() {
    for (scores, wins) in [([5, 4], true), ([4, 5], false), ([5, 5], false)] {
        let state = both(player(&full(), 0, scores[0]), player(&full(), 10, scores[1]));
        let found = mate(&state, &packs(), &[vec![]], &mut TranspositionTable::new(18), &PLENTY);
        assert_eq!(found.is_some_and(|mate| mate.proven && mate.plies == 0), wins, "{scores:?}");
    }
}

#[test]
fn an_attacker_that_dies_first_has_no_mate() {
    let state = both(player(&full(), 0, 9), player("", 170, 0));
    assert_eq!(mate(&state, &packs(), &[vec![]], &mut TranspositionTable::new(18), &PLENTY), None);
}

/// The stock kills a victim that only stacks; its ready attack offsets the stock.
#[test]
fn an_escape_by_offsetting_is_found() {
    let (packs, victim) = (packs(), player(&ready(), 39, 0));
    let mut mate_search = MateSearch::new(&player("", 0, 0), &victim, &packs, vec![]);
    assert!(mate_search.is_dangerous());
    let idle = survive(&mut mate_search, &[action("7 0"), action("7 0")], &PLENTY);
    assert_eq!((idle.end, idle.plies), (SurvivalEnd::SurelyDies, 1));
    let result = survive(&mut mate_search, &[], &PLENTY);
    let step = victim.step(&packs[0], result.path[0]).unwrap();
    assert_eq!((result.end, step.chain), (SurvivalEnd::Escapes, Chain(8)));
}

/// A player with random columns of at least `lowest` rows.
fn random_player(rng: &mut Xoshiro256PlusPlus, lowest: usize, stock: Stock) -> Player<Fast> {
    let mut rows = vec![String::new(); 16];
    for _ in 0..WIDTH {
        let height = rng.random_range(lowest..=16);
        for (y, row) in rows.iter_mut().enumerate() {
            let symbol = match rng.random_range(0..14) {
                _ if 16 - y > height => '.',
                digit @ 1..=9 => char::from(b'0' + digit),
                _ => '#',
            };
            row.push(symbol);
        }
    }
    let mut player = player(&rows.join("\n"), stock, rng.random_range(0..3));
    player.gauge = Gauge::new(rng.random_range(0..=100)).unwrap();
    player
}

/// Whether the victim escapes, by an exhaustive search with the rules alone.
fn escapes(state: &State<Fast>, packs: &[Pack], path: &[Action], ply: usize) -> bool {
    let [attacker, victim] = &state.players;
    let own = path
        .get(ply)
        .copied()
        .unwrap_or_else(|| Action::Drop(lowest(&attacker.rained(), &packs[ply])));
    let falls = victim.stock >= OJAMA_ROW;
    Action::all().any(|action| {
        let Ok(turn) = state.play(&packs[ply], [own, action]) else { return false };
        match turn.after.end() {
            Some((_, verdict)) => verdict != Verdict::Win(Seat::First),
            None if ply >= path.len() && !falls => true,
            None if ply + 1 == packs.len() => true,
            None => escapes(&turn.after, packs, path, ply + 1),
        }
    })
}

/// On small positions, the searches agree with the rules.
#[test]
fn proofs_agree_with_the_rules() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut known = TranspositionTable::new(12);
    let mut found = [0; 2];
    for game in 0..400 {
        let packs = Packs::from_seed(game);
        let packs = &packs.from_turn(0)[..rng.random_range(2..=3)];
        let stock = rng.random_range(0..80);
        let stocks = if rng.random_bool(0.8) { [0, stock] } else { [stock, 0] };
        let (low, high) = (rng.random_range(6..13), rng.random_range(13..=16));
        let attacker = random_player(&mut rng, low, stocks[0]);
        let state = both(attacker, random_player(&mut rng, high, stocks[1]));
        let mut path: Vec<Action> = (0..rng.random_range(0..3))
            .map(|_| Action::Drop(Placement::from_index(rng.random_range(0..36)).unwrap()))
            .collect();
        if attacker.gauge.allows_skill() && !path.is_empty() && rng.random_bool(0.5) {
            path[0] = Action::Skill;
        }
        let expected = escapes(&state, packs, &path, 0);
        found[usize::from(expected)] += 1;

        let [attacker, victim] = &state.players;
        let mate_search = || MateSearch::new(attacker, victim, packs, path.clone());
        let proven = prove(&mut mate_search(), &mut known, &PLENTY);
        assert_ne!(proven, Proof::Unfinished, "game {game}");
        assert_eq!(proven == Proof::Escapes, expected, "game {game}, {path:?}: {state:?}");
        let result = survive(&mut mate_search(), &[], &Budget::new(3000, None));
        match result.end {
            SurvivalEnd::Escapes => assert!(expected || result.path.is_empty(), "game {game}"),
            SurvivalEnd::SurelyDies => assert!(!expected, "game {game}"),
            SurvivalEnd::Dies => {}
        }
        if let (Proof::Dies { plies }, true) = (proven, result.is_death()) {
            assert!(result.plies <= plies, "game {game}: the beam exceeds the proof");
        }
    }
    assert!(found.iter().all(|&games| games > 30), "both kinds are tried: {found:?}");
}

/// A proof without enough budget has no result.
#[test]
fn a_small_budget_proves_no_mate() {
    let state = both(player("", 0, 0), player(&ojama(9), 160, 0));
    let found = mate(
        &state,
        &packs(),
        &[vec![]],
        &mut TranspositionTable::new(18),
        &Budget::new(20_000, None),
    )
    .unwrap();
    assert!(!found.proven, "{found:?}");
    assert_eq!(
        mate(&state, &packs(), &[vec![]], &mut TranspositionTable::new(18), &Budget::new(10, None)),
        None
    );
}
