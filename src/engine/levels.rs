//! The levels of strength that people and matches choose by a number.

/// Simulated drops for a decision at levels 1 to 9, chosen by hand. O-10 measured levels 1 to 6 in
/// games.
///
/// With fewer than about 2,000 drops the planner finds no plan: after the opening, levels 1 and 2
/// cover only the chains that the turn's pack sets off. Level 6 searches two plies of both sides in
/// most turns, level 8 three.
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
