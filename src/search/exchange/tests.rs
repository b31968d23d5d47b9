use super::*;
use crate::board::Field;
use crate::game::{Cells, Chain, Packs, Placement};

type Fast = Field;

const DROPS: u64 = 2_000_000;

fn field(drawing: &str) -> Fast {
    Fast::from_cells(&drawing.parse::<Cells>().unwrap())
}

fn side(field: Fast, stock: Stock, plans: &[Plan]) -> Side<'_> {
    Side { field, stock, gauge: Gauge::default(), plans, known_counterattacks: None }
}

/// A field in which a 1 on the second column from the left sets off a chain of eight.
const READY: &str = "
    4.........
    4.........
    4.........
    3.........
    3.........
    2.........
    2.........
    9.........
    8#........
    8#........
    7#........
    7#........
    6#........
    6#........
    6#........";

/// Two packs of ones, then generated ones.
fn packs() -> Vec<Pack> {
    let ones = Pack::new([1, 1, 0, 1]).unwrap();
    [&[ones, ones], Packs::from_seed(3).from_turn(0)].concat()
}

/// The attack that sets off [`READY`], after `ply` drops on the other side.
fn attack(ply: usize) -> Attack {
    let aside: Placement = placement("7 0");
    let mut path = vec![aside; ply];
    let at = |placement: &Placement| field(READY).drop_pack(&packs()[0], *placement).chain;
    path.push(Placement::all().find(|placement| at(placement) == Chain(8)).unwrap());
    Attack { path, chain: Chain(8), blocks_left: 0 }
}

fn plan(ply: usize) -> Plan {
    attack(ply).into()
}

/// An attack at ply 0, and an attack by drops on the other side at `ply`.
fn attack_and_wait(ply: usize) -> [[Plan; 1]; 2] {
    let later = Attack { path: vec![placement("7 0"); ply + 1], ..attack(ply) };
    [[plan(0)], [later.into()]]
}

fn placement(text: &str) -> Placement {
    match text.parse().unwrap() {
        crate::game::Action::Drop(placement) => placement,
        crate::game::Action::Skill => unreachable!(),
    }
}

fn balances(own: &Side<'_>, opponent: &Side<'_>) -> Vec<Vec<f64>> {
    plain(&exchange_of(own, opponent))
}

/// The exchange without known curves.
fn exchange_of(own: &Side<'_>, opponent: &Side<'_>) -> Exchange {
    search(own, opponent, &packs(), &mut CurveMemory::default(), &Budget::new(DROPS, None))
}

/// The balances in ojama.
fn plain(exchange: &Exchange) -> Vec<Vec<f64>> {
    let row = |row: Vec<Ojama>| row.iter().map(|balance| balance.0).collect();
    exchange.balances().into_iter().map(row).collect()
}

#[test]
fn attacks_at_the_same_ply_are_offset() {
    let plans = [plan(0)];
    let side = side(field(READY), 0, &plans);
    assert_eq!(balances(&side, &side), [[0.0]]);
    let behind = Side { stock: 7, ..side.clone() };
    assert_eq!(balances(&behind, &side), [[-7.0]], "the present stock counts");
}

/// Both attack at ply 0. The second side sends nothing, and keeps its chain of eight, which comes
/// back after the one row that falls.
#[test]
fn the_weaker_of_two_attacks_at_the_same_ply_is_countered() {
    let stronger = [plan(0)];
    let weaker = [Attack { chain: Chain(1), ..attack_and_wait(0)[1][0].attack.clone() }.into()];
    let [own, opponent] = [&stronger, &weaker].map(|plans| side(field(READY), 0, plans));
    let exchange = exchange_of(&own, &opponent);
    let sent = Chain(8).ojama();
    let counterattack = exchange.outcomes()[0][0].counterattack.expect("ojama fall");
    assert!(counterattack >= sent, "{counterattack}");
    let balance = plain(&exchange)[0][0];
    assert!(balance < sent as f64, "{balance}");
    assert!((balances(&opponent, &own)[0][0] + balance).abs() < 1e-9, "seen by the other side");
}

#[test]
fn an_attack_that_fills_the_field_kills() {
    let tall = "1212121..2\n".repeat(16);
    let [own, later] = attack_and_wait(1);
    let (own, victim) = (side(field(READY), 0, &own), side(field(&tall), 0, &later));
    assert_eq!(balances(&own, &victim), [[CERTAIN.0]]);
    assert_eq!(balances(&victim, &own), [[-CERTAIN.0]]);
}

#[test]
fn an_attack_kills_a_victim_whose_skill_it_drains() {
    let tall = "1512515..5\n1212121..2\n".repeat(8);
    let [own, later] = attack_and_wait(1);
    let (own, victim) = (side(field(READY), 0, &own), side(field(&tall), 0, &later));
    assert_eq!(balances(&own, &victim), [[CERTAIN.0]]);
    // The skill could save the victim, but the chain of eight takes 28 of its gauge, which then is
    // less than 80.
    let victim = Side { gauge: Gauge::new(Gauge::FULL).unwrap(), ..victim };
    assert_eq!(balances(&own, &victim), [[CERTAIN.0]]);
}

