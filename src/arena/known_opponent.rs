//! Engines that a match knows by name: this program, and opponents of known strength.

use std::num::NonZeroU64;

use crate::engine::LEVELS;

/// The command that stands for this program itself, wherever it is.
pub const OWN: &str = "tensai";

/// An opponent that a match knows by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownOpponent {
    /// The name, of one word.
    pub name: &'static str,
    /// The arguments of this program.
    pub arguments: &'static str,
    /// The nodes of a decision. With a number of nodes the opponent is as strong on every machine,
    /// and its clock does not run. `None` if it decides by its clock, or does not search.
    pub nodes: Option<NonZeroU64>,
}

/// The planner at `level`, 1 to 9, as a known opponent.
const fn level(name: &'static str, level: usize) -> KnownOpponent {
    KnownOpponent { name, arguments: "", nodes: NonZeroU64::new(LEVELS[level - 1]) }
}

/// The known opponents. Experiment O-10 measured `greedy` against the levels, with the version
/// 88c41d14a16c134b.
pub const KNOWN_OPPONENTS: [KnownOpponent; 12] = [
    KnownOpponent { name: "random", arguments: "--engine random", nodes: None },
    KnownOpponent { name: "greedy", arguments: "--engine greedy", nodes: None },
    KnownOpponent { name: "classic", arguments: "--engine classic", nodes: None },
    level("level1", 1),
    level("level2", 2),
    level("level3", 3),
    level("level4", 4),
    level("level5", 5),
    level("level6", 6),
    level("level7", 7),
    level("level8", 8),
    level("level9", 9),
];

impl KnownOpponent {
    /// The known opponent of this name, if there is one.
    pub fn named(name: &str) -> Option<Self> {
        KNOWN_OPPONENTS.into_iter().find(|opponent| opponent.name == name)
    }

    /// The command of an engine in a match.
    pub fn command(&self) -> String {
        format!("{OWN} {}", self.arguments).trim_end().to_owned()
    }
}
