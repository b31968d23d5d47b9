//! The examples of the rules.

use tensai::board::{Backend, Field};
use tensai::game::{
    Action, Cell, Cells, Chain, End, Explosion, Fault, Gauge, HEIGHT, Number, Pack, Packs, Player,
    ROWS, Seat, State, Turn, Verdict, WIDTH, judge_faults,
};

use crate::drawing::{self, Drawing, rows};
use crate::example::{Example, table};

/// Checks an example; one that is not known fails.
pub fn check(example: &Example) {
    let (text, place) = (&*example.text, &*example.place());
    match &*example.name {
        "field" => field(text, place),
        "positions" => positions(text, place),
        "rotations" | "rotations-of-three" => rotations(text, place),
        "fall-apart"
        | "pairs"
        | "chain"
        | "ojama-row"
        | "skill"
        | "skill-without-a-five"
        | "safe-again"
        | "lost" => drawing::check(text, place),
        "packs" => packs(example),
        "chain-sums" => chain_sums(text, place),
        "chains" => chains(example),
        "explosions" => explosions(example),
        "gauge" => gauge(example),
        "offset" => offset(example),
        "whole-turn" => whole_turn(text, place),
        "ends" => ends(example),
        "faults" => faults(example),
        _ => panic!("{place}: no test knows it"),
    }
}

/// Two numbers such as `3, 5`.
fn pair(cell: &str) -> [u64; 2] {
    let (first, second) = cell.split_once(", ").unwrap();
    [first.parse().unwrap(), second.parse().unwrap()]
}

fn joined<T: std::fmt::Display>([first, second]: [T; 2]) -> String {
    format!("{first}, {second}")
}

/// Compares the rows under the heading of a table with the expected ones, which `expected` makes of
/// each row.
fn check_rows(example: &Example, expected: impl Fn(&[&str]) -> Vec<String>) {
    let rows = example.table();
    assert!(rows.len() > 1, "{}: no rows", example.place());
    for row in &rows[1..] {
        assert_eq!(*row, expected(row), "{}", example.place());
    }
}

fn field(text: &str, place: &str) {
    let drawing = Drawing::new(text);
    let [(_, numbers), (_, lines)] = &drawing.columns[..] else { panic!("{place}") };
    let expected: Vec<String> = (1..=ROWS).rev().map(|row| row.to_string()).collect();
    assert_eq!(*numbers, expected, "{place}");
    let words: Vec<(&str, &str)> =
        lines.iter().map(|line| line.split_once("  ").unwrap_or((line, ""))).collect();
    let cells: Vec<&str> = words.iter().map(|(row, _)| *row).collect();
    let cells = drawing::field(&cells);
    let pack = Pack::new([1, 1, 1, 0]).unwrap();
    let far = "4 0".parse().unwrap();
    let step = drawing::step(&Player { field: cells, ..Player::new() }, &pack, far);
    assert_eq!(step.chain, Chain(0), "{place}: the field is stable");
    let noted = |note: &str| ROWS - words.iter().position(|(_, found)| *found == note).unwrap();
    assert_eq!(noted("highest row that is safe"), HEIGHT, "{place}");
    assert_eq!(noted("danger line"), HEIGHT + 1, "{place}");
    assert_eq!(noted("room for the blocks of a turn"), ROWS, "{place}");
    assert_eq!(noted("ground"), 1, "{place}");
}

fn positions(text: &str, place: &str) {
    let pack = Pack::new([1, 2, 3, 4]).unwrap();
    for (title, drawn) in Drawing::new(text).columns {
        let position = title.strip_prefix("position ").unwrap();
        let placement = format!("{position} 0").parse().unwrap();
        let step = drawing::step(&Player::new(), &pack, placement);
        assert_eq!(drawn, rows(&step.player.field, 2), "{place}: {title}");
    }
}

fn rotations(text: &str, place: &str) {
    let drawing = Drawing::new(text);
    let unturned = |rows: &[&str]| {
        Pack::new(
            rows.concat()
                .bytes()
                .map(|byte| byte.saturating_sub(b'0'))
                .collect::<Vec<_>>()
                .try_into()
                .unwrap(),
        )
        .unwrap()
    };
    let pack = unturned(&drawing.columns[0].1);
    assert_eq!(drawing.columns.len(), 4, "{place}");
    for (rotation, (title, drawn)) in (0..).zip(drawing.columns) {
        assert_eq!(title, format!("rotation {rotation}"), "{place}");
        let columns = pack.columns(tensai::game::Rotation::new(rotation).unwrap());
        let symbol = |number: Option<Number>| number.map_or(Cell::Empty, Cell::Block).symbol();
        let upper: String = columns.iter().map(|&(_, upper)| symbol(upper)).collect();
        let lower: String = columns.iter().map(|&(lower, _)| symbol(lower)).collect();
        assert_eq!(drawn, [upper, lower], "{place}: {title}");
    }
}

