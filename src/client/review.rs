//! `review`: the loss of each action of a player.

use serde::{Deserialize, Serialize};

use super::data::{GameData, SeatNumber, StartedGame, checked_nodes, observation};
use super::error::ClientError;
use super::progress::{Progress, ProgressReport};
use crate::analysis::{self, ActionValue, Mark, MoveReview};
use crate::game::{Action, Seat, TURNS};
use crate::search::Ojama;

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

/// A turn that was searched again.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReviewedTurn {
    /// The turn.
    pub turn: usize,
    /// The action that was played.
    pub played: String,
    /// The best action; it may be the one that was played.
    pub best: String,
    /// Ojama that the played action loses against the best one: the greater loss of alpha-beta and
    /// plan.
    pub lost: f64,
    /// The value of the played action.
    pub played_value: ReviewedValue,
    /// The value of the best action.
    pub best_value: ReviewedValue,
    /// The mark of the action, by its loss.
    pub mark: Mark,
    /// The best action, and the drops after it that lead to the best attack.
    pub line: Vec<String>,
    /// The chance to win before the turn, 0 to 1.
    pub chance: Option<f64>,
}

/// The value of an action.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReviewedValue {
    /// The value by alpha-beta, in ojama.
    pub alpha_beta: f64,
    /// Rounds of the best attack that the action sets off or leaves possible; 0 for none.
    pub chain: u8,
    /// The turn of that attack.
    pub turn: usize,
    /// The worth of that attack in ojama, discounted by the turns until it.
    pub plan: f64,
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

impl ReviewedTurn {
    fn of(review: &MoveReview) -> Self {
        Self {
            turn: review.turn,
            played: review.played.to_string(),
            best: review.best.to_string(),
            lost: review.lost().0,
            played_value: ReviewedValue::of(&review.played_value),
            best_value: ReviewedValue::of(&review.best_value),
            mark: review.mark(),
            line: review.line.iter().map(Action::to_string).collect(),
            chance: review.chance.map(|chance| chance.0),
        }
    }
}

impl ReviewedValue {
    fn of(value: &ActionValue) -> Self {
        Self {
            alpha_beta: Ojama::from(value.alpha_beta).0,
            chain: value.chain.0,
            turn: value.turn,
            plan: value.plan.0,
        }
    }
}
