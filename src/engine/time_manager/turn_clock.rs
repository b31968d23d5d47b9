//! The clock of one decision: how much of the time left it may take.

use std::time::{Duration, Instant};

use crate::clock::TimeSource;

/// The limits of time, by the contest and by the options of the bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeLimits {
    /// The most that one turn may take: 20 s in the contest.
    pub turn: Duration,
    /// Time of the game that is never used, and by which a turn stays below its limit. The bot
    /// answers in time if a stall of the machine is shorter than this.
    pub reserve: Duration,
    /// Simulated drops for a decision, instead of time. Decisions then do not depend on the speed of
    /// the machine.
    pub nodes: Option<u64>,
}

impl Default for TimeLimits {
    fn default() -> Self {
        // A stall of a second, and half a second for all that a busy machine does besides.
        Self { turn: Duration::from_secs(20), reserve: Duration::from_millis(1500), nodes: None }
    }
}

/// The time of one decision.
#[derive(Clone, Copy, Debug)]
pub struct TurnClock {
    source: TimeSource,
    start: Instant,
    /// The time left in the game, without the reserve.
    left: Duration,
    /// The part of `left` that this turn may use.
    usable: Duration,
    /// The instant at which the watchdog sends an answer.
    hard: Instant,
    nodes: Option<u64>,
}

/// With a limit of drops, the time after which the engine counts as hanging, in turn limits. It is
/// shorter than the arena referee's, so that the watchdog answers first.
const HANGING: u32 = 3;

/// The least time that is planned for a search.
const LEAST: Duration = Duration::from_millis(1);

impl TurnClock {
    /// Creates the clock of a turn whose input ended at `start`, with `left` of the game's time left.
    pub fn new(start: Instant, left: Duration, rules: &TimeLimits) -> Self {
        let limit = left.min(rules.turn);
        // With less than the reserve left, half of what there is: late is worse than weak.
        let hard = limit.saturating_sub(rules.reserve / 2).max(limit / 2);
        let hanging = (rules.turn * HANGING).saturating_sub(rules.reserve);
        let hard = if rules.nodes.is_some() { hanging } else { hard };
        let turn = rules.turn.saturating_sub(rules.reserve).max(rules.turn / 2);
        let left = left.saturating_sub(rules.reserve);
        let (usable, hard, nodes) = (left.min(turn), start + hard, rules.nodes);
        Self { source: TimeSource::System, start, left, usable, hard, nodes }
    }

    /// Reads the time from `source`, by which `start` was read.
    pub const fn with_source(self, source: TimeSource) -> Self {
        Self { source, ..self }
    }

    /// Where the time is read.
    pub const fn source(&self) -> TimeSource {
        self.source
    }

    /// The time since the turn was learnt of.
    pub fn elapsed(&self) -> Duration {
        self.source.now().saturating_duration_since(self.start)
    }

    /// When the turn was learnt of.
    pub const fn start(&self) -> Instant {
        self.start
    }

    /// When an answer must go out, whatever it is.
    pub const fn hard(&self) -> Instant {
        self.hard
    }

    /// Drops that the decision may simulate, where that is what limits it.
    pub const fn nodes(&self) -> Option<u64> {
        self.nodes
    }

    /// All the time of the game that may be used in this turn.
    pub const fn usable(&self) -> Duration {
        self.usable
    }

    /// A part of the time that is left but for the reserve, as far as the turn may take it.
    pub fn planned(&self, share: f64) -> Duration {
        self.left.mul_f64(share.clamp(0.0, 1.0)).min(self.usable)
    }

    /// The instant at which so much time is over, a moment at least.
    pub fn after(&self, time: Duration) -> Instant {
        self.start + time.max(LEAST)
    }

    /// Milliseconds since the turn was learnt of.
    pub fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(left_ms: u64, reserve_ms: u64) -> TurnClock {
        let reserve = Duration::from_millis(reserve_ms);
        let rules = TimeLimits { reserve, ..TimeLimits::default() };
        TurnClock::new(Instant::now(), Duration::from_millis(left_ms), &rules)
    }

    #[test]
    fn a_turn_stays_short_of_its_limit_by_the_reserve() {
        let clock = clock(180_000, 1000);
        assert_eq!(clock.usable(), Duration::from_secs(19));
        assert_eq!(clock.planned(0.1), Duration::from_millis(17_900));
        assert_eq!(clock.planned(0.5), Duration::from_secs(19));
        assert_eq!(clock.hard() - clock.start(), Duration::from_millis(19_500));
    }

    #[test]
    fn counted_drops_may_take_as_long_as_they_need() {
        let rules = TimeLimits { nodes: Some(1), ..TimeLimits::default() };
        for left in [Duration::ZERO, Duration::from_secs(180)] {
            let clock = TurnClock::new(Instant::now(), left, &rules);
            assert_eq!(clock.hard() - clock.start(), Duration::from_millis(58_500));
        }
    }

    #[test]
    fn the_reserve_is_not_used() {
        assert_eq!(clock(3_000, 1000).usable(), Duration::from_secs(2));
        assert_eq!(clock(700, 1000).usable(), Duration::ZERO);
    }

    /// Whatever is left before, a thought as long as planned and a stall of a second end in time.
    #[test]
    fn a_stall_of_a_second_is_survived_by_default() {
        for left in [1600, 2000, 5000, 10_000, 180_000].map(Duration::from_millis) {
            let clock = TurnClock::new(Instant::now(), left, &TimeLimits::default());
            let latest = clock.planned(1.0) + Duration::from_secs(1);
            assert!(latest + Duration::from_millis(400) < left.min(Duration::from_secs(20)));
        }
    }

    #[test]
    fn an_answer_goes_out_before_the_time_is_over() {
        for left in [0, 1, 10, 500, 1000, 1001, 5000, 20_000, 180_000] {
            let clock = clock(left, 1000);
            let hard = clock.hard() - clock.start();
            assert!(hard <= Duration::from_millis(left), "{left} ms left");
            assert!(left < 10 || hard < Duration::from_millis(left.min(20_000)), "{left} ms left");
            assert!(clock.usable() <= hard, "{left} ms left");
        }
    }
}
