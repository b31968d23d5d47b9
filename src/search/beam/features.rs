//! The features of a field, and their weighted sum: the evaluation that orders fields of equal
//! potential.
//!
//! A field is worth more with more blocks; with even columns, but higher ones in the middle, where
//! a block has more neighbours; and with pairs that another round could join after the potential
//! chain.
//!
//! The learned weights are in `weights.rs`, with the command that fits them. Experiment B-11
//! compares the features and weights.

use super::weights;
use crate::board::FieldSummary;
use crate::game::{Potential, WIDTH};

/// The number of weighted features of a field.
pub const FEATURES: usize = 3 + WIDTH / 2;

/// The names of the features, each with its unit: a number block; a row of the step between two
/// neighbouring columns; a pair [near](crate::game::Potential::near) each other after the longest
/// chain; a row of the height of a column and of its mirror image, from the outermost columns to
/// the middle.
pub const NAMES: [&str; FEATURES] =
    ["block", "step", "pair", "column-1", "column-2", "column-3", "column-4", "column-5"];

/// Weights are stored as whole numbers of `1 / PART`, so that the order of fields is the same on
/// every machine.
const PART: f64 = 64.0;

/// The greatest absolute weight: with it, the evaluation of a full field fits 32 bits.
const MOST: f64 = 10_000.0;

/// The evaluation of a field, in `1 / PART` of the unit of the weights. More is better. Orders
/// fields of equal potential, and is compared with nothing else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Evaluation(i32);

impl Evaluation {
    /// Returns a number that orders evaluations as they are ordered themselves.
    #[inline]
    pub const fn ordinal(self) -> u32 {
        self.0 as u32 ^ 1 << 31
    }
}

/// The weights of the features of a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FeatureWeights {
    block: i32,
    step: i32,
    pair: i32,
    /// By column, from the left.
    columns: [i32; WIDTH],
}

impl FeatureWeights {
    /// Returns the learned weights.
    pub const fn learned() -> &'static Self {
        const LEARNED: FeatureWeights = FeatureWeights::new(weights::LEARNED);
        &LEARNED
    }

    /// Converts `weights`, in the order of [`NAMES`]. Clamps each weight to
    /// -10,000 to 10,000.
    pub const fn new(weights: [f64; FEATURES]) -> Self {
        const fn whole(weight: f64) -> i32 {
            (weight.clamp(-MOST, MOST) * PART).round() as i32
        }
        let [block, step, pair, half @ ..] = weights;
        let mut columns = [0; WIDTH];
        let mut column = 0;
        while column < half.len() {
            columns[column] = whole(half[column]);
            columns[WIDTH - 1 - column] = columns[column];
            column += 1;
        }
        Self { block: whole(block), step: whole(step), pair: whole(pair), columns }
    }

    /// Returns the evaluation of a field, whose potential is `potential`.
    #[inline]
    pub fn evaluate(&self, field: &FieldSummary, potential: &Potential) -> Evaluation {
        let (mut steps, mut columns, mut before) = (0, 0, i32::from(field.heights[0]));
        for (&height, &row) in field.heights.iter().zip(&self.columns) {
            let height = i32::from(height);
            steps += (height - before).abs();
            columns += height * row;
            before = height;
        }
        let [blocks, pairs] = [field.blocks, potential.near].map(|count| count as i32);
        Evaluation(self.block * blocks + self.step * steps + self.pair * pairs + columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{ChildBuffer, Field};

    fn worth(weights: &FeatureWeights, drawing: &str) -> i32 {
        let field: Field = drawing.parse().unwrap();
        weights.evaluate(&field.summary(), &field.potential(&mut ChildBuffer::new())).0
    }

    /// The weight of `feature` is 1, every other weight 0.
    fn only(feature: &str) -> FeatureWeights {
        FeatureWeights::new(NAMES.map(|name| f64::from(u8::from(name == feature))))
    }

    #[test]
    fn more_blocks_middle_columns_and_even_heights_raise_the_evaluation() {
        let worth = |drawing| worth(FeatureWeights::learned(), drawing);
        assert!(worth("33........\n") < worth("333.......\n"), "more blocks");
        assert!(worth("33........\n") < worth("....33....\n"), "in the middle");
        assert!(worth("....3.....\n....3.....\n") < worth("....33....\n"), "even");
    }

    #[test]
    fn ordinals_keep_the_order() {
        let all = [i32::MIN, -2, -1, 0, 1, i32::MAX].map(|value| Evaluation(value).ordinal());
        assert!(all.is_sorted_by(|a, b| a < b), "{all:?}");
    }

    #[test]
    fn each_weight_is_that_of_its_feature() {
        // Heights 2, 0, 0, 0, 1, 0, ...
        let drawing = "3.........\n3...3.....\n";
        let worth = |feature: &str| f64::from(worth(&only(feature), drawing)) / PART;
        let expected = [3.0, 4.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0];
        assert_eq!(NAMES.map(worth), expected);
    }

    /// Without the 4, the 9 falls on the 1. After that chain, a 2 remains and, two rows above it,
    /// an 8 or a 7.
    #[test]
    fn a_near_pair_after_the_chain_raises_the_evaluation() {
        let pair = only("pair");
        let left =
            |upper: char| worth(&pair, &format!("9...{upper}.....\n4...3.....\n1...2.....\n"));
        assert_eq!((left('8'), left('7')), (PART as i32, 0));
    }

    #[test]
    fn no_weight_is_too_great_for_a_full_field() {
        // The most blocks, and the highest steps.
        for row in ["3333333333\n", "3.3.3.3.3.\n"] {
            for weight in [f64::MAX, f64::MIN] {
                let sides =
                    worth(&FeatureWeights::new([weight; FEATURES]), &row.repeat(16)).signum();
                assert_eq!(f64::from(sides), weight.signum());
            }
        }
    }
}
