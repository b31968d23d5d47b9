//! The packs of a game: reading, writing, and generating as the contest's server did.

use std::fmt::{self, Write as _};

use rand::seq::SliceRandom;
use rand::{Rng, RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use thiserror::Error;

use super::{Pack, TURNS};

/// The [`TURNS`] packs of a game, in order; [`Packs::known`] may make fewer. Both players get the
/// same packs.
///
/// As text, a pack is two lines of two numbers, the upper row first, and a line `END`.
#[derive(Clone, PartialEq, Eq)]
pub struct Packs(Box<[Pack]>);

/// The number of packs is not that of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a game has {TURNS} packs, found {0}")]
pub struct PacksError(pub usize);

impl Packs {
    /// The number of packs of four blocks in a game, as counted in all official pack files.
    const FOURS: usize = 93;

    /// The number of blocks of each number in a game, as counted in all official pack files.
    const EACH_NUMBER: usize = 177;

    /// The packs of a game.
    ///
    /// # Errors
    /// The number of packs is not [`TURNS`].
    pub fn new(packs: Vec<Pack>) -> Result<Self, PacksError> {
        if packs.len() == TURNS { Ok(Self(packs.into())) } else { Err(PacksError(packs.len())) }
    }

    /// Packs of which only those from the turn `first` on are known, possibly not up to the last
    /// turn of a game; `None` if there are more than a game has. The packs before `first` have no
    /// meaning.
    pub fn known(first: usize, packs: Vec<Pack>) -> Option<Self> {
        /// The pack of an unknown turn, which nothing reads.
        const UNKNOWN: [u8; 4] = [1, 1, 1, 0];
        let unknown = Pack::new(UNKNOWN).ok()?;
        let all: Vec<Pack> = std::iter::repeat_n(unknown, first).chain(packs).collect();
        (all.len() <= TURNS).then(|| Self(all.into()))
    }

    /// Generates the packs of a game as the contest's server did: 407 of three blocks and 93 of
    /// four, 177 blocks of each number, in random order. The empty cell is the upper left, lower
    /// left or lower right one with equal probability.
    pub fn generate(rng: &mut impl Rng) -> Self {
        /// The cells that may be empty; the upper right one never is.
        const HOLES: [usize; 3] = [0, 2, 3];
        let mut numbers: Vec<u8> = (1..=9).flat_map(|number| [number; Self::EACH_NUMBER]).collect();
        numbers.shuffle(rng);
        let mut fours = [false; TURNS];
        fours[..Self::FOURS].fill(true);
        fours.shuffle(rng);
        let mut numbers = numbers.into_iter();
        let packs = fours.map(|four| {
            let hole = (!four).then(|| HOLES[rng.random_range(0..HOLES.len())]);
            let cell = |cell| if Some(cell) == hole { 0 } else { numbers.next().unwrap_or(0) };
            let mut cell = cell;
            Pack::new([cell(0), cell(1), cell(2), cell(3)]).expect("the numbers just suffice")
        });
        Self(packs.into())
    }

    /// The packs that [`Packs::generate`] makes from a seed, equal on every platform.
    pub fn from_seed(seed: u64) -> Self {
        Self::generate(&mut Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Describes each difference from packs of the contest's server, as [`Packs::generate`] draws
    /// them; empty if there is none. Packs that differ are legal too.
    pub fn oddities(&self) -> Vec<String> {
        let cells = || self.0.iter().map(Pack::codes);
        let threes = cells().filter(|codes| codes.contains(&0)).count();
        let holes = cells().filter(|&[_, upper_right, _, _]| upper_right == 0).count();
        let blocks = (1..=9).map(|number| {
            let blocks = cells().flatten().filter(|&code| code == number).count();
            (format!("blocks of {number}"), blocks, Self::EACH_NUMBER)
        });
        [
            ("packs of three blocks".to_owned(), threes, TURNS - Self::FOURS),
            ("packs with an empty upper right cell".to_owned(), holes, 0),
        ]
        .into_iter()
        .chain(blocks)
        .filter(|(_, found, expected)| found != expected)
        .map(|(name, found, expected)| format!("{name}: {found} instead of {expected}"))
        .collect()
    }

    /// The pack of a turn (0 to 499); `None` after the last turn.
    pub fn get(&self, turn: usize) -> Option<&Pack> {
        self.0.get(turn)
    }

    /// The packs from the given turn on; empty after the last turn.
    pub fn from_turn(&self, turn: usize) -> &[Pack] {
        self.0.get(turn..).unwrap_or_default()
    }
}

impl fmt::Display for Packs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for pack in &self.0 {
            write!(f, "{}", PackLines(pack))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Packs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0).finish()
    }
}

/// A pack's three lines of text.
struct PackLines<'a>(&'a Pack);

impl fmt::Display for PackLines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for [left, right] in self.0.rows() {
            writeln!(f, "{left} {right}")?;
        }
        f.write_str("END")?;
        f.write_char('\n')
    }
}

#[cfg(test)]
mod tests {
    use std::hash::Hasher as _;

    use fnv::FnvHasher;

    use super::*;

    #[test]
    fn generated_packs_count_like_official_ones() {
        let packs = Packs::from_seed(1);
        let cells = |pack: &Pack| pack.rows().concat();
        let count =
            |wanted: u8| packs.0.iter().flat_map(cells).filter(|&number| number == wanted).count();
        assert_eq!(packs.0.len(), 500);
        assert_eq!(count(0), 407);
        assert!((1..=9).all(|number| count(number) == 177));
        let holes_at = |cell: usize| packs.0.iter().filter(|p| cells(p)[cell] == 0).count();
        assert_eq!(holes_at(1), 0, "the upper right cell is never empty");
        assert!([0, 2, 3].into_iter().all(|cell| (100..170).contains(&holes_at(cell))));
        assert_eq!(packs.oddities(), [""; 0]);
    }

    #[test]
    fn differences_from_the_servers_packs_are_named() {
        let mut packs = Packs::from_seed(1);
        let three = packs.0.iter().position(|pack| pack.codes()[3] == 0).unwrap();
        let [a, b, c, _] = packs.0[three].codes();
        packs.0[three] = Pack::new([a, 0, c, b]).unwrap();
        assert_eq!(packs.oddities(), ["packs with an empty upper right cell: 1 instead of 0"]);
        packs.0[three] = Pack::new([a, b, c, 5]).unwrap();
        assert_eq!(
            packs.oddities(),
            ["packs of three blocks: 406 instead of 407", "blocks of 5: 178 instead of 177"]
        );
    }

    /// Recorded matches name their packs by seed, so the packs of a seed must never change. The
    /// hashes are of the packs that version 0.2.0 generated with `rand::rngs::SmallRng` on 64 bits.
    #[test]
    fn a_seed_draws_the_packs_of_version_0_2_0() {
        let pinned = [
            (0, 0x8fb0_9e0e_4df8_6200),
            (1, 0x8c9b_4827_a8fe_5d6c),
            (7, 0x1942_dffa_e6e0_f324),
            (7700, 0xb82c_7381_e88e_0f84),
            (u64::MAX, 0x73f7_a6c7_eb2e_cf90),
        ];
        for (seed, expected) in pinned {
            let mut hasher = FnvHasher::default();
            hasher.write(Packs::from_seed(seed).to_string().as_bytes());
            assert_eq!(hasher.finish(), expected, "seed {seed}");
        }
        let first = "3 6\n5 0\nEND\n4 1\n0 2\nEND\n0 3\n8 9\nEND\n";
        assert!(Packs::from_seed(0).to_string().starts_with(first));
    }
}
