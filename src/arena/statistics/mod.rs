//! Statistics of recorded games.
//!
//! 1. [`PlayerGame::both`] plays a record again and takes the figures of each player;
//! 2. [`Collector`] adds them up by engine, and [`Collector::statistics`] returns [`Statistics`],
//!    whose fields are the fields of the JSON;
//! 3. [`csv`] formats the figures as a line a player and game;
//! 4. [`positions`] describes a game turn by turn, for other programs to read;
//! 5. [`ForesightCollector`] compares what engines foresaw with what came.
//!
//! Turns are numbered 0 to 499, seats 0 and 1, games from 1. Engines are identified by the shown
//! names of their records ([`crate::record::Record::name`]).

mod collector;
pub mod csv;
mod distribution;
mod foresight;
mod player_game;
mod position;
#[cfg(test)]
pub(crate) mod samples;

use std::collections::BTreeMap;
use std::num::{NonZeroU64, NonZeroUsize};

use serde::Serialize;

pub use collector::Collector;
pub use distribution::Distribution;
pub use foresight::{Drift, ForeseenCounterattacks, Foresight, ForesightCollector};
pub use player_game::{AttackOrder, GameSkill, OjamaCounts, PlayerGame, SentAttack};
pub use position::{PlayerPosition, Position, positions};

use crate::arena::rating::Tally;
use crate::game::OJAMA_ROW;

/// The value of `format` in [`Statistics`].
pub const FORMAT: &str = "tensai statistics";

/// The version of the format.
pub const VERSION: u32 = 1;

/// The first turns of the phases by which thinking times are listed. A phase ends before the next
/// one begins, the last one with the last turn of the game.
pub const PHASES: [usize; 6] = [0, 10, 20, 30, 50, 100];

/// The most openings that are listed of an engine.
pub const MOST_OPENINGS: usize = 10;

/// The definitions of an attack and of an opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Definitions {
    /// The least ojama that a chain sends to be an attack; the ojama of the skill do not count.
    pub attack: NonZeroU64,
    /// Turns of an opening.
    pub opening: NonZeroUsize,
}

impl Default for Definitions {
    /// An attack of a row of ojama, openings of three turns.
    fn default() -> Self {
        const ROW: NonZeroU64 = NonZeroU64::new(OJAMA_ROW).unwrap();
        const TURNS: NonZeroUsize = NonZeroUsize::new(3).unwrap();
        Self { attack: ROW, opening: TURNS }
    }
}

/// The statistics of a number of games, as `tensai stats engines --json` prints them.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Statistics {
    /// Always [`FORMAT`].
    pub format: &'static str,
    /// [`VERSION`].
    pub version: u32,
    /// The least ojama that a chain sends to be an attack.
    pub attack: u64,
    /// Turns of an opening.
    pub opening: usize,
    /// Number of games that were played to their end, which the statistics describe.
    pub games: u64,
    /// Number of games that were left out because they were stopped.
    pub stopped: u64,
    /// The results of the players that attacked first, over all engines. Games in which both
    /// attacked first in the same turn, or neither attacked, are left out.
    pub first_attackers: Tally,
    /// The engines, in the order of their names.
    pub engines: Vec<EngineStatistics>,
}

/// The statistics of an engine. Sums are over all its games.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EngineStatistics {
    /// The name.
    pub engine: String,
    /// The results.
    pub tally: Tally,
    /// The results by how the games ended.
    pub ends: Ends,
    /// Number of turns of its games.
    pub turns: Option<Distribution>,
    /// The first attacks.
    pub first_attacks: FirstAttacks,
    /// The number of its chains by their length. The keys are the lengths, from 1.
    pub chains: BTreeMap<u8, u64>,
    /// The ojama that it sent.
    pub ojama: OjamaCounts,
    /// The uses of the skill.
    pub skill: SkillUses,
    /// The thinking times.
    pub time: Times,
    /// The openings, the most frequent first; at most [`MOST_OPENINGS`].
    pub openings: Vec<Opening>,
    /// The number of different openings that it played.
    pub different_openings: usize,
}

/// An engine's results by how the games ended.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Ends {
    /// Games that ended with a player past the danger line.
    pub danger_line: Tally,
    /// Games of all 500 turns.
    pub last_turn: Tally,
    /// Games that the referee ended because a player was proven to lose.
    pub adjudication: Tally,
    /// Games that faults ended.
    pub faults: Tally,
    /// The number of the engine's own faults by kind: `out-of-time`, `invalid`, `crash`,
    /// `no-start`.
    pub own_faults: BTreeMap<&'static str, u64>,
}

/// The first attacks of an engine, at most one a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FirstAttacks {
    /// The turns, 0 to 499; `count` is the number of games with an attack.
    pub turn: Option<Distribution>,
    /// The lengths: rounds of the chain.
    pub chain: Option<Distribution>,
    /// The ojama that they sent.
    pub ojama: Option<Distribution>,
    /// The results of games in which the engine attacked first.
    pub first: Tally,
    /// The results of games in which the opponent attacked first.
    pub second: Tally,
    /// The results of games in which both attacked first in the same turn.
    pub same_turn: Tally,
    /// The results of games without an attack.
    pub none: Tally,
}

/// The uses of the skill by an engine.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SkillUses {
    /// Number of uses.
    pub uses: u64,
    /// Blocks that they blew up.
    pub blocks: u64,
    /// Ojama that the explosions sent, without those of the chains that followed.
    pub ojama: u64,
    /// The turns of the first use in a game; `count` is the number of games with a use.
    pub first_turn: Option<Distribution>,
}

/// The thinking times of an engine, in milliseconds. The turn that a fault ended has no answer and
/// is not counted.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Times {
    /// All answers.
    pub all: Option<Distribution>,
    /// The times by phase of the game ([`PHASES`]); phases without an answer are left out.
    pub phases: Vec<TurnTimes>,
    /// The times by turn; turns without an answer are left out.
    pub turns: Vec<TurnTimes>,
    /// The time left at the end of the game, of games in which the engine's clock ran.
    pub left: Option<Distribution>,
}

/// The thinking times in a range of turns.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TurnTimes {
    /// The first turn.
    pub first: usize,
    /// The last turn.
    pub last: usize,
    /// Number of answers.
    pub answers: u64,
    /// The mean time of an answer, in milliseconds.
    pub mean: f64,
    /// The longest time of an answer, in milliseconds.
    pub max: f64,
}

/// An opening: the first actions of a player.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Opening {
    /// The first actions that the player decided, from turn 0 or from the end of a random opening
    /// on, as the protocol writes them; fewer if the game was shorter.
    pub actions: Vec<String>,
    /// The results of the games that began so.
    pub tally: Tally,
    /// Points a game, 0 to 1.
    pub score: f64,
}
