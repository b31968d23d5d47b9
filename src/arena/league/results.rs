//! The finished games of a league, and the ratings that follow from them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::arena::rating::{Pool, PoolError, Tally};
use crate::game::Seat;
use crate::record::Record;

/// The finished games of a league, in sums.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LeagueResults {
    numbers: BTreeSet<usize>,
    /// The games of each pair, for the first of the two names.
    pairs: BTreeMap<[String; 2], Tally>,
    /// The faults of each engine.
    faults: BTreeMap<String, u64>,
}

/// The rating of an engine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// The rating, in Elo points; the mean of the engine's group is 0.
    pub elo: f64,
    /// The half width of the rating's 95 % interval.
    pub error: f64,
    /// The group of engines that games connect. Ratings of different groups cannot be compared.
    pub group: usize,
}

impl LeagueResults {
    /// Adds the game `number` between the named engines; a number that was added before is not
    /// counted again.
    pub fn add(&mut self, number: usize, names: [&str; 2], record: &Record) {
        if !self.numbers.insert(number) {
            return;
        }
        let pair = names.map(str::to_owned);
        *self.pairs.entry(pair).or_default() += Tally::of(record.result.verdict, Seat::First);
        for seat in Seat::BOTH.map(Seat::index) {
            if record.result.faults[seat].is_some() {
                *self.faults.entry(names[seat].to_owned()).or_default() += 1;
            }
        }
    }

    /// The number of finished games.
    pub fn played(&self) -> usize {
        self.numbers.len()
    }

    /// The numbers of the finished games, ascending.
    pub fn numbers(&self) -> impl DoubleEndedIterator<Item = usize> {
        self.numbers.iter().copied()
    }

    /// Whether the game `number` is finished.
    pub fn has(&self, number: usize) -> bool {
        self.numbers.contains(&number)
    }

    /// The number of games in which the engine had a fault.
    pub fn faults(&self, name: &str) -> u64 {
        self.faults.get(name).copied().unwrap_or_default()
    }

    /// The games of each engine of `names` against each other one, from the view of the former.
    pub fn cross(&self, names: &[&str]) -> Vec<Vec<Tally>> {
        let indices: HashMap<&str, usize> =
            names.iter().enumerate().map(|(index, &name)| (name, index)).collect();
        let mut cross = vec![vec![Tally::default(); names.len()]; names.len()];
        for ([a, b], &tally) in &self.pairs {
            if let (Some(&a), Some(&b)) = (indices.get(a.as_str()), indices.get(b.as_str())) {
                cross[a][b] += tally;
                cross[b][a] += tally.reversed();
            }
        }
        cross
    }
}

/// The ratings of engines with these games against each other, by [`Pool`]; `None` without a game.
/// Engines that no chain of games connects are rated apart.
pub(super) fn rate(cross: &[Vec<Tally>]) -> Vec<Option<Rating>> {
    // Without anchors there is no wrong one.
    rate_anchored(cross, &[]).unwrap_or_else(|_| vec![None; cross.len()])
}

/// As [`rate`], with engines whose ratings are fixed.
///
/// # Errors
/// An anchor has no game, or its rating is out of range.
pub(super) fn rate_anchored(
    cross: &[Vec<Tally>],
    anchors: &[(usize, f64)],
) -> Result<Vec<Option<Rating>>, PoolError> {
    let count = cross.len();
    let mut ratings = vec![None; count];
    // Names of equal length keep the order of the engines.
    let name = |engine: usize| format!("{engine:08}");
    let mut pool = Pool::default();
    for (a, row) in cross.iter().enumerate() {
        for (b, &tally) in row.iter().enumerate().skip(a + 1) {
            pool.add(&name(a), &name(b), tally);
        }
    }
    let anchors: Vec<(String, f64)> =
        anchors.iter().map(|&(engine, rating)| (name(engine), rating)).collect();
    for rated in pool.ratings_by_group(&anchors)? {
        if let Ok(engine) = rated.name.parse::<usize>() {
            let group = rated.group;
            ratings[engine] = Some(Rating { elo: rated.rating, error: rated.error, group });
        }
    }
    Ok(ratings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_rated_apart() {
        let win = Tally { wins: 1, draws: 0, losses: 0 };
        let mut cross = vec![vec![Tally::default(); 5]; 5];
        for [a, b] in [[0, 3], [4, 1]] {
            cross[a][b] = win;
            cross[b][a] = win.reversed();
        }
        let ratings = rate(&cross);
        let elo = |engine: usize| ratings[engine].map(|rating| rating.elo.round());
        assert_eq!([elo(0), elo(3), elo(2)], [Some(95.0), Some(-95.0), None]);
        assert_eq!([elo(4), elo(1)], [elo(0), elo(3)]);
        let groups = ratings.iter().map(|rating| rating.map(|rating| rating.group));
        assert_eq!(groups.collect::<Vec<_>>(), [Some(0), Some(1), None, Some(0), Some(1)]);
    }
}
