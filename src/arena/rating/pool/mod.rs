//! One list of ratings from the games of many players.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use super::Tally;
use super::elo::ADDED_DRAWS;
use super::score::POINTS;
use crate::util::interval::SPREAD_95;
use crate::util::suggestion::{closest, hint};

mod fit;
#[cfg(test)]
mod tests;

/// Games of many players, to be rated together.
///
/// A player's rating is its place on one scale: the difference of two ratings is an
/// [`Elo`](super::Elo). The ratings are those under which the games are most likely in the model of
/// Bradley and Terry (1952, *Rank analysis of incomplete block designs*): a player's expected score
/// is the logistic curve at the difference, and a draw is half a win and half a loss.
///
/// The estimate adds one drawn game for every pair that met, so that a player that won all its
/// games has a finite rating: 10 of 10 are 529 points instead of infinitely many. With many games
/// it hardly matters: 75 of 100 are 189 points instead of 191.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    /// The games of each pair, from the view of the alphabetically first player. The order makes
    /// sums, and ratings to the last digit, independent of the order in which games were added.
    pairs: BTreeMap<(String, String), Tally>,
}

/// A player on the list.
#[derive(Clone, PartialEq, Debug)]
pub struct Rated {
    /// The player's name.
    pub name: String,
    /// The player's rating, in Elo points.
    pub rating: f64,
    /// The half width of the rating's 95 % interval; 0 for an anchor.
    ///
    /// Without anchors, the interval is relative to the mean of the pool. The error of a difference
    /// of two players is not the sum of their errors.
    pub error: f64,
    /// All games of the player.
    pub tally: Tally,
    /// The group of players that games or anchors connect, from 0. Ratings of different groups cannot
    /// be compared.
    pub group: usize,
}

/// Why games cannot be rated.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum PoolError {
    /// No game between two players was added.
    #[error("nothing to rate: no two players have met")]
    NobodyPlayed,
    /// No player has the anchor's name.
    #[error("anchor `{name}`: nobody of that name has played{}", hint(.closest.as_deref()))]
    UnknownAnchor {
        /// The anchor.
        name: String,
        /// The most similar name of a player.
        closest: Option<String>,
    },
    /// An anchor was given more than once.
    #[error("anchor `{name}`: expected one rating, found another")]
    AnchoredTwice {
        /// The anchor.
        name: String,
    },
    /// An anchor's rating is not a number, or is out of range.
    #[error("anchor `{name}`: expected a rating from -{HIGHEST} to {HIGHEST}, found {rating}")]
    AnchorOutOfRange {
        /// The anchor.
        name: String,
        /// The anchor's rating.
        rating: f64,
    },
    /// Players that no chain of games connects.
    #[error(
        "the ratings of `{first}` and `{second}` cannot be compared: no games connect them; \
         let them play, or anchor one player of each group"
    )]
    Separate {
        /// A player.
        first: String,
        /// A player of another group.
        second: String,
    },
}

/// The highest rating of an anchor; the lowest is its negative. It is far beyond any list.
const HIGHEST: f64 = 10_000.0;

impl Pool {
    /// Adds games between `a` and `b`, from the view of `a`. Games of a player against itself carry
    /// no information and are ignored.
    pub fn add(&mut self, a: &str, b: &str, tally: Tally) {
        if a == b || tally.games() == 0 {
            return;
        }
        let (first, second, tally) = if a < b { (a, b, tally) } else { (b, a, tally.reversed()) };
        *self.pairs.entry((first.to_owned(), second.to_owned())).or_default() += tally;
    }

    /// Returns the list in descending order of rating; equal ratings are ordered by name.
    ///
    /// Anchors have their given ratings, in Elo points. Without anchors, the mean of all ratings is
    /// 0.
    ///
    /// # Errors
    /// No two players have met, an anchor is invalid, or no chain of games connects two players.
    /// Unconnected groups are allowed if each of them has an anchor.
    pub fn ratings(&self, anchors: &[(String, f64)]) -> Result<Vec<Rated>, PoolError> {
        let players = self.players();
        if players.is_empty() {
            return Err(PoolError::NobodyPlayed);
        }
        let fixed = fixed(&players, anchors)?;
        let mut tallies = vec![Tally::default(); players.len()];
        let mut games = Vec::with_capacity(self.pairs.len());
        for ((a, b), &tally) in &self.pairs {
            // All names are in the list, which is sorted.
            let [a, b] =
                [a.as_str(), b].map(|name| players.partition_point(|&player| player < name));
            tallies[a] += tally;
            tallies[b] += tally.reversed();
            games.push(fit::Games {
                a,
                b,
                games: tally.games() as f64 + ADDED_DRAWS,
                points: tally.points() + ADDED_DRAWS / 2.0,
            });
        }
        let groups = groups(&games, &fixed);
        if let Some(other) = groups.iter().position(|&group| group != 0) {
            let [first, second] = [players[0], players[other]].map(str::to_owned);
            return Err(PoolError::Separate { first, second });
        }
        let anchors: Vec<_> =
            fixed.iter().map(|fixed| fixed.map(|points| points / POINTS)).collect();
        let fitted = fit::fit(&games, &anchors);
        let mut list: Vec<Rated> = (0..players.len())
            .map(|player| Rated {
                name: players[player].to_owned(),
                rating: fixed[player].unwrap_or(fitted[player].value * POINTS),
                error: SPREAD_95 * fitted[player].deviation * POINTS,
                tally: tallies[player],
                group: 0,
            })
            .collect();
        sort(&mut list);
        Ok(list)
    }

