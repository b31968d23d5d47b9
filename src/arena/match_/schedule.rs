//! Decides which games are played, on which packs.

use std::fmt;
use std::num::NonZeroUsize;
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

impl Pairing {
    /// The number of games that are to be played alike but for one engine: 2 with [`Self::Paired`], the
    /// games of both versions against an opponent ([`Fixture::twin`]), else 1.
    const fn games_of_a_unit(self) -> usize {
        match self {
            Self::RoundRobin | Self::Gauntlet => 1,
            Self::Paired => 2,
        }
    }

    /// The number, from 1, of the game `game` of a match, counted from 1; with [`Self::Paired`] that of
    /// the pair to which the game belongs.
    pub const fn unit(self, game: usize) -> usize {
        game.div_ceil(self.games_of_a_unit())
    }
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
    /// Which part of the schedule plays which games.
    pub division: Division,
}

/// How a schedule is divided into parts ([`Shard`]). Its units are games, or with
/// [`Pairing::Paired`] pairs of games ([`Fixture::twin`]), because machines differ in speed: if one
/// machine played all games of the new version, the pairs would compare the machines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Division {
    /// A part is every N-th unit. It meets only some pairs of engines if the number of units of a
    /// round and the number of parts have a common factor. The matches of earlier versions are
    /// divided so.
    EveryNth,
    /// Every N-th unit, and a shift whenever the same units of a round would come again: in any N
    /// rounds from a multiple of N on, each part plays each unit of a round once.
    Shifted,
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

    /// The pairs of engines that play in each round, in the order of their games. With
    /// [`Pairing::Paired`] the two games of a pair follow each other, so that they are played at about
    /// the same time ([`Fixture::twin`]).
    fn pairs(self) -> Vec<[usize; 2]> {
        let (firsts, engines) = (0..self.engines, self.engines);
        let each = |a: usize| (a + 1..engines).map(move |b| [a, b]);
        match self.pairing {
            Pairing::RoundRobin => firsts.flat_map(each).collect(),
            Pairing::Gauntlet => firsts.take(1).flat_map(each).collect(),
            Pairing::Paired => {
                firsts.skip(2).flat_map(|opponent| [[0, opponent], [1, opponent]]).collect()
            }
        }
    }

    /// The games in the order in which they are played.
    pub fn fixtures(self) -> impl Iterator<Item = Fixture> + Send {
        let pairs = self.pairs();
        let games = (0..self.rounds)
            .flat_map(move |round| pairs.clone().into_iter().map(move |pair| (round, pair)));
        (1..).zip(games).map(|(number, (round, players))| Fixture { number, round, players })
    }

    /// The round, from 0, of the game `number`, from 1.
    pub fn round_of(&self, number: usize) -> usize {
        number.saturating_sub(1).checked_div(self.games_of_a_round()).unwrap_or(0)
    }

    /// The games of the part `shard`, in the order in which they are played. The parts differ by at
    /// most one unit (`Division`).
    pub fn part(self, shard: Shard) -> impl Iterator<Item = Fixture> + Send {
        self.fixtures().filter(move |&fixture| self.part_of(fixture, shard.count) == shard.index)
    }

    /// The number, from 1, of the part out of `parts` to which `fixture` belongs.
    pub fn part_of(&self, fixture: Fixture, parts: NonZeroUsize) -> usize {
        let size = self.pairing.games_of_a_unit();
        let (units, parts) = ((self.games_of_a_round() / size).max(1), parts.get());
        let unit = self.pairing.unit(fixture.number) - 1;
        let shift = match self.division {
            Division::EveryNth => 0,
            Division::Shifted => {
                let factor = common_divisor(units, parts);
                // After `parts / factor` rounds every N-th unit is the same unit of the round again.
                let times = fixture.round / (parts / factor) % factor;
                times * stride(factor)
            }
        };
        (unit + shift) % parts + 1
    }
}

impl Fixture {
    /// The number of the other game of its pair, with [`Pairing::Paired`]: the other version
    /// against the same opponent on the same packs.
    pub const fn twin(&self) -> usize {
        Self::twin_of(self.number)
    }

