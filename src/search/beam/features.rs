//! The features by which the beam orders fields of equal potential.

use crate::game::WIDTH;

/// The number of weighted features of a field.
pub const FEATURES: usize = 3 + WIDTH / 2;

/// The names of the features, each with its unit: a number block; a row of the step between two
/// neighbouring columns; a pair [near](crate::game::Potential::near) each other after the longest
/// chain; a row of the height of a column and of its mirror image, from the outermost columns to
/// the middle.
pub const NAMES: [&str; FEATURES] =
    ["block", "step", "pair", "column-1", "column-2", "column-3", "column-4", "column-5"];