fn packs(example: &Example) {
    for seed in 0..3 {
        let packs = Packs::from_seed(seed);
        let codes: Vec<[u8; 4]> = packs.from_turn(0).iter().map(Pack::codes).collect();
        let count = |is: &dyn Fn(&[u8; 4]) -> bool| codes.iter().filter(|codes| is(codes)).count();
        for row in example.table() {
            let counts = match row[0] {
                "packs of three blocks" => vec![count(&|codes| codes.contains(&0))],
                "packs of four blocks" => vec![count(&|codes| !codes.contains(&0))],
                "packs with an empty upper right cell" => vec![count(&|codes| codes[1] == 0)],
                "blocks of each number" => (1..=9)
                    .map(|number| {
                        codes.as_flattened().iter().filter(|&&code| code == number).count()
                    })
                    .collect(),
                other => panic!("{}: {other}", example.place()),
            };
            let written: usize = row[1].parse().unwrap();
            assert!(counts.iter().all(|&count| count == written), "{}: {row:?}", example.place());
        }
    }
}

/// Such as `chain 3: 1 + 1 + 2 = 4, 4 / 2 = 2`.
fn chain_sums(text: &str, place: &str) {
    for line in text.lines() {
        let chain = line.strip_prefix("chain ").unwrap().split_once(':').unwrap().0;
        let chain = Chain(chain.parse().unwrap());
        let round = |number: u8| Chain(number).score() - Chain(number - 1).score();
        let rounds: Vec<String> = (1..=chain.0).map(|number| round(number).to_string()).collect();
        let (score, ojama) = (chain.score(), chain.ojama());
        let sum = rounds.join(" + ");
        assert_eq!(
            line,
            format!("chain {}: {sum} = {score}, {score} / 2 = {ojama}", chain.0),
            "{place}"
        );
    }
}

fn chains(example: &Example) {
    check_rows(example, |row| {
        let chain = Chain(row[0].parse().unwrap());
        let last = chain.score() - Chain(chain.0 - 1).score();
        let numbers = [chain.0.into(), last, chain.score(), chain.ojama(), chain.drain().into()];
        numbers.map(|number: u64| number.to_string()).to_vec()
    });
    let first: Vec<_> = example.table().iter().skip(1).map(|row| row[0].to_owned()).collect();
    assert_eq!(first, (1..=20).map(|chain| chain.to_string()).collect::<Vec<_>>());
}

fn explosions(example: &Example) {
    check_rows(example, |row| {
        let explosion = Explosion(row[0].parse().unwrap());
        let numbers = [explosion.0.into(), explosion.score(), explosion.ojama()];
        numbers.map(|number| number.to_string()).to_vec()
    });
}

fn gauge(example: &Example) {
    check_rows(example, |row| {
        let [start, own, opponent] = [0, 2, 3].map(|cell| row[cell].parse::<u8>().unwrap());
        let gauge = Gauge::new(start).unwrap();
        let gauge = match row[1] {
            "drop" => gauge,
            "skill" => {
                assert!(gauge.allows_skill(), "{}", example.place());
                Gauge::default()
            }
            other => panic!("{}: {other}", example.place()),
        };
        let after = gauge.charged(Chain(own)).drained(Chain(opponent)).get();
        let row = [
            &start.to_string(),
            row[1],
            &own.to_string(),
            &opponent.to_string(),
            &after.to_string(),
        ];
        row.map(str::to_owned).to_vec()
    });
}

/// A field on which the pack `11` over `1.`, dropped at `1 0`, sets off a chain of 0 to 5.
fn field_with_chain(chain: usize) -> Cells {
    if chain == 0 {
        return Cells::EMPTY;
    }
    // The blocks around the 9, which vanish in pairs from the inside out.
    let blocks = &[5, 6, 7, 8, 9, 2, 3, 4, 5][5 - chain..4 + chain];
    let mut columns = [[Cell::Empty; ROWS]; WIDTH];
    for (cell, &code) in columns[0].iter_mut().zip(blocks) {
        *cell = Cell::from_code(code).unwrap();
    }
    columns[1][..chain - 1].fill(Cell::Ojama);
    Cells::from_columns(columns).unwrap()
}

/// A turn by the plain simulator and by each fast one, which must agree.
fn play(state: &State<Cells>, pack: &Pack, actions: [Action; 2]) -> Turn<Cells> {
    let turn = state.play(pack, actions).unwrap();
    for backend in Backend::available() {
        Backend::choose(Some(backend));
        let fast = state.convert::<Field>().play(pack, actions).unwrap();
        assert_eq!(fast.after.convert::<Cells>(), turn.after, "{backend}");
    }
    turn
}

