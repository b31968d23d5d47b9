//! What fields of the same promise are good for.
//!
//! Many blocks, to build with; evenly stacked, but higher in the middle, where a block has more
//! neighbours; and, when the chain that is promised is over, pairs that another round could join.
//!
//! The weights were found by turning each of 36 a little, then 22 of them together (100 steps with
//! 100 packs each, a million drops), and leaving out what brought little. Chains on average by
//! turn from the empty field, from those of turn 8 and under rows, for 320 fields, five million
//! drops and half a million under rows: with blocks and steps alone 11.01, 15.31 and 8.61, with all
//! 11.13, 15.42 and 8.64, which takes half as many drops again without; 55 games were won and 25
//! lost (`notes/experiments.md`).

use crate::game::{Field, Potential, WIDTH};

/// What a block is worth.
const OF_A_BLOCK: i32 = 8;

/// What a step between two columns costs, for each row of it.
const OF_A_STEP: i32 = 2;

/// What each row of a column's height is worth, from the left.
const OF_A_COLUMN: [i32; WIDTH] = [-2, -1, 0, 1, 2, 2, 1, 0, -1, -2];

/// What a pair is worth that is near when the longest chain is over ([`Potential::near`]). Of 0, 7,
/// 10 and 16 with much the same columns, a million drops: 10.63, 10.68, 10.68 and 10.68 from the
/// empty field, 14.83, 14.92, 14.93 and 14.93 from those of turn 8, 8.22, 8.25, 8.26 and 8.26 under
/// rows.
const OF_A_PAIR: i32 = 12;

/// The value of a field that promises this.
pub fn value<F: Field>(field: &F, promise: &Potential) -> i32 {
    let heights = field.heights().map(i32::from);
    let steps: i32 = heights.windows(2).map(|pair| (pair[0] - pair[1]).abs()).sum();
    let columns: i32 = heights.iter().zip(OF_A_COLUMN).map(|(height, row)| height * row).sum();
    let [blocks, pairs] = [field.blocks(), promise.near].map(|count| count as i32);
    OF_A_BLOCK * blocks + OF_A_PAIR * pairs + columns - OF_A_STEP * steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Cells, Room as _};

    fn worth(drawing: &str) -> i32 {
        let field: Cells = drawing.parse().unwrap();
        value(&field, &field.potential(&mut <Cells as Field>::Room::new()))
    }

    #[test]
    fn blocks_in_the_middle_and_even_are_worth_more() {
        assert!(worth("33........\n") < worth("333.......\n"), "more of them");
        assert!(worth("33........\n") < worth("....33....\n"), "in the middle");
        assert!(worth("....3.....\n....3.....\n") < worth("....33....\n"), "even");
    }

    /// Without the 4 the 9 falls on the 1. What is left is a 2 and, two rows above it, an 8 or a 7.
    #[test]
    fn what_another_round_could_join_is_worth_something() {
        let left = |upper: char| worth(&format!("9...{upper}.....\n4...3.....\n1...2.....\n"));
        assert_eq!(left('8') - left('7'), OF_A_PAIR);
    }
}
