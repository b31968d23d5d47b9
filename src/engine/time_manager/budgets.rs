//! How the searches of one decision share its budget.

use std::time::{Duration, Instant};

use super::TurnClock;
use crate::search::Budget;

/// A first guess of drops a second, until a search has shown how many there are.
const DROPS_A_SECOND: f64 = 25e6;

/// Sweeps in a row, wide ones, that may find nothing new before a search has enough, where time is
/// what limits.
const PATIENCE: u32 = 2;

/// A wide sweep. What narrower ones do not find proves nothing.
const WIDE: usize = 1024;

/// The budgets of one decision's searches: parts of its time or of its drops, handed out one after
/// the other. A beam that ends early gives its time back to the game, not to those after it.
pub struct TimeManager<'a> {
    clock: &'a TurnClock,
    /// The time that the decision may take.
    time: Duration,
    /// The sum of the parts handed out so far, 0 to 1.
    begun: f64,
    /// Time given back so far.
    saved: Duration,
    /// Time taken by [`beyond`](Self::beyond).
    beyond: Duration,
    /// Whether the last search ended because it found nothing new for its patience.
    is_settled: bool,
    spent: u64,
    /// Simulated drops for each second, measured in the last search.
    rate: f64,
}

impl<'a> TimeManager<'a> {
    /// Creates the time manager of a decision that may take `time` of the clock's usable time. With a
    /// limit of drops, `time` has no effect and the decision may take all drops.
    pub const fn new(clock: &'a TurnClock, time: Duration) -> Self {
        let (begun, spent, is_settled) = (0.0, 0, false);
        let (saved, beyond) = (Duration::ZERO, Duration::ZERO);
        Self { clock, time, begun, saved, beyond, is_settled, spent, rate: DROPS_A_SECOND }
    }

    /// Runs `search` with `part` of the budget, 0 to 1, after the parts handed out before. Measures the
    /// rate of drops, and keeps the time that the search does not use for the later parts.
    pub fn part<T>(&mut self, part: f64, search: impl FnOnce(&Budget) -> T) -> T {
        let mut budget = self.next(part, |_, _| u64::MAX);
        if self.clock.nodes().is_none() {
            budget = budget.with_patience(PATIENCE, WIDE);
        }
        let begin = self.now();
        let found = self.run(&budget, search);
        let seconds = (self.now() - begin).as_secs_f64();
        if seconds > 1e-3 {
            self.rate = budget.spent() as f64 / seconds;
        }
        self.is_settled = budget.is_settled();
        self.saved += self.end(self.begun).saturating_duration_since(self.now());
        found
    }

    /// Runs `search` with `part` of the budget, without measuring the rate of drops.
    pub fn aside<T>(&mut self, part: f64, search: impl FnOnce(&Budget) -> T) -> T {
        let budget = self.next(part, |_, _| u64::MAX);
        self.run(&budget, search)
    }

    /// Runs parallel searches with `part` of the budget. With a limit of time, the part is converted
    /// to drops by the measured rate, because the searches have no time limit of their own.
    pub fn divided<T>(&mut self, part: f64, searches: impl FnOnce(&Budget) -> T) -> T {
        let budget = self.next(part, Self::drops_until);
        self.run(&budget, searches)
    }

    /// Runs `search` with `times` the decision's time in addition to the budget, at most the usable
    /// time of the turn. Returns `None` without a search if the drops are limited.
    pub fn beyond<T>(&mut self, times: f64, search: impl FnOnce(&Budget) -> T) -> Option<T> {
        if self.clock.nodes().is_some() {
            return None;
        }
        let begin = self.now();
        let latest = self.clock.after(self.clock.usable().saturating_sub(self.time));
        let end = (begin + self.time.mul_f64(times)).min(latest);
        let found = self.run(&self.until(u64::MAX, end), search);
        self.beyond += self.now() - begin;
        Some(found)
    }

    /// Returns the time taken by [`beyond`](Self::beyond).
    pub const fn taken_beyond(&self) -> Duration {
        self.beyond
    }

