//! Budgets of drops and time for searches.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::util::clock::{Instant, TimeSource};

/// The fewest drops with which the exhaustive searches of both sides are likely to reach two, three
/// and four plies. Experiment D-05.
pub const DROPS_OF_DEPTH: [u64; 3] = [20_000, 400_000, 17_000_000];

/// A budget of simulated drops, of time, or both, shared by the threads of a search.
///
/// With a budget of drops alone, a search on one thread is deterministic. A budget may be a part of
/// another one ([`split`](Self::split), [`limit`](Self::limit)): the drops of a part count for the
/// whole once the part is dropped.
#[derive(Debug)]
pub struct Budget {
    most: u64,
    deadline: Option<Instant>,
    source: TimeSource,
    spent: Arc<AtomicU64>,
    /// The number of spent drops of the whole, if this is a part.
    whole: Option<Arc<AtomicU64>>,
    /// The number of consecutive sweeps without a new result that end the search, and the least
    /// width of such a sweep.
    fruitless_limit: (u32, usize),
    fruitless_sweeps: AtomicU32,
    stop: Option<Arc<AtomicBool>>,
    control: Option<Arc<SearchControl>>,
}

/// The control of running searches for their caller: the count of drops, and the flag that ends the
/// searches early.
///
/// The result of a search that was stopped has no meaning.
#[derive(Debug, Default)]
pub struct SearchControl {
    stop: AtomicBool,
    nodes: AtomicU64,
    /// A number of drops, and the function that is called whenever `nodes` passes a multiple of it.
    notify: Option<(NonZeroU64, fn(u64))>,
}

impl SearchControl {
    /// A control that calls `call` with the number of drops whenever it has passed a multiple of
    /// `every`: where no other thread can look at the number. `call` runs on the threads of the
    /// search and has to be quick.
    pub const fn notifying(every: NonZeroU64, call: fn(u64)) -> Self {
        let (stop, nodes) = (AtomicBool::new(false), AtomicU64::new(0));
        Self { stop, nodes, notify: Some((every, call)) }
    }

    /// Ends the searches soon.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether [`Self::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Simulated drops since the control was made.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Counts drops. Returns `false` if the search has to end.
    fn spend(&self, drops: u64) -> bool {
        let before = self.nodes.fetch_add(drops, Relaxed);
        if let Some((every, call)) = self.notify
            && before / every != (before + drops) / every
        {
            call(before + drops);
        }
        !self.is_stopped()
    }
}

/// The part of the remaining time that a search plans with, because the speed of a machine varies.
/// Chosen by hand.
const PLANNED_PART: f64 = 0.92;

impl Budget {
    /// A budget of `drops` simulated drops, which also ends at `deadline` if one is given.
    pub fn new(drops: u64, deadline: Option<Instant>) -> Self {
        Self {
            most: drops,
            deadline,
            source: TimeSource::System,
            spent: Arc::default(),
            whole: None,
            fruitless_limit: (u32::MAX, 0),
            fruitless_sweeps: AtomicU32::new(0),
            stop: None,
            control: None,
        }
    }

    /// Reads the time from `source`.
    pub fn with_source(mut self, source: TimeSource) -> Self {
        self.source = source;
        self
    }

    /// Ends the search after `sweeps` consecutive sweeps of at least `width` that find nothing
    /// new. The parts of the budget never end so.
    pub fn with_fruitless_limit(mut self, sweeps: u32, width: usize) -> Self {
        self.fruitless_limit = (sweeps, width);
        self
    }

