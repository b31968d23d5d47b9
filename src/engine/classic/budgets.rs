//! The drops or time that each part of a decision may spend.

use std::time::{Duration, Instant};

use super::opponent::PLIES;
use crate::engine::TurnClock;
use crate::game::TURNS;
use crate::search::Budget;

/// A part of a turn's drops, for games that limit drops instead of time. The exhaustive searches
/// take the rest. Chosen by hand, close to the parts of the time in a game with a clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Share(f64);

impl Share {
    /// The opening beam, the only search of its turn.
    pub const OPENING: Self = Self(1.0);
    /// The own beam of a later turn, for chains or for the skill.
    pub const BEAM: Self = Self(0.3);
    /// The opponent's beam.
    pub const RIVAL: Self = Self(0.08);
    /// Each of the two beams in the test of attacking first.
    pub const ATTACK: Self = Self(0.08);
    /// Each beam that finds the answer to an attack of the opponent.
    pub const ANSWER: Self = Self(0.03);
}

/// The budgets of one decision.
pub struct Budgets<'a> {
    clock: &'a TurnClock,
    spent: u64,
}

/// The fewest drops with which the exhaustive searches of both sides reach two, three and four
/// plies, as counted in games.
const DROPS_OF_DEPTH: [u64; 3] = [20_000, 400_000, 17_000_000];

/// Limits of depth when time is short, each entry `(milliseconds, own plies, opponent's plies)`.
/// The first entry whose milliseconds exceed the time left for each remaining turn applies
/// (published).
const SHORT: [(u128, usize, usize); 4] = [(5, 2, 2), (10, 3, 2), (30, 3, 3), (100, 4, 3)];

/// The most plies when time is too short for beams (seed: 2 to 3).
const WITHOUT_BEAMS: usize = 3;

impl<'a> Budgets<'a> {
    /// Creates the budgets of a turn, with nothing spent.
    pub const fn new(clock: &'a TurnClock) -> Self {
        Self { clock, spent: 0 }
    }

    /// Whether drops are limited instead of time.
    pub const fn counts_drops(&self) -> bool {
        self.clock.nodes().is_some()
    }

    /// Returns the budget of a beam: `share` of the turn's drops, or `time` within the usable time.
    pub fn beam(&self, share: Share, time: Duration) -> Budget {
        match self.clock.nodes() {
            Some(nodes) => Budget::new((nodes as f64 * share.0) as u64, None),
            None => {
                let end =
                    (self.clock.source().now() + time).min(self.clock.after(self.clock.usable()));
                self.until(end)
            }
        }
    }

    /// Returns the budget of an exhaustive search: the drops or time that are left.
    pub fn rest(&self) -> Budget {
        match self.clock.nodes() {
            Some(nodes) => Budget::new(nodes.saturating_sub(self.spent), None),
            None => self.until(self.clock.after(self.clock.usable())),
        }
    }

    fn until(&self, end: Instant) -> Budget {
        Budget::new(u64::MAX, Some(end)).with_source(self.clock.source())
    }

    /// Adds the drops that a search spent under `budget`.
    pub fn book(&mut self, budget: &Budget) {
        self.spent += budget.spent();
    }

    /// Drops simulated so far.
    pub const fn spent(&self) -> u64 {
        self.spent
    }

    /// Returns the plies of the own search and of the opponent's, each at most `most`.
    pub fn plies(&self, most: usize, beams: bool, left: Duration, turn: usize) -> [usize; 2] {
        if let Some(nodes) = self.clock.nodes() {
            let left = nodes.saturating_sub(self.spent);
            let deeper = DROPS_OF_DEPTH.iter().filter(|&&drops| drops <= left).count();
            return [most.min(1 + deeper); 2];
        }
        let most = if beams { most } else { most.min(WITHOUT_BEAMS) };
        let each = left.as_millis() / (TURNS - turn.min(TURNS - 1)) as u128;
        let short = SHORT.iter().find(|(least, ..)| each < *least);
        let (own, rivals) = short.map_or((PLIES, PLIES), |&(_, own, rivals)| (own, rivals));
        [most.min(own), most.min(rivals)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::TimeLimits;

    fn plies(left_ms: u64, turn: usize, nodes: Option<u64>) -> [usize; 2] {
        let left = Duration::from_millis(left_ms);
        let rules = TimeLimits { nodes, ..TimeLimits::default() };
        let clock = TurnClock::new(Instant::now(), left, &rules);
        Budgets::new(&clock).plies(4, left_ms >= 30_000, left, turn)
    }

    #[test]
    fn a_short_clock_makes_shallow_searches() {
        assert_eq!(plies(180_000, 0, None), [4, 4]);
        assert_eq!(plies(45_000, 30, None), [4, 3]);
        assert_eq!(plies(29_999, 30, None), [3, 3], "without beams");
        assert_eq!(plies(29_999, 450, None), [3, 3], "however few turns may come");
        assert_eq!(plies(4_000, 30, None), [3, 2]);
        assert_eq!(plies(2_000, 30, None), [2, 2]);
        assert_eq!(plies(0, 499, None), [2, 2]);
    }

    #[test]
    fn few_drops_make_shallow_searches() {
        let of = |nodes| plies(180_000, 0, Some(nodes));
        assert_eq!([1_000, 20_000, 400_000, 20_000_000].map(of), [[1; 2], [2; 2], [3; 2], [4; 2]]);
    }
}