    /// Runs `search` with `part` of the drops, 0 to 1, or for `time`, at most until the decision's time
    /// is over.
    pub fn within<T>(&mut self, part: f64, time: Duration, search: impl FnOnce(&Budget) -> T) -> T {
        let budget = match self.clock.nodes() {
            Some(nodes) => Budget::new((nodes as f64 * part) as u64, None),
            None => self.until(u64::MAX, (self.now() + time).min(self.end(1.0))),
        };
        self.run(&budget, search)
    }

    /// Runs `search` with the rest of the budget.
    pub fn rest<T>(&mut self, search: impl FnOnce(&Budget) -> T) -> T {
        let budget = match self.clock.nodes() {
            Some(nodes) => Budget::new(nodes.saturating_sub(self.spent), None),
            None => self.until(u64::MAX, self.end(1.0)),
        };
        self.run(&budget, search)
    }

    /// Returns the number of drops that may still be simulated; with a limit of time, an estimate by
    /// the measured rate.
    pub fn drops_left(&self) -> u64 {
        match self.clock.nodes() {
            Some(nodes) => nodes.saturating_sub(self.spent),
            None => self.drops_until(self.end(1.0)),
        }
    }

    /// Whether drops are limited instead of time.
    pub const fn counts_drops(&self) -> bool {
        self.clock.nodes().is_some()
    }

    /// Whether the last [`part`](Self::part) ended because its search found nothing new.
    pub const fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// Returns the number of drops simulated so far.
    pub const fn spent(&self) -> u64 {
        self.spent
    }

    /// The budget of the next part: `part` of the drops, or `part` of the time and at most the drops
    /// that `most` returns for the end of that time.
    fn next(&mut self, part: f64, most: impl FnOnce(&Self, Instant) -> u64) -> Budget {
        self.begun = (self.begun + part).min(1.0);
        if let Some(nodes) = self.clock.nodes() {
            return Budget::new((nodes as f64 * part) as u64, None);
        }
        let end = self.end(self.begun);
        self.until(most(self, end), end)
    }

    /// A budget of `drops` drops that ends at `end` at the latest.
    fn until(&self, drops: u64, end: Instant) -> Budget {
        Budget::new(drops, Some(end)).with_source(self.clock.source())
    }

    fn now(&self) -> Instant {
        self.clock.source().now()
    }

    /// The instant at which `part` of the time is over, without the time given back.
    fn end(&self, part: f64) -> Instant {
        self.clock.after((self.time.mul_f64(part) + self.beyond).saturating_sub(self.saved))
    }

    fn run<T>(&mut self, budget: &Budget, search: impl FnOnce(&Budget) -> T) -> T {
        let found = search(budget);
        self.spent += budget.spent();
        found
    }