fn offset(example: &Example) {
    check_rows(example, |row| {
        let [stocks, chains] = [pair(row[0]), pair(row[1])];
        let players = [0, 1].map(|seat: usize| Player {
            field: field_with_chain(chains[seat] as usize),
            stock: stocks[seat],
            ..Player::new()
        });
        let pack = Pack::new([1, 1, 1, 0]).unwrap();
        let turn =
            play(&State { turn: 0, players }, &pack, ["1 0"; 2].map(|drop| drop.parse().unwrap()));
        let chains = turn.steps.map(|step| step.chain.0);
        let left = turn.steps.map(|step| step.player.stock);
        let sent = turn.steps.map(|step| step.sent());
        let sums = [left[0] + sent[1], left[1] + sent[0]];
        let after = turn.after.players.map(|player| player.stock);
        let pairs = [stocks, left, sent, sums, after].map(joined);
        let [stocks, left, sent, sums, after] = pairs;
        vec![stocks, joined(chains), left, sent, sums, after]
    });
}

fn whole_turn(text: &str, place: &str) {
    let mut drawing = Drawing::new(text);
    let pack = drawing.take_pack().unwrap();
    let [first, first_after, second, second_after] = &drawing.columns[..] else {
        panic!("{place}")
    };
    assert_eq!([first.0, second.0], ["first", "second"], "{place}");
    let results = table(drawing.rest);
    let before = |seat: usize, cell: usize| -> u64 {
        results[seat + 1][cell].split_once(" -> ").unwrap().0.parse().unwrap()
    };
    let fields = [first, second].map(|(_, rows)| drawing::field(rows));
    let players = [0, 1].map(|seat: usize| Player {
        field: fields[seat],
        stock: before(seat, 4),
        gauge: Gauge::new(before(seat, 5) as u8).unwrap(),
        score: before(seat, 6),
    });
    let actions = [first_after, second_after].map(|(title, _)| drawing::action(title));
    let turn = play(&State { turn: 0, players }, &pack, actions);
    let height = first.1.len();
    for (seat, (_, drawn)) in [first_after, second_after].into_iter().enumerate() {
        assert_eq!(*drawn, rows(&turn.after.players[seat].field, height), "{place}: {seat}");
        let (step, was, is) = (&turn.steps[seat], &players[seat], &turn.after.players[seat]);
        let expected = [
            ["first", "second"][seat].to_owned(),
            step.explosion.0.to_string(),
            step.chain.0.to_string(),
            step.sent().to_string(),
            format!("{} -> {}", was.stock, is.stock),
            format!("{} -> {}", was.gauge.get(), is.gauge.get()),
            format!("{} -> {}", was.score, is.score),
        ];
        assert_eq!(results[seat + 1], expected, "{place}");
    }
}

fn result(verdict: Option<Verdict>) -> String {
    let words = match verdict {
        None => "goes on",
        Some(Verdict::Win(Seat::First)) => "first wins",
        Some(Verdict::Win(Seat::Second)) => "second wins",
        Some(Verdict::Draw) => "draw",
    };
    words.to_owned()
}

fn ends(example: &Example) {
    check_rows(example, |row| {
        let (heights, scores) = (pair(row[1]), pair(row[2]));
        let players = [0, 1].map(|seat: usize| {
            let mut columns = [[Cell::Empty; ROWS]; WIDTH];
            columns[3][..heights[seat] as usize].fill(Cell::Ojama);
            let field = Cells::from_columns(columns).unwrap();
            Player { field, score: scores[seat], ..Player::new() }
        });
        let state = State { turn: row[0].parse().unwrap(), players };
        let end = state.end();
        assert_eq!(state.convert::<Field>().end(), end, "{}", example.place());
        let is_over = heights.iter().any(|&height| height > 16);
        assert_eq!(end.is_some_and(|(end, _)| end == End::DangerLine), is_over);
        let verdict = end.map(|(_, verdict)| verdict);
        let cells = [row[0], row[1], row[2], &result(verdict)];
        cells.map(str::to_owned).to_vec()
    });
}

fn faults(example: &Example) {
    const ALL: [Fault; 4] = [Fault::OutOfTime, Fault::Invalid, Fault::Crash, Fault::NoStart];
    check_rows(example, |row| {
        let faults = [row[0], row[1]].map(|name| {
            let fault = ALL.into_iter().find(|fault| fault.name() == name);
            assert!(fault.is_some() || name == "-", "{}: {name}", example.place());
            fault
        });
        let verdict = judge_faults(faults, pair(row[2]));
        let cells = [row[0], row[1], row[2], &result(verdict)];
        cells.map(str::to_owned).to_vec()
    });
}