    /// Ends the budget once the flag `stop` is set.
    pub fn with_stop(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Counts the drops on `control`, which can end the budget.
    pub fn with_control(mut self, control: Option<Arc<SearchControl>>) -> Self {
        self.control = control;
        self
    }

    /// Adds the spent drops to `whole` when the budget is dropped.
    pub(crate) fn with_whole(mut self, whole: &Arc<AtomicU64>) -> Self {
        self.whole = Some(Arc::clone(whole));
        self
    }

    /// A part of at most `drops` drops, with the deadline of the whole: for searches that run at
    /// the same time.
    pub fn limit(&self, drops: u64) -> Self {
        let mut part = Self::new(drops, self.deadline).with_whole(&self.spent);
        part.source = self.source;
        part.stop.clone_from(&self.stop);
        part.control.clone_from(&self.control);
        part
    }

    /// The first of `parts` equal parts of the drops and of the time that are left: for the next
    /// of searches that run one after the other.
    pub fn split(&self, parts: u64) -> Self {
        let parts = parts.max(1);
        let mut part = self.limit(self.drops_left() / parts);
        part.deadline = self.deadline.map(|deadline| {
            let now = self.source.now();
            now + deadline.saturating_duration_since(now).div_f64(parts as f64)
        });
        part
    }

    /// Books `drops`, before their simulation or after it. Returns false once the budget is used
    /// up, and from then on always: the search must then end with its present result.
    pub fn spend(&self, drops: u64) -> bool {
        let spent = self.spent.fetch_add(drops, Relaxed) + drops;
        let goes_on = self.control.as_ref().is_none_or(|control| control.spend(drops));
        goes_on
            && spent <= self.most
            && self.deadline.is_none_or(|deadline| self.source.now() < deadline)
            && self.stop.as_ref().is_none_or(|stop| !stop.load(Relaxed))
    }

    /// Counts a complete sweep of `width`, which `found_new` attacks or not. Returns true once the
    /// search finds nothing new.
    pub fn note_sweep(&self, width: usize, found_new: bool) -> bool {
        if found_new {
            self.fruitless_sweeps.store(0, Relaxed);
        } else if width >= self.fruitless_limit.1 {
            self.fruitless_sweeps.fetch_add(1, Relaxed);
        }
        self.found_nothing_new()
    }

    /// Whether the last sweeps found nothing new, to the number of [`Self::with_fruitless_limit`].
    pub fn found_nothing_new(&self) -> bool {
        self.fruitless_sweeps.load(Relaxed) >= self.fruitless_limit.0
    }

    /// Marks the present time and the drops booked so far.
    pub fn mark(&self) -> BudgetMark {
        BudgetMark { spent: self.spent(), at: self.source.now() }
    }

    /// The drops that are not booked yet, regardless of the time.
    pub fn drops_left(&self) -> u64 {
        self.most.saturating_sub(self.spent())
    }

    /// The drops that are not booked yet, but at most the drops that the remaining time allows at
    /// the rate since `mark`.
    pub fn drops_left_since(&self, mark: &BudgetMark) -> u64 {
        let drops = self.drops_left();
        let Some(deadline) = self.deadline else { return drops };
        let now = self.source.now();
        let left = deadline.saturating_duration_since(now).as_secs_f64();
        let took = (now - mark.at).as_secs_f64().max(f64::MIN_POSITIVE);
        let spent = (self.spent() - mark.spent) as f64;
        drops.min((PLANNED_PART * left / took * spent) as u64)
    }

    /// The drops booked so far.
    pub fn spent(&self) -> u64 {
        self.spent.load(Relaxed)
    }
}

/// A point in time of a search, with the drops booked until then.
#[derive(Clone, Copy, Debug)]
pub struct BudgetMark {
    spent: u64,
    at: Instant,
}

impl Drop for Budget {
    fn drop(&mut self) {
        if let Some(whole) = &self.whole {
            whole.fetch_add(self.spent(), Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::util::clock::ManualClock;

    #[test]
    fn the_drops_left_follow_from_the_rate() {
        let budget = Budget::new(100, None);
        let begin = budget.mark();
        assert!(budget.spend(30));
        assert_eq!((budget.drops_left(), budget.drops_left_since(&begin)), (70, 70));
        let clock = ManualClock::leak(Duration::ZERO);
        let by =
            |drops, time| Budget::new(drops, Some(clock.now() + time)).with_source(clock.source());
        let late = by(100, Duration::ZERO);
        let begin = late.mark();
        late.spend(30);
        assert_eq!((late.drops_left(), late.drops_left_since(&begin)), (70, 0));
        let long = by(u64::MAX, Duration::from_secs(100));
        let begin = long.mark();
        clock.advance(Duration::from_millis(20));
        long.spend(1000);
        let left = long.drops_left_since(&begin);
        assert_eq!(left, (PLANNED_PART * 99.98 / 0.02 * 1000.0) as u64);
        let (limited, quarter) = (long.limit(1000), long.split(4));
        assert!(limited.spend(1) && quarter.spend(1));
        clock.advance(Duration::from_secs(30));
        assert!(limited.spend(1));
        assert!(!quarter.spend(1), "a quarter of the time is over");
        clock.advance(Duration::from_secs(70));
        assert!(!limited.spend(1), "a part ends by the clock of the whole");
    }

    #[test]
    fn the_drops_of_a_part_count_for_the_whole_once_the_part_ends() {
        let whole = Budget::new(100, None);
        let half = whole.split(2);
        assert!(half.spend(50) && !half.spend(1));
        assert_eq!((half.drops_left(), whole.spent()), (0, 0));
        drop(half);
        assert_eq!((whole.spent(), whole.drops_left()), (51, 49));
    }
}
