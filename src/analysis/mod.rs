//! Analysis of games and fields.
//!
//! * [`RecordedGame`]: a game turn by turn, from a record or from the input of one bot;
//! * [`infer_actions()`]: which answers lead from one turn to the next;
//! * [`search_again()`] and [`outlook()`]: search a turn again;
//! * [`review()`]: the loss of an answer against a better one;
//! * [`costs()`]: what reviewed turns cost, the order and marks of all reviews; [`accuracy()`] of
//!   a player in a game;
//! * [`playouts`]: positions played on for both sides many times, to estimate win probabilities;
//! * [`puzzle`]: positions in which a few packs suffice for a goal;
//! * [`Situation`]: turns of a game, in TOML; [`render`]: fields and packs as text;
//! * [`triggers()`]: which blocks set off a chain, and how many rows of ojama bury them.

mod accuracy;
mod costs;
mod infer_actions;
pub mod playouts;
pub mod puzzle;
mod recorded_game;
pub mod render;
mod review;
mod search_again;
mod situation;
mod triggers;

pub use accuracy::{Accuracy, accuracy};
pub use costs::{ReviewMark, TurnCost, costs, result, to_play_out, worst_first};
pub use infer_actions::infer_actions;
pub use puzzle::PuzzleKind;
pub use recorded_game::{InputGames, Moment, RecordedGame};
pub use review::{ActionValue, BestAttack, MoveReview, best_attack, review};
pub use search_again::{
    SearchLimits, SearchedAgain, attacks, decide, observation, outlook, search_again,
};
pub use situation::{
    ClassicOptions, ClassicPreset, Expectation, Operator, Situation, SituationError,
    SituationPlayer,
};
pub use triggers::{Trigger, triggers};