    /// As [`Self::ratings`], but players that neither games nor anchors connect are rated apart: the
    /// mean of each group without an anchor is 0. Without games the list is empty.
    ///
    /// # Errors
    /// An anchor is invalid.
    pub fn ratings_by_group(&self, anchors: &[(String, f64)]) -> Result<Vec<Rated>, PoolError> {
        if self.pairs.is_empty() && anchors.is_empty() {
            return Ok(Vec::new());
        }
        let players = self.players();
        let fixed = fixed(&players, anchors)?;
        let index = |name: &str| players.partition_point(|&player| player < name);
        let pair = |(a, b): &(String, String)| fit::Games {
            a: index(a),
            b: index(b),
            games: 0.0,
            points: 0.0,
        };
        let groups = groups(&self.pairs.keys().map(pair).collect::<Vec<_>>(), &fixed);
        let mut list = Vec::with_capacity(players.len());
        for group in groups.iter().copied().collect::<BTreeSet<usize>>() {
            let is_in = |name: &str| groups[index(name)] == group;
            let pairs = self.pairs.iter().filter(|((a, _), _)| is_in(a));
            let pool = Self { pairs: pairs.map(|(pair, tally)| (pair.clone(), *tally)).collect() };
            let anchors: Vec<_> = anchors.iter().filter(|(name, _)| is_in(name)).cloned().collect();
            let rated = pool.ratings(&anchors)?;
            list.extend(rated.into_iter().map(|rated| Rated { group, ..rated }));
        }
        sort(&mut list);
        Ok(list)
    }

    /// The names of all players, sorted.
    fn players(&self) -> Vec<&str> {
        let players = self.pairs.keys().flat_map(|(a, b)| [a.as_str(), b]);
        players.collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// Sorts players by descending rating, then by name.
fn sort(list: &mut [Rated]) {
    list.sort_by(|a, b| b.rating.total_cmp(&a.rating).then_with(|| a.name.cmp(&b.name)));
}

/// Returns the anchors' ratings, at the indices of their players.
fn fixed(players: &[&str], anchors: &[(String, f64)]) -> Result<Vec<Option<f64>>, PoolError> {
    let mut fixed = vec![None; players.len()];
    for (name, rating) in anchors {
        let (name, rating) = (name.clone(), *rating);
        let Ok(player) = players.binary_search(&name.as_str()) else {
            let closest = closest(&name, players.iter().copied()).map(str::to_owned);
            return Err(PoolError::UnknownAnchor { name, closest });
        };
        if !(-HIGHEST..=HIGHEST).contains(&rating) {
            return Err(PoolError::AnchorOutOfRange { name, rating });
        }
        if fixed[player].replace(rating).is_some() {
            return Err(PoolError::AnchoredTwice { name });
        }
    }
    Ok(fixed)
}

/// The groups of players that are connected by games or by anchors.
fn groups(games: &[fit::Games], fixed: &[Option<f64>]) -> Vec<usize> {
    // All anchored players are in one group.
    let anchored: Vec<usize> = (0..fixed.len()).filter(|&player| fixed[player].is_some()).collect();
    let anchored = anchored.array_windows().copied();
    connected(fixed.len(), games.iter().map(|pair| [pair.a, pair.b]).chain(anchored))
}

/// The groups of `count` players that the `pairs` connect, through other pairs too: for each player
/// the index of the first player of its group.
pub fn connected(count: usize, pairs: impl IntoIterator<Item = [usize; 2]>) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..count).collect();
    for pair in pairs {
        let [a, b] = pair.map(|player| groups[player]);
        if a == b {
            continue;
        }
        for group in &mut groups {
            *group = if *group == a.max(b) { a.min(b) } else { *group };
        }
    }
    groups
}
