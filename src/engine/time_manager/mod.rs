//! Divides the time of a game among its turns, and the time of a turn among its searches.
//!
//! * [`TurnClock`]: the deadline of a turn and the time that it may use;
//! * [`TimeParameters::share`]: the planned time of a turn, as a part of the time left;
//! * [`TimeManager`]: the budgets of the searches of one decision.

mod shares;
mod turn_clock;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

pub use self::shares::{Overruns, TimeParameters};
pub use self::turn_clock::{TimeLimits, TurnClock};
use crate::search::Budget;
use crate::util::clock::Instant;

/// Wide sweeps in a row without a new result after which a search ends, under a limit of time.
const FRUITLESS_SWEEPS: u32 = 2;

/// The minimum width of a wide sweep. A narrower sweep without a new result proves nothing.
const WIDE_SWEEP: usize = 1024;

/// Hands out the budgets of one decision's searches: parts of its time or of its drops. The drops of
/// a budget count once it is dropped.
///
/// The time that a [`beam`](Self::beam) leaves unused goes back to the game; the time that a
/// [`share`](Self::share) leaves goes to the later searches.
///
/// Searches that need nothing of each other run at the same time if they can
/// ([`runs_beside`](Self::runs_beside)): a main search, and beside it others, which follow each other
/// ([`Beside`]). What they leave goes to the main search. Experiment B-32.
pub struct TimeManager<'a> {
    clock: &'a TurnClock,
    /// The planned time of the decision.
    time: Duration,
    /// The sum of the shares handed out so far, 0 to 1.
    begun: f64,
    /// Time given back so far.
    saved: Duration,
    /// Time of the searches with [`extra`](Self::extra) time.
    extra: Duration,
    /// The begin of the last search of a [`beam`](Self::beam) or with extra time.
    begin: Instant,
    /// `spent` at `begin`.
    spent_before: u64,
    /// The share of the searches beside the present main search, and the part of the planned time
    /// that they may take.
    beside: (f64, f64),
    /// Simulated drops so far.
    spent: Arc<AtomicU64>,
    /// Simulated drops a second, measured in the last beam and the searches beside it.
    rate: f64,
}

impl<'a> TimeManager<'a> {
    /// Assumed drops a second until a beam has been measured.
    pub const DROPS_A_SECOND: f64 = 25e6;

    /// Creates the time manager of a decision that may take `time` of the usable time of `clock`.
    /// With a limit of drops, `time` has no effect and the decision may take all drops.
    pub fn new(clock: &'a TurnClock, time: Duration) -> Self {
        let (begun, saved, extra) = (0.0, Duration::ZERO, Duration::ZERO);
        let (begin, rate) = (clock.start(), Self::DROPS_A_SECOND);
        let (spent_before, spent) = (0, Arc::default());
        let beside = (0.0, 0.0);
        Self { clock, time, begun, saved, extra, begin, spent_before, beside, spent, rate }
    }

    /// The budget of a main search: `share` of the whole, 0 to 1, after the shares handed out
    /// before. Under a limit of time it settles. Hand it back to [`end_beam`](Self::end_beam).
    pub fn beam(&mut self, share: f64) -> Budget {
        let mut budget = self.share(share);
        if self.clock.nodes().is_none() {
            budget = budget.with_fruitless_limit(FRUITLESS_SWEEPS, WIDE_SWEEP);
        }
        (self.begin, self.spent_before) = (self.now(), self.spent());
        budget
    }

    /// Measures the rate of drops of a search with a budget of [`beam`](Self::beam) and of the
    /// searches beside it, and gives the time that they have left unused back to the game. Returns
    /// whether the search ended because it found nothing new.
    pub fn end_beam(&mut self, budget: Budget) -> bool {
        let found_nothing_new = budget.found_nothing_new();
        drop(budget);
        let seconds = (self.now() - self.begin).as_secs_f64();
        if seconds > 1e-3 {
            self.rate = (self.spent() - self.spent_before) as f64 / seconds;
        }
        self.saved += self.end(self.begun).saturating_duration_since(self.now());
        found_nothing_new
    }

    /// Whether searches run at the same time: on several threads, or with a limit of drops, which
    /// makes their results independent of the order in which they run.
    pub fn runs_beside(&self) -> bool {
        self.clock.nodes().is_some() || rayon::current_num_threads() > 1
    }

    /// As [`beam`](Self::beam), while searches of the share `beside` run at the same time. With a
    /// limit of time, the beam has the time of both shares, and the searches beside it have the
    /// drops that their shares allow at `rate`, the drops a second of the decision before.
    ///
    /// A decision in which the machine stalled has a low rate, which would leave the searches beside
    /// the beam hardly any drops: at least [`Self::DROPS_A_SECOND`] counts. A rate that is too high
    /// gives them no more than their part of the time.
    pub fn beam_beside(&mut self, share: f64, beside: f64, rate: f64) -> Budget {
        self.rate = rate.max(Self::DROPS_A_SECOND);
        self.set_aside(share, beside);
        self.beam(share)
    }

