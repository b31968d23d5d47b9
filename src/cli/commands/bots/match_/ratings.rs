//! The ratings of a match's engines, and their order.

use crate::arena::Standing;
use crate::arena::rating::{Pool, Rated};

/// Ratings that differ by less are equal: the method of the fit is not exact to the last digit.
const EQUAL: f64 = 1e-6;

/// The ratings of a match's engines, as `tensai stats ratings` gives them for the same games.
pub struct Ratings {
    /// By engine, in the order of the match's list; `None` without a game.
    of: Vec<Option<Rated>>,
    /// Whether a chain of games connects all engines that have played.
    pub connected: bool,
}

impl Ratings {
    /// The ratings that follow from `standing`.
    pub fn of(standing: &Standing) -> Self {
        let mut pool = Pool::default();
        for (a, b, tally) in standing.pairs() {
            pool.add(a, b, tally);
        }
        let rated = pool.ratings_by_group(&[]).unwrap_or_default();
        let find = |name: &str| rated.iter().find(|rated| rated.name == name).cloned();
        let of = standing.rows().iter().map(|row| find(&row.name)).collect();
        let connected = rated.windows(2).all(|pair| pair[0].group == pair[1].group);
        Self { of, connected }
    }

    /// The rating of an engine; `None` without a game.
    pub fn get(&self, engine: usize) -> Option<&Rated> {
        self.of[engine].as_ref()
    }

    /// All engines in descending order of rating, then those without a game. Engines of equal rating
    /// keep their order.
    pub fn order(&self) -> Vec<usize> {
        let rating = |engine: usize| {
            let rated = self.get(engine);
            // Adding 0 turns a negative zero into a positive one.
            rated.map_or(f64::NEG_INFINITY, |one| (one.rating / EQUAL).round() + 0.0)
        };
        let mut order: Vec<usize> = (0..self.of.len()).collect();
        order.sort_by(|&a, &b| rating(b).total_cmp(&rating(a)));
        order
    }

    /// The engines of the highest rating; none as long as not all can be compared.
    pub fn leaders(&self) -> Vec<usize> {
        let order = self.order();
        let Some(best) = order.first().and_then(|&first| self.get(first)) else {
            return Vec::new();
        };
        let is_best =
            |engine: &usize| self.get(*engine).is_some_and(|one| best.rating - one.rating < EQUAL);
        let leaders = order.iter().copied().filter(is_best);
        if self.connected { leaders.collect() } else { Vec::new() }
    }
}
