//! Draws a player's half of a turn, round by round.

use crate::analysis::render::{self, Colors};
use crate::game::reference::Marks;
use crate::game::trace::{CellIndex, Trace};
use crate::game::{Action, Cell, Cells, Pack, Player, ROWS, WIDTH};

/// The states of a field in a turn, step by step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Film {
    /// The field before each time that blocks vanish, and at the end.
    pub frames: Vec<Frame>,
}

/// A field at one step of a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The step in a word or two: `round 3`.
    pub title: String,
    /// The field.
    pub field: Cells,
    /// The cells that vanish next.
    pub marks: Marks,
}

const NOTHING: Marks = [[false; ROWS]; WIDTH];

/// Marks the given places.
fn marks(cells: impl IntoIterator<Item = CellIndex>) -> Marks {
    let mut marks = NOTHING;
    cells.into_iter().for_each(|(x, y)| marks[x][y] = true);
    marks
}

impl Film {
    /// The film of a player's half of a turn with `action`, whether the gauge allows it or not.
    pub fn of(player: &Player<Cells>, pack: &Pack, action: Action) -> Self {
        let trace = Trace::new(player, pack, action);
        let mut field = trace.acted;
        let mut frames = Vec::new();
        if action == Action::Skill {
            let cells = trace.explosion.iter().flat_map(|burst| burst.cells.iter().copied());
            frames.push(Frame { title: "skill".to_owned(), field, marks: marks(cells) });
            field = trace.explosion.as_ref().map_or(field, |burst| burst.after);
        }
        for (number, round) in (1..).zip(&trace.rounds) {
            let cells = round.pairs.as_flattened().iter().copied();
            frames.push(Frame { title: format!("round {number}"), field, marks: marks(cells) });
            field = round.after;
        }
        let title = if frames.is_empty() { "no chain" } else { "at rest" }.to_owned();
        frames.push(Frame { title, field, marks: NOTHING });
        Self { frames }
    }

    /// Draws the frames, three in a row. A cell that vanishes next has a `*` before it, and is
    /// reversed if there are colors.
    pub fn render(&self, colors: Colors) -> String {
        /// The number of frames that fit into the 80 columns of a terminal.
        const A_ROW: usize = 3;
        let tallest = self.frames.iter().map(|frame| frame.field.tallest()).max().unwrap_or(0);
        let drawings = self.frames.chunks(A_ROW).map(|frames| {
            let drawings: Vec<String> =
                frames.iter().map(|frame| frame.render(tallest.into(), colors)).collect();
            side_by_side(&drawings)
        });
        drawings.collect::<Vec<String>>().join("\n")
    }
}

impl Frame {
    /// The title and the lowest `rows` rows, each 22 columns wide.
    fn render(&self, rows: usize, colors: Colors) -> String {
        let mut text = format!("{:<22}\n", self.title);
        for y in (0..rows).rev() {
            text.push('|');
            for (x, cell) in self.field.row(y).into_iter().enumerate() {
                text += &if self.marks[x][y] {
                    marked(cell, colors)
                } else {
                    render::symbol(cell, colors)
                };
            }
            text += "|\n";
        }
        text + "+--------------------+\n"
    }
}

/// Draws a cell that vanishes next.
fn marked(cell: Cell, colors: Colors) -> String {
    let number = cell.symbol();
    match colors {
        Colors::On => format!("\x1b[7m*{number}\x1b[0m"),
        Colors::Off => format!("*{number}"),
    }
}

/// Joins drawings with equal numbers of lines side by side; the lines of a drawing have one width.
pub fn side_by_side(drawings: &[String]) -> String {
    let lines = drawings.iter().map(|drawing| drawing.lines().count()).max().unwrap_or(0);
    let line = |index: usize| {
        let parts = drawings.iter().map(|drawing| drawing.lines().nth(index).unwrap_or_default());
        parts.collect::<Vec<&str>>().join("  ").trim_end().to_owned() + "\n"
    };
    (0..lines).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Gauge;

    fn player(drawing: &str) -> Player<Cells> {
        let gauge = Gauge::new(80).unwrap();
        Player { field: drawing.parse().unwrap(), gauge, ..Player::new() }
    }

    #[test]
    fn a_chain_is_drawn_round_by_round() {
        let player = player("2.........\n9.........\n84........");
        let pack = Pack::new([1, 1, 1, 0]).unwrap();
        let film = Film::of(&player, &pack, "1 0".parse().unwrap());
        assert_eq!(
            film.render(Colors::Off),
            "\
round 1                 round 2                 at rest
| 2*1 . . . . . . . .|  | . . . . . . . . . .|  | . . . . . . . . . .|
|*9*1 . . . . . . . .|  |*2 . . . . . . . . .|  | . . . . . . . . . .|
| 8 4 1 . . . . . . .|  |*8 4 1 . . . . . . .|  | . 4 1 . . . . . . .|
+--------------------+  +--------------------+  +--------------------+
"
        );
    }

    #[test]
    fn the_film_ends_as_the_rules_say() {
        let pack = Pack::new([1, 9, 5, 0]).unwrap();
        let player = Player { stock: 12, ..player("9.........\n5.........\n61........") };
        for action in Action::all() {
            let step = player.step(&pack, action).unwrap();
            let film = Film::of(&player, &pack, action);
            let last = film.frames.last().unwrap();
            assert_eq!((last.field, last.marks), (step.player.field, NOTHING), "{action}");
            let rounds = film.frames.iter().filter(|frame| frame.title.starts_with("round"));
            assert_eq!(rounds.count(), usize::from(step.chain.0), "{action}");
        }
    }
}
