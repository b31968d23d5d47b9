//! What fields of the same potential are good for.
//!
//! Many blocks, to build with; evenly stacked, but higher in the middle, where a block has more
//! neighbours; and, when the chain that is promised is over, pairs that another round could join.
//!
//! The weights are those of `weights.txt`; its first lines say how they were made. Chains on
//! average by turn from the empty field, from those of turn 8 and under rows, for 320 fields, five
//! million drops and half a million under rows: with blocks and steps alone 11.01, 15.31 and 8.61,
//! with all 11.13, 15.42 and 8.64, which takes half as many drops again without; 55 games were won
//! and 25 lost. With 0, 3.5, 5 and 8 for a pair and much the same columns, a million drops: 10.63,
//! 10.68, 10.68 and 10.68; 14.83, 14.92, 14.93 and 14.93; 8.22, 8.25, 8.26 and 8.26
//! (B-11).

use std::sync::LazyLock;

use crate::board::Field;
use crate::game::{Potential, WIDTH};
use crate::weights::{self, WeightsError};

/// The weights that the program comes with.
const LEARNED: &str = include_str!("weights.txt");

/// Features of a field that are weighed.
pub const FEATURES: usize = 3 + WIDTH / 2;

/// The name of each: a number block; a row of the step between two columns; a pair that is near
/// when the longest chain is over ([`Potential::near`]); a row of the height of a column and of its
/// mirror image, from the outermost to the middle.
pub const NAMES: [&str; FEATURES] =
    ["block", "step", "pair", "column-1", "column-2", "column-3", "column-4", "column-5"];

/// Weights are told apart by this part of 1: with whole numbers the order is the same everywhere.
const PART: f64 = 64.0;

/// None is greater: the value of a full field stays within 32 bits.
const MOST: f64 = 10_000.0;

/// What the features of a field are worth against each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    block: i32,
    step: i32,
    pair: i32,
    /// From the left.
    columns: [i32; WIDTH],
}

impl Weights {
    /// With the weights that the program comes with.
    ///
    /// # Panics
    /// Never: a test reads them.
    pub fn learned() -> &'static Self {
        static WEIGHTS: LazyLock<Weights> =
            LazyLock::new(|| Weights::parse(LEARNED).expect("a test reads the weights"));
        &WEIGHTS
    }

    /// With other weights, in the order of [`NAMES`], from -10,000 to 10,000; what is beyond counts
    /// as the nearest of these.
    pub fn new(weights: [f64; FEATURES]) -> Self {
        let whole = weights.map(|weight| (weight.clamp(-MOST, MOST) * PART).round() as i32);
        let [block, step, pair, half @ ..] = whole;
        let columns = std::array::from_fn(|column| half[column.min(WIDTH - 1 - column)]);
        Self { block, step, pair, columns }
    }

    /// Reads weights ([`weights::parse`]).
    ///
    /// # Errors
    /// The text holds none, or the names are not those of the features.
    pub fn parse(text: &str) -> Result<Self, WeightsError> {
        Ok(Self::new(weights::parse(text, &NAMES)?))
    }

    /// The value of a field of this potential.
    pub fn value(&self, field: &Field, potential: &Potential) -> i32 {
        let heights = field.heights().map(i32::from);
        let steps: i32 = heights.windows(2).map(|pair| (pair[0] - pair[1]).abs()).sum();
        let columns: i32 = heights.iter().zip(self.columns).map(|(height, row)| height * row).sum();
        let [blocks, pairs] = [field.blocks(), potential.near].map(|count| count as i32);
        self.block * blocks + self.step * steps + self.pair * pairs + columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{ChildBuffer, Field};

    fn worth(weights: &Weights, drawing: &str) -> i32 {
        let field: Field = drawing.parse().unwrap();
        weights.value(&field, &field.potential(&mut ChildBuffer::new()))
    }

    /// Nothing but one feature counts, as 1.
    fn only(feature: &str) -> Weights {
        Weights::new(NAMES.map(|name| f64::from(u8::from(name == feature))))
    }

    #[test]
    fn blocks_in_the_middle_and_even_are_worth_more() {
        let worth = |drawing| worth(Weights::learned(), drawing);
        assert!(worth("33........\n") < worth("333.......\n"), "more of them");
        assert!(worth("33........\n") < worth("....33....\n"), "in the middle");
        assert!(worth("....3.....\n....3.....\n") < worth("....33....\n"), "even");
        assert!(LEARNED.starts_with('#'), "it says where they come from");
    }

    #[test]
    fn each_weight_is_that_of_its_feature() {
        // Heights 2, 0, 0, 0, 1, 0, ...
        let drawing = "3.........\n3...3.....\n";
        let worth = |feature: &str| f64::from(worth(&only(feature), drawing)) / PART;
        let expected = [3.0, 4.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0];
        assert_eq!(NAMES.map(worth), expected);
    }

    /// Without the 4 the 9 falls on the 1. What is left is a 2 and, two rows above it, an 8 or a 7.
    #[test]
    fn what_another_round_could_join_is_worth_something() {
        let pair = only("pair");
        let left =
            |upper: char| worth(&pair, &format!("9...{upper}.....\n4...3.....\n1...2.....\n"));
        assert_eq!((left('8'), left('7')), (PART as i32, 0));
    }

    #[test]
    fn no_weight_is_too_great_for_a_full_field() {
        // As many blocks as can be, and steps as high.
        for row in ["3333333333\n", "3.3.3.3.3.\n"] {
            for weight in [f64::MAX, f64::MIN] {
                let sides = worth(&Weights::new([weight; FEATURES]), &row.repeat(16)).signum();
                assert_eq!(f64::from(sides), weight.signum());
            }
        }
    }
}
