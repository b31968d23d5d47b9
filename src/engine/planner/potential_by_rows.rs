//! The potential of a field after each number of fallen ojama rows.
//!
//! A row puts an ojama on top of each column. Low blocks are enclosed after fewer rows than blocks
//! that stand above their neighbours. An attack with few rows is worth little against a field that
//! keeps its chain under many rows, and much against a field that loses it under the first row.

use crate::board::{ChildBuffer, Field};

/// The maximum number of rows: an attack of 80 ojama.
const ROWS: usize = 8;

/// Returns the potential of `field` after 0, 1, 2, ... rows, up to 8 rows or the last row that
/// does not end the game.
pub fn of(field: &Field) -> Vec<u8> {
    let (mut field, mut buffer) = (*field, ChildBuffer::new());
    let mut chains = Vec::with_capacity(ROWS + 1);
    while chains.len() <= ROWS && !field.is_over() {
        chains.push(field.potential(&mut buffer).chain.0);
        field.rain();
    }
    chains
}

#[cfg(test)]
mod tests {
    use super::*;

    fn potentials_of(drawing: &str) -> Vec<u8> {
        of(&drawing.parse().unwrap())
    }

    #[test]
    fn low_blocks_are_enclosed_after_fewer_rows() {
        // Without the 4 the 9 falls on the 1. The 9 has an empty neighbour until the column on its
        // right is three high.
        let low = "9.........\n4.........\n1.........\n";
        assert_eq!(potentials_of(low), [1, 1, 1, 0, 0, 0, 0, 0, 0]);
        let high = format!("{low}{}", "3.........\n".repeat(4));
        assert_eq!(potentials_of(&high), [1, 1, 1, 1, 1, 1, 1, 0, 0]);
    }

    #[test]
    fn a_full_field_has_only_the_potential_before_rain() {
        let full = "4343434343\n".repeat(16);
        assert_eq!(potentials_of(&full), [0]);
        assert_eq!(potentials_of(""), [0; 9]);
    }
}