    /// As [`split`](Self::split), while searches of the share `beside` run at the same time.
    pub fn split_beside(&mut self, share: f64, beside: f64) -> Budget {
        self.set_aside(share, beside);
        let budget = self.share(share);
        match self.clock.nodes() {
            Some(_) => budget,
            None => {
                let end = self.end(self.begun);
                self.until(self.drops_until(end).saturating_sub(self.drops_in(beside)), end)
            }
        }
    }

    /// The budgets of the searches beside the present main search, which begin now.
    pub fn beside(&self) -> Beside<'_, 'a> {
        Beside { time_manager: self, begin: self.now(), begun: 0.0 }
    }

    /// The budget of a further search: `share` of the whole, 0 to 1, after the shares handed out
    /// before.
    pub fn share(&mut self, share: f64) -> Budget {
        self.begun = (self.begun + share).min(1.0);
        match self.clock.nodes() {
            Some(nodes) => self.drops((nodes as f64 * share) as u64),
            None => self.until(u64::MAX, self.end(self.begun)),
        }
    }

    /// As [`share`](Self::share), for searches that run in parallel and split the drops: with a
    /// limit of time, the budget has a limit of drops too, by the measured rate. Without it, the
    /// first searches would use all the time.
    pub fn split(&mut self, share: f64) -> Budget {
        let budget = self.share(share);
        match self.clock.nodes() {
            Some(_) => budget,
            None => {
                let end = self.end(self.begun);
                self.until(self.drops_until(end), end)
            }
        }
    }

    /// Counts `beside` as handed out, the share of the searches beside a main search of `share`.
    /// They may take their share of the threads' time, at most the time of both.
    fn set_aside(&mut self, share: f64, beside: f64) {
        self.begun = (self.begun + beside).min(1.0);
        let threads = rayon::current_num_threads() as f64;
        self.beside = (beside, (threads * beside).min(share + beside));
    }

    /// The budget of a search with `times` the decision's time in addition; `None` if the drops are
    /// limited. It ends early enough that the rest of the decision still fits the usable time of
    /// the turn. Hand it back to [`end_extra`](Self::end_extra).
    pub fn extra(&mut self, times: f64) -> Option<Budget> {
        if self.clock.nodes().is_some() {
            return None;
        }
        self.begin = self.now();
        let latest = self.clock.after(self.clock.usable().saturating_sub(self.time));
        Some(self.until(u64::MAX, (self.begin + self.time.mul_f64(times)).min(latest)))
    }

    /// Adds the time of a search with a budget of [`extra`](Self::extra) to that of the decision.
    pub fn end_extra(&mut self, budget: Budget) {
        drop(budget);
        self.extra += self.now() - self.begin;
    }

    /// Returns the time of the searches with [`extra`](Self::extra) time.
    pub const fn taken_extra(&self) -> Duration {
        self.extra
    }

    /// A budget of `share` of the drops, 0 to 1, or of `time`, at most until the decision's time is
    /// over.
    #[cfg(feature = "arena")]
    pub fn limit(&self, share: f64, time: Duration) -> Budget {
        match self.clock.nodes() {
            Some(nodes) => self.drops((nodes as f64 * share) as u64),
            None => self.until(u64::MAX, (self.now() + time).min(self.end(1.0))),
        }
    }

    /// The budget that is left.
    pub fn remaining(&self) -> Budget {
        match self.clock.nodes() {
            Some(nodes) => self.drops(nodes.saturating_sub(self.spent())),
            None => self.until(u64::MAX, self.end(1.0)),
        }
    }

