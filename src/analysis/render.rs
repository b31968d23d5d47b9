//! Draws a game as text, with both fields side by side.

use std::fmt::Write as _;
use std::time::Duration;

use crate::game::{Cell, Cells, HEIGHT, Pack, Player, State};

/// Whether a drawing has colors (ANSI escape sequences).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colors {
    /// For a terminal.
    On,
    /// For a file.
    Off,
}

/// Columns of text between the two fields.
const GAP: &str = "      ";

/// Columns of text that a field takes.
const FIELD: usize = 22;

/// Draws both players side by side with names, time left, scores, stocks, gauges and fields, then
/// the pack `next`. `left` is the time that each player has left in the game, `None` without a
/// clock.
pub fn state(
    state: &State<Cells>,
    next: Option<&Pack>,
    names: &[String; 2],
    left: [Option<Duration>; 2],
    colors: Colors,
) -> String {
    let left = left.map(|left| match left {
        Some(left) => format!("{:.1} s left", left.as_secs_f64()),
        None => "no clock".to_owned(),
    });
    let next = next.map_or_else(String::new, |next| packs("next", [next], colors));
    drawing(state, names, Some(left), colors) + &next
}

/// Both players without times: names, fields, stocks, gauges and scores.
pub fn fields(state: &State<Cells>, names: &[String; 2], colors: Colors) -> String {
    drawing(state, names, None, colors)
}

/// One player's field, stock and gauge, under the name `name`.
pub fn one(player: &Player<Cells>, name: &str, colors: Colors) -> String {
    let mut text = format!("{name}\nojama {}  gauge {}\n", player.stock, player.gauge.get());
    for y in (0..HEIGHT).rev() {
        let cells = player.field.row(y).map(|cell| symbol(cell, colors));
        let _ = writeln!(text, "|{}|", cells.concat());
    }
    text + &format!("+{}+\n", "-".repeat(FIELD - 2))
}

fn drawing(
    state: &State<Cells>,
    names: &[String; 2],
    left: Option<[String; 2]>,
    colors: Colors,
) -> String {
    let mut text = String::new();
    let mut pair = |line: [String; 2]| {
        let [first, second] = line;
        let pad = FIELD.saturating_sub(first.chars().count());
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{first}{}{GAP}{second}", " ".repeat(pad));
    };
    let short = |name: &str| name.chars().take(FIELD).collect::<String>();
    pair([short(&names[0]), short(&names[1])]);
    left.into_iter().for_each(&mut pair);
    pair([0, 1].map(|seat| format!("score {}", state.players[seat].score)));
    pair([0, 1].map(|seat| {
        let player = &state.players[seat];
        format!("ojama {}  gauge {}", player.stock, player.gauge.get())
    }));
    let tallest = state.players.iter().flat_map(|player| player.field.heights()).max();
    for y in (0..HEIGHT.max(tallest.unwrap_or(0).into())).rev() {
        let edge = if y >= HEIGHT { '!' } else { '|' };
        for (seat, player) in state.players.iter().enumerate() {
            let _ = write!(text, "{}{edge}", if seat == 0 { "" } else { GAP });
            for cell in player.field.row(y) {
                let _ = write!(text, "{}", symbol(cell, colors));
            }
            let _ = write!(text, "{edge}");
        }
        text.push('\n');
    }
    let floor = format!("+{}+", "-".repeat(FIELD - 2));
    let _ = writeln!(text, "{floor}{GAP}{floor}");
    text
}

/// Packs beside each other, behind a label.
pub fn packs<'a>(label: &str, packs: impl IntoIterator<Item = &'a Pack>, colors: Colors) -> String {
    let packs: Vec<&Pack> = packs.into_iter().collect();
    let row = |row: usize| {
        let pack = |pack: &&Pack| {
            let cell = |code| symbol(Cell::from_code(code).unwrap_or_default(), colors);
            pack.rows()[row].map(cell).concat()
        };
        packs.iter().map(pack).collect::<Vec<String>>().join("  ")
    };
    format!("{label} {}\n{} {}\n", row(0), " ".repeat(label.chars().count()), row(1))
}

/// A cell, two columns wide.
pub fn symbol(cell: Cell, colors: Colors) -> String {
    /// A color of the 256-color palette for each number. Complements share a hue, and the smaller
    /// number is lighter, so that pairs can be recognised.
    const PALETTE: [u8; 9] = [217, 222, 157, 153, 255, 33, 34, 172, 160];
    let text = match cell {
        Cell::Empty => " .".to_owned(),
        Cell::Block(number) => format!(" {}", number.get()),
        Cell::Ojama => "##".to_owned(),
    };
    match (colors, cell) {
        (Colors::On, Cell::Block(number)) => {
            format!("\x1b[38;5;{}m{text}\x1b[0m", PALETTE[usize::from(number.get()) - 1])
        }
        (Colors::On, Cell::Empty | Cell::Ojama) => format!("\x1b[38;5;240m{text}\x1b[0m"),
        (Colors::Off, _) => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_fields_stand_side_by_side() {
        let mut game = State::new();
        game.players[0].field = "5#........".parse().unwrap();
        game.players[1].stock = 25;
        let names = ["tensai".to_owned(), "random".to_owned()];
        let pack = Pack::new([0, 1, 2, 3]).unwrap();
        let left = [Some(Duration::from_millis(1500)), None];
        let drawing = state(&game, Some(&pack), &names, left, Colors::Off);
        let lines: Vec<&str> = drawing.lines().collect();
        assert_eq!(lines[0], "tensai                      random");
        assert_eq!(lines[1], "1.5 s left                  no clock");
        assert_eq!(lines[3], "ojama 0  gauge 0            ojama 25  gauge 0");
        assert_eq!(lines[19], "| 5## . . . . . . . .|      | . . . . . . . . . .|");
        assert_eq!(lines[21..], ["next  . 1", "      2 3"]);
    }
}
