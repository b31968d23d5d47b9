//! `review`: the loss of each action of a player.

use serde::{Deserialize, Serialize};

use super::data::{GameData, SeatNumber, StartedGame, checked_nodes, observation};
use super::error::ClientError;
use super::progress::{Progress, ProgressReport};
use super::reviewed_turn::ReviewedTurn;
use crate::analysis;
use crate::game::{Action, Seat, TURNS};

/// Parameters of `review`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReviewParams {
    /// The game.
    pub game: GameData,
    /// The seat of the player.
    #[serde(default)]
    pub seat: SeatNumber,
    /// Simulated drops of each turn, 1 to [`MOST_NODES`](super::MOST_NODES).
    pub nodes: u64,
    /// The first turn; the first of the game if it is left out.
    #[serde(default)]
    pub from: Option<usize>,
    /// The last turn, included; the last of the game if it is left out.
    #[serde(default)]
    pub to: Option<usize>,
}

/// Result of `review`. Values are those of `tensai replay --blunders --nodes N --threads 1 --json`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReviewResult {
    /// The turns in order.
    pub reviews: Vec<ReviewedTurn>,
    /// The chance to win before each turn, 0 to 1, in the order of `reviews`; none where the search
    /// gives none.
    pub chance: Vec<Option<f64>>,
}

/// Reviews a game.
pub fn review(
    params: &ReviewParams,
    progress: &mut dyn Progress,
) -> Result<ReviewResult, ClientError> {
    let game = StartedGame::whole(&params.game)?;
    let nodes = checked_nodes(params.nodes)?;
    let seat: Seat = params.seat.into();
    let first = game.start.turn;
    let range =
        params.from.unwrap_or(first).max(first)..=params.to.unwrap_or(usize::MAX).min(TURNS);
    let turns = (first..).zip(&game.actions).filter(|(turn, _)| range.contains(turn));
    let turns: Vec<(usize, Action)> =
        turns.map(|(turn, actions)| (turn, actions[seat.index()])).collect();
    let mut reviews = Vec::with_capacity(turns.len());
    for (index, &(turn, played)) in turns.iter().enumerate() {
        let state = game.before(turn).ok_or_else(|| ClientError::internal("a turn is missing"))?;
        let observation = observation(*state, seat);
        let review = analysis::review(&observation, &game.packs, played, nodes, progress.control());
        let review = ReviewedTurn::of(&review.ok_or_else(ClientError::stopped)?);
        progress.report(ProgressReport::Turn {
            turn,
            done: index + 1,
            of: turns.len(),
            review: Box::new(review.clone()),
        });
        reviews.push(review);
    }
    Ok(ReviewResult { chance: reviews.iter().map(|review| review.chance).collect(), reviews })
}
