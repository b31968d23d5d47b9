//! `review`: the loss of each action of a player.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::client_error::ApiError;
use super::game_data::{GameData, SeatNumber, StartedGame, checked_nodes};
use super::progress::{Progress, ProgressReport};
use super::reviewed_turn::ReviewedTurn;
use crate::analysis::playouts::{ComparedTurn, MOST_PLAYOUTS};
use crate::analysis::{self, MoveReview, accuracy, costs, to_play_out, worst_first};
use crate::game::{Action, Cells, Seat, State};

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
    /// The first turn. If it is left out, the first turn after `details.opening`, or of the game.
    #[serde(default)]
    pub from: Option<usize>,
    /// The last turn, included; the last of the game if it is left out.
    #[serde(default)]
    pub to: Option<usize>,
    /// Playouts with the played and with the best action of each turn with a better action in which
    /// the win probability falls by 0.1 or more, or 0.1 or more of it is lost, 0 (none) to 1000. A
    /// single turn is played out even if it cost nothing.
    #[serde(default)]
    pub playouts: usize,
}

/// Result of `review`. Values are those of
/// `tensai replay blunders --nodes N --playouts N --threads 1 --json`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReviewResult {
    /// The turns in order.
    pub reviews: Vec<ReviewedTurn>,
    /// The win probability before each turn, 0 to 1, in the order of `reviews`; none where the
    /// search gives none.
    pub chance: Vec<Option<f64>>,
    /// How well the player played, in percent of perfect play; none without a turn.
    pub accuracy: Option<f64>,
}

impl ReviewParams {
    /// The turns from `from` to `to`; empty for a game without turns, or with those of its opening
    /// alone.
    fn turns(&self, game: &StartedGame) -> Result<Range<usize>, ApiError> {
        let first = game.start.turn;
        let played = first..first + game.actions.len();
        for (name, turn) in [("from", self.from), ("to", self.to)] {
            if let Some(found) = turn.filter(|turn| !played.contains(turn)) {
                let Range { start, end } = played;
                let reason = format!("`{name}`: expected a turn of the game, {start} or more and");
                let reason = format!("{reason} less than {end}, found {found}");
                return Err(ApiError::bad_request(reason));
            }
        }
        if let (Some(from), Some(to)) = (self.from, self.to)
            && from > to
        {
            let reason = format!("`from`: expected at most `to`, {to}, found {from}");
            return Err(ApiError::bad_request(reason));
        }
        // The player did not decide the turns of an opening.
        let details = self.game.details.as_ref();
        let opening = details.map_or(0, |details| game.opening(details.opening));
        let from = self.from.unwrap_or(first + opening);
        Ok(from..self.to.map_or(played.end, |last| last + 1).max(from))
    }
}

/// Reviews a game.
pub fn review(
    params: &ReviewParams,
    progress: &mut dyn Progress,
) -> Result<ReviewResult, ApiError> {
    let game = StartedGame::whole(&params.game)?;
    let nodes = checked_nodes(params.nodes)?;
    if params.playouts > MOST_PLAYOUTS {
        let reason =
            format!("`playouts`: expected 0 to {MOST_PLAYOUTS}, found {}", params.playouts);
        return Err(ApiError::bad_request(reason));
    }
    let seat: Seat = params.seat.into();
    let first = game.start.turn;
    let range = params.turns(&game)?;
    let turns = (first..).zip(&game.actions).filter(|(turn, _)| range.contains(turn));
    let turns: Vec<(usize, Action)> =
        turns.map(|(turn, actions)| (turn, actions[seat.index()])).collect();
    let report = |progress: &mut dyn Progress, done: usize, review: ReviewedTurn| {
        let (turn, review) = (review.turn, Box::new(review));
        progress.report(ProgressReport::Turn { turn, done, of: turns.len(), review });
    };
    let mut found: Vec<MoveReview> = Vec::with_capacity(turns.len());
    for (index, &(turn, played)) in turns.iter().enumerate() {
        let observation = analysis::observation(*state_before(&game, turn)?, seat);
        let review = analysis::review(&observation, &game.packs, played, nodes, progress.control());
        found.push(review.ok_or_else(ApiError::stopped)?);
        // The win probability before this turn tells more about the one before it.
        for cost in costs(found[index.saturating_sub(1)..].to_vec(), None) {
            report(progress, index + 1, ReviewedTurn::of(&cost));
        }
    }
    let result = game.before(range.end).and_then(|after| analysis::result(after, seat));
    let mut costs = costs(found, result);
    if let Some(playouts) = NonZeroUsize::new(params.playouts) {
        let costly = match &mut costs[..] {
            // A review of a single turn asks about that turn.
            [one] if one.review.played != one.review.best => vec![one],
            _ => to_play_out(&mut costs),
        };
        for cost in costly {
            let turn = cost.review.turn;
            let reply = game.actions[turn - first][seat.other().index()];
            let state = state_before(&game, turn)?;
            let compared = ComparedTurn::of(&cost.review, state, &game.packs, seat, reply);
            let control = Arc::clone(progress.control());
            let compared = compared.compare(playouts, &|| control.is_stopped());
            cost.playouts = Some(compared.ok_or_else(ApiError::stopped)?);
            report(progress, turns.len(), ReviewedTurn::of(cost));
        }
    }
    let mut reviews: Vec<ReviewedTurn> = costs.iter().map(ReviewedTurn::of).collect();
    for (rank, cost) in (1..).zip(worst_first(&costs)) {
        reviews[cost.review.turn - range.start].rank = Some(rank);
    }
    let chance = reviews.iter().map(|review| review.chance).collect();
    Ok(ReviewResult { reviews, chance, accuracy: accuracy(&costs).map(|it| it.0) })
}

/// The state before a turn of the game.
fn state_before(game: &StartedGame, turn: usize) -> Result<&State<Cells>, ApiError> {
    game.before(turn).ok_or_else(|| ApiError::internal("a turn is missing"))
}
