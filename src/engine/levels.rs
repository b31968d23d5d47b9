//! The levels of strength that people and matches choose by a number.

/// Simulated drops for a decision at levels 1 to 9.
///
/// With fewer than about 2,000 drops the planner finds no plan: after the opening it covers only
/// the chains that the turn's pack sets off, and levels 1 and 2 are for beginners. From some 20,000
/// on there is an alpha-beta search of two plies, from 400,000 on one of three, from 17 million on
/// one of four. Experiment O-10.
pub const LEVELS: [u64; 9] =
    [100, 1_000, 3_000, 10_000, 30_000, 100_000, 500_000, 3_000_000, 20_000_000];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_levels_simulate_more_drops() {
        assert!(LEVELS.is_sorted_by(|a, b| a < b));
    }
}
