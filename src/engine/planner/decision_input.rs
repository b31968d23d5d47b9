//! The input of a decision.

use super::parameters::PlannerParameters;
use super::side_beams;
use crate::board::Field;
use crate::engine::TurnClock;
use crate::game::{OJAMA_ROW, Pack, State};
use crate::protocol::Observation;

/// The input of a decision.
pub(super) struct DecisionInput<'a> {
    pub state: State<Field>,
    /// The packs from this turn on, at least one.
    pub packs: &'a [Pack],
    /// Whether this turn is quiet ([`side_beams::is_quiet`]).
    pub is_quiet: bool,
    /// Whether the limit is time, not drops.
    pub is_timed: bool,
    /// Whether the opponent has little time compared with us: it finds less, and delay costs
    /// nothing.
    pub is_pressed: bool,
}

impl<'a> DecisionInput<'a> {
    /// The position of `observation`, with `packs` from its turn on.
    pub fn new(
        observation: &Observation,
        packs: &'a [Pack],
        clock: &TurnClock,
        parameters: &PlannerParameters,
    ) -> Self {
        let is_timed = clock.nodes().is_none();
        let state: State<Field> = observation.state.convert();
        let stocks = state.players.each_ref().map(|player| player.stock);
        Self {
            state,
            packs,
            is_quiet: side_beams::is_quiet(state.turn, parameters.opening, stocks),
            is_timed,
            is_pressed: is_timed && parameters.time.is_pressed(observation.time_left),
        }
    }

    /// Whether at least one row is due on either side.
    pub fn is_rain_due(&self) -> bool {
        self.state.players.iter().any(|player| player.stock >= OJAMA_ROW)
    }
}
