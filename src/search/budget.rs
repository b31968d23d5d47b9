//! How much a search may spend.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// An allowance of simulated drops, of time, or both, shared by the threads of a search.
///
/// With drops alone, a search on one thread spends them the same way every time.
#[derive(Debug)]
pub struct Budget {
    most: u64,
    deadline: Option<Instant>,
    spent: AtomicU64,
}

impl Budget {
    /// So many simulated drops, and not beyond an instant if one is given.
    pub const fn new(drops: u64, deadline: Option<Instant>) -> Self {
        Self { most: drops, deadline, spent: AtomicU64::new(0) }
    }

    /// Books drops about to be simulated. False, and from then on always, once the allowance is
    /// used up: the search must then end with what it has.
    pub fn spend(&self, drops: u64) -> bool {
        let spent = self.spent.fetch_add(drops, Relaxed) + drops;
        spent <= self.most && self.deadline.is_none_or(|deadline| Instant::now() < deadline)
    }

    /// Drops booked so far.
    pub fn spent(&self) -> u64 {
        self.spent.load(Relaxed)
    }
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
        let left = self.most.saturating_sub(self.spent());
        Part { whole: self, drops: left / parts.max(1) }
    }
}

impl Part<'_> {
    /// A budget of its own.
    pub const fn budget(&self) -> Budget {
        Budget::new(self.drops, self.whole.deadline)
    }

    /// Books what was spent of such a budget.
    pub fn book(&self, budget: &Budget) {
        self.whole.spent.fetch_add(budget.spent(), Relaxed);
    }
}