    /// The number of the other game of the pair to which the game `number`, from 1, belongs.
    pub const fn twin_of(number: usize) -> usize {
        if number % 2 == 1 { number + 1 } else { number - 1 }
    }
}

/// The greatest common divisor of two numbers.
const fn common_divisor(a: usize, b: usize) -> usize {
    let (mut divisor, mut rest) = (a, b);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    divisor
}

/// A number whose multiples reach every remainder of a division by `factor`, and are far apart:
/// units that follow each other in a round mostly have an engine in common.
fn stride(factor: usize) -> usize {
    let golden = (factor * 5).div_ceil(8);
    (1..=golden).rev().find(|&stride| common_divisor(stride, factor) == 1).unwrap_or(1)
}

/// One part of a schedule, for one of several machines (`Division`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// The number of the part, from 1.
    index: usize,
    /// The number of parts.
    count: NonZeroUsize,
}

impl Shard {
    /// The whole schedule.
    pub const WHOLE: Self = Self { index: 1, count: NonZeroUsize::MIN };

    /// The number of parts of the division to which this part belongs.
    pub const fn count(self) -> NonZeroUsize {
        self.count
    }

    /// Whether the parts may share a game. Only different parts of one division share none.
    pub const fn overlaps(self, other: Self) -> bool {
        self.count.get() != other.count.get() || self.index == other.index
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(index, count)| {
            Some(Self { index: index.parse().ok()?, count: count.parse().ok()? })
        });
        let fits = parts.filter(|shard| (1..=shard.count.get()).contains(&shard.index));
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
    /// The seed of the first packs that are generated. `None` if the files are repeated instead.
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
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    fn schedule(pairing: Pairing, engines: usize, rounds: usize) -> Schedule {
        Schedule { pairing, engines, rounds, division: Division::Shifted }
    }

    fn players(schedule: Schedule) -> Vec<[usize; 2]> {
        schedule.fixtures().map(|fixture| fixture.players).collect()
    }

    #[test]
    fn each_engine_meets_each_other_engine_once_a_round() {
        let schedule = schedule(Pairing::RoundRobin, 4, 2);
        let once = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        assert_eq!(players(schedule), [once, once].concat());
        assert_eq!(schedule.games(), 12);
        let numbers: Vec<_> = schedule.fixtures().map(|game| (game.number, game.round)).collect();
        assert_eq!(numbers[5..7], [(6, 0), (7, 1)]);
    }

    #[test]
    fn in_a_gauntlet_the_first_engine_meets_each_other_engine() {
        let schedule = schedule(Pairing::Gauntlet, 3, 1);
        assert_eq!(players(schedule), [[0, 1], [0, 2]]);
        assert_eq!(schedule.games(), 2);
    }

    #[test]
    fn two_versions_meet_the_same_opponents() {
        let schedule = schedule(Pairing::Paired, 4, 2);
        let once = [[0, 2], [1, 2], [0, 3], [1, 3]];
        assert_eq!(players(schedule), [once, once].concat());
        assert_eq!(schedule.games(), 8);
        let fixtures: Vec<Fixture> = schedule.fixtures().collect();
        for fixture in &fixtures {
            let twin = fixtures.iter().find(|other| other.number == fixture.twin()).unwrap();
            assert_eq!((twin.round, twin.players[1]), (fixture.round, fixture.players[1]));
            assert_eq!(twin.players[0], 1 - fixture.players[0]);
        }
        let none = Schedule { engines: 2, ..schedule };
        assert_eq!((none.games(), players(none).len()), (0, 0));
    }