#[test]
fn the_later_plan_counterattacks() {
    let plans = &[plan(0), plan(1)];
    let own = side(field(READY), 0, plans);
    let found = balances(&own, &own);
    // One row does not prevent the second attack, which comes back as a counterattack.
    assert_eq!(found[0][0], 0.0);
    assert!(found[0][1] <= 13.0 && found[0][1] >= -CERTAIN.0);
    assert!((found[0][1] + found[1][0]).abs() < 1e-9, "the balances of the two pairs are opposite");
}

#[test]
fn without_plans_there_is_no_exchange() {
    let plans = [plan(0)];
    let ready = side(field(READY), 0, &plans);
    let idle = side(field(READY), 0, &[]);
    assert_eq!(balances(&ready, &idle), [[0.0; 0]]);
    assert_eq!(balances(&idle, &ready), [[0.0; 0]; 0]);
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let plans = &[plan(0), plan(1)];
    let own = side(field(READY), 12, plans);
    let opponent = Side { stock: 0, ..own.clone() };
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let alone = alone.install(|| balances(&own, &opponent));
    assert_eq!(balances(&own, &opponent), alone);
}

#[test]
fn a_known_counterattack_lowers_the_balance() {
    let [own, later] = attack_and_wait(2);
    let (own, opponent) = (side(field(READY), 0, &own), side(field(""), 0, &later));
    let without = balances(&own, &opponent)[0][0];
    let packs = packs();
    let walk = beam::walk(opponent.field, &packs, &later[0].attack.path[..1], Rain::NONE);
    let field = walk.last().unwrap().field;
    let sent = Chain(8).ojama();
    let best = [[0; 4].as_slice(), &[100; 6]].concat();
    let found = |rows| KnownCounterattacks { field: Some(field), ply: 0, rows, best: best.clone() };
    let knows = |rows| Side { known_counterattacks: Some(found(rows)), ..opponent.clone() };
    let rows = sent / OJAMA_ROW;
    let with = balances(&own, &knows(rows))[0][0];
    assert!(with < without - 50.0, "{without} without it, {with} with it");
    let other = balances(&own, &knows(rows + 1))[0][0];
    assert!((other - without).abs() < 1e-9, "a counterattack under another number of rows");
    let anywhere = Side {
        known_counterattacks: Some(KnownCounterattacks { field: None, ..found(rows) }),
        ..opponent.clone()
    };
    assert!((balances(&own, &anywhere)[0][0] - with).abs() < 1e-9);

    // The balance is equal if the counterattack is learnt later. Only counterattacks of the victim
    // count.
    let mut exchange = exchange_of(&own, &opponent);
    exchange.add_counterattacks(Seat::Second, &found(rows + 1));
    exchange.add_counterattacks(Seat::First, &found(rows));
    assert!((plain(&exchange)[0][0] - without).abs() < 1e-9);
    exchange.add_counterattacks(Seat::Second, &found(rows));
    assert!((plain(&exchange)[0][0] - with).abs() < 1e-9);
    assert_eq!(exchange.outcomes()[0][0].counterattack, Some(100));
    let mut exchange = exchange_of(&opponent, &own);
    exchange.add_counterattacks(Seat::First, &found(rows));
    assert!((plain(&exchange)[0][0] + with).abs() < 1e-9, "our counterattack");
}

/// The victim follows its plan under the one row that falls, without any search.
#[test]
fn the_victims_own_plan_is_a_counterattack() {
    let (now, later) = ([plan(0)], [plan(1)]);
    let [own, opponent] = [&now, &later].map(|plans| side(field(READY), 0, plans));
    let counterattack = |sides: [&Side<'_>; 2]| {
        let mut searches = Searches::default();
        let traces = sides.map(|side| plan_traces(side, &packs(), &mut searches));
        let matchup = Matchup::between(sides, [&traces[0][0], &traces[1][0]], &mut searches);
        matchup.expect("ojama fall").planned_counterattack(&packs())
    };
    let sent = Chain(8).ojama();
    assert_eq!(counterattack([&own, &opponent]), [sent; COUNTERATTACK_TURNS], "one turn later");
    assert_eq!(counterattack([&opponent, &own]), [sent; COUNTERATTACK_TURNS], "our plan as well");
    let found =
        search(&own, &opponent, &packs(), &mut CurveMemory::default(), &Budget::new(1, None));
    assert!(found.outcomes()[0][0].counterattack >= Some(sent), "the curve is raised");
    let ahead = [Plan { ahead: 1, ..plan(2) }];
    let unknown = Side { plans: &ahead, ..opponent };
    assert_eq!(
        counterattack([&own, &unknown]),
        [0; COUNTERATTACK_TURNS],
        "its drops are not known"
    );
}

