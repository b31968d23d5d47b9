//! The clock of one turn: its deadline, and the time that its decision may take.

use std::sync::Arc;
use std::time::Duration;

use crate::search::SearchControl;
use crate::util::clock::{Instant, TimeSource};
use crate::util::duration::milliseconds;

/// The limits of time, from the rules of the contest and the options of the bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeLimits {
    /// The maximum time of one turn: 20 s in the contest.
    pub turn: Duration,
    /// The reserve: time of the game that is not planned, and time by which a turn stays below its
    /// limit. It covers stalls of the machine. `None`: as much as the game's time allows
    /// ([`Self::reserve`]).
    pub reserve: Option<Duration>,
    /// The time of each player for the game; `None` if it is unknown.
    pub game: Option<Duration>,
    /// The limit of simulated drops for a decision, which replaces the limit of time. Decisions
    /// then do not depend on the speed of the machine.
    pub nodes: Option<u64>,
}

impl Default for TimeLimits {
    fn default() -> Self {
        Self { turn: Duration::from_secs(20), reserve: None, game: None, nodes: None }
    }
}

impl TimeLimits {
    /// The greatest reserve: a stall of 1 s, and 0.5 s for other delays of a busy machine.
    const MOST_RESERVE: Duration = Duration::from_millis(1500);

    /// The least reserve: a stall of 0.4 s, and 0.1 s for other delays.
    const LEAST_RESERVE: Duration = Duration::from_millis(500);

    /// The reserve of a short game is `1 / RESERVE_PART` of the game's time. Experiment T-07.
    const RESERVE_PART: u32 = 4;

    /// Returns the reserve. If none is given: a quarter of the game's time, 0.5 to 1.5 s; 1.5 s if
    /// that time is unknown.
    pub fn reserve(&self) -> Duration {
        let of_game = |game: Duration| {
            (game / Self::RESERVE_PART).clamp(Self::LEAST_RESERVE, Self::MOST_RESERVE)
        };
        self.reserve.unwrap_or_else(|| self.game.map_or(Self::MOST_RESERVE, of_game))
    }
}

/// The clock of one turn.
#[derive(Clone, Debug)]
pub struct TurnClock {
    source: TimeSource,
    start: Instant,
    /// The time left in the game minus the reserve.
    left: Duration,
    /// The part of `left` that this turn may use.
    usable: Duration,
    /// The hard deadline, at which the watchdog sends an answer.
    hard: Instant,
    /// The limit of simulated drops.
    nodes: Option<u64>,
    /// The control of the turn's searches, if anyone watches them.
    control: Option<Arc<SearchControl>>,
}

/// With a limit of drops, the time after which the engine counts as hanging, in turn limits. The
/// arena's referee waits longer, so that the watchdog answers first.
const HANGING: u32 = 3;

/// With a turn limit of about the reserve or less, the part of the time until the hard deadline
/// that a turn may use. Chosen by hand.
const LEAST_USABLE: f64 = 0.8;

/// The minimum time of a search.
const LEAST: Duration = Duration::from_millis(1);

impl TurnClock {
    /// Creates the clock of a turn whose input ended at `start`, with `left` of the game's time
    /// left.
    pub fn new(start: Instant, left: Duration, rules: &TimeLimits) -> Self {
        let (limit, reserve) = (left.min(rules.turn), rules.reserve());
        // With little time left the deadline is at least half of the limit: a late answer loses
        // the game, and a weak answer may not.
        let deadline = |limit: Duration| limit.saturating_sub(reserve / 2).max(limit / 2);
        let hard = deadline(limit);
        let hanging = rules.turn * HANGING;
        let hanging = hanging.saturating_sub(reserve).max(hanging / 2);
        let hard = if rules.nodes.is_some() { hanging } else { hard };
        // A turn limit of less than the reserve leaves time for a search, which ends before the
        // watchdog answers.
        let least = (rules.turn / 2).min(deadline(rules.turn).mul_f64(LEAST_USABLE));
        let turn = rules.turn.saturating_sub(reserve).max(least);
        let left = left.saturating_sub(reserve);
        let (usable, hard, nodes) = (left.min(turn), start + hard, rules.nodes);
        Self { source: TimeSource::System, start, left, usable, hard, nodes, control: None }
    }

    /// Counts the drops of the turn's searches on `control`, which can end them.
    pub fn with_control(self, control: Arc<SearchControl>) -> Self {
        Self { control: Some(control), ..self }
    }

    /// Returns the control of the turn's searches.
    pub const fn control(&self) -> Option<&Arc<SearchControl>> {
        self.control.as_ref()
    }

    /// Makes the clock read the time from `source`, from which `start` was read.
    pub fn with_source(self, source: TimeSource) -> Self {
        Self { source, ..self }
    }

    /// Returns the source of the time.
    pub const fn source(&self) -> TimeSource {
        self.source
    }

    /// Returns the time since the turn's input was read.
    pub fn elapsed(&self) -> Duration {
        self.source.now().saturating_duration_since(self.start)
    }

    /// Returns the instant at which the turn's input was read.
    pub const fn start(&self) -> Instant {
        self.start
    }

    /// Returns the hard deadline, at which the watchdog sends an answer.
    pub const fn hard(&self) -> Instant {
        self.hard
    }

    /// Returns the limit of simulated drops; `None` if the decision is limited by time.
    pub const fn nodes(&self) -> Option<u64> {
        self.nodes
    }

