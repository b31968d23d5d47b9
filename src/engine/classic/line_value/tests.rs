use super::*;
use crate::engine::classic::{Parameters, Preset};

fn weights() -> LeafWeights {
    Parameters::of(Preset::Online).weights
}

fn context(turn: usize, opponent: &str, skill_mode: bool) -> EvaluationContext {
    let field: Cells = opponent.parse().unwrap();
    let player = Player { field: Field::from_cells(&field), ..Player::new() };
    EvaluationContext::new(weights(), turn, &player, &field, skill_mode)
}

fn line() -> LineState {
    LineState {
        net: 0,
        gauge: Gauge::default(),
        opponents_gauge: Gauge::default(),
        rain: Rain::NONE,
        may_have_used: false,
        opponents_explosion: 0,
        skill_gain: 0,
        ojama: 0,
        sent: 0,
        largest: (0, 0),
        longest: Chain(0),
        attacked: (0, 0),
        drained: 0,
        chances: 0,
        spared: 0,
    }
}

fn gauge(gauge: u8) -> Gauge {
    Gauge::new(gauge).unwrap()
}

fn value(context: &EvaluationContext, field: &str, line: LineState) -> f64 {
    let field: Field = field.parse().unwrap();
    Ojama::from(context.value(&field, &line, 4, None)).0
}

/// Rounds to hundredths, to remove the errors of floating point.
fn exact(ojama: f64) -> f64 {
    Ojama::from(hundredths(ojama)).0
}

#[test]
fn units_of_a_stock_count_a_fifth() {
    let context = context(0, "", false);
    let of = |net| value(&context, "", LineState { net, ..line() });
    assert_eq!([-9, -10, -25, 10, 25].map(of), [1.8, 10.0, 21.0, -10.0, -21.0]);
}

#[test]
fn fallen_ojama_count_in_full() {
    let two_rows = "##########\n##########";
    assert_eq!(value(&context(30, two_rows, false), "", line()), 20.0);
    let fallen = LineState { rain: Rain::from_bits(0b101), ojama: 30, ..line() };
    assert_eq!(value(&context(30, "", false), "", fallen), 20.0 - 30.0);
}

#[test]
fn the_own_skill_counts_by_the_gauge() {
    let fives = "5555555555"; // ten blocks send 22
    let of = |mode, field_ojama, points| {
        let held = LineState { gauge: gauge(points), ojama: field_ojama, ..line() };
        exact(value(&context(30, "", mode), fives, held) + f64::from(field_ojama))
    };
    assert_eq!(of(true, 0, 80), 22.0);
    assert_eq!(of(true, 0, 0), (2200 / 81) as f64 / 100.0, "an empty gauge counts as 1 of 81");
    assert_eq!(of(true, 0, 40), (2200 * 41 / 81) as f64 / 100.0);
    assert_eq!(of(false, 49, 80), 0.0, "while chains are built, few ojama on the field");
    assert_eq!(of(false, 50, 80), 22.0);
    assert_eq!(of(false, 50, 40), (2200 * 41 / 81 / 2) as f64 / 100.0, "half");
}

#[test]
fn the_opponents_skill_counts_from_a_gauge_of_56() {
    let context = context(30, "", false);
    let of = |points| {
        value(
            &context,
            "",
            LineState { opponents_gauge: gauge(points), opponents_explosion: 60, ..line() },
        )
    };
    assert_eq!([55, 56, 72, 80].map(of), [0.0, -400.0 * 56.0 / 80.0 / 5.0, -72.0, -400.0]);
}

#[test]
fn the_danger_line_counts_and_rows_below_it_do_not() {
    let of = |high| value(&context(30, "", false), &"3.......3.\n".repeat(high), line());
    assert_eq!([15, 16, 17].map(of), [0.0, 0.0, -200.0]);
    let early = LeafWeights { high: (-10.0, -20.0, -100.0), edge_five: 1.0, ..weights() };
    let player = Player::<Field>::new();
    let context = EvaluationContext::new(early, 30, &player, &Cells::EMPTY, false);
    assert_eq!(value(&context, &"3.........\n".repeat(16), line()), -30.0, "y.s.'s first weights");
    assert_eq!(value(&context, "5........5\n3........5", line()), -3.0, "fives at the edges");
}

#[test]
fn small_attacks_of_the_opponent_do_not_count() {
    let attacked = |turn, sent, ojama| {
        let after = LineState { attacked: (sent, 2), ojama, ..line() };
        exact(value(&context(turn, "", false), "", after) + f64::from(ojama))
    };
    assert_eq!(attacked(16, 18, 0), 50.0, "until turn 20");
    assert_eq!(attacked(17, 18, 0), 0.0);
    assert_eq!(attacked(17, 13, 70), 11.7);
    assert_eq!(attacked(17, 13, 71), 0.0);
}

#[test]
fn small_chains_of_ours_are_penalised() {
    let sent = |sent, longest, opponent: &str| {
        value(
            &context(30, opponent, false),
            "",
            LineState { sent, longest: Chain(longest), ..line() },
        )
    };
    assert_eq!(sent(2, 3, ""), -1.8, "a chain of three costs the ojama that it sends");
    assert_eq!(sent(18, 9, ""), -20.0);
    assert_eq!(sent(25, 10, ""), -20.0);
    assert_eq!(sent(33, 11, ""), 0.0);
    assert_eq!(sent(18, 9, "##########"), 10.0 - 10.0);
    assert_eq!(sent(18, 9, &"##########\n".repeat(3)), 30.0);
}

#[test]
fn sure_and_near_kills_count_by_their_turn() {
    let high = "##########\n".repeat(12); // 40 more kill
    let context = context(30, &high, false);
    let base = 120.0;
    let of = |stock: i64, ply, points| {
        let sent = stock as Stock;
        let line = LineState {
            net: -stock,
            sent,
            largest: (sent, ply),
            longest: Chain(11),
            opponents_gauge: gauge(points),
            ..line()
        };
        value(&context, "", line) - base - (stock / 10 * 10) as f64
    };
    assert_eq!(of(40, 0, 0), 1e10 - 30.0 * 1e7);
    assert_eq!(of(40, 3, 0), 1e10 - 33.0 * 1e7);
    assert_eq!(of(30, 0, 0), 1e9 - 30.0 * 1e6, "30 short");
    assert_eq!(of(40, 0, 56), 1e9 - 30.0 * 1e6, "the opponent lives to use its skill");
}

#[test]
fn an_attacked_plan_counterattacks() {
    let context = context(30, "", false);
    let answers = [0, 0, 45, 0, 0];
    let of =
        |line: &LineState| Ojama::from(context.value(&Field::EMPTY, line, 4, Some(&answers))).0;
    let attacked = LineState { attacked: (60, 2), net: 60, ..line() };
    assert_eq!(of(&attacked), -60.0 + 45.0);
    assert_eq!(of(&LineState { attacked: (60, 3), ..attacked }), -60.0, "no counterattack there");
    assert_eq!(of(&LineState { sent: 45, ..attacked }), -60.0, "the plan has attacked before");
}

#[test]
fn plies_at_which_the_opponent_could_attack_count() {
    let context = context(30, "", false);
    assert_eq!(value(&context, "", LineState { chances: 2, spared: 1, ..line() }), -10.0 + 15.0);
}
