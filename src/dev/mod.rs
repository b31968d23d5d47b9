//! Measurements of the simulators and the engine.
//!
//! * [`boards`]: the fields on which speed is measured;
//! * [`bench()`]: a fixed workload: its speed, and a signature of its results;
//! * [`decisions()`]: a fixed set of decisions: their speed, and a signature of the actions;
//! * [`beam_bench`]: the chains of beams as a function of time;
//! * [`perft()`]: counts all action sequences of one player within a few turns;
//! * [`planted_blunders`]: blunders planted in recorded games, which a review should find;
//! * [`reference_decisions`]: decisions compared with those of many more nodes;
//! * [`training`]: fits the win probability and the weights of the beam.

pub mod beam_bench;
mod bench;
mod decisions;
mod perft;
pub mod planted_blunders;
pub mod reference_decisions;
#[cfg(all(test, target_os = "linux"))]
mod schemas;
pub mod training;

use std::fmt::Display;

use serde::Serializer;

pub use bench::{Figures, Signature, bench, signature};
pub use decisions::{DecisionFigures, decisions};
pub use perft::{Perft, perft};

use crate::game::{Cell, Cells, Pack, Seat, WIDTH};

/// Returns 500 fields from games between strong bots on official packs, each with the next pack. No
/// column is higher than 14. A due row of ojama has already fallen.
pub fn boards() -> Vec<(Cells, Pack)> {
    let numbers = |part: &str| -> Vec<u8> {
        part.split_whitespace().map(|number| number.parse::<u8>().expect("a number")).collect()
    };
    let board = |line: &str| {
        let (pack, field) = line.split_once('|').expect("a pack and a field");
        let field = numbers(field).into_iter().map(|code| Cell::from_code(code).expect("a cell"));
        let rows: Vec<[Cell; WIDTH]> = field.collect::<Vec<Cell>>().as_chunks().0.to_vec();
        let pack = Pack::new(numbers(pack).try_into().expect("four numbers")).expect("a pack");
        (Cells::from_rows(&rows).expect("a field"), pack)
    };
    include_str!("boards.txt").lines().map(board).collect()
}

/// Serializes a value as its text.
fn as_text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Serializes a seat as its number, 0 or 1.
fn as_number<S: Serializer>(seat: &Seat, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(seat.index() as u64)
}
