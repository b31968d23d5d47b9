//! The rule by which the engines of a league meet.

use crate::arena::rating::{Elo, connected};

/// An engine that may be paired, with its rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RatedEngine {
    /// Whether the engine may play now. An engine that may not still connects its opponents.
    pub plays: bool,
    /// The rating, in Elo points. An engine without a game has the mean of the list, 0.
    pub rating: f64,
    /// The error of the rating; infinite without a game.
    pub error: f64,
}

/// Chooses the engines of the next game, as indices of `candidates`; the first has seat 0. `met`
/// is the number of games of two engines, with those in progress. Returns `None` if fewer than two
/// engines may play.
///
/// 1. First comes the engine with the fewest games; of several, the one with the greatest error,
///    then the one that was added first.
/// 2. If no chain of games connects it with some of the other engines, its opponent is one of the
///    largest group of these, so that all ratings are on one scale. Otherwise it is any other
///    engine.
/// 3. Among these, the opponent is the one with the greatest `p (1 - p) / (1 + games)`: `p` is the
///    expected score, `games` are the games of the pair. `p (1 - p)` is the information that a game
///    gives about the difference of two ratings. Of several, it is the one with the nearest rating,
///    then with the fewest games, then the one that was added first.
///
/// An engine with the fewest games plays each game, so that after `n` games each of `k` engines has
/// at least `n / k`, rounded down. Of opponents that an engine has met equally often, the one with
/// the nearest rating comes first.
pub fn next_pair(
    candidates: &[RatedEngine],
    met: impl Fn(usize, usize) -> u64,
) -> Option<[usize; 2]> {
    let all = 0..candidates.len();
    let others = |of: usize| all.clone().filter(move |&other| other != of);
    let games: Vec<u64> =
        all.clone().map(|one| others(one).map(|other| met(one, other)).sum()).collect();
    let playing: Vec<usize> = all.clone().filter(|&one| candidates[one].plays).collect();
    let first = playing.iter().copied().min_by(|&a, &b| {
        let errors = candidates[b].error.total_cmp(&candidates[a].error);
        games[a].cmp(&games[b]).then(errors)
    })?;
    let groups = groups(candidates.len(), &met);
    let size = |group: usize| groups.iter().filter(|&&other| other == group).count();
    let opponents = playing.into_iter().filter(|&other| other != first);
    let apart = opponents.clone().filter(|&other| groups[other] != groups[first]);
    // The first of the largest groups.
    let group = apart.map(|other| groups[other]).rev().max_by_key(|&group| size(group));
    let opponents = opponents.filter(|&other| group.is_none_or(|group| groups[other] == group));
    let distance = |other: usize| (candidates[other].rating - candidates[first].rating).abs();
    let gain = |other: usize| {
        let p = Elo(distance(other)).expected_score();
        p * (1.0 - p) / (1.0 + met(first, other) as f64)
    };
    let opponent = opponents.min_by(|&a, &b| {
        let gains = gain(b).total_cmp(&gain(a));
        let distances = distance(a).total_cmp(&distance(b));
        gains.then(distances).then(games[a].cmp(&games[b]))
    })?;
    Some([first, opponent])
}

