//! How much a search may spend.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// An allowance of simulated drops, of time, or both, shared by the threads of a search.
///
/// With drops alone, a search on one thread spends them the same way every time.
#[derive(Debug)]
pub struct Budget {
    most: u64,
    deadline: Option<Instant>,
    spent: AtomicU64,
    /// Wide sweeps in a row that may find nothing new, and how wide they are.
    patience: (u32, usize),
    in_vain: AtomicU32,
    stop: Option<Arc<AtomicBool>>,
}

impl Budget {
    /// So many simulated drops, and not beyond an instant if one is given.
    pub const fn new(drops: u64, deadline: Option<Instant>) -> Self {
        let (spent, in_vain) = (AtomicU64::new(0), AtomicU32::new(0));
        Self { most: drops, deadline, spent, patience: (u32::MAX, 0), in_vain, stop: None }
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

    /// Books drops about to be simulated. False, and from then on always, once the allowance is
    /// used up: the search must then end with what it has.
    pub fn spend(&self, drops: u64) -> bool {
        let spent = self.spent.fetch_add(drops, Relaxed) + drops;
        spent <= self.most
            && self.deadline.is_none_or(|deadline| Instant::now() < deadline)
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
