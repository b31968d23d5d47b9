//! How the searches of one decision share its budget.

use std::time::Instant;

use super::Clock;
use crate::search::Budget;

/// A first guess of drops a second, until a search has shown how many there are.
const DROPS_A_SECOND: f64 = 25e6;

/// The budgets of one decision's searches: parts of its time or of its drops, handed out one after
/// the other.
pub struct Allowance<'a> {
    clock: &'a Clock,
    /// The part of the clock's usable time that the decision may take.
    share: f64,
    /// The parts handed out so far, of 1.
    begun: f64,
    spent: u64,
    /// Simulated drops a second, as far as is known.
    rate: f64,
}

impl<'a> Allowance<'a> {
    /// A decision that may take a share of the clock's usable time (0 to 1); where drops are
    /// counted, all of them.
    pub const fn new(clock: &'a Clock, share: f64) -> Self {
        Self { clock, share, begun: 0.0, spent: 0, rate: DROPS_A_SECOND }
    }

    /// Lets a search have a part of the budget, after what was handed out before.
    pub fn part<T>(&mut self, part: f64, search: impl FnOnce(&Budget) -> T) -> T {
        let budget = self.next(part, |_, _| u64::MAX);
        let begin = Instant::now();
        let found = self.run(&budget, search);
        let seconds = begin.elapsed().as_secs_f64();
        if seconds > 1e-3 {
            self.rate = budget.spent() as f64 / seconds;
        }
        found
    }

    /// Lets many searches that go on at once have a part of the budget, counted in drops by the
    /// rate of the search before: they have no time of their own to go by.
    pub fn divided<T>(&mut self, part: f64, searches: impl FnOnce(&Budget) -> T) -> T {
        let budget = self.next(part, Self::drops_until);
        self.run(&budget, searches)
    }

    /// Lets a search have all that is left.
    pub fn rest<T>(&mut self, search: impl FnOnce(&Budget) -> T) -> T {
        let budget = match self.clock.nodes() {
            Some(nodes) => Budget::new(nodes.saturating_sub(self.spent), None),
            None => Budget::new(u64::MAX, Some(self.clock.after(self.share))),
        };
        self.run(&budget, search)
    }

    /// Drops that may still be simulated, by estimate where time is what limits.
    pub fn drops_left(&self) -> u64 {
        match self.clock.nodes() {
            Some(nodes) => nodes.saturating_sub(self.spent),
            None => self.drops_until(self.clock.after(self.share)),
        }
    }

    /// Drops simulated so far.
    pub const fn spent(&self) -> u64 {
        self.spent
    }

    /// The next part: of the drops, or a part of the time with as many drops as `most` says for the
    /// instant of its end.
    fn next(&mut self, part: f64, most: impl FnOnce(&Self, Instant) -> u64) -> Budget {
        self.begun = (self.begun + part).min(1.0);
        if let Some(nodes) = self.clock.nodes() {
            return Budget::new((nodes as f64 * part) as u64, None);
        }
        let end = self.clock.after(self.begun * self.share);
        Budget::new(most(self, end), Some(end))
    }

    fn run<T>(&mut self, budget: &Budget, search: impl FnOnce(&Budget) -> T) -> T {
        let found = search(budget);
        self.spent += budget.spent();
        found
    }

    fn drops_until(&self, end: Instant) -> u64 {
        (end.saturating_duration_since(Instant::now()).as_secs_f64() * self.rate) as u64
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::mind::TimeRules;

    fn clock(nodes: Option<u64>) -> Clock {
        let rules = TimeRules { nodes, ..TimeRules::default() };
        Clock::new(Instant::now(), Duration::from_secs(11), &rules)
    }

    #[test]
    fn drops_are_shared_and_booked() {
        let clock = clock(Some(1000));
        let mut allowance = Allowance::new(&clock, 1.0);
        assert!(allowance.part(0.4, |budget| budget.spend(400)));
        assert!(!allowance.divided(0.3, |budget| budget.spend(301)), "one more than its part");
        assert_eq!((allowance.spent(), allowance.drops_left()), (701, 299));
        assert!(allowance.rest(|budget| budget.spend(299)));
    }

    #[test]
    fn searches_at_once_have_drops_even_if_time_limits() {
        let clock = clock(None);
        let mut allowance = Allowance::new(&clock, 0.1);
        let each = allowance.divided(0.5, |budget| budget.part(10).budget());
        assert!(each.spend(1_000_000) && !each.spend(1_000_000), "a tenth of half a second");
    }
}
