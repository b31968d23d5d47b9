use std::time::Duration;

use super::*;
use crate::game::{Cells, Packs};

fn shape(depth: usize, width: usize, cap: usize) -> Shape {
    Shape { depth, width, cap, time: Duration::ZERO }
}

fn packs() -> Packs {
    Packs::from_seed(7)
}

fn request<'a>(packs: &'a Packs, shape: Shape) -> ClassicBeamRequest<'a> {
    ClassicBeamRequest {
        player: Player::new(),
        others_stock: 0,
        packs: packs.from_turn(0),
        shape,
        columns: DropColumns::ALL,
        first: None,
        attack: None,
        target: None,
        aim: Aim::Chain { height_limit: None },
    }
}

fn ask(request: &ClassicBeamRequest<'_>) -> ClassicBeamResult {
    search(request, &mut TranspositionTable::new(18), &Budget::new(u64::MAX, None))
}

#[test]
fn the_cap_keeps_the_numbers_of_fields_of_the_accounts_example() {
    // Y.s.: width 100, cap 30; 5, 10, 50, 100 and 200 fields with a chain of 10, 9, 8, 7 and 6.
    let made = |class: u8| {
        move |i: u32| BeamCandidate {
            parent: i,
            placement: Placement::from_index(0).unwrap(),
            class,
            best: Chain(0),
            value: i64::from(i),
        }
    };
    let mut candidates: Vec<BeamCandidate> =
        [(10, 5), (9, 10), (8, 50), (7, 100), (6, 200), (5, 9)]
            .into_iter()
            .flat_map(|(class, count)| (0..count).map(made(class)))
            .collect();
    deal(&mut candidates, shape(1, 100, 30));
    let count = |class| candidates.iter().filter(|candidate| candidate.class == class).count();
    assert_eq!([10, 9, 8, 7, 6, 5].map(count), [5, 10, 30, 30, 25, 0]);
    let best_of_8 = candidates.iter().find(|candidate| candidate.class == 8).unwrap();
    assert_eq!(best_of_8.value, 49);
}

#[test]
fn closed_columns_stay_empty() {
    let packs = packs();
    let columns = DropColumns::without_sides(2);
    let request = ClassicBeamRequest { columns, ..request(&packs, shape(10, 60, 20)) };
    let result = ask(&request);
    assert_eq!(result.depth(), 10);
    assert!(result.path.iter().all(|drop| (2..=6).contains(&drop.column.get())));
}

/// The path reaches the target that the result reports, by the rules.
#[test]
fn the_path_leads_to_the_target() {
    let packs = packs();
    let target = Target { chain: Chain(5), kept: 1, last: Chain(7) };
    let request =
        ClassicBeamRequest { target: Some(target), ..request(&packs, shape(14, 200, 60)) };
    let result = ask(&request);
    let depth = result.target_depth.unwrap();
    assert!(result.longest[depth] >= Chain(5) && result.longest[..depth].iter().all(|c| c.0 < 5));
    let mut player = Player::<Cells>::new();
    for (pack, &drop) in packs.from_turn(0).iter().zip(&result.path[..depth]) {
        player = player.step(pack, crate::game::Action::Drop(drop)).unwrap().player;
    }
    let chain = longest_now(&player.convert(), packs.get(depth).unwrap());
    assert!(chain >= Chain(4), "{chain:?}: the target or one less");
    assert!(result.best() >= Chain(7), "the last target was reached: {:?}", result.longest);
    assert_eq!(result.depth_of(Chain(7)), Some(result.longest.len() - 1), "and ended there");
}

#[test]
fn tall_fields_are_worth_nothing_in_the_opening() {
    let packs = packs();
    let player = Player { field: "#.........\n".repeat(13).parse().unwrap(), ..Player::new() };
    let shape = shape(1, 1000, 1000);
    let asked = ClassicBeamRequest { player, ..request(&packs, shape) };
    let limited = ClassicBeamRequest { aim: Aim::Chain { height_limit: Some(14) }, ..asked };
    assert!(ask(&limited).value > 0, "there are drops beside the tower");
    let at_the_tower = "0 0".parse::<crate::game::Action>().unwrap();
    let crate::game::Action::Drop(first) = at_the_tower else { unreachable!() };
    assert!(ask(&ClassicBeamRequest { first: Some(first), ..asked }).value > 0);
    assert_eq!(ask(&ClassicBeamRequest { first: Some(first), ..limited }).value, 0);
}

/// The value of a field equals that of a plain count over the rules.
#[test]
fn the_value_equals_a_plain_count() {
    let packs = packs();
    let player = Player::<Cells> {
        field: "6.........\n43........\n285.......\n17428.....".parse().unwrap(),
        stock: 25,
        ..Player::new()
    };
    let asked =
        ClassicBeamRequest { player: player.convert(), ..request(&packs, shape(1, 1000, 1000)) };
    let result = ask(&asked);
    let mut best = i64::MIN;
    for first in Placement::all() {
        let once = player.step(&packs.from_turn(0)[0], crate::game::Action::Drop(first)).unwrap();
        let mut after = once.player;
        after.stock = after.stock.saturating_sub(once.sent());
        let value = Placement::all().map(|second| {
            let twice = after.step(&packs.from_turn(0)[1], crate::game::Action::Drop(second));
            let twice = twice.unwrap();
            let blocks = i64::from(twice.player.field.blocks());
            (100 * twice.chain.ojama() as i64 + blocks, twice.chain)
        });
        let (value, chain) = value.max().unwrap();
        best = best.max(value + 1000 * chain.ojama() as i64);
    }
    assert_eq!(result.value, best);
}

/// Rows that arrive bury blocks that could have been set off.
#[test]
fn an_attack_falls_from_its_ply_on() {
    let packs = packs();
    let asked = request(&packs, shape(8, 100, 40));
    let left_alone = ask(&asked);
    let attacked = ask(&ClassicBeamRequest { attack: Some((0, 60)), ..asked });
    assert!(attacked.best() < left_alone.best(), "{attacked:?} {left_alone:?}");
}

#[test]
fn a_spent_budget_cuts_the_search_and_leaves_a_path() {
    let packs = packs();
    let result = search(
        &request(&packs, shape(16, 500, 150)),
        &mut TranspositionTable::new(16),
        &Budget::new(1_000_000, None),
    );
    assert!(result.cut && result.depth() < 16 && result.depth() > 0);
}