/// A balance of [`CERTAIN`] without a kill falls when a better counterattack is learnt.
#[test]
fn a_counterattack_lowers_a_certain_balance_without_a_kill() {
    let [own, later] = attack_and_wait(2);
    let (own, opponent) = (side(field(READY), 0, &own), side(field(""), 0, &later));
    let mut exchange = exchange_of(&own, &opponent);
    exchange.before = CERTAIN;
    exchange.add_counterattacks(
        Seat::Second,
        &KnownCounterattacks {
            field: None,
            ply: 0,
            rows: Chain(8).ojama() / OJAMA_ROW,
            best: vec![500; 10],
        },
    );
    assert!(plain(&exchange)[0][0] < CERTAIN.0);
}

#[test]
fn a_counterattack_stops_the_rows_that_have_not_fallen() {
    let curve = |best: [Stock; 4]| AttackCurve { best: best.to_vec(), dies: true };
    // Of 60 ojama, 30 have fallen by the third turn; less than a row does not fall.
    assert!(curve([0, 0, 21, 21]).stops(60));
    assert!(!curve([0, 0, 20, 20]).stops(60));
    // What was sent in the first turn offset 30 of 50 ojama, whenever it is looked at.
    assert!(!curve([30, 30, 30, 30]).stops(50));
    assert!(curve([31, 31, 31, 31]).stops(50));
    assert!(!curve([0; 4]).stops(30), "without a counterattack all rows fall");
}

/// The attack sends 13 ojama, and kills by its one row.
#[test]
fn a_counterattack_that_stops_a_kill_refutes_it() {
    let tall = "1212121..2\n".repeat(16);
    let [own, later] = attack_and_wait(1);
    let (own, victim) = (side(field(READY), 0, &own), side(field(&tall), 0, &later));
    let mut exchange = exchange_of(&own, &victim);
    let sent = Chain(8).ojama();
    let mut learn = |ojama| {
        let rows = sent / OJAMA_ROW;
        let best = vec![ojama; COUNTERATTACK_TURNS];
        exchange.add_counterattacks(
            Seat::Second,
            &KnownCounterattacks { field: None, ply: 0, rows, best },
        );
        plain(&exchange)[0][0]
    };
    assert_eq!(learn(0), CERTAIN.0);
    assert!(learn(1) < CERTAIN.0, "the row has fallen, and no other falls");
    assert!(learn(sent + 20) < CERTAIN.0);
}

#[test]
fn less_than_a_row_never_falls() {
    assert_eq!([9, 19, 20, 25].map(|stock| waiting_after(stock, 1)), [9, 9, 0, 5]);
    assert_eq!(waiting_after(35, 1), 15);
    assert_eq!(falling([0, 19], 1, 13), 22);
    assert_eq!(falling([19, 0], 1, 13), 4);
}

#[test]
fn a_side_that_is_ahead_attacks_sooner() {
    let now = [plan(0)];
    let ahead = [Plan { ahead: 1, ..plan(1) }];
    assert_eq!(ahead[0].ply(), 0);
    let [now, ahead] = [&now, &ahead].map(|plans| side(field(READY), 0, plans));
    assert_eq!(balances(&now, &ahead), [[0.0]], "both at once");
}

/// The drops that an exchange spends of `drops`, and its balances.
fn spent(memory: &mut CurveMemory, drops: u64) -> (u64, Vec<Vec<f64>>) {
    let plans = [plan(0), plan(1)];
    let own = side(field(READY), 0, &plans);
    let budget = Budget::new(drops, None);
    let found = search(&own, &own, &packs(), memory, &budget);
    (budget.spent(), plain(&found))
}

#[test]
fn known_curves_are_not_searched_again() {
    let mut memory = CurveMemory::default();
    let (first, balances) = spent(&mut memory, DROPS);
    assert!(first > DROPS / 2, "{first}");
    assert_eq!(spent(&mut memory, DROPS), (0, balances.clone()));
    assert_eq!(spent(&mut memory, DROPS / 4), (0, balances), "the known beams had more drops");
    let (more, _) = spent(&mut memory, 2 * DROPS);
    assert!(more > DROPS, "with twice the drops, the beams run again: {more}");
    memory.clear();
    assert!(spent(&mut memory, DROPS).0 > DROPS / 2, "nothing is known");
}

/// The second exchange begins one turn after the first.
#[test]
fn curves_are_known_in_the_next_turn() {
    let mut memory = CurveMemory::default();
    let (field, all) = (field(READY), packs());
    let mut search_at = |turn: usize, field: Field, plan: Plan| {
        let (plans, budget) = ([plan], Budget::new(DROPS, None));
        let own = side(field, 0, &plans);
        let idle = side(field, 0, &[]);
        search(&own, &idle, &all[turn..], &mut memory, &budget);
        budget.spent()
    };
    assert!(search_at(0, field, plan(1)) > DROPS / 2);
    let aside = field.drop_pack(&all[0], placement("7 0")).field;
    assert_eq!(search_at(1, aside, plan(0)), 0);
    assert!(search_at(1, field, plan(0)) > DROPS / 2, "another field");
}
