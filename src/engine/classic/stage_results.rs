//! The results of the stages of a turn.

use std::fmt;

use serde::Serialize;

use super::beam::ClassicBeamResult;
use super::first_attack::{Advice, Chains};
use super::opponent::Tables;
use super::own::OwnRootMove;
use super::plan::OpeningPlan;
use super::skill_mode::ExpectedState;
use crate::engine::ActionSource;
use crate::game::{Action, Stock};
use crate::search::OjamaHundredths;
use crate::util::clock::Instant;
use crate::util::duration::milliseconds;

/// The kind of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Too little time for any search.
    #[default]
    Fallback,
    /// The plan is played without a search.
    Opening,
    /// The plan is compared with the best move.
    Plan,
    /// A turn without a plan.
    Later,
    /// Chains have been given up.
    Skill,
    /// Too little time for beams.
    Short,
}

impl Phase {
    /// The phase of a turn that is searched.
    pub const fn of(has_beams: bool, is_planned: bool, gives_up: bool) -> Self {
        match (has_beams, is_planned) {
            _ if gives_up => Self::Skill,
            (false, _) => Self::Short,
            (true, true) => Self::Plan,
            (true, false) => Self::Later,
        }
    }
}

/// The name, as in the report.
impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// A result and the time that it took.
#[derive(Clone, Debug)]
pub struct Timed<T> {
    pub result: T,
    /// The time in milliseconds.
    pub ms: u64,
}

impl<T> Timed<T> {
    /// Runs `part` and measures its time.
    pub fn run(part: impl FnOnce() -> T) -> Self {
        let start = Instant::now();
        let result = part();
        Self { result, ms: milliseconds(start.elapsed()) }
    }
}

/// The result of the test of attacking first.
#[derive(Clone, Debug)]
pub struct AttackTest {
    pub chains: Chains,
    pub advice: Advice,
    /// The time of its beams in milliseconds.
    pub ms: u64,
}

impl AttackTest {
    /// The range of chains whose first actions are adjusted, and the value to add.
    pub fn adjustment(&self) -> Option<(std::ops::RangeInclusive<u8>, OjamaHundredths)> {
        self.advice.adjustment(self.chains.c1)
    }
}

/// The opponent's exhaustive search.
#[derive(Clone, Debug, Default)]
pub struct OpponentSearch {
    /// `None` if the budget sufficed for no depth.
    pub found: Option<FoundTables>,
    /// The time of all depths in milliseconds.
    pub ms: u64,
}

/// The opponent's tables.
#[derive(Clone, Debug)]
pub struct FoundTables {
    pub tables: Tables,
    /// The opponent's stock.
    pub stock: Stock,
    /// Positions that were reached again.
    pub hits: u64,
}

/// The beams of a turn without a plan.
#[derive(Clone, Debug)]
pub struct Beams {
    /// The own beam whose move is considered: for chains, or for the skill. The time is that of
    /// all own beams of the turn.
    pub own: Timed<ClassicBeamResult>,
    /// The opponent's beam; `None` if the turn before has given up chains.
    pub opponents: Option<Timed<ClassicBeamResult>>,
    /// Whether the skill is the aim instead of chains.
    pub gives_up: bool,
}

impl Beams {
    /// The move of the own beam.
    pub fn action(&self) -> Option<Action> {
        self.own.result.path.first().map(|&drop| Action::Drop(drop))
    }
}

/// The own exhaustive search.
#[derive(Clone, Debug)]
pub struct OwnSearch {
    /// Ojama that kill the opponent.
    pub lethal: Stock,
    /// `None` if the budget sufficed for no depth.
    pub found: Option<RootMoves>,
    /// The time of all depths in milliseconds.
    pub ms: u64,
}

/// The root moves of the own exhaustive search.
#[derive(Clone, Debug)]
pub struct RootMoves {
    /// In descending order of value.
    pub moves: Vec<OwnRootMove>,
    /// The depth of the search.
    pub plies: usize,
    /// Positions that were reached again.
    pub hits: u64,
}

/// The choice between the best move and the beam's move.
#[derive(Clone, Copy, Debug)]
pub struct ClassicChoice {
    pub best: OwnRootMove,
    /// The value of the beam's or the plan's move, if it is a root move.
    pub beam_value: Option<OjamaHundredths>,
    pub played: OwnRootMove,
    /// Whether the played move is the beam's or the plan's move.
    pub is_kept: bool,
}

/// The results of all stages; a stage that did not run has none.
#[derive(Clone, Debug, Default)]
pub struct ClassicStages {
    pub phase: Phase,
    /// The opening beam.
    pub opening: Option<Timed<ClassicBeamResult>>,
    pub attack_test: Option<AttackTest>,
    pub opponent: OpponentSearch,
    pub beams: Option<Beams>,
    /// The beam's or the plan's move, if it was compared with others.
    pub beam_move: Option<Action>,
    /// The ojama of the counterattack after `beam_move`, by the ply (from 1) of the opponent's
    /// attack.
    pub answers: Option<Timed<[Stock; 5]>>,
    pub own: Option<OwnSearch>,
    pub choice: Option<ClassicChoice>,
    /// The plan before this turn's action.
    pub plan: Option<OpeningPlan>,
    /// Present while chains are given up: the expected start of the next turn.
    pub skill_mode: Option<ExpectedState>,
}

impl ClassicStages {
    /// The stages of a turn without time for a search.
    pub fn without_search(plan: Option<OpeningPlan>, skill_mode: Option<ExpectedState>) -> Self {
        Self { plan, skill_mode, ..Self::default() }
    }

    /// The root moves of the own search, if it found any.
    pub fn root_moves(&self) -> Option<&RootMoves> {
        self.own.as_ref()?.found.as_ref()
    }

    /// Returns the action to play and the stage that found it (`Report::source`); `None` if no
    /// stage found an action.
    pub fn action(&self) -> Option<(Action, ActionSource)> {
        let of_beam = if self.plan.is_some() { ActionSource::Plan } else { ActionSource::Building };
        if self.phase == Phase::Opening {
            return Some((self.plan.as_ref()?.action(), of_beam));
        }
        if self.root_moves().is_some() {
            let choice = self.choice?;
            let source = if choice.is_kept { of_beam } else { ActionSource::AlphaBeta };
            return Some((choice.played.action, source));
        }
        Some((self.beam_move?, of_beam))
    }
}
