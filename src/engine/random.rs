//! The random engine, the weakest opponent.

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{BestSoFar, Decision, Engine, Report, TurnClock};
use crate::game::{Action, Packs, Placement};
use crate::protocol::Observation;

/// An engine that drops every pack at random, uniformly over all placements, and never uses the
/// skill.
#[derive(Clone, Debug)]
pub struct RandomEngine(Xoshiro256PlusPlus);

impl RandomEngine {
    /// Creates an engine whose drops follow from `seed`.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }
}

impl Engine for RandomEngine {
    fn new_game(&mut self, _packs: &Packs) {}

    fn decide(
        &mut self,
        observation: &Observation,
        _clock: &TurnClock,
        _best_so_far: &BestSoFar,
    ) -> Decision {
        let index = self.0.random_range(0..Placement::COUNT);
        let action = Placement::from_index(index).map_or(Action::Skill, Action::Drop);
        let report = Report {
            turn: observation.state.turn,
            action: action.to_string(),
            source: "random",
            ..Report::default()
        };
        Decision { action, report }
    }
}
