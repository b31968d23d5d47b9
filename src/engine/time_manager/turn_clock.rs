//! How much of the time left a decision may take.

use std::time::{Duration, Instant};

use crate::clock::TimeSource;

/// What the contest, and the bot's owner, say about time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeLimits {
    /// The most that one turn may take: 20 s in the contest.
    pub turn: Duration,
    /// Time of the game that is never used, and that a turn stays short of its limit by: whatever
    /// stops the bot for less than that, and whenever, it answers in time.
    pub reserve: Duration,
    /// So many simulated drops a decision, whatever the time: then decisions do not depend on the
    /// machine.
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
    /// What is left of the game's time but for the reserve.
    left: Duration,
    /// What may be used of it in this turn without trouble.
    usable: Duration,
    /// When an answer must go out.
    hard: Instant,
    nodes: Option<u64>,
}

/// Where drops are counted, a decision does not depend on the time: an answer goes out without it
/// only if the engine hangs, just before the arena's referee thinks so of the bot. In limits of a turn.
const HANGING: u32 = 3;

/// No thought is planned to take less.
const LEAST: Duration = Duration::from_millis(1);

impl TurnClock {
    /// The clock of a turn that was learnt of at `start`, with so much of the game's time left.
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