/// The groups of `count` engines that chains of games join.
fn groups(count: usize, met: impl Fn(usize, usize) -> u64) -> Vec<usize> {
    let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
    connected(count, pairs.filter(|&[a, b]| met(a, b) > 0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::arena::league::results::rate;
    use crate::arena::rating::Tally;

    fn candidates(ratings: &[f64]) -> Vec<RatedEngine> {
        let candidate = |&rating: &f64| RatedEngine { plays: true, rating, error: 50.0 };
        ratings.iter().map(candidate).collect()
    }

    #[test]
    fn a_pair_needs_two_engines_that_play() {
        let mut three = candidates(&[0.0, 10.0, 20.0]);
        assert_eq!(next_pair(&[], |_, _| 0), None);
        assert_eq!(next_pair(&three[..1], |_, _| 0), None);
        assert_eq!(next_pair(&three, |_, _| 0), Some([0, 1]));
        three[1].plays = false;
        assert_eq!(next_pair(&three, |_, _| 0), Some([0, 2]));
        three[0].plays = false;
        assert_eq!(next_pair(&three, |_, _| 0), None);
    }

    #[test]
    fn a_far_opponent_is_met_less_often_by_its_information() {
        // 241 Elo points are an expected score of 0.8, and 0.64 of the information.
        let three = candidates(&[0.0, 0.0, 241.0]);
        let opponent = |near: u64, far: u64| {
            let met = |a: usize, b: usize| match a + b {
                1 => near,
                2 => far,
                _ => 1000,
            };
            next_pair(&three, met).unwrap()
        };
        assert_eq!(opponent(9, 5), [0, 2]);
        assert_eq!(opponent(9, 6), [0, 1]);
    }

    #[test]
    fn groups_are_connected_first() {
        let five = candidates(&[0.0, 100.0, 500.0, 0.0, -50.0]);
        let met = |edges: &'static [[usize; 2]]| {
            move |a: usize, b: usize| u64::from(edges.contains(&[a, b]) || edges.contains(&[b, a]))
        };
        // Engine 0 would meet the equal engine 3, but 1 and 2 are the larger group.
        assert_eq!(next_pair(&five, met(&[[1, 2]])), Some([0, 1]));
        // Two pairs that no game connects: the first engine meets the other pair, once 4 has a
        // game.
        assert_eq!(next_pair(&five, met(&[[0, 1], [2, 3], [4, 2]])), Some([0, 3]));
        assert_eq!(groups(5, met(&[[1, 4], [4, 2]])), [0, 1, 1, 3, 1]);
    }

    /// A league of engines of known strength: its games follow from `draws`, numbers of 0 to 1.
    struct Simulated {
        strengths: Vec<f64>,
        cross: Vec<Vec<Tally>>,
    }

    impl Simulated {
        fn new(strengths: Vec<f64>) -> Self {
            let cross = vec![vec![Tally::default(); strengths.len()]; strengths.len()];
            Self { strengths, cross }
        }

        fn join(&mut self, strength: f64) {
            self.strengths.push(strength);
            self.cross.iter_mut().for_each(|row| row.push(Tally::default()));
            self.cross.push(vec![Tally::default(); self.strengths.len()]);
        }

        fn candidates(&self) -> Vec<RatedEngine> {
            let candidate = |rating: Option<crate::arena::league::Rating>| RatedEngine {
                plays: true,
                rating: rating.map_or(0.0, |rating| rating.elo),
                error: rating.map_or(f64::INFINITY, |rating| rating.error),
            };
            rate(&self.cross).into_iter().map(candidate).collect()
        }

        fn met(&self, a: usize, b: usize) -> u64 {
            self.cross[a][b].games()
        }

        fn games(&self, one: usize) -> u64 {
            self.cross[one].iter().map(|tally| tally.games()).sum()
        }

        /// Plays the next game.
        fn play(&mut self, lot: f64) -> [usize; 2] {
            let [a, b] =
                next_pair(&self.candidates(), |a, b| self.met(a, b)).expect("two engines play");
            let wins = lot < Elo(self.strengths[a] - self.strengths[b]).expected_score();
            let tally = Tally { wins: wins.into(), draws: 0, losses: (!wins).into() };
            self.cross[a][b] += tally;
            self.cross[b][a] += tally.reversed();
            [a, b]
        }
    }

    fn strengths() -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec(-400.0..400.0, 2..7)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn each_engine_has_its_share_of_games_and_all_are_connected(
            strengths in strengths(),
            lots in prop::collection::vec(0.0..1.0, 1..80),
        ) {
            let engines = strengths.len();
            let mut league = Simulated::new(strengths);
            for (played, &lot) in (1_u64..).zip(&lots) {
                league.play(lot);
                let fewest = (0..engines).map(|one| league.games(one)).min().unwrap();
                prop_assert!(fewest >= played / engines as u64);
                let with_game: Vec<usize> =
                    (0..engines).filter(|&one| league.games(one) > 0).collect();
                let groups = groups(engines, |a, b| league.met(a, b));
                prop_assert!(with_game.iter().all(|&one| groups[one] == groups[with_game[0]]));
            }
        }

        #[test]
        fn each_pair_of_up_to_four_engines_meets_within_120_games(
            strengths in prop::collection::vec(-200.0..200.0, 2..5),
            lots in prop::collection::vec(0.0..1.0, 120),
        ) {
            let engines = strengths.len();
            let mut league = Simulated::new(strengths);
            for &lot in &lots {
                league.play(lot);
            }
            for a in 0..engines {
                for b in (0..engines).filter(|&b| b != a) {
                    prop_assert!(league.met(a, b) > 0, "{a} and {b} have not met");
                }
            }
        }

        #[test]
        fn a_new_engine_meets_the_nearest_first(
            strengths in strengths(),
            new in -400.0..400.0,
            lots in prop::collection::vec(0.0..1.0, 40),
        ) {
            let engines = strengths.len();
            let mut league = Simulated::new(strengths);
            for &lot in &lots[..30] {
                league.play(lot);
            }
            league.join(new);
            for &lot in &lots[30..] {
                let before = league.candidates();
                let met: Vec<u64> = (0..engines).map(|one| league.met(engines, one)).collect();
                let fewest = (0..engines).map(|one| league.games(one)).min().unwrap();
                if league.games(engines) >= fewest {
                    break;
                }
                let [first, opponent] = league.play(lot);
                prop_assert_eq!(first, engines, "it has the fewest games");
                let distance =
                    |one: usize| (before[one].rating - before[engines].rating).abs();
                for other in (0..engines).filter(|&other| met[other] <= met[opponent]) {
                    prop_assert!(
                        distance(other) >= distance(opponent) - 1e-9,
                        "met {opponent} although {other} is nearer and was met no more often"
                    );
                }
            }
        }
    }
}
