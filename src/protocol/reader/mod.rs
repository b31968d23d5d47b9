//! The bot's side of the input.

use std::io::{BufRead, Read as _};
use std::time::Duration;

use super::{InputError, InputPart, MOST, Observation};
use crate::game::{
    Cell, Cells, CellsError, Gauge, HEIGHT, Pack, Packs, Player, State, TURNS, WIDTH,
};
use crate::util::input_file::without_byte_order_mark;
use crate::util::sanitize::quoted;

/// A part of the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputMessage {
    /// A game begins with these packs.
    Packs(Packs),
    /// A turn begins.
    Turn(Box<Observation>),
    /// The input has ended before a turn, where it may end.
    End,
}

/// Reads a bot's input as a stream, never beyond the message that is asked for.
///
/// Lines may end in CR LF; blanks, blank lines and a byte order mark before the first line are
/// skipped.
pub struct Reader<R> {
    lines: Lines<R>,
    /// Whether the packs of a game have been read, so that a turn is expected.
    in_game: bool,
}

impl<R: BufRead> Reader<R> {
    /// A reader at the start of the input.
    pub const fn new(input: R) -> Self {
        Self { lines: Lines { input, line: 0 }, in_game: false }
    }

    /// The number of the line that was read last, from 1.
    pub const fn line(&self) -> u64 {
        self.lines.line
    }

    /// Reads the next message.
    ///
    /// If a turn is expected, a line of two numbers begins the packs of the next game.
    ///
    /// # Errors
    /// The input does not follow the protocol, or ends in the wrong place.
    pub fn next_message(&mut self) -> Result<InputMessage, InputError> {
        if !self.in_game {
            self.in_game = true;
            return Ok(InputMessage::Packs(self.lines.packs(None)?));
        }
        let Some(line) = self.lines.next()? else { return Ok(InputMessage::End) };
        let part = InputPart::TurnNumber;
        if line.words().count() == 2 {
            return Ok(InputMessage::Packs(self.lines.packs(Some(line))?));
        }
        let turn = line.number(part, 0..=TURNS as u64 - 1, "a turn number, 0 to 499")?;
        Ok(InputMessage::Turn(Box::new(self.turn(turn as usize)?)))
    }

    fn turn(&mut self, turn: usize) -> Result<Observation, InputError> {
        let (own_time, own) = self.lines.player(turn, &OWN)?;
        let (opponents_time, opponent) = self.lines.player(turn, &OPPONENTS)?;
        Ok(Observation {
            state: State { turn, players: [own, opponent] },
            time_left: [own_time, opponents_time],
        })
    }
}

/// Reads the packs of one game in the format of a pack file; only blank lines may follow.
///
/// # Errors
/// The input is not the packs of one game.
pub fn read_packs(input: impl BufRead) -> Result<Packs, InputError> {
    let mut lines = Lines { input, line: 0 };
    let packs = lines.packs(None)?;
    match lines.next()? {
        None => Ok(packs),
        Some(line) => Err(line.unexpected(InputPart::Pack(TURNS), "the end of the file")),
    }
}

/// The names of the lines about a player in messages.
struct Labels {
    time: &'static str,
    stock: &'static str,
    gauge: &'static str,
    score: &'static str,
    field: &'static str,
    end: &'static str,
}

const OWN: Labels = Labels {
    time: "own time left",
    stock: "own ojama stock",
    gauge: "own gauge",
    score: "own score",
    field: "own",
    end: "end of own field",
};

const OPPONENTS: Labels = Labels {
    time: "opponent's time left",
    stock: "opponent's ojama stock",
    gauge: "opponent's gauge",
    score: "opponent's score",
    field: "opponent's",
    end: "end of opponent's field",
};

/// Iterates over the lines of the input that are not blank.
struct Lines<R> {
    input: R,
    line: u64,
}

impl<R: BufRead> Lines<R> {
    /// Longer than any line of the protocol, and limited so that no input fills the memory.
    const LONGEST: u64 = 4096;

    /// The next line that is not blank; `None` at the end of the input.
    fn next(&mut self) -> Result<Option<InputLine>, InputError> {
        loop {
            self.line += 1;
            let mut bytes = Vec::with_capacity(32);
            let read = self.input.by_ref().take(Self::LONGEST).read_until(b'\n', &mut bytes);
            read.map_err(|source| InputError::Unreadable { line: self.line, source })?;
            if bytes.is_empty() {
                return Ok(None);
            }
            let line = if self.line == 1 { without_byte_order_mark(&bytes) } else { &bytes[..] };
            let text = String::from_utf8_lossy(line).trim_ascii().to_owned();
            if !text.is_empty() {
                let is_cut = bytes.len() as u64 == Self::LONGEST;
                let is_end = !is_cut && !bytes.ends_with(b"\n");
                return Ok(Some(InputLine { number: self.line, text, is_end }));
            }
        }
    }

    /// The next line; an end of the input is an error.
    fn due(&mut self, part: InputPart, expected: &str) -> Result<InputLine, InputError> {
        self.next()?.ok_or_else(|| InputError::Unexpected {
            line: self.line,
            part,
            expected: expected.to_owned(),
            found: "the end of the input".to_owned(),
            is_end: true,
        })
    }

