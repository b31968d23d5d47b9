//! The interval of a proportion that was counted or averaged.

/// The number of standard deviations, to both sides, that hold 95 % of a normal distribution.
pub const SPREAD_95: f64 = 1.959_963_984_540_054;

/// Returns both ends of the 95 % interval of a proportion: of the mean `score`, 0 to 1, of `number`
/// results, at least one. It stays within 0 and 1 and is valid for few results (Wilson 1927,
/// *Probable inference, the law of succession, and statistical inference*). Results between 0 and 1
/// vary less than those of 0 and 1, so the interval is slightly too wide for them.
pub fn wilson(score: f64, number: f64) -> [f64; 2] {
    let weight = SPREAD_95 * SPREAD_95 / number;
    let centre = score + weight / 2.0;
    let reach = (weight * (score * (1.0 - score) + weight / 4.0)).sqrt();
    // A score of 0 or 1 is an end of its interval; rounding may miss it.
    let low = if score == 0.0 { 0.0 } else { (centre - reach) / (1.0 + weight) };
    let high = if score == 1.0 { 1.0 } else { (centre + reach) / (1.0 + weight) };
    [low, high]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_stay_within_0_and_1() {
        // The interval of 10 of 10 begins at 10 / (10 + 1.96^2).
        let [low, high] = wilson(1.0, 10.0);
        assert!((low - 10.0 / (10.0 + SPREAD_95 * SPREAD_95)).abs() < 1e-12, "{low}");
        assert_eq!((high, wilson(0.0, 10.0)[0]), (1.0, 0.0));
        let [low, high] = wilson(0.5, 100.0);
        assert!((high - 0.5962).abs() < 1e-4 && (low + high - 1.0).abs() < 1e-12);
    }
}
