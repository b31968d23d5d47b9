//! Divides the budget of a decision among its searches.

use std::time::Duration;

use super::TurnClock;
use crate::search::Budget;
use crate::util::clock::Instant;

/// Wide sweeps in a row without a new result after which a search ends, under a limit of time.
const PATIENCE: u32 = 2;

/// The minimum width of a wide sweep. A narrower sweep without a new result proves nothing.
const WIDE_SWEEP: usize = 1024;

/// The budgets of one decision's searches: parts of its time or of its drops, handed out one after
/// the other. The time that a search of [`part`](Self::part) leaves unused goes back to the game;
/// the time that [`aside`](Self::aside) and [`divided`](Self::divided) leave goes to the later
/// searches.
pub struct TimeManager<'a> {
    clock: &'a TurnClock,
    /// The planned time of the decision.
    time: Duration,
    /// The sum of the parts handed out so far, 0 to 1.
    begun: f64,
    /// Time given back so far.
    saved: Duration,
    /// Time taken by [`beyond`](Self::beyond).
    beyond: Duration,
    /// Whether the last [`part`](Self::part) ended because its search found nothing new.
    is_settled: bool,
    /// Simulated drops so far.
    spent: u64,
    /// Simulated drops a second, measured in the last search.
    rate: f64,
}

impl<'a> TimeManager<'a> {
    /// Assumed drops a second until a search has been measured.
    pub const DROPS_A_SECOND: f64 = 25e6;

    /// Creates the time manager of a decision that may take `time` of the usable time of `clock`.
    /// With a limit of drops, `time` has no effect and the decision may take all drops.
    pub const fn new(clock: &'a TurnClock, time: Duration) -> Self {
        let (begun, spent, is_settled) = (0.0, 0, false);
        let (saved, beyond) = (Duration::ZERO, Duration::ZERO);
        Self { clock, time, begun, saved, beyond, is_settled, spent, rate: Self::DROPS_A_SECOND }
    }

