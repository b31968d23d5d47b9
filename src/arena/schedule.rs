//! Decides which games are played, on which packs.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::game::Packs;

/// Which engines play each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Pairing {
    /// Each engine plays each other engine.
    #[default]
    RoundRobin,
    /// The first engine plays each other engine.
    Gauntlet,
    /// The first two engines are a new and an old version. Both play each of the other engines.
    Paired,
}

/// The schedule of a match: in every round, all pairs play once, on the same packs.
///
/// The rules treat both seats alike, so no game is repeated with the seats exchanged; further
/// rounds use other packs instead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// Which engines play each other.
    pub pairing: Pairing,
    /// The number of engines.
    pub engines: usize,
    /// The number of rounds.
    pub rounds: usize,
}

/// One game of a [`Schedule`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// The number, from 1.
    pub number: usize,
    /// The round, from 0.
    pub round: usize,
    /// The indices of the engines in the match's list, in the order of seats.
    pub players: [usize; 2],
}

impl Schedule {
    /// The number of games of a round.
    pub const fn games_of_a_round(&self) -> usize {
        let others = self.engines.saturating_sub(1);
        match self.pairing {
            Pairing::RoundRobin => self.engines * others / 2,
            Pairing::Gauntlet => others,
            Pairing::Paired => 2 * self.engines.saturating_sub(2),
        }
    }

    /// The number of all games, saturated at `usize::MAX`.
    pub const fn games(&self) -> usize {
        self.games_of_a_round().saturating_mul(self.rounds)
    }

    /// The games in the order in which they are played. With [`Pairing::Paired`] the two games of a
    /// pair follow each other, so that they are played at about the same time ([`Fixture::twin`]).
    pub fn fixtures(self) -> impl Iterator<Item = Fixture> + Send {
        let pairs = move || {
            let (firsts, engines) = (0..self.engines, self.engines);
            let each = |a: usize| (a + 1..engines).map(move |b| [a, b]);
            let pairs: Vec<[usize; 2]> = match self.pairing {
                Pairing::RoundRobin => firsts.flat_map(each).collect(),
                Pairing::Gauntlet => firsts.take(1).flat_map(each).collect(),
                Pairing::Paired => {
                    firsts.skip(2).flat_map(|opponent| [[0, opponent], [1, opponent]]).collect()
                }
            };
            pairs
        };
        let games = (0..self.rounds)
            .flat_map(move |round| pairs().into_iter().map(move |pair| (round, pair)));
        (1..).zip(games).map(|(number, (round, players))| Fixture { number, round, players })
    }

    /// The games of the part `shard`, in the order in which they are played. Both games of a pair
    /// ([`Fixture::twin`]) belong to one part, because machines differ in speed: if one machine
    /// played all games of the new version, the pairs would compare the machines.
    pub fn part(self, shard: Shard) -> impl Iterator<Item = Fixture> + Send {
        let unit = move |number: usize| match self.pairing {
            Pairing::Paired => number.div_ceil(2),
            Pairing::RoundRobin | Pairing::Gauntlet => number,
        };
        self.fixtures().filter(move |fixture| shard.has(unit(fixture.number)))
    }
}

impl Fixture {
    /// The number of the other game of its pair, with [`Pairing::Paired`]: the other version
    /// against the same opponent on the same packs.
    pub const fn twin(&self) -> usize {
        if self.number % 2 == 1 { self.number + 1 } else { self.number - 1 }
    }
}

/// One part of a schedule, for one of several machines: every `count`-th game, or with
/// [`Pairing::Paired`] every `count`-th pair of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// The number of the part, from 1.
    index: usize,
    /// The number of parts.
    count: usize,
}

impl Shard {
    /// The whole schedule.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// Whether the game or pair of games `number`, counted from 1, belongs to this part.
    pub const fn has(self, number: usize) -> bool {
        number % self.count == self.index % self.count
    }