    #[test]
    fn only_parts_of_one_division_share_no_game() {
        let shard = |text: &str| text.parse::<Shard>().unwrap();
        assert!(!shard("1/3").overlaps(shard("2/3")));
        for [one, other] in [["1/3", "1/3"], ["1/2", "4/4"], ["2/2", "4/4"], ["1/1", "7/9"]] {
            assert!(shard(one).overlaps(shard(other)), "{one} and {other}");
        }
        for wrong in ["0/4", "5/4", "1", "a/b", "1/0", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    /// The numbers of games of each part, by engines: `[part][unit of the round]`.
    fn table(schedule: Schedule, parts: usize) -> Vec<BTreeMap<[usize; 2], usize>> {
        let shards = (1..=parts).map(|index| format!("{index}/{parts}").parse::<Shard>().unwrap());
        let counted = shards.map(|shard| {
            let mut games = BTreeMap::new();
            schedule.part(shard).for_each(|game| *games.entry(game.players).or_default() += 1);
            games
        });
        counted.collect()
    }

    proptest! {
        #[test]
        fn every_part_gets_every_pair_equally_often(
            pairing in prop_oneof![
                Just(Pairing::RoundRobin), Just(Pairing::Gauntlet), Just(Pairing::Paired)
            ],
            engines in 3_usize..10,
            parts in 1_usize..50,
            rounds in 1_usize..120,
        ) {
            let schedule = schedule(pairing, engines, rounds);
            let table = table(schedule, parts);
            let pairs: BTreeSet<_> =
                schedule.fixtures().take(schedule.games_of_a_round()).map(|f| f.players).collect();
            let (least, most) = (rounds / parts, rounds.div_ceil(parts));
            for games in &table {
                for pair in &pairs {
                    let times = games.get(pair).copied().unwrap_or(0);
                    prop_assert!((least..=most).contains(&times), "{pair:?}: {times}");
                }
                // Both versions play the same games.
                for (&[version, opponent], &times) in games {
                    if pairing == Pairing::Paired {
                        prop_assert_eq!(games.get(&[1 - version, opponent]), Some(&times));
                    }
                }
            }
            let sizes = table.iter().map(|games| games.values().sum::<usize>());
            let unit = if pairing == Pairing::Paired { 2 } else { 1 };
            let (small, large) = (sizes.clone().min().unwrap(), sizes.clone().max().unwrap());
            prop_assert!(large - small <= unit, "{small} to {large}");
            prop_assert_eq!(sizes.sum::<usize>(), schedule.games());
        }
    }

    /// 28 pairs and 8 parts: before, each part met the same seven pairs in every round.
    #[test]
    fn a_part_of_a_few_rounds_meets_all_engines() {
        for [engines, parts, rounds] in [[8, 8, 8], [8, 28, 14], [5, 4, 4], [8, 60, 60]] {
            let schedule = schedule(Pairing::RoundRobin, engines, rounds);
            for (index, games) in table(schedule, parts).into_iter().enumerate() {
                let met: BTreeSet<usize> = games.into_keys().flatten().collect();
                assert_eq!(met.len(), engines, "part {} of {parts}", index + 1);
            }
        }
    }

    #[test]
    fn an_earlier_match_keeps_its_parts() {
        let earlier = Schedule { division: Division::EveryNth, ..schedule(Pairing::Paired, 5, 4) };
        let part = |shard: &str| earlier.part(shard.parse().unwrap()).map(|game| game.number);
        assert!(part("2/3").eq([3, 4, 9, 10, 15, 16, 21, 22]));
    }

    #[test]
    fn both_games_of_a_pair_belong_to_one_shard() {
        let schedule = schedule(Pairing::Paired, 5, 3);
        for count in 1..=4 {
            let count = NonZeroUsize::new(count).unwrap();
            let mut numbers = Vec::new();
            for index in 1..=count.get() {
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
        let generated = PackSource { files: Vec::new(), seed: Some(7) };
        assert_eq!(generated.of_round(1).0, "seed 8");
        let files = vec![
            ("a".to_owned(), generated.of_round(0).1),
            ("b".to_owned(), generated.of_round(1).1),
        ];
        let names = |source: &PackSource| [0, 1, 2, 3].map(|round| source.of_round(round).0);
        let again = PackSource { files: files.clone(), seed: None };
        assert_eq!(names(&again), ["a", "b", "a", "b"]);
        let more = PackSource { files, seed: Some(0) };
        assert_eq!(names(&more), ["a", "b", "seed 0", "seed 1"]);
    }
}
