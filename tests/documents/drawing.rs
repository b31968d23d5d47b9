//! Drawings of fields side by side.

use tensai::board::{Backend, Field};
use tensai::game::trace::Trace;
use tensai::game::{Action, Cells, Gauge, Pack, Player, Step, WIDTH};

/// Columns of text side by side, each under its title, and the lines after a blank line.
pub struct Drawing<'a> {
    /// The title of each column, and its lines.
    pub columns: Vec<(&'a str, Vec<&'a str>)>,
    /// The text after the blank line.
    pub rest: &'a str,
}

impl<'a> Drawing<'a> {
    /// Parses a drawing; titles are separated by two blanks or more.
    pub fn new(text: &'a str) -> Self {
        let (drawn, rest) = text.split_once("\n\n").unwrap_or((text, ""));
        let mut lines = drawn.lines();
        let titles = lines.next().unwrap();
        let lines: Vec<&str> = lines.collect();
        let is_start = |&at: &usize| {
            let before = titles[..at].chars().rev().take(2);
            !titles[at..].starts_with(' ')
                && before.clone().all(|c| c == ' ')
                && before.count() != 1
        };
        let starts: Vec<usize> = (0..titles.len()).filter(is_start).collect();
        let columns = starts.iter().enumerate().map(|(index, &start)| {
            let part = |line: &'a str| {
                let end = starts.get(index + 1).copied().unwrap_or(line.len()).min(line.len());
                line.get(start..end).unwrap_or_default().trim()
            };
            (part(titles), lines.iter().map(|line| part(line)).collect())
        });
        Self { columns: columns.collect(), rest }
    }

    /// Removes the column with this title, if there is one.
    pub fn take(&mut self, title: &str) -> Option<Vec<&'a str>> {
        let index = self.columns.iter().position(|(known, _)| *known == title)?;
        Some(self.columns.remove(index).1)
    }

    /// Removes the column of the pack.
    pub fn take_pack(&mut self) -> Option<Pack> {
        let rows = self.take("pack")?.concat();
        let codes: Vec<u8> =
            rows.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
        Some(Pack::new(codes.try_into().unwrap()).unwrap())
    }
}

/// The field with these rows.
pub fn field(rows: &[&str]) -> Cells {
    rows.join("\n").parse().unwrap()
}

/// The lowest `height` rows of a field, which has no cell above them.
pub fn rows(field: &Cells, height: usize) -> Vec<String> {
    assert!(usize::from(field.tallest()) <= height, "higher than the drawing: {field:?}");
    let row = |y: usize| (0..WIDTH).map(|x| field.columns()[x][y].symbol()).collect();
    (0..height).rev().map(row).collect()
}

/// The action in a title: `drop 4 1`, or `skill`.
pub fn action(title: &str) -> Action {
    title.strip_prefix("drop ").map_or(Action::Skill, |drop| drop.parse().unwrap())
}

/// The player's half of a turn by the plain simulator and by each fast one, which must agree.
pub fn step(player: &Player<Cells>, pack: &Pack, action: Action) -> Step<Cells> {
    let step = player.step(pack, action).unwrap();
    for backend in Backend::available() {
        Backend::choose(Some(backend));
        let fast = player.convert::<Field>().step(pack, action).unwrap();
        assert_eq!(fast.player.convert::<Cells>(), step.player, "{backend}");
        assert_eq!((fast.chain, fast.explosion), (step.chain, step.explosion), "{backend}");
    }
    step
}

/// Checks an action of one player: every drawn field, and the line of results.
pub fn check(text: &str, place: &str) {
    let mut drawing = Drawing::new(text);
    let numbers = drawing.take("row");
    let pack = drawing.take_pack();
    let before = field(&drawing.columns[0].1);
    let height = drawing.columns[0].1.len();
    if let Some(numbers) = numbers {
        let expected: Vec<String> = (1..=height).rev().map(|row| row.to_string()).collect();
        assert_eq!(numbers, expected, "{place}");
    }
    let action = drawing.columns.iter().find(|(title, _)| title.starts_with("drop "));
    let action = action.map_or(Action::Skill, |(title, _)| self::action(title));
    assert_eq!(pack.is_none(), action == Action::Skill, "{place}: a drop has a pack");
    let pack = pack.unwrap_or_else(|| Pack::new([1, 1, 1, 0]).unwrap());
    let result = drawing.rest.trim_end();
    let word = |name: &str| result.split(", ").find_map(|word| word.strip_prefix(name));
    let stock =
        word("stock ").map_or(0, |stock| stock.split_once(" -> ").unwrap().0.parse().unwrap());
    let gauge = Gauge::new(Gauge::SKILL).unwrap();
    let player = Player { field: before, stock, gauge, ..Player::new() };

    let trace = Trace::new(&player, &pack, action);
    let mut expected = vec![("before".to_owned(), before)];
    expected.extend(trace.rained.map(|field| ("ojama".to_owned(), field)));
    expected.push(match (action, &trace.explosion) {
        (Action::Drop(placement), _) => (format!("drop {placement:?}"), trace.acted),
        (Action::Skill, burst) => {
            ("explosion".to_owned(), burst.as_ref().map_or(trace.acted, |burst| burst.after))
        }
    });
    expected.extend(
        (1..).zip(&trace.rounds).map(|(number, round)| (format!("round {number}"), round.after)),
    );
    let step = step(&player, &pack, action);
    assert_eq!(expected.last().unwrap().1, step.player.field, "{place}");
    let expected: Vec<_> =
        expected.into_iter().map(|(title, field)| (title, rows(&field, height))).collect();
    let drawn = drawing.columns.iter().map(|(title, rows)| {
        ((*title).to_owned(), rows.iter().map(|row| (*row).to_owned()).collect::<Vec<_>>())
    });
    assert_eq!(drawn.collect::<Vec<_>>(), expected, "{place}");

    let mut words = Vec::new();
    if stock > 0 {
        words.push(format!("stock {stock} -> {}", step.player.stock));
    }
    if action == Action::Skill {
        words.push(format!("exploded {}", step.explosion.0));
    }
    words.push(format!("chain {}", step.chain.0));
    words.push(format!("score {}", step.player.score));
    words.push(format!("ojama {}", step.sent()));
    if result.ends_with("lost") {
        let over = step.player.field.is_over();
        assert_eq!(Field::from_cells(&step.player.field).is_over(), over, "{place}");
        words.push(if over { "lost" } else { "not lost" }.to_owned());
    }
    assert_eq!(result, words.join(", "), "{place}");
}
