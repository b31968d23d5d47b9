//! The review of one action, for pages.

use serde::Serialize;

use crate::analysis::playouts::PlayoutComparison;
use crate::analysis::{ActionValue, ReviewMark, TurnCost};
use crate::game::Action;
use crate::search::Ojama;

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
    /// The best action, if it is better than the played one: that one loses a win probability of
    /// 0.035 or more. Never an action that loses its own playouts.
    pub better: Option<String>,
    /// The win probability that the played action loses against the best one, 0 to 1.
    pub lost_chance: f64,
    /// Ojama that the played action loses against the best one: the greater loss of alpha-beta and
    /// plan.
    pub lost: f64,
    /// The value of the played action.
    pub played_value: ReviewedValue,
    /// The value of the best action.
    pub best_value: ReviewedValue,
    /// The mark of the action, by `lost_chance`.
    pub mark: ReviewMark,
    /// The best action, and the drops after it that lead to the best attack.
    pub line: Vec<String>,
    /// The win probability before the turn, 0 to 1.
    pub chance: Option<f64>,
    /// The win probability before the next turn, or the result of the game if it ended with this
    /// one. None if the next turn is not reviewed.
    pub after: Option<f64>,
    /// The playouts with the played and with the best action, where the request asks for them.
    pub playouts: Option<PlayoutComparison>,
    /// The rank of the turn among those that cost something, the costliest first, from 1. Known
    /// once the whole review is done.
    pub rank: Option<usize>,
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
    /// The ojama that this attack sends, discounted by the turns until it.
    pub plan: f64,
}

impl ReviewedTurn {
    /// Describes the turn of `cost`, without its rank.
    pub fn of(cost: &TurnCost) -> Self {
        let review = &cost.review;
        Self {
            turn: review.turn,
            played: review.played.to_string(),
            best: review.best.to_string(),
            better: cost.better().as_ref().map(Action::to_string),
            lost_chance: cost.lost().0,
            lost: review.lost().0,
            played_value: ReviewedValue::of(&review.played_value),
            best_value: ReviewedValue::of(&review.best_value),
            mark: cost.mark(),
            line: review.line.iter().map(Action::to_string).collect(),
            chance: review.chance.map(|chance| chance.0),
            after: cost.after.map(|after| after.0),
            playouts: cost.playouts,
            rank: None,
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
