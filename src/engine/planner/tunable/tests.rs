//! Parameters are read and checked, and each one has an effect.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::*;
use crate::analysis::Situation;
use crate::dev::boards;
use crate::engine::{BestSoFar, Engine as _, Planner, TimeLimits, TurnClock};
use crate::game::{Cells, Packs, Player, Seat, State};
use crate::protocol::Observation;
use crate::util::clock::ManualClock;

#[test]
fn settings_are_read_and_checked() {
    let mut parameters = PlannerParameters::default();
    parameters.set("discount=0.75").unwrap();
    parameters.set("opening=6").unwrap();
    assert_eq!((parameters.plans.discount, parameters.opening), (0.75, 6));
    let mut refused = |setting: &str| parameters.set(setting).unwrap_err();
    assert_eq!(refused("discount"), "expected NAME=VALUE, found `discount`");
    let name = "expected a name that --help-parameters lists, found `discuont`";
    assert_eq!(refused("discuont=1"), name);
    for value in ["0.2", "1.1", "x", "", "NaN", "inf"] {
        let reason = format!("discount: expected a number from 0.3 to 1, found `{value}`");
        assert_eq!(refused(&format!("discount={value}")), reason);
    }
    let reason = "opening: expected a whole number from 0 to 20, found `6.5`";
    assert_eq!(refused("opening=6.5"), reason);
    assert_eq!((parameters.plans.discount, parameters.opening), (0.75, 6), "nothing is changed");
}

#[test]
fn each_name_sets_its_own_parameter() {
    let default = PlannerParameters::default();
    for tunable in TUNABLE {
        let Tunable { name, min, max, .. } = *tunable;
        assert!((min..=max).contains(&tunable.default_value()) && min < max, "{name}");
        for value in [min, max] {
            let mut parameters = default;
            parameters.set(&format!("{name}={value}")).unwrap();
            assert_eq!(tunable.value(&parameters), value, "{name}");
            for other in TUNABLE.iter().filter(|other| other.name != name) {
                assert_eq!(
                    other.value(&parameters),
                    other.default_value(),
                    "{name}: {}",
                    other.name
                );
            }
        }
        let mut same = default;
        same.set(&format!("{name}={}", tunable.default_value())).unwrap();
        let PlannerParameters { quick_plans, quick_depth, .. } = default;
        let plain = PlannerParameters { quick_plans, quick_depth, ..same };
        assert_eq!(plain, default, "{name}: its default");
        // A value that is set holds for quick decisions, too.
        let drops = default.quick_drops;
        assert_eq!(tunable.value(&same.for_drops(drops)), tunable.value(&same.for_drops(0.0)));
    }
    // The shares of a turn of the opening's other searches leave something for the own beam.
    let greatest = ["opponents_beam", "exchanges", "counter_plan"]
        .map(|name| TUNABLE.iter().find(|tunable| tunable.name == name).unwrap().max);
    assert!(greatest[0] + greatest[1] + 2.0 * greatest[2] < 1.0);
}

/// The limit of the decisions of a case.
#[derive(Clone, Copy)]
enum Limit {
    /// Drops of a decision.
    Nodes(u64),
    /// Seconds left of both players, by a clock that each reading moves by 5 ms.
    Seconds([u64; 2]),
}

/// Decisions of two turns in a row, in which the opponent plays as the player.
struct Case {
    state: State<Cells>,
    packs: Packs,
    limit: Limit,
}

/// The reports of a case's decisions.
fn reports(case: &Case, parameters: PlannerParameters) -> Vec<String> {
    let mut engine = Planner::new(parameters);
    engine.new_game();
    let mut state = case.state;
    let mut reports = Vec::new();
    for _ in 0..2 {
        let (nodes, left) = match case.limit {
            Limit::Nodes(nodes) => (Some(nodes), [180; 2]),
            Limit::Seconds(left) => (None, left),
        };
        let left = left.map(Duration::from_secs);
        let rules = TimeLimits { nodes, ..TimeLimits::default() };
        let manual = ManualClock::leak(Duration::from_millis(5));
        let clock = match nodes {
            Some(_) => TurnClock::new(Instant::now(), left[0], &rules),
            None => TurnClock::new(manual.now(), left[0], &rules).with_source(manual.source()),
        };
        let observation = Observation { state, time_left: left };
        let decision = engine.decide(&case.packs, &observation, &clock, &BestSoFar::default());
        let report = crate::engine::Report { time_ms: 0, ..decision.report };
        reports.push(serde_json::to_string(&report).unwrap());
        let pack = case.packs.get(state.turn).unwrap();
        let played = state.play(pack, [decision.action; 2]);
        let Some(played) = played.ok().filter(|played| played.after.end().is_none()) else { break };
        state = played.after;
    }
    reports
}

