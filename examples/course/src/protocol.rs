//! The contest's protocol: text on standard input and output. [`run`] plays a bot's whole life.

use std::io::{self, BufRead, Write};

use crate::field::{Field, OJAMA};
use crate::simulator::{Action, Pack, Player, HEIGHT, WIDTH};

/// Numbers of a player's part of a turn: time, stock, gauge, score and the cells.
const PLAYER: usize = 4 + HEIGHT * WIDTH;

/// The input of a turn: the state at the end of the turn before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Observation {
    /// 0 to 499.
    pub turn: usize,
    pub own: Player,
    pub opponent: Player,
    /// Times left for the game, in milliseconds: own, opponent's.
    pub time_left: [u64; 2],
}

/// Plays until the input ends: prints the name, then for each turn the action that
/// `decide(packs, observation)` returns. One process can play several games.
///
/// Standard output is for answers only: write your own notes with `eprintln!`.
pub fn run(name: &str, mut decide: impl FnMut(&[Pack], &Observation) -> Action) -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut packs: Vec<Pack> = Vec::new();
    let mut is_playing = false;
    println!("{name}");
    while let Some(message) = numbers_until_end(&mut input)? {
        if let &[a, b, c, d] = &message[..] {
            if is_playing {
                packs.clear(); // the first pack of the next game
            }
            is_playing = false;
            packs.push([a, b, c, d].map(|number| number as u8));
            continue;
        }
        is_playing = true;
        let opponent = numbers_until_end(&mut input)?.unwrap_or_default();
        if message.len() != 1 + PLAYER || opponent.len() != PLAYER {
            let error = format!("turn of {} and {} numbers", message.len(), opponent.len());
            return Err(io::Error::new(io::ErrorKind::InvalidData, error));
        }
        let (turn, own) = (message[0] as usize, &message[1..]);
        let time_left = [own[0], opponent[0]];
        let [own, opponent] = [player(own), player(&opponent)];
        match decide(&packs, &Observation { turn, own, opponent, time_left }) {
            Action::Drop { position, rotation } => println!("{position} {rotation}"),
            Action::Skill => println!("S"),
        }
        // An answer that stays in a buffer loses the game on time.
        io::stdout().flush()?;
    }
    Ok(())
}

/// The numbers of all lines up to `END`, or `None` at the end of the input.
fn numbers_until_end(input: &mut impl BufRead) -> io::Result<Option<Vec<u64>>> {
    let mut numbers = Vec::new();
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        if line.trim() == "END" {
            return Ok(Some(numbers));
        }
        for word in line.split_whitespace() {
            let error = |_| io::Error::new(io::ErrorKind::InvalidData, format!("number: {word:?}"));
            numbers.push(word.parse().map_err(error)?);
        }
        line.clear();
    }
    Ok(None)
}

/// Time, stock, gauge, score, 16 rows of 10 cells from the top.
fn player(numbers: &[u64]) -> Player {
    let mut field = Field::default();
    for row in numbers[4..].chunks(WIDTH).rev() {
        for (x, &cell) in row.iter().enumerate() {
            field.push(x, if cell == 11 { OJAMA } else { cell as u8 });
        }
    }
    Player { field, stock: numbers[1], gauge: numbers[2] as u32, score: numbers[3] }
}