    /// Runs `search` with `part` of the budget, 0 to 1, after the parts handed out before. Measures
    /// the rate of drops. The time that `search` leaves unused goes back to the game.
    pub fn part<T>(&mut self, part: f64, search: impl FnOnce(&Budget) -> T) -> T {
        let mut budget = self.next(part, |_, _| u64::MAX);
        if self.clock.nodes().is_none() {
            budget = budget.with_patience(PATIENCE, WIDE_SWEEP);
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

    /// Runs parallel searches with `part` of the budget. With a limit of time, the part is
    /// converted to drops by the measured rate, because the searches share one deadline: without a
    /// limit of drops, the first ones would use all the time.
    pub fn divided<T>(&mut self, part: f64, searches: impl FnOnce(&Budget) -> T) -> T {
        let budget = self.next(part, Self::drops_until);
        self.run(&budget, searches)
    }

    /// Runs `search` with `times` the decision's time in addition to the budget. The search ends
    /// early enough that the rest of the decision still fits the usable time of the turn. Returns
    /// `None` without a search if the drops are limited.
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

    /// Runs `search` with `part` of the drops, 0 to 1, or for `time`, at most until the decision's
    /// time is over.
    #[cfg(feature = "arena")]
    pub fn within<T>(&mut self, part: f64, time: Duration, search: impl FnOnce(&Budget) -> T) -> T {
        let budget = match self.clock.nodes() {
            Some(nodes) => self.drops((nodes as f64 * part) as u64),
            None => self.until(u64::MAX, (self.now() + time).min(self.end(1.0))),
        };
        self.run(&budget, search)
    }

    /// Runs `search` with the rest of the budget.
    pub fn rest<T>(&mut self, search: impl FnOnce(&Budget) -> T) -> T {
        let budget = match self.clock.nodes() {
            Some(nodes) => self.drops(nodes.saturating_sub(self.spent)),
            None => self.until(u64::MAX, self.end(1.0)),
        };
        self.run(&budget, search)
    }

    /// Returns the number of drops that may still be simulated; with a limit of time, an estimate
    /// by the measured rate.
    pub fn drops_left(&self) -> u64 {
        match self.clock.nodes() {
            Some(nodes) => nodes.saturating_sub(self.spent),
            None => self.drops_until(self.end(1.0)),
        }
    }

    /// Returns the drops of the whole decision: its limit, or those that `rate` drops a second
    /// allow in its planned time.
    pub fn expected_drops(&self, rate: f64) -> f64 {
        self.clock.nodes().map_or_else(|| self.time.as_secs_f64() * rate, |nodes| nodes as f64)
    }

    /// Whether drops are limited instead of time.
    #[cfg(feature = "arena")]
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

    /// The budget of the next part: `part` of the drops, or `part` of the time and at most the
    /// drops that `most` returns for the end of that time.
    fn next(&mut self, part: f64, most: impl FnOnce(&Self, Instant) -> u64) -> Budget {
        self.begun = (self.begun + part).min(1.0);
        if let Some(nodes) = self.clock.nodes() {
            return self.drops((nodes as f64 * part) as u64);
        }
        let end = self.end(self.begun);
        self.until(most(self, end), end)
    }

    /// A budget of `drops` drops that ends at `end` at the latest.
    fn until(&self, drops: u64, end: Instant) -> Budget {
        let budget = Budget::new(drops, Some(end)).with_source(self.clock.source());
        budget.with_control(self.clock.control().cloned())
    }

    /// A budget of `drops`, without a deadline.
    fn drops(&self, drops: u64) -> Budget {
        Budget::new(drops, None).with_control(self.clock.control().cloned())
    }

    fn now(&self) -> Instant {
        self.clock.source().now()
    }

    /// The instant at which `part` of the planned time is over, plus the time taken by
    /// [`beyond`](Self::beyond), minus the time given back.
    fn end(&self, part: f64) -> Instant {
        self.clock.after((self.time.mul_f64(part) + self.beyond).saturating_sub(self.saved))
    }

    fn run<T>(&mut self, budget: &Budget, search: impl FnOnce(&Budget) -> T) -> T {
        let found = search(budget);
        self.spent += budget.spent();
        found
    }

    /// The drops that the measured rate allows until `end`.
    fn drops_until(&self, end: Instant) -> u64 {
        (end.saturating_duration_since(self.now()).as_secs_f64() * self.rate) as u64
    }
}

#[cfg(feature = "arena")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::TimeLimits;
    use crate::util::clock::ManualClock;

    fn clock(nodes: Option<u64>) -> TurnClock {
        let rules = TimeLimits { nodes, ..TimeLimits::default() };
        TurnClock::new(Instant::now(), Duration::from_secs(11), &rules)
    }

    /// A clock that only the test moves, and the clock of a turn that begins now.
    fn manual() -> (&'static ManualClock, TurnClock) {
        let manual = ManualClock::leak(Duration::ZERO);
        let clock = TurnClock::new(manual.now(), Duration::from_secs(11), &TimeLimits::default());
        (manual, clock.with_source(manual.source()))
    }

    #[test]
    fn parts_share_a_limit_of_drops() {
        let clock = clock(Some(1000));
        let mut time_manager = TimeManager::new(&clock, clock.usable());
        assert!(time_manager.part(0.4, |budget| budget.spend(400)));
        assert!(
            !time_manager.divided(0.3, |budget| budget.spend(301)),
            "the drop exceeds the part"
        );
        assert_eq!((time_manager.spent(), time_manager.drops_left()), (701, 299));
        assert!(time_manager.rest(|budget| budget.spend(299)));
    }

    #[test]
    fn a_divided_part_has_a_limit_of_drops_under_a_limit_of_time() {
        let (_, clock) = manual();
        let mut time_manager = TimeManager::new(&clock, Duration::from_secs(1));
        let each = time_manager.divided(0.5, |budget| budget.part(10).budget());
        let tenth = (0.05 * TimeManager::DROPS_A_SECOND) as u64;
        assert!(each.spend(tenth) && !each.spend(1), "a tenth of half a second");
    }

    #[test]
    fn drops_left_follows_from_the_rate_of_the_last_search() {
        let (manual, clock) = manual();
        let mut time_manager = TimeManager::new(&clock, Duration::from_secs(1));
        time_manager.part(0.5, |budget| {
            manual.advance(Duration::from_millis(500));
            budget.spend(1_000_000)
        });
        assert_eq!(time_manager.drops_left(), 1_000_000, "the second half of the time");
        manual.advance(Duration::from_millis(250));
        assert_eq!(time_manager.drops_left(), 500_000);
    }

    #[test]
    fn unused_time_of_a_part_goes_back_to_the_game() {
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
        assert!(before && !after, "3 s, without the time that the first part left");
        assert_eq!(time_manager.end(1.0), clock.after(seconds(7)), "3 s of 10 s were given back");
        assert!(time_manager.rest(|budget| budget.spend(1)), "3 s are left");
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
    fn beyond_does_not_shorten_the_planned_time() {
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
        assert!(late.beyond(1.0, |budget| !budget.spend(1)).unwrap(), "the usable time is spent");
        let counted = clock(Some(1000));
        let mut time_manager = TimeManager::new(&counted, ms(1000));
        assert_eq!(time_manager.beyond(1.0, |budget| budget.spend(1)), None);
    }

    #[test]
    fn a_timed_search_without_new_results_settles() {
        let ((_, timed), counted) = (manual(), clock(Some(1000)));
        let in_vain =
            |budget: &Budget| (0..5).filter(|_| budget.note_sweep(WIDE_SWEEP, false)).count();
        let mut time_manager = TimeManager::new(&timed, Duration::from_secs(1));
        assert_eq!((time_manager.part(0.4, in_vain), time_manager.is_settled()), (4, true));
        let narrow = |budget: &Budget| (0..5).any(|_| budget.note_sweep(WIDE_SWEEP - 1, false));
        assert!(!time_manager.part(0.2, narrow));
        let mut time_manager = TimeManager::new(&counted, Duration::from_secs(1));
        assert_eq!((time_manager.part(0.4, in_vain), time_manager.is_settled()), (0, false));
    }
}