    /// Returns the maximum time of this turn: the lower of the time left and the limit of a turn,
    /// each minus the reserve. The limit minus the reserve counts at least half of the limit, or
    /// four fifths of the time until the hard deadline, the lower of the two.
    pub const fn usable(&self) -> Duration {
        self.usable
    }

    /// Returns `share` (0 to 1) of the time left minus the reserve, at most
    /// [`usable`](Self::usable).
    pub fn planned(&self, share: f64) -> Duration {
        self.left.mul_f64(share.clamp(0.0, 1.0)).min(self.usable)
    }

    /// Returns the instant `time` after the start of the turn, at least 1 ms after it.
    pub fn after(&self, time: Duration) -> Instant {
        self.start + time.max(LEAST)
    }

    /// Returns [`elapsed`](Self::elapsed) in milliseconds.
    pub fn elapsed_ms(&self) -> u64 {
        milliseconds(self.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(left_ms: u64, reserve_ms: u64) -> TurnClock {
        let reserve = Some(Duration::from_millis(reserve_ms));
        let rules = TimeLimits { reserve, ..TimeLimits::default() };
        TurnClock::new(Instant::now(), Duration::from_millis(left_ms), &rules)
    }

    #[test]
    fn a_turn_stays_below_its_limit_by_the_reserve() {
        let clock = clock(180_000, 1000);
        assert_eq!(clock.usable(), Duration::from_secs(19));
        assert_eq!(clock.planned(0.1), Duration::from_millis(17_900));
        assert_eq!(clock.planned(0.5), Duration::from_secs(19));
        assert_eq!(clock.hard() - clock.start(), Duration::from_millis(19_500));
        let rules = TimeLimits { turn: Duration::from_secs(5), ..TimeLimits::default() };
        let clock = TurnClock::new(Instant::now(), Duration::from_secs(180), &rules);
        assert_eq!(clock.planned(0.5), Duration::from_millis(3500));
        assert_eq!(clock.hard() - clock.start(), Duration::from_millis(4250));
    }

    #[test]
    fn a_limit_of_drops_moves_the_deadline_to_three_turn_limits() {
        let rules = TimeLimits { nodes: Some(1), ..TimeLimits::default() };
        for left in [Duration::ZERO, Duration::from_secs(180)] {
            let clock = TurnClock::new(Instant::now(), left, &rules);
            assert_eq!(clock.hard() - clock.start(), Duration::from_millis(58_500));
            let short = TimeLimits { turn: Duration::from_millis(100), ..rules };
            let clock = TurnClock::new(Instant::now(), left, &short);
            assert_eq!(clock.hard() - clock.start(), Duration::from_millis(150));
        }
    }

    #[test]
    fn a_short_game_has_a_smaller_reserve() {
        let of_game = |ms| {
            let game = Some(Duration::from_millis(ms));
            TimeLimits { game, ..TimeLimits::default() }.reserve().as_millis()
        };
        assert_eq!([180_000, 6000, 2800, 2000, 100].map(of_game), [1500, 1500, 700, 500, 500]);
        assert_eq!(TimeLimits::default().reserve().as_millis(), 1500);
        let reserve = Some(Duration::from_secs(2));
        let game = Some(Duration::from_secs(3));
        let given = TimeLimits { reserve, game, ..TimeLimits::default() };
        assert_eq!(given.reserve().as_millis(), 2000);
    }

    #[test]
    fn usable_time_excludes_the_reserve() {
        assert_eq!(clock(3_000, 1000).usable(), Duration::from_secs(2));
        assert_eq!(clock(700, 1000).usable(), Duration::ZERO);
    }

    #[test]
    fn a_short_turn_limit_leaves_time_between_the_search_and_the_watchdog() {
        for (limit, usable, hard) in
            [(100, 40, 50), (1000, 400, 500), (2000, 1000, 1250), (3000, 1500, 2250)]
        {
            let turn = Duration::from_millis(limit);
            let rules = TimeLimits { turn, ..TimeLimits::default() };
            let clock = TurnClock::new(Instant::now(), Duration::from_secs(180), &rules);
            assert_eq!(clock.usable(), Duration::from_millis(usable), "{limit} ms");
            assert_eq!(clock.hard() - clock.start(), Duration::from_millis(hard), "{limit} ms");
        }
    }

    /// A search of the longest planned time and a stall of 1 s end in time.
    #[test]
    fn the_default_reserve_covers_a_stall_of_a_second() {
        for left in [1600, 2000, 5000, 10_000, 180_000].map(Duration::from_millis) {
            let clock = TurnClock::new(Instant::now(), left, &TimeLimits::default());
            let latest = clock.planned(1.0) + Duration::from_secs(1);
            assert!(latest + Duration::from_millis(400) < left.min(Duration::from_secs(20)));
        }
    }

    #[test]
    fn the_deadline_is_before_the_end_of_the_time() {
        for left in [0, 1, 10, 500, 1000, 1001, 5000, 20_000, 180_000] {
            let clock = clock(left, 1000);
            let hard = clock.hard() - clock.start();
            assert!(hard <= Duration::from_millis(left), "{left} ms left");
            assert!(left < 10 || hard < Duration::from_millis(left.min(20_000)), "{left} ms left");
            assert!(clock.usable() <= hard, "{left} ms left");
        }
    }
}
