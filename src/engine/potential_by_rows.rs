//! The burial clock: what falling rows leave of a field's chains.
//!
//! A row lays an ojama on top of each column, and what lies low is closed in sooner than what stands
//! high above its neighbours. A field whose chain outlives many rows is not to be attacked with few; one
//! whose chain the first row ends is.

use crate::board::{ChildBuffer, Field};

/// Rows that are looked at, at most: an attack of 80.
const ROWS: usize = 8;

/// The longest chain that some block could set off in a field, after no row, one, two, and so on up
/// to eight, or as many as do not end the game.
pub fn clock(field: &Field) -> Vec<u8> {
    let (mut field, mut room) = (*field, ChildBuffer::new());
    let mut chains = Vec::with_capacity(ROWS + 1);
    while chains.len() <= ROWS && !field.is_over() {
        chains.push(field.potential(&mut room).chain.0);
        field.rain();
    }
    chains
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock_of(drawing: &str) -> Vec<u8> {
        clock(&drawing.parse().unwrap())
    }

    #[test]
    fn rows_close_in_what_lies_low() {
        // Without the 4 the 9 falls on the 1. It has an empty neighbour until the column on its right
        // is three high.
        let low = "9.........\n4.........\n1.........\n";
        assert_eq!(clock_of(low), [1, 1, 1, 0, 0, 0, 0, 0, 0]);
        let high = format!("{low}{}", "3.........\n".repeat(4));
        assert_eq!(clock_of(&high), [1, 1, 1, 1, 1, 1, 1, 0, 0]);
    }

    #[test]
    fn a_full_field_has_no_rows_to_come() {
        let full = "4343434343\n".repeat(16);
        assert_eq!(clock_of(&full), [0]);
        assert_eq!(clock_of(""), [0; 9]);
    }
}
