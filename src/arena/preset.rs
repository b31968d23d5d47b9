//! Opponents of known strength, which need no command.

use std::num::NonZeroU64;

use super::engine::OWN;

/// An opponent that a match knows by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Preset {
    /// The name, of one word.
    pub name: &'static str,
    /// The arguments of this program.
    pub arguments: &'static str,
    /// The nodes of a decision. With a number of nodes the opponent is as strong on every machine,
    /// and its clock does not run. `None` if it decides by its clock, or does not search.
    pub nodes: Option<NonZeroU64>,
}

/// A preset of the planner with `nodes` nodes a decision.
const fn level(name: &'static str, nodes: u64) -> Preset {
    Preset { name, arguments: "", nodes: NonZeroU64::new(nodes) }
}

/// The presets, from the weakest to the strongest, but for `classic`, whose strength depends on its
/// clock. Below 2,000 nodes the planner finds no plan and loses to `greedy`. Experiment O-10.
pub const PRESETS: [Preset; 12] = [
    Preset { name: "random", arguments: "play --random", nodes: None },
    Preset { name: "greedy", arguments: "--engine greedy", nodes: None },
    level("level1", 2_000),
    level("level2", 4_000),
    level("level3", 8_000),
    level("level4", 20_000),
    level("level5", 50_000),
    level("level6", 120_000),
    level("level7", 350_000),
    level("level8", 1_000_000),
    Preset { name: "level9", arguments: "", nodes: None },
    Preset { name: "classic", arguments: "--engine classic", nodes: None },
];

impl Preset {
    /// The preset of this name.
    pub fn named(name: &str) -> Option<Self> {
        PRESETS.into_iter().find(|preset| preset.name == name)
    }

    /// The command of an engine in a match.
    pub fn command(&self) -> String {
        format!("{OWN} {}", self.arguments).trim_end().to_owned()
    }
}