    /// Whether the parts share a game, in a match with enough games.
    pub const fn overlaps(self, other: Self) -> bool {
        let (mut divisor, mut rest) = (self.count, other.count);
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        self.index % divisor == other.index % divisor
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(index, count)| {
            Some(Self { index: index.parse().ok()?, count: count.parse().ok()? })
        });
        let fits = parts.filter(|shard| (1..=shard.count).contains(&shard.index));
        fits.ok_or_else(|| "expected a part such as `1/4`, up to `4/4`".to_owned())
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// The source of the packs of each round.
#[derive(Clone, Debug)]
pub struct PackSource {
    /// Packs read from files, with the names of the files; the first rounds use them.
    pub files: Vec<(String, Packs)>,
    /// The seed of the first packs that are drawn. `None` if the files are repeated instead.
    pub seed: Option<u64>,
}

impl PackSource {
    /// The packs of the round `round`, counted from 0, and their source.
    pub fn of_round(&self, round: usize) -> (String, Packs) {
        let files = self.files.len();
        match (self.files.get(round), self.seed) {
            (Some(file), _) => file.clone(),
            (None, None) if files > 0 => self.files[round % files].clone(),
            (None, seed) => {
                let seed = seed.unwrap_or_default().wrapping_add((round - files) as u64);
                (format!("seed {seed}"), Packs::from_seed(seed))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn players(schedule: Schedule) -> Vec<[usize; 2]> {
        schedule.fixtures().map(|fixture| fixture.players).collect()
    }

    #[test]
    fn each_engine_meets_each_other_engine_once_a_round() {
        let schedule = Schedule { pairing: Pairing::RoundRobin, engines: 4, rounds: 2 };
        let once = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        assert_eq!(players(schedule), [once, once].concat());
        assert_eq!(schedule.games(), 12);
        let numbers: Vec<_> = schedule.fixtures().map(|game| (game.number, game.round)).collect();
        assert_eq!(numbers[5..7], [(6, 0), (7, 1)]);
    }

    #[test]
    fn in_a_gauntlet_the_first_engine_meets_each_other_engine() {
        let schedule = Schedule { pairing: Pairing::Gauntlet, engines: 3, rounds: 1 };
        assert_eq!(players(schedule), [[0, 1], [0, 2]]);
        assert_eq!(schedule.games(), 2);
    }

    #[test]
    fn two_versions_meet_the_same_opponents() {
        let schedule = Schedule { pairing: Pairing::Paired, engines: 4, rounds: 2 };
        let once = [[0, 2], [1, 2], [0, 3], [1, 3]];
        assert_eq!(players(schedule), [once, once].concat());
        assert_eq!(schedule.games(), 8);
        let fixtures: Vec<Fixture> = schedule.fixtures().collect();
        for fixture in &fixtures {
            let twin = fixtures.iter().find(|other| other.number == fixture.twin()).unwrap();
            assert_eq!((twin.round, twin.players[1]), (fixture.round, fixture.players[1]));
            assert_eq!(twin.players[0], 1 - fixture.players[0]);
        }
        let none = Schedule { pairing: Pairing::Paired, engines: 2, rounds: 2 };
        assert_eq!((none.games(), players(none).len()), (0, 0));
    }

    #[test]
    fn shards_share_out_all_games() {
        for count in 1..=4 {
            for number in 1..=20 {
                let shards = (1..=count).map(|index| format!("{index}/{count}").parse::<Shard>());
                let takers = shards.filter(|shard| shard.as_ref().unwrap().has(number)).count();
                assert_eq!(takers, 1, "game {number} of {count} shards");
            }
        }
        assert!(Shard::WHOLE.has(7));
        let all = (1..=6).flat_map(|count| (1..=count).map(move |index| Shard { index, count }));
        let all: Vec<Shard> = all.collect();
        for one in &all {
            for other in &all {
                let shared = (1..=36).any(|number| one.has(number) && other.has(number));
                assert_eq!(one.overlaps(*other), shared, "{one} and {other}");
            }
        }
        for wrong in ["0/4", "5/4", "1", "a/b", "1/0", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn both_games_of_a_pair_belong_to_one_shard() {
        let schedule = Schedule { pairing: Pairing::Paired, engines: 5, rounds: 3 };
        for count in 1..=4 {
            let mut numbers = Vec::new();
            for index in 1..=count {
                let part: Vec<Fixture> = schedule.part(Shard { index, count }).collect();
                let is_there = |number| part.iter().any(|fixture| fixture.number == number);
                assert!(part.iter().all(|fixture| is_there(fixture.twin())), "{index}/{count}");
                numbers.extend(part.iter().map(|fixture| fixture.number));
            }
            numbers.sort_unstable();
            assert!(numbers.into_iter().eq(1..=schedule.games()), "{count} shards");
        }
    }

    #[test]
    fn packs_differ_from_round_to_round() {
        let drawn = PackSource { files: Vec::new(), seed: Some(7) };
        assert_eq!(drawn.of_round(1).0, "seed 8");
        let files =
            vec![("a".to_owned(), drawn.of_round(0).1), ("b".to_owned(), drawn.of_round(1).1)];
        let names = |source: &PackSource| [0, 1, 2, 3].map(|round| source.of_round(round).0);
        let again = PackSource { files: files.clone(), seed: None };
        assert_eq!(names(&again), ["a", "b", "a", "b"]);
        let more = PackSource { files, seed: Some(0) };
        assert_eq!(names(&more), ["a", "b", "seed 0", "seed 1"]);
    }
}
