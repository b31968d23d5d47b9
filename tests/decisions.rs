//! Decisions in test positions that have one right answer, at a small fixed budget.

use std::time::{Duration, Instant};

use tensai::engine::{
    ActionSource, BestSoFar, Decision, EarlyStop, Engine as _, Planner, PlannerParameters,
    TimeLimits, TurnClock,
};
use tensai::game::{Action, Cells, Chain, Gauge, Pack, Packs, Player, Seat, State};
use tensai::protocol::Observation;
use tensai::util::clock::ManualClock;

/// Simulated drops of a decision: the number that a slow processor reaches with 10 s a game.
const NODES: u64 = 100_000;

fn player(drawing: &str, stock: u64, gauge: u8) -> Player<Cells> {
    let field = drawing.parse().unwrap();
    Player { field, stock, gauge: Gauge::new(gauge).unwrap(), score: 0 }
}

/// The packs of a game of which the given ones are the first from a turn on.
fn packs(turn: usize, first: &[[u8; 4]]) -> Packs {
    let mut packs: Vec<Pack> = Packs::from_seed(1).from_turn(0).to_vec();
    for (pack, cells) in packs[turn..].iter_mut().zip(first) {
        *pack = Pack::new(*cells).unwrap();
    }
    Packs::new(packs).unwrap()
}

fn decide(state: State<Cells>, packs: &Packs) -> Action {
    think(state, packs).action
}

fn think(state: State<Cells>, packs: &Packs) -> Decision {
    let mut engine = Planner::new(PlannerParameters::default());
    engine.new_game();
    let left = Duration::from_secs(180);
    let rules = TimeLimits { nodes: Some(NODES), ..TimeLimits::default() };
    let clock = TurnClock::new(Instant::now(), left, &rules);
    let observation = Observation { state, time_left: [left; 2] };
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    alone.install(|| engine.decide(packs, &observation, &clock, &BestSoFar::default()))
}

/// A chain of eight: a 1 takes the 9 away; then 8 and 2, 7 and 3, 6 and 4 meet, a pair a round.
fn ready() -> String {
    let rows =
        ["4.", "4.", "4.", "3.", "3.", "2.", "2.", "9.", "8#", "8#", "7#", "7#", "6#", "6#", "6#"];
    rows.map(|row| format!("{row}........\n")).concat()
}

/// A field that the skill nearly empties, and an opponent that it kills.
#[test]
fn the_skill_is_used_where_it_wins() {
    let fives = "..........\n".to_owned() + &"2525252525\n5252525252\n".repeat(4);
    let high = "4343434343\n".repeat(12);
    let state = State { turn: 30, players: [player(&fives, 0, 80), player(&high, 0, 0)] };
    assert_eq!(decide(state, &packs(30, &[])), Action::Skill);
}

/// Every column but two is full to the danger line: there is one place to drop.
#[test]
fn the_chosen_action_stays_below_the_danger_line() {
    let tower = "34343434..\n43434343..\n".repeat(7) + "##########\n##########";
    let state = State { turn: 30, players: [player(&tower, 0, 0), player("", 0, 0)] };
    let packs = packs(30, &[[1, 1, 1, 1], [1, 1, 1, 1]]);
    let action = decide(state, &packs);
    let after = state[Seat::First].step(packs.get(30).unwrap(), action).unwrap().player;
    assert!(!after.field.is_over(), "{action}");
}

/// A chain of eight is ready, and its row of ojama lifts the opponent past the danger line.
#[test]
fn an_attack_that_kills_is_played() {
    let ready = ready();
    let full = "4343434343\n".repeat(16);
    let state = State { turn: 30, players: [player(&ready, 0, 0), player(&full, 0, 0)] };
    let packs = packs(30, &[[1, 1, 0, 1], [4, 4, 4, 0], [4, 4, 4, 0], [4, 4, 4, 0]]);
    let fired = state[Seat::First].step(packs.get(30).unwrap(), decide(state, &packs)).unwrap();
    assert_eq!((fired.chain, fired.sent()), (Chain(8), 13));
}

/// Both players have the same attack ready. The report has the balance of the own attack against
/// the opponent's attack, with the own stock included.
#[test]
fn an_attack_is_compared_with_the_opponents_attack() {
    let ready = ready();
    let state = State { turn: 30, players: [player(&ready, 12, 0), player(&ready, 0, 0)] };
    let packs = packs(30, &[[1, 1, 0, 1], [4, 4, 4, 0], [4, 4, 4, 0], [4, 4, 4, 0]]);
    let decision = think(state, &packs);
    let report = decision.report;
    let now = report.plans.iter().find(|plan| plan.turn == 30).expect("it can be set off now");
    assert_eq!((now.chain, report.opponent_plans[0].chain), (8, 8));
    assert_eq!(now.balances[0].0, -12.0, "as much is sent as comes, and twelve wait");
}

