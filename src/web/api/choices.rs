//! `choices`: all actions of a player, and the effect of each.

use serde::{Deserialize, Serialize};

use super::client_error::ApiError;
use super::game_data::{PositionData, SeatNumber};
use crate::game::trace::Trace;
use crate::game::{Action, Cells, Pack, Player};
use crate::web::game::steps_of_one;

/// Parameters of `choices`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ChoicesParams {
    /// The position.
    pub position: PositionData,
    /// The seat of the player.
    #[serde(default)]
    pub seat: SeatNumber,
}

/// A step of an action, as in the data of a page, for one player: the kind, the changes of the
/// field, the marked places.
pub type SeatStep = (char, String, String);

/// An action, and its effect if the opponent sends no ojama.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OpenChoice {
    /// The action.
    pub action: String,
    /// Where the blocks of the pack come to rest before the chain: column, row and number of each.
    pub cells: Vec<(usize, usize, u8)>,
    /// Rounds of the chain.
    pub chain: u8,
    /// Blocks that the skill blows up.
    pub exploded: u8,
    /// Ojama sent to the opponent, before the offset.
    pub sent: u64,
    /// The gauge after the action.
    pub gauge: u8,
    /// Whether a block rests above row 16 at the end: the player loses.
    pub loses: bool,
    /// The steps of the action.
    pub steps: Vec<SeatStep>,
}

/// Lists all drops, and the skill if the gauge allows it.
pub fn choices(params: &ChoicesParams) -> Result<Vec<OpenChoice>, ApiError> {
    let (state, packs) = params.position.searched()?;
    let player = &state[params.seat.into()];
    let pack = &packs.from_turn(state.turn)[0];
    Ok(Action::all().filter_map(|action| choice(player, pack, action)).collect())
}

/// The effect of an action; `None` for the skill with too low a gauge.
fn choice(player: &Player<Cells>, pack: &Pack, action: Action) -> Option<OpenChoice> {
    let step = player.step(pack, action).ok()?;
    let trace = Trace::new(player, pack, action);
    let before = trace.rained.unwrap_or(player.field);
    let landed = trace.acted.occupied().filter(|&(x, y, _)| before.columns()[x][y].is_empty());
    let cells = landed.filter_map(|(x, y, cell)| Some((x, y, cell.number()?.get())));
    Some(OpenChoice {
        action: action.to_string(),
        cells: cells.collect(),
        chain: step.chain.0,
        exploded: step.explosion.0,
        sent: step.sent(),
        gauge: step.player.gauge.get(),
        loses: step.player.field.is_over(),
        steps: steps_of_one(player, trace),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(position: serde_json::Value) -> Result<Vec<OpenChoice>, ApiError> {
        choices(&serde_json::from_value(json!({ "position": position, "seat": 1 })).unwrap())
    }

    #[test]
    fn all_actions_are_listed_with_their_effects() {
        let field = "3.........\n2.........\n9.........\n84........\n74........";
        let own = json!({ "field": field, "stock": 3, "gauge": 80 });
        let position = json!({ "turn": 5, "packs": "1110", "players": [{}, own] });
        let choices = of(position).unwrap();
        assert_eq!(choices.len(), 37);
        let action = |name: &str| choices.iter().find(|choice| choice.action == name).unwrap();
        let chain = action("1 0");
        assert_eq!((chain.chain, chain.sent, chain.gauge), (3, 2, 88));
        assert_eq!(chain.cells, [(1, 2, 1), (1, 3, 1), (2, 0, 1)]);
        let kinds: String = chain.steps.iter().map(|step| step.0).collect();
        assert_eq!(kinds, "dmfmfmf");
        let skill = action("S");
        assert_eq!((&skill.cells[..], skill.exploded, skill.gauge), (&[][..], 0, 0));
        assert!(choices.iter().all(|choice| !choice.loses));
    }

    #[test]
    fn rows_fall_first_and_full_fields_lose() {
        let own = json!({ "field": "#.........\n".repeat(16), "stock": 10 });
        let position = json!({ "turn": 5, "packs": "1110", "players": [{}, own] });
        let choices = of(position).unwrap();
        assert_eq!(choices.len(), 36);
        assert!(choices.iter().all(|choice| choice.loses && choice.steps[0].0 == 'r'));
        let refused = of(json!({ "turn": 5, "packs": "", "players": [{}, {}] })).unwrap_err();
        assert_eq!(refused.message, "`position.packs`: expected the pack of the turn, found none");
    }
}
