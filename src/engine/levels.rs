//! The levels of strength that people and matches choose by a number.

/// Simulated drops for a decision at levels 1 to 9.
///
/// With fewer than 2,216 drops the planner finds no plan: after the opening it covers only the chains
/// that the turn's pack sets off, and levels 1 and 2 are for beginners. After the opening, most
/// decisions of about 70,000 drops and more have an alpha-beta search of two plies, most of about a
/// million one of three. Experiment O-10.
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