    /// Returns the number of drops that may still be simulated; with a limit of time, an estimate
    /// by the measured rate.
    pub fn drops_left(&self) -> u64 {
        match self.clock.nodes() {
            Some(nodes) => nodes.saturating_sub(self.spent()),
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

    /// Returns the number of drops simulated so far.
    pub fn spent(&self) -> u64 {
        self.spent.load(Relaxed)
    }

    /// A budget of `drops` drops that ends at `end` at the latest.
    fn until(&self, drops: u64, end: Instant) -> Budget {
        self.part(Budget::new(drops, Some(end)).with_source(self.clock.source()))
    }

    /// A budget of `drops`, without a deadline.
    fn drops(&self, drops: u64) -> Budget {
        self.part(Budget::new(drops, None))
    }

    fn part(&self, budget: Budget) -> Budget {
        budget.with_control(self.clock.control().cloned()).with_whole(&self.spent)
    }

    fn now(&self) -> Instant {
        self.clock.source().now()
    }

    /// The instant at which `share` of the planned time is over, plus the extra time, minus the
    /// time given back.
    fn end(&self, share: f64) -> Instant {
        self.clock.after((self.time.mul_f64(share) + self.extra).saturating_sub(self.saved))
    }

    /// The drops that the measured rate allows in `share` of the planned time.
    fn drops_in(&self, share: f64) -> u64 {
        (self.time.as_secs_f64() * share * self.rate) as u64
    }

    /// The drops that the measured rate allows until `end`.
    fn drops_until(&self, end: Instant) -> u64 {
        (end.saturating_duration_since(self.now()).as_secs_f64() * self.rate) as u64
    }
}

/// Hands out the budgets of the searches that run beside a main search, one after the other.
pub struct Beside<'a, 'b> {
    time_manager: &'a TimeManager<'b>,
    /// The begin of the first search.
    begin: Instant,
    /// The sum of the shares handed out so far.
    begun: f64,
}

impl Beside<'_, '_> {
    /// The budget of the next search: `share` of the whole, 0 to 1. With a limit of time it has the
    /// drops that its share allows at the measured rate, and ends when its part of the time is over,
    /// so that the next search has its own.
    pub fn share(&mut self, share: f64) -> Budget {
        let Self { time_manager, begin, .. } = *self;
        self.begun += share;
        match time_manager.clock.nodes() {
            Some(nodes) => time_manager.drops((nodes as f64 * share) as u64),
            None => {
                let (all, part) = time_manager.beside;
                let part = part * (self.begun / all).min(1.0);
                let end = (begin + time_manager.time.mul_f64(part)).min(time_manager.end(1.0));
                time_manager.until(time_manager.drops_in(share), end)
            }
        }
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
    fn shares_split_a_limit_of_drops() {
        let clock = clock(Some(1000));
        let mut time_manager = TimeManager::new(&clock, clock.usable());
        assert!(time_manager.share(0.4).spend(400));
        assert!(!time_manager.split(0.3).spend(301), "the drop exceeds the share");
        assert_eq!((time_manager.spent(), time_manager.drops_left()), (701, 299));
        assert!(time_manager.remaining().spend(299));
    }

    #[test]
    fn a_split_share_has_a_limit_of_drops_under_a_limit_of_time() {
        let (_, clock) = manual();
        let mut time_manager = TimeManager::new(&clock, Duration::from_secs(1));
        let share = time_manager.split(0.5);
        let each = share.limit(share.drops_left() / 10);
        let tenth = (0.05 * TimeManager::DROPS_A_SECOND) as u64;
        assert!(each.spend(tenth) && !each.spend(1), "a tenth of half a second");
    }

    #[test]
    fn drops_left_follows_from_the_rate_of_the_last_beam() {
        let (manual, clock) = manual();
        let mut time_manager = TimeManager::new(&clock, Duration::from_secs(1));
        let beam = time_manager.beam(0.5);
        manual.advance(Duration::from_millis(500));
        beam.spend(1_000_000);
        time_manager.end_beam(beam);
        assert_eq!(time_manager.drops_left(), 1_000_000, "the second half of the time");
        manual.advance(Duration::from_millis(250));
        assert_eq!(time_manager.drops_left(), 500_000);
    }

    #[test]
    fn searches_at_the_same_time_have_the_drops_of_their_shares() {
        let counted = clock(Some(1000));
        let mut time_manager = TimeManager::new(&counted, counted.usable());
        assert!(time_manager.runs_beside(), "with a limit of drops the order changes nothing");
        let beam = time_manager.beam_beside(0.4, 0.3, 5.0);
        let mut beside = time_manager.beside();
        let budgets = [beside.share(0.1), beside.share(0.2)];
        let drops = [&beam, &budgets[0], &budgets[1]].map(Budget::drops_left);
        assert_eq!(drops, [400, 100, 200]);
        budgets[1].spend(150);
        drop(budgets);
        time_manager.end_beam(beam);
        assert_eq!(time_manager.split_beside(0.2, 0.1).drops_left(), 200);
        assert_eq!(time_manager.spent(), 150);
    }

    #[test]
    fn searches_at_the_same_time_have_their_parts_of_the_time() {
        let (manual, timed) = manual();
        let seconds = Duration::from_secs;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.install(|| {
            let mut time_manager = TimeManager::new(&timed, seconds(10));
            assert!(time_manager.runs_beside());
            let rate = 40e6;
            let beam = time_manager.beam_beside(0.4, 0.2, rate);
            // Two threads: 4 s instead of 2 s, of which the first search has a quarter.
            let mut beside = time_manager.beside();
            let first = beside.share(0.05);
            assert_eq!(first.drops_left(), 20_000_000, "half a second at the rate");
            manual.advance(seconds(1));
            assert!(!first.spend(1), "its part is over");
            let second = beside.share(0.15);
            assert!(second.spend(1));
            manual.advance(seconds(3));
            assert!(!second.spend(1));
            manual.advance(seconds(2) - Duration::from_nanos(1));
            assert!(beam.spend(120_000_000 - 3), "the beam has the time of both");
            manual.advance(Duration::from_nanos(1));
            assert!(!beam.spend(0));
            drop((first, second));
            time_manager.end_beam(beam);
            let left = time_manager.split_beside(0.1, 0.1).drops_left();
            assert_eq!(left, 20_000_000, "a tenth of the time at 20 million drops a second");
        });
    }

    #[test]
    fn a_stall_leaves_the_searches_beside_a_beam_their_drops() {
        let (_, timed) = manual();
        let mut time_manager = TimeManager::new(&timed, Duration::from_secs(1));
        let _beam = time_manager.beam_beside(0.4, 0.2, 1.0);
        let least = (0.2 * TimeManager::DROPS_A_SECOND) as u64;
        assert_eq!(time_manager.beside().share(0.2).drops_left(), least);
    }

    #[test]
    fn unused_time_of_a_beam_goes_back_to_the_game() {
        let (manual, clock) = manual();
        let seconds = Duration::from_secs;
        let mut time_manager = TimeManager::new(&clock, seconds(10));
        let beam = time_manager.beam(0.4);
        manual.advance(seconds(1));
        assert!(!time_manager.end_beam(beam));
        let beam = time_manager.beam(0.3);
        manual.advance(seconds(3) - Duration::from_nanos(1));
        let before = beam.spend(1);
        manual.advance(Duration::from_nanos(1));
        assert!(before && !beam.spend(1), "3 s, without the time that the first beam left");
        time_manager.end_beam(beam);
        assert_eq!(time_manager.end(1.0), clock.after(seconds(7)), "3 s of 10 s were given back");
        assert!(time_manager.remaining().spend(1), "3 s are left");
        manual.advance(seconds(3));
        assert!(!time_manager.remaining().spend(1));
    }

    /// The time until `budget` is spent, in steps of a millisecond.
    fn time_of(budget: &Budget, manual: &ManualClock) -> Duration {
        let begin = manual.now();
        while budget.spend(1) {
            manual.advance(Duration::from_millis(1));
        }
        manual.now() - begin
    }

    #[test]
    fn a_search_within_a_limit_ends_with_the_decision_at_the_latest() {
        let (manual, timed) = manual();
        let ms = Duration::from_millis;
        let time_manager = TimeManager::new(&timed, ms(100));
        let wait = || time_of(&time_manager.limit(0.1, ms(60)), manual);
        assert_eq!(wait(), ms(60), "the share has no effect");
        assert_eq!(wait(), ms(40));
        let counted = clock(Some(1000));
        let time_manager = TimeManager::new(&counted, ms(100));
        let budget = time_manager.limit(0.1, ms(0));
        assert!(budget.spend(100) && !budget.spend(1) && time_manager.counts_drops());
        drop(budget);
        assert_eq!(time_manager.drops_left(), 899);
    }

    #[test]
    fn extra_time_does_not_shorten_the_planned_time() {
        let (manual, timed) = manual();
        let ms = Duration::from_millis;
        let mut time_manager = TimeManager::new(&timed, ms(1000));
        let budget = time_manager.extra(0.05).unwrap();
        time_of(&budget, manual);
        time_manager.end_extra(budget);
        assert_eq!(time_manager.taken_extra(), ms(50));
        assert_eq!(time_manager.end(1.0), timed.after(ms(1050)));
        let mut late = TimeManager::new(&timed, timed.usable());
        assert!(!late.extra(1.0).unwrap().spend(1), "the usable time is spent");
        let counted = clock(Some(1000));
        assert!(TimeManager::new(&counted, ms(1000)).extra(1.0).is_none());
    }

    #[test]
    fn a_timed_beam_without_new_results_settles() {
        let ((_, timed), counted) = (manual(), clock(Some(1000)));
        let sweeps_in_vain = |time_manager: &mut TimeManager<'_>, width| {
            let beam = time_manager.beam(0.4);
            let stable = (0..5).filter(|_| beam.note_sweep(width, false)).count();
            (stable, time_manager.end_beam(beam))
        };
        let mut time_manager = TimeManager::new(&timed, Duration::from_secs(1));
        assert_eq!(sweeps_in_vain(&mut time_manager, WIDE_SWEEP), (4, true));
        assert_eq!(sweeps_in_vain(&mut time_manager, WIDE_SWEEP - 1), (0, false));
        let mut time_manager = TimeManager::new(&counted, Duration::from_secs(1));
        assert_eq!(sweeps_in_vain(&mut time_manager, WIDE_SWEEP), (0, false));
    }
}