    fn drops_until(&self, end: Instant) -> u64 {
        (end.saturating_duration_since(self.now()).as_secs_f64() * self.rate) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::ManualClock;
    use crate::engine::TimeLimits;

    fn clock(nodes: Option<u64>) -> TurnClock {
        let rules = TimeLimits { nodes, ..TimeLimits::default() };
        TurnClock::new(Instant::now(), Duration::from_secs(11), &rules)
    }

    /// A clock that only the test moves, with the time of a decision that begins now.
    fn manual() -> (&'static ManualClock, TurnClock) {
        let manual = ManualClock::leak(Duration::ZERO);
        let clock = TurnClock::new(manual.now(), Duration::from_secs(11), &TimeLimits::default());
        (manual, clock.with_source(manual.source()))
    }

    #[test]
    fn drops_are_shared_and_booked() {
        let clock = clock(Some(1000));
        let mut time_manager = TimeManager::new(&clock, clock.usable());
        assert!(time_manager.part(0.4, |budget| budget.spend(400)));
        assert!(!time_manager.divided(0.3, |budget| budget.spend(301)), "one more than its part");
        assert_eq!((time_manager.spent(), time_manager.drops_left()), (701, 299));
        assert!(time_manager.rest(|budget| budget.spend(299)));
    }

    #[test]
    fn searches_at_once_have_drops_even_if_time_limits() {
        let (_, clock) = manual();
        let mut time_manager = TimeManager::new(&clock, Duration::from_secs(1));
        let each = time_manager.divided(0.5, |budget| budget.part(10).budget());
        let tenth = (0.05 * DROPS_A_SECOND) as u64;
        assert!(each.spend(tenth) && !each.spend(1), "a tenth of half a second");
    }

    #[test]
    fn the_rate_of_drops_is_that_of_the_last_search() {
        let (manual, clock) = manual();
        let mut time_manager = TimeManager::new(&clock, Duration::from_secs(1));
        time_manager.part(0.5, |budget| {
            manual.advance(Duration::from_millis(500));
            budget.spend(1_000_000)
        });
        assert_eq!(time_manager.drops_left(), 1_000_000, "as many in the other half");
        manual.advance(Duration::from_millis(250));
        assert_eq!(time_manager.drops_left(), 500_000);
    }

    #[test]
    fn a_search_that_ends_early_gives_its_time_back() {
        let (manual, clock) = manual();
        let seconds = Duration::from_secs;
        let mut time_manager = TimeManager::new(&clock, seconds(10));
        time_manager.part(0.4, |_| manual.advance(seconds(1)));
        assert!(!time_manager.is_settled());
        let [before, after] = time_manager.part(0.3, |budget| {
            manual.advance(seconds(3) - Duration::from_nanos(1));
            let before = budget.spend(1);
            manual.advance(Duration::from_nanos(1));
            [before, budget.spend(1)]
        });
        assert!(before && !after, "three seconds, not what the first left over");
        assert_eq!(time_manager.end(1.0), clock.after(seconds(7)), "of ten, three were given back");
        assert!(time_manager.rest(|budget| budget.spend(1)), "three seconds");
        manual.advance(seconds(3));
        assert!(!time_manager.rest(|budget| budget.spend(1)));
    }

    #[test]
    fn a_search_within_a_time_ends_with_the_decision_at_the_latest() {
        let (manual, timed) = manual();
        let ms = Duration::from_millis;
        let mut time_manager = TimeManager::new(&timed, ms(100));
        let wait = |budget: &Budget| {
            let begin = manual.now();
            while budget.spend(1) {
                manual.advance(ms(1));
            }
            manual.now() - begin
        };
        assert_eq!(time_manager.within(0.1, ms(60), wait), ms(60), "the part has no effect");
        assert_eq!(time_manager.within(0.1, ms(60), wait), ms(40));
        let counted = clock(Some(1000));
        let mut time_manager = TimeManager::new(&counted, ms(100));
        let spent = time_manager.within(0.1, ms(0), |budget| budget.spend(100) && !budget.spend(1));
        assert!(spent && time_manager.counts_drops());
        assert_eq!(time_manager.drops_left(), 899);
    }

    #[test]
    fn what_is_taken_beyond_the_plan_is_not_missing_in_it() {
        let (manual, timed) = manual();
        let ms = Duration::from_millis;
        let mut time_manager = TimeManager::new(&timed, ms(1000));
        let wait = |budget: &Budget| {
            while budget.spend(1) {
                manual.advance(ms(1));
            }
        };
        assert_eq!(time_manager.beyond(0.05, wait), Some(()));
        assert_eq!(time_manager.taken_beyond(), ms(50));
        assert_eq!(time_manager.end(1.0), timed.after(ms(1050)));
        let mut late = TimeManager::new(&timed, timed.usable());
        assert!(late.beyond(1.0, |budget| !budget.spend(1)).unwrap(), "the turn has no more");
        let counted = clock(Some(1000));
        let mut time_manager = TimeManager::new(&counted, ms(1000));
        assert_eq!(time_manager.beyond(1.0, |budget| budget.spend(1)), None);
    }

    #[test]
    fn a_search_that_finds_nothing_new_has_enough_where_time_limits() {
        let ((_, timed), counted) = (manual(), clock(Some(1000)));
        let in_vain = |budget: &Budget| (0..5).filter(|_| budget.has_enough(WIDE, false)).count();
        let mut time_manager = TimeManager::new(&timed, Duration::from_secs(1));
        assert_eq!((time_manager.part(0.4, in_vain), time_manager.is_settled()), (4, true));
        let narrow = |budget: &Budget| (0..5).any(|_| budget.has_enough(WIDE - 1, false));
        assert!(!time_manager.part(0.2, narrow));
        let mut time_manager = TimeManager::new(&counted, Duration::from_secs(1));
        assert_eq!((time_manager.part(0.4, in_vain), time_manager.is_settled()), (0, false));
    }
}
