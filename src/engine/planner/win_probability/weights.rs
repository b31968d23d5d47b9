//! The learned weights of the win probability.

use super::FEATURES;

/// The weights of the features, in the order of [`names`](super::names).
///
/// ```text
/// tensai dev learn data --nodes 200000 --records g1 -o self-1M.csv
/// tensai dev learn data --nodes 200000 --records g2 -o self-300k.csv
/// tensai dev learn data --nodes 200000 --records g3 -o self-3M.csv
/// tensai dev learn data --nodes 200000 --records g5 -o other-1M.csv
/// tensai dev learn fit self-1M.csv self-300k.csv self-3M.csv other-1M.csv
/// learned from: 35957 positions of 721 games, log-loss 0.3867, accuracy 77.5 %, correlation 0.687
/// held out: 9865 positions of 198 games, log-loss 0.3987, accuracy 77.3 %, correlation 0.677
/// ```
pub const LEARNED: [f64; FEATURES] = [
    0.6468,  // balance-2
    0.5651,  // balance-4
    0.3144,  // balance-6
    0.1013,  // balance-8
    0.0843,  // balance-10
    0.0432,  // balance-13
    -1.1554, // stock
    -1.0057, // ojama
    0.0078,  // blocks
    0.0386,  // sealed
    -0.0869, // tallest
    0.5153,  // potential
    0.3392,  // skill
    -0.6001, // turns-to-45
    2.4262,  // plan
    -0.3456, // planned
    -1.0895, // early-balance-2
    -0.6669, // early-balance-4
    -0.0601, // early-balance-6
    0.1122,  // early-balance-8
    0.0027,  // early-balance-10
    0.1009,  // early-balance-13
    0.8061,  // early-stock
    -0.534,  // early-ojama
    0.844,   // early-blocks
    -0.4491, // early-sealed
    0.1692,  // early-tallest
    -1.0088, // early-potential
    -1.0081, // early-skill
    0.293,   // early-turns-to-45
    -2.1096, // early-plan
    0.1947,  // early-planned
];
