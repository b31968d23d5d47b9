//! How much a search may spend.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use crate::clock::TimeSource;

/// A budget of simulated drops, of time, or both, shared by the threads of a search.
///
/// With drops alone, a search on one thread spends them the same way every time.
#[derive(Debug)]
pub struct Budget {
    most: u64,
    deadline: Option<Instant>,
    source: TimeSource,
    spent: AtomicU64,
    /// Wide sweeps in a row that may find nothing new, and how wide they are.
    patience: (u32, usize),
    in_vain: AtomicU32,
    stop: Option<Arc<AtomicBool>>,
}

/// The part of the time left that a search can count on: a machine is not equally fast all the
/// time. Chosen by hand.
const STEADY: f64 = 0.92;

impl Budget {
    /// So many simulated drops, and not beyond an instant if one is given.
    pub const fn new(drops: u64, deadline: Option<Instant>) -> Self {
        let (spent, in_vain) = (AtomicU64::new(0), AtomicU32::new(0));
        let (source, patience) = (TimeSource::System, (u32::MAX, 0));
        Self { most: drops, deadline, source, spent, patience, in_vain, stop: None }
    }

    /// Reads the time from `source`.
    pub fn with_source(self, source: TimeSource) -> Self {
        Self { source, ..self }
    }

    /// Enough is found after so many sweeps in a row, at least so wide, that found nothing new. The
    /// parts of the budget are as patient as can be.
    pub fn with_patience(self, sweeps: u32, width: usize) -> Self {
        Self { patience: (sweeps, width), ..self }
    }

    /// Used up, also, once the flag is set.
    pub fn with_stop(self, stop: Arc<AtomicBool>) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Books drops about to be simulated. False, and from then on always, once the budget is
    /// used up: the search must then end with what it has.
    pub fn spend(&self, drops: u64) -> bool {
        let spent = self.spent.fetch_add(drops, Relaxed) + drops;
        spent <= self.most
            && self.deadline.is_none_or(|deadline| self.source.now() < deadline)
            && self.stop.as_ref().is_none_or(|stop| !stop.load(Relaxed))
    }

    /// Books a whole sweep, which has found something new or not. True once the search has enough.
    pub fn has_enough(&self, width: usize, is_news: bool) -> bool {
        if is_news {
            self.in_vain.store(0, Relaxed);
        } else if width >= self.patience.1 {
            self.in_vain.fetch_add(1, Relaxed);
        }
        self.is_settled()
    }

    /// Whether a search has ended with enough.
    pub fn is_settled(&self) -> bool {
        self.in_vain.load(Relaxed) >= self.patience.0
    }

    /// This moment.
    pub fn mark(&self) -> Mark {
        Mark { spent: self.spent(), at: self.source.now() }
    }

    /// Drops that are not booked yet, whatever time is left.
    fn drops_left(&self) -> u64 {
        self.most.saturating_sub(self.spent())
    }

    /// Drops that are not booked yet, or as many as there is time for by their rate since then, if
    /// that is less.
    pub fn drops_left_since(&self, mark: &Mark) -> u64 {
        let drops = self.drops_left();
        let Some(deadline) = self.deadline else { return drops };
        let now = self.source.now();
        let left = deadline.saturating_duration_since(now).as_secs_f64();
        let took = (now - mark.at).as_secs_f64().max(f64::MIN_POSITIVE);
        let spent = (self.spent() - mark.spent) as f64;
        drops.min((STEADY * left / took * spent) as u64)
    }

    /// Drops booked so far.
    pub fn spent(&self) -> u64 {
        self.spent.load(Relaxed)
    }
}

/// A moment in a search.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    spent: u64,
    at: Instant,
}

/// One of the equal parts into which a budget is divided. What the parts spend is booked on the
/// whole.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    whole: &'a Budget,
    drops: u64,
}

impl Budget {
    /// One of so many equal parts of what is left.
    pub fn part(&self, parts: u64) -> Part<'_> {
        Part { whole: self, drops: self.drops_left() / parts.max(1) }
    }
}

impl Part<'_> {
    /// A budget of its own.
    pub fn budget(&self) -> Budget {
        Budget::new(self.drops, self.whole.deadline).with_source(self.whole.source)
    }

    /// Books what was spent of such a budget.
    pub fn book(&self, budget: &Budget) {
        self.whole.spent.fetch_add(budget.spent(), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::clock::ManualClock;

    #[test]
    fn what_there_is_time_for_is_known_by_the_rate() {
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
        assert_eq!(left, (STEADY * 99.98 / 0.02 * 1000.0) as u64);
        let part = long.part(2).budget();
        assert!(part.spend(1));
        clock.advance(Duration::from_secs(100));
        assert!(!part.spend(1), "a part ends by the clock of the whole");
    }
}
