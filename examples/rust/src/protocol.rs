//! The contest's protocol: text on standard input and output. [`run`] plays a bot's whole life.

use std::fmt;
use std::io::{self, BufRead, Write};

use crate::field::Field;
use crate::simulator::{Action, Pack, Player, HEIGHT, TURNS, WIDTH};

/// The input of a turn: the state at the end of the turn before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation {
    /// 0 to 499.
    pub turn: usize,
    pub own: Player,
    pub opponent: Player,
    /// Times left for the game, in milliseconds: own, opponent's.
    pub time_left: [u64; 2],
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Drop { position, rotation } => write!(f, "{position} {rotation}"),
            Self::Skill => f.write_str("S"),
        }
    }
}

/// Plays until the input ends: prints the name, then for each turn the action that
/// `decide(packs, observation)` returns.
///
/// The first line of a game's packs has two numbers, the first line of a turn has one. So one
/// process can play several games. Standard output is for answers only: write your own notes with
/// `eprintln!`.
pub fn run(name: &str, mut decide: impl FnMut(&[Pack], &Observation) -> Action) -> io::Result<()> {
    let mut input = Input(io::stdin().lock());
    let mut output = io::stdout().lock();
    let mut packs = Vec::new();
    writeln!(output, "{name}")?;
    output.flush()?;
    while let Some(line) = input.line()? {
        let numbers = parse(&line)?;
        match numbers[..] {
            [upper_left, upper_right] => packs = input.packs([upper_left, upper_right])?,
            [turn] => {
                let (own, own_time) = input.player()?;
                let (opponent, opponents_time) = input.player()?;
                let time_left = [own_time, opponents_time];
                let observation = Observation { turn: turn as usize, own, opponent, time_left };
                writeln!(output, "{}", decide(&packs, &observation))?;
                // An answer that stays in a buffer loses the game on time.
                output.flush()?;
            }
            _ => return Err(invalid(format!("expected a turn number or a pack, found {line:?}"))),
        }
    }
    Ok(())
}

fn invalid(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

fn parse(line: &str) -> io::Result<Vec<u64>> {
    let numbers = line.split_whitespace().map(str::parse).collect::<Result<_, _>>();
    numbers.map_err(|error| invalid(format!("expected numbers, found {line:?}: {error}")))
}

/// Lines of the input, one message after the other.
struct Input<R>(R);

impl<R: BufRead> Input<R> {
    /// The next line that is not blank, or `None` at the end of the input.
    fn line(&mut self) -> io::Result<Option<String>> {
        let mut line = String::new();
        while self.0.read_line(&mut line)? > 0 {
            if !line.trim().is_empty() {
                return Ok(Some(line.trim().to_owned()));
            }
            line.clear();
        }
        Ok(None)
    }

    /// The next line, in the middle of a message.
    fn due(&mut self) -> io::Result<String> {
        self.line()?.ok_or_else(|| invalid("the input ends in the middle of a message".to_owned()))
    }

    /// The next line of exactly `N` numbers.
    fn numbers<const N: usize>(&mut self) -> io::Result<[u64; N]> {
        let line = self.due()?;
        let numbers = parse(&line)?.try_into();
        numbers.map_err(|_| invalid(format!("expected {N} numbers, found {line:?}")))
    }

    fn end(&mut self) -> io::Result<()> {
        match self.due()?.as_str() {
            "END" => Ok(()),
            other => Err(invalid(format!("expected END, found {other:?}"))),
        }
    }

    /// The packs of a game, whose first row has been read.
    fn packs(&mut self, first_row: [u64; 2]) -> io::Result<Vec<Pack>> {
        let mut first_row = Some(first_row);
        let mut packs = Vec::with_capacity(TURNS);
        for _ in 0..TURNS {
            let [a, b] = first_row.take().map_or_else(|| self.numbers(), Ok)?;
            let [c, d] = self.numbers()?;
            packs.push([a, b, c, d].map(|cell| cell as u8));
            self.end()?;
        }
        Ok(packs)
    }

    /// A player and its time left: time, stock, gauge, score, 16 rows of 10 cells, the topmost
    /// first.
    fn player(&mut self) -> io::Result<(Player, u64)> {
        let [time] = self.numbers()?;
        let [stock] = self.numbers()?;
        let [gauge] = self.numbers()?;
        let [score] = self.numbers()?;
        let rows = (0..HEIGHT).map(|_| self.numbers::<WIDTH>()).collect::<io::Result<Vec<_>>>()?;
        self.end()?;
        let mut field = Field::default();
        for row in rows.iter().rev() {
            for (column, &cell) in field.0.iter_mut().zip(row) {
                if cell != 0 {
                    column.push(cell as u8);
                }
            }
        }
        Ok((Player { field, stock, gauge: gauge as u32, score }, time))
    }
}