/// The first turn of a situation, with packs of a seed after its own.
fn of_situation(text: &str, limit: Limit) -> Case {
    let situation: Situation = text.parse().unwrap();
    let mut packs = Packs::from_seed(1).from_turn(0).to_vec();
    for (pack, &given) in packs[situation.turn..].iter_mut().zip(&situation.packs) {
        *pack = given;
    }
    let sides = [situation.own, situation.opponent.unwrap_or_default()];
    let players = sides.map(|side| side.player(side.field.unwrap_or(Cells::EMPTY)));
    let packs = Packs::new(packs).unwrap();
    Case { state: State { turn: situation.turn, players }, packs, limit }
}

/// Situations in which the searches of the ends of games, and of an attack of this turn, run.
const SITUATIONS: [&str; 4] = [
    include_str!("../../../../tests/situations/endgame/a_way_to_live.toml"),
    include_str!("../../../../tests/situations/endgame/mate_in_three.toml"),
    include_str!(
        "../../../../tests/situations/lost/a_long_chain_is_not_put_off_for_a_longer_one.toml"
    ),
    include_str!("../../../../tests/situations/lost/no_attack_that_a_counter_outdoes.toml"),
];

/// Cases in which, together, each parameter makes a difference; the quick ones first.
fn cases() -> Vec<Case> {
    let boards = boards();
    let of_boards = |first: usize, turn: usize, stock: u64, limit: Limit| {
        let player = |index: usize| Player { field: boards[index].0, ..Player::new() };
        let mut players = [player(first), player(first + 1)];
        players[Seat::Second.index()].stock = stock;
        Case { state: State { turn, players }, packs: Packs::from_seed(first as u64), limit }
    };
    let at = |turn: usize, left: [u64; 2]| {
        let state = State { turn, ..State::new() };
        Case { state, packs: Packs::from_seed(7), limit: Limit::Seconds(left) }
    };
    let mut cases = vec![
        of_boards(100, 14, 0, Limit::Nodes(100_000)),
        of_boards(200, 20, 0, Limit::Nodes(100_000)),
        of_boards(300, 30, 25, Limit::Nodes(100_000)),
        at(0, [180, 180]),
        at(14, [180, 180]),
        at(14, [180, 10]),
        at(60, [180, 180]),
        of_boards(100, 20, 0, Limit::Seconds([180, 10])),
    ];
    cases.extend(SITUATIONS.iter().map(|text| of_situation(text, Limit::Nodes(300_000))));
    cases.extend(SITUATIONS.iter().map(|text| of_situation(text, Limit::Seconds([60, 60]))));
    cases.extend((0..20).map(|pair| of_boards(20 * pair, 14, 0, Limit::Nodes(100_000))));
    cases
}

fn one_thread() -> &'static ThreadPool {
    static POOL: OnceLock<ThreadPool> = OnceLock::new();
    POOL.get_or_init(|| ThreadPoolBuilder::new().num_threads(1).build().unwrap())
}

#[test]
fn each_parameter_has_an_effect() {
    one_thread().install(|| {
        let cases = cases();
        let default: Vec<OnceLock<Vec<String>>> = cases.iter().map(|_| OnceLock::new()).collect();
        let unused = TUNABLE.iter().filter(|tunable| {
            let differs = |(case, default): (&Case, &OnceLock<Vec<String>>)| {
                let default = default.get_or_init(|| reports(case, PlannerParameters::default()));
                [tunable.min, tunable.max].into_iter().any(|value| {
                    let mut parameters = PlannerParameters::default();
                    (tunable.set)(&mut parameters, value);
                    reports(case, parameters) != *default
                })
            };
            !cases.iter().zip(&default).any(differs)
        });
        let unused: Vec<&str> = unused.map(|tunable| tunable.name).collect();
        assert!(unused.is_empty(), "no case depends on {unused:?}");
    });
}
