//! The learned weights of the win probability.

use super::FEATURES;

/// The weights of the features, in the order of [`names`](super::names).
///
/// ```text
/// tensai learn data --nodes 200000 --records a1 a2 a3 a4 -o matches-1.csv
/// tensai learn data --nodes 200000 --records a5 a6 a7 -o matches-2.csv
/// tensai learn data --nodes 200000 --records n1 lab3 early new5 growth -o strong.csv
/// tensai learn fit matches-1.csv matches-2.csv strong.csv
/// learned from: 23084 positions of 609 games, log-loss 0.3963, accuracy 79.8 %, correlation 0.694
/// held out: 5166 positions of 141 games, log-loss 0.4253, accuracy 78.9 %, correlation 0.665
/// ```
pub const LEARNED: [f64; FEATURES] = [
    0.9184,  // balance-2
    0.899,   // balance-4
    0.4928,  // balance-6
    0.3705,  // balance-8
    0.1852,  // balance-10
    0.197,   // balance-13
    -0.8879, // stock
    -0.5873, // ojama
    -0.229,  // blocks
    -0.0454, // sealed
    0.3323,  // tallest
    0.543,   // potential
    1.1816,  // skill
    -0.249,  // turns-to-45
    -0.9589, // early-balance-2
    -0.8061, // early-balance-4
    -0.5205, // early-balance-6
    -0.4969, // early-balance-8
    -0.3243, // early-balance-10
    -0.4946, // early-balance-13
    0.3054,  // early-stock
    0.139,   // early-ojama
    1.5946,  // early-blocks
    -0.0106, // early-sealed
    -0.5066, // early-tallest
    -0.6328, // early-potential
    0.4843,  // early-skill
    0.051,   // early-turns-to-45
];
