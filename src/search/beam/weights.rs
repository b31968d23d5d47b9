//! The learned weights of the beam's evaluation.

use super::features::FEATURES;

/// The weights of the features, in the order of [`NAMES`](super::features::NAMES).
///
/// Rounded by hand: of 36 weights, each was turned alone, then 22 together, and weights of little
/// effect were left out (B-11). This command, from blocks and steps alone, found step -1.25, pair
/// 7.58 and columns -1.48, -1.05, -0.67, 0.73 and 0.94, which are as good:
///
/// ```text
/// tensai dev learn beam --packs 480 --nodes 1000000 --steps 100 --batch 100 --seed 1
///                                    empty                  turn 8                    rows
/// blocks and steps   10.36                   14.83                    8.06
/// these              10.56  +0.198 ± 0.017   14.97  +0.143 ± 0.018    8.10  +0.036 ± 0.025
/// found by command   10.55  +0.187 ± 0.017   14.96  +0.132 ± 0.018    8.10  +0.042 ± 0.027
/// ```
pub const LEARNED: [f64; FEATURES] = [
    4.0,  // block
    -1.0, // step
    6.0,  // pair
    -1.0, // column-1
    -0.5, // column-2
    0.0,  // column-3
    0.5,  // column-4
    1.0,  // column-5
];
