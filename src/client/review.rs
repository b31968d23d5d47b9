//! `review`: the loss of each action of a player.

use std::num::NonZeroUsize;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::data::{GameData, SeatNumber, StartedGame, checked_nodes};
use super::error::ClientError;
use super::progress::{Progress, ProgressReport};
use super::reviewed_turn::ReviewedTurn;
use crate::analysis::playouts::{ComparedTurn, is_to_be_played_out};
use crate::analysis::{self, MoveReview};
use crate::game::{Action, Cells, Seat, State, TURNS};

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
    /// Playouts with the played and with the best action of each turn in which ojama are lost and
    /// after which the win probability is 10 % lower or more, 0 (none) to [`MOST_PLAYOUTS`].
    #[serde(default)]
    pub playouts: usize,
}

/// The most playouts of an action.
pub const MOST_PLAYOUTS: usize = 1000;

/// Result of `review`. Values are those of
/// `tensai replay --blunders --nodes N --playouts N --threads 1 --json`.
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
    if params.playouts > MOST_PLAYOUTS {
        let what = format!("`playouts`: expected 0 to {MOST_PLAYOUTS}, found {}", params.playouts);
        return Err(ClientError::bad_request(what));
    }
    let seat: Seat = params.seat.into();
    let first = game.start.turn;
    let range =
        params.from.unwrap_or(first).max(first)..=params.to.unwrap_or(usize::MAX).min(TURNS);
    let turns = (first..).zip(&game.actions).filter(|(turn, _)| range.contains(turn));
    let turns: Vec<(usize, Action)> =
        turns.map(|(turn, actions)| (turn, actions[seat.index()])).collect();
    let mut found: Vec<MoveReview> = Vec::with_capacity(turns.len());
    let mut reviews = Vec::with_capacity(turns.len());
    let report = |progress: &mut dyn Progress, done: usize, review: &ReviewedTurn| {
        let (turn, review) = (review.turn, Box::new(review.clone()));
        progress.report(ProgressReport::Turn { turn, done, of: turns.len(), review });
    };
    for (index, &(turn, played)) in turns.iter().enumerate() {
        let observation = analysis::observation(*state_before(&game, turn)?, seat);
        let review = analysis::review(&observation, &game.packs, played, nodes, progress.control());
        let review = review.ok_or_else(ClientError::stopped)?;
        reviews.push(ReviewedTurn::of(&review));
        report(progress, index + 1, &reviews[index]);
        found.push(review);
    }
    for (index, review) in found.iter().enumerate() {
        let next = found.get(index + 1).and_then(|next| next.chance);
        let Some(playouts) = NonZeroUsize::new(params.playouts) else { break };
        if !is_to_be_played_out(review, next) {
            continue;
        }
        let turn = ComparedTurn {
            state: state_before(&game, review.turn)?,
            packs: &game.packs,
            seat,
            played: review.played,
            best: review.best,
            reply: game.actions[review.turn - first][seat.other().index()],
        };
        let control = Arc::clone(progress.control());
        let compared = turn.compare(playouts, &|| control.is_stopped());
        reviews[index].playouts = Some(compared.ok_or_else(ClientError::stopped)?);
        report(progress, turns.len(), &reviews[index]);
    }
    Ok(ReviewResult { chance: reviews.iter().map(|review| review.chance).collect(), reviews })
}

/// The state before a turn of the game.
fn state_before(game: &StartedGame, turn: usize) -> Result<&State<Cells>, ClientError> {
    game.before(turn).ok_or_else(|| ClientError::internal("a turn is missing"))
}
