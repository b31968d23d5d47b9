//! The expected content of the page of a game, computed by the simulator.

use serde_json::{Value, json};
use tensai::game::trace::Trace;
use tensai::game::{Action, Cell, Cells, ROWS, Seat, State, WIDTH};
use tensai::record::Record;

/// The steps of a game in order, each with its place (turn and step) and both sides; both sides
/// after the last turn; the outcome; the number of turns; and the first turn at which the first
/// player says that it plans a chain of more than 5, with that chain.
pub fn game(record: &Record) -> Value {
    let mut state = State::new();
    let mut all = Vec::new();
    for played in record.replay().unwrap() {
        for (step, sides) in steps(&state, record).into_iter().enumerate() {
            all.push(json!({ "place": [state.turn, step], "sides": sides }));
        }
        state = played.after;
    }
    let chains =
        record.turns.iter().map(|turn| turn.info[0].as_ref()?.value()["plan_chain"].as_u64());
    let planned = chains.enumerate().find(|(_, chain)| *chain > Some(5));
    json!({
        "steps": all,
        "end": Seat::BOTH.map(|seat| side(&state[seat].field, &[], &state, seat)),
        "outcome": record.outcome(),
        "turns": record.turns.len(),
        "planned": planned.map(|(turn, chain)| json!({ "turn": turn, "chain": chain })),
    })
}

/// A field as the page's cells are in order.
fn text(field: &Cells) -> String {
    (0..ROWS).flat_map(|y| field.row(y)).map(Cell::symbol).collect()
}

/// The expected display of a side at a step.
fn side(field: &Cells, marked: &[(usize, usize)], state: &State<Cells>, seat: Seat) -> Value {
    let mut marks = vec!['.'; WIDTH * ROWS];
    for &(x, y) in marked {
        marks[y * WIDTH + x] = '1';
    }
    let player = &state[seat];
    json!({
        "field": text(field), "text": text(field), "marks": marks.iter().collect::<String>(),
        "sums": [player.score, player.stock, u64::from(player.gauge.get())],
    })
}

/// The expected display of both sides at each step of a turn; the first step is before the drop.
fn steps(state: &State<Cells>, record: &Record) -> Vec<[Value; 2]> {
    let packs = record.packs().unwrap();
    let pack = packs.get(state.turn).unwrap();
    let answers = &record.turns[state.turn].answers;
    let traces = Seat::BOTH.map(|seat| {
        let action: Action = answers[seat.index()].parse().unwrap();
        Trace::new(&state[seat], pack, action)
    });
    let mut fields = Seat::BOTH.map(|seat| state[seat].field);
    let mut all = Vec::new();
    let mut add = |next: [Option<Cells>; 2], marks: [Vec<(usize, usize)>; 2]| {
        all.push(Seat::BOTH.map(|seat| {
            let index = seat.index();
            fields[index] = next[index].unwrap_or(fields[index]);
            side(&fields[index], &marks[index], state, seat)
        }));
    };
    let none = || [Vec::new(), Vec::new()];
    add([None, None], none());
    if traces.iter().any(|trace| trace.rained.is_some()) {
        add(traces.each_ref().map(|trace| trace.rained), none());
    }
    let bursts = traces.each_ref().map(|trace| trace.explosion.clone());
    let places =
        bursts.each_ref().map(|burst| burst.as_ref().map_or(Vec::new(), |b| b.cells.clone()));
    add(traces.each_ref().map(|trace| Some(trace.acted)), places);
    if bursts.iter().any(Option::is_some) {
        add(bursts.map(|burst| burst.map(|burst| burst.after)), none());
    }
    let rounds = traces.iter().map(|trace| trace.rounds.len()).max().unwrap();
    for round in 0..rounds {
        let rounds = traces.each_ref().map(|trace| trace.rounds.get(round));
        let pairs = rounds.map(|round| round.map_or(Vec::new(), |r| r.pairs.as_flattened().into()));
        add([None, None], pairs);
        add(rounds.map(|round| round.map(|round| round.after)), none());
    }
    all
}
