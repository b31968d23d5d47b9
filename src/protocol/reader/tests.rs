use super::*;
use crate::game::Seat;
use crate::protocol::writer;

fn packs_text() -> String {
    Packs::from_seed(1).to_string()
}

/// A turn whose own field has two blocks in the first column.
fn turn_text(turn: usize) -> String {
    let mut state = State::new();
    state.turn = turn;
    state.players[0].field = "3.........\n7........#".parse().unwrap();
    state.players[1].stock = 25;
    writer::turn(&state, Seat::First, [Duration::from_secs(180), Duration::from_millis(1)])
}

fn messages(input: &str) -> Result<Vec<InputMessage>, String> {
    let mut reader = Reader::new(input.as_bytes());
    let mut messages = Vec::new();
    loop {
        match reader.next_message().map_err(|error| error.to_string())? {
            InputMessage::End => return Ok(messages),
            message => messages.push(message),
        }
    }
}

#[test]
fn the_writers_text_is_read() {
    let read = messages(&(packs_text() + &turn_text(3))).unwrap();
    let [InputMessage::Packs(packs), InputMessage::Turn(observation)] = &read[..] else {
        panic!("{read:?}")
    };
    assert_eq!(packs.to_string(), packs_text());
    assert_eq!(observation.state.turn, 3);
    assert_eq!(observation.state.players[0].field.columns()[9][0], Cell::Ojama);
    assert_eq!(observation.state.players[1].stock, 25);
    assert_eq!(observation.time_left, [Duration::from_secs(180), Duration::from_millis(1)]);
}

#[test]
fn cr_lf_and_blanks_are_skipped() {
    let input = packs_text() + &turn_text(0);
    let loose = input.replace('\n', " \r\n\r\n\t").replace(' ', "  ");
    assert_eq!(messages(&loose), messages(&input));
}

#[test]
fn a_byte_order_mark_is_skipped_before_the_first_line_alone() {
    let input = packs_text() + &turn_text(0);
    assert_eq!(messages(&format!("\u{feff}{input}")), messages(&input));
    let later = messages(&input.replacen("END", "\u{feff}END", 1));
    assert_eq!(later.unwrap_err(), "input line 3, pack 0: expected `END`, found `\\u{feff}END`");
}

#[test]
fn two_numbers_after_a_turn_begin_the_next_game() {
    let game = packs_text() + &turn_text(0) + &turn_text(1);
    let read = messages(&(game.clone() + &game)).unwrap();
    let kinds: Vec<bool> = read.iter().map(|m| matches!(m, InputMessage::Packs(_))).collect();
    assert_eq!(kinds, [true, false, false, true, false, false]);
}

/// Every broken input is refused with its line, its part, and the expected and the actual content.
#[test]
fn broken_input_is_refused_with_its_place() {
    let (packs, turn) = (packs_text(), turn_text(7));
    let refused = |input: String| messages(&input).unwrap_err();
    let replaced = |at: usize, with: &str| {
        let mut lines: Vec<&str> = turn.lines().collect();
        lines[at] = with;
        refused(packs.clone() + &lines.join("\n"))
    };
    assert_eq!(
        replaced(1, "-5"),
        "input line 1502, turn 7, own time left: expected milliseconds from 0, found `-5`"
    );
    assert_eq!(
        replaced(3, "101"),
        "input line 1504, turn 7, own gauge: expected a gauge, 0 to 100, found `101`"
    );
    assert_eq!(
        replaced(5, "0 0 0 0 0 0 0 0 0"),
        "input line 1506, turn 7, own field, row 1 from the top: \
         expected 10 numbers, 0 to 9 or 11, found `0 0 0 0 0 0 0 0 0`"
    );
    assert_eq!(
        replaced(6, "0 0 0 0 10 0 0 0 0 0"),
        "input line 1507, turn 7, own field, row 2 from the top: \
         expected 10 numbers, 0 to 9 or 11, found `0 0 0 0 10 0 0 0 0 0`"
    );
    assert_eq!(
        replaced(18, "0 0 0 0 0 4 0 0 0 0"),
        "input line 1519, turn 7, own field, row 14 from the top: expected a block under every \
         block, found column 5, row 3 from the bottom: a block stands over an empty cell"
    );
    let floating = replaced(18, "0 0 0 0 0 4 0 0 0 0\n \n");
    assert!(floating.starts_with("input line 1519, "), "blank lines count: {floating}");
    let floating = replaced(18, "\n \n0 0 0 0 0 4 0 0 0 0");
    assert!(floating.starts_with("input line 1521, "), "blank lines count: {floating}");
    assert_eq!(
        replaced(21, "180000"),
        "input line 1522, turn 7, end of own field: expected `END`, found `180000`"
    );
    assert_eq!(
        replaced(0, "500"),
        "input line 1501, start of a turn: expected a turn number, 0 to 499, found `500`"
    );
    assert_eq!(
        replaced(0, "\u{fffd}\u{1}x"),
        "input line 1501, start of a turn: expected a turn number, 0 to 499, \
         found `\u{fffd}\\u{1}x`"
    );
    let whole = packs.clone() + &turn;
    let cut: String = whole.lines().take(1530).map(|line| line.to_owned() + "\n").collect();
    assert_eq!(
        refused(cut),
        "input line 1531, turn 7, opponent's field, row 5 from the top: \
         expected 10 numbers, 0 to 9 or 11, found the end of the input"
    );
    assert_eq!(
        refused(String::new()),
        "input line 1, pack 0: expected two numbers, 0 to 9, found the end of the input"
    );
    assert_eq!(
        refused("1 2\n0 0\nEND\n".to_owned()),
        "input line 2, pack 0: expected a pack of 3 or 4 blocks, \
         found a pack holds 3 or 4 blocks, found 2"
    );
    let long = "1".repeat(100_000);
    assert!(refused(long).ends_with("1… (4096 bytes)`"), "an endless line is cut");
}