    /// The packs of a game; `first` is their first line if it has been read already.
    fn packs(&mut self, mut first: Option<InputLine>) -> Result<Packs, InputError> {
        let mut packs = Vec::with_capacity(TURNS);
        for index in 0..TURNS {
            let part = InputPart::Pack(index);
            let expected = "two numbers, 0 to 9";
            let mut cells = [0; 4];
            let mut last = None;
            for row in cells.chunks_mut(2) {
                let line = match first.take() {
                    Some(line) => line,
                    None => self.due(part, expected)?,
                };
                let numbers =
                    line.numbers(2, 0..=9).ok_or_else(|| line.unexpected(part, expected))?;
                row.copy_from_slice(&numbers);
                last = Some(line);
            }
            let pack = Pack::new(cells).map_err(|error| InputError::Unexpected {
                line: last.map_or(self.line, |line| line.number),
                part,
                expected: "a pack of 3 or 4 blocks".to_owned(),
                found: error.to_string(),
                is_end: false,
            })?;
            packs.push(pack);
            self.end(part)?;
        }
        Ok(Packs::new(packs).expect("the loop reads the packs of a game"))
    }

    /// Reads a line `END`.
    fn end(&mut self, part: InputPart) -> Result<(), InputError> {
        let line = self.due(part, "`END`")?;
        if line.text == "END" { Ok(()) } else { Err(line.unexpected(part, "`END`")) }
    }

    /// Reads a line of one number, 0 to `most`.
    fn number(&mut self, part: InputPart, most: u64, expected: &str) -> Result<u64, InputError> {
        self.due(part, expected)?.number(part, 0..=most, expected)
    }

    /// Reads one player's part of a turn.
    fn player(
        &mut self,
        turn: usize,
        labels: &Labels,
    ) -> Result<(Duration, Player<Cells>), InputError> {
        let whole = "a whole number from 0";
        let time = self.number(InputPart::Turn(turn, labels.time), MOST, "milliseconds from 0")?;
        let stock = self.number(InputPart::Turn(turn, labels.stock), MOST, whole)?;
        let part = InputPart::Turn(turn, labels.gauge);
        let gauge = self.number(part, Gauge::FULL.into(), "a gauge, 0 to 100")?;
        let score = self.number(InputPart::Turn(turn, labels.score), MOST, whole)?;
        let gauge = Gauge::new(gauge as u8).unwrap_or_default();
        let field = self.field(turn, labels)?;
        Ok((Duration::from_millis(time), Player { field, stock, gauge, score }))
    }

    fn field(&mut self, turn: usize, labels: &Labels) -> Result<Cells, InputError> {
        let mut rows = [[Cell::Empty; WIDTH]; HEIGHT];
        let mut lines = [0; HEIGHT];
        for (index, row) in rows.iter_mut().enumerate() {
            let part = InputPart::FieldRow(turn, labels.field, index + 1);
            let expected = "10 numbers, 0 to 9 or 11";
            let line = self.due(part, expected)?;
            lines[index] = line.number;
            let cells: Option<Vec<Cell>> = line
                .numbers(WIDTH, 0..=11)
                .and_then(|codes| codes.into_iter().map(Cell::from_code).collect());
            let cells = cells.and_then(|cells| cells.try_into().ok());
            *row = cells.ok_or_else(|| line.unexpected(part, expected))?;
        }
        self.end(InputPart::Turn(turn, labels.end))?;
        Cells::from_rows(&rows).map_err(|error| {
            let index = match error {
                CellsError::Floating { row, .. } => HEIGHT - row,
                _ => 0,
            };
            InputError::Unexpected {
                line: lines[index],
                part: InputPart::FieldRow(turn, labels.field, index + 1),
                expected: "a block under every block".to_owned(),
                found: error.to_string(),
                is_end: false,
            }
        })
    }
}

/// A line that is not blank, trimmed.
struct InputLine {
    number: u64,
    text: String,
    /// Whether the input ends with this line, without an end of line.
    is_end: bool,
}

impl InputLine {
    fn words(&self) -> std::str::SplitAsciiWhitespace<'_> {
        self.text.split_ascii_whitespace()
    }

    /// Exactly `count` numbers within `range`, or `None`.
    fn numbers(&self, count: usize, range: std::ops::RangeInclusive<u8>) -> Option<Vec<u8>> {
        let number = |word| whole(word).and_then(|n| u8::try_from(n).ok());
        let numbers: Option<Vec<u8>> =
            self.words().map(|word| number(word).filter(|n| range.contains(n))).collect();
        numbers.filter(|numbers| numbers.len() == count)
    }

    /// One number within `range`.
    fn number(
        &self,
        part: InputPart,
        range: std::ops::RangeInclusive<u64>,
        expected: &str,
    ) -> Result<u64, InputError> {
        whole(&self.text)
            .filter(|number| range.contains(number))
            .ok_or_else(|| self.unexpected(part, expected))
    }

    fn unexpected(&self, part: InputPart, expected: &str) -> InputError {
        InputError::Unexpected {
            line: self.number,
            part,
            expected: expected.to_owned(),
            found: quoted(&self.text),
            is_end: self.is_end,
        }
    }
}

/// A whole number of digits only, without a sign.
fn whole(word: &str) -> Option<u64> {
    if word.bytes().all(|byte| byte.is_ascii_digit()) { word.parse().ok() } else { None }
}

#[cfg(test)]
mod tests;