/// If only the reserve is left, the engine does not search, independent of the number of later
/// turns.
#[test]
fn with_only_the_reserve_left_the_fallback_is_played() {
    let packs = packs(0, &[]);
    let mut engine = Planner::new(PlannerParameters::default());
    engine.new_game();
    let left = Duration::from_millis(900);
    let clock = TurnClock::new(Instant::now(), left, &TimeLimits::default());
    let observation =
        Observation { state: State { turn: 60, ..State::new() }, time_left: [left; 2] };
    let decision = engine.decide(&packs, &observation, &clock, &BestSoFar::default());
    assert_eq!((decision.report.source, decision.report.nodes), (ActionSource::Fallback, 0));
}

/// If only the reserve is left, the engine follows its plan, whose drop is also its best so far.
/// After another action than the planned one, it answers with the fallback.
#[test]
fn with_only_the_reserve_left_the_plan_is_followed() {
    let field = "3....6....\n2..4.8....\n1..24791..";
    let packs = packs(12, &[]);
    let state = State { turn: 12, players: [player(field, 0, 0), player(field, 0, 0)] };
    let (own, pack) = (state[Seat::First], packs.get(12).unwrap());
    let next_turn = |played: fn(Action) -> Action| {
        let mut engine = Planner::new(PlannerParameters::default());
        engine.new_game();
        let mut decide = |state, rules, left| {
            let clock = TurnClock::new(Instant::now(), left, &rules);
            let (observation, best_so_far) =
                (Observation { state, time_left: [left; 2] }, BestSoFar::default());
            (engine.decide(&packs, &observation, &clock, &best_so_far), best_so_far.get())
        };
        let counted = TimeLimits { nodes: Some(NODES), ..TimeLimits::default() };
        let (first, _) = decide(state, counted, Duration::from_secs(180));
        let player = own.step(pack, played(first.action)).unwrap().player;
        let state = State { turn: 13, players: [player, state[Seat::Second]] };
        let (second, at_first) = decide(state, TimeLimits::default(), Duration::from_millis(900));
        assert_eq!((second.report.nodes, at_first), (0, Some(second.action)));
        let [plan, answer] = [first.report.plan[1].clone(), second.report.action];
        (plan, answer, second.report.source)
    };
    let (plan, answer, source) = next_turn(|planned| planned);
    assert_eq!((answer, source), (plan, ActionSource::Plan));
    let otherwise = |planned: Action| {
        let mut others = ["0 0", "8 0"].map(|answer| answer.parse().unwrap()).into_iter();
        others.find(|&other| other != planned).unwrap()
    };
    assert_eq!(next_turn(otherwise).2, ActionSource::Fallback);
}

/// Every drop ends the game, and the skill does not. Under a time limit the engine plays the skill
/// without a further search; under a node limit it runs all searches.
#[test]
fn a_forced_action_is_played_at_once() {
    let full = "3535353535\n".repeat(16);
    let state = State { turn: 30, players: [player(&full, 0, 80), player("", 0, 0)] };
    let packs = packs(30, &[[4, 4, 4, 0]]);
    let mut engine = Planner::new(PlannerParameters::default());
    engine.new_game();
    let left = Duration::from_secs(180);
    let manual = ManualClock::leak(Duration::from_micros(100));
    let clock = TurnClock::new(manual.now(), left, &TimeLimits::default());
    let clock = clock.with_source(manual.source());
    let observation = Observation { state, time_left: [left, Duration::from_secs(7)] };
    let Decision { action, report } =
        engine.decide(&packs, &observation, &clock, &BestSoFar::default());
    assert_eq!(
        (action, report.source, report.stop),
        (Action::Skill, ActionSource::AlphaBeta, Some(EarlyStop::Forced))
    );
    assert!(report.planned_ms.unwrap() > 1000 && report.opponent_left_ms == Some(7000));
    assert!(report.time_ms < 1000, "{report:?}");
    let counted = think(state, &packs).report;
    assert_eq!((counted.action.as_str(), counted.stop, counted.planned_ms), ("S", None, None));
}

/// Two decisions in one position with one budget are equal.
#[test]
fn equal_positions_give_equal_decisions() {
    let field = "3....6....\n2..4.8....\n1..24791..";
    let state = State { turn: 12, players: [player(field, 0, 0), player(field, 0, 0)] };
    let packs = packs(12, &[]);
    assert_eq!(decide(state, &packs), decide(state, &packs));
}
