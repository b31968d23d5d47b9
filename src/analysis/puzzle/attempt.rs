//! Plays a person's attempt at a puzzle.

use std::sync::Arc;

use super::definition::{Goal, PuzzleKind};
use super::exhaustive::{Exhaustive, Unfinished, after_alone};
use crate::board::Field;
use crate::game::{Action, Cells, Pack, Seat, SkillNotReady, State, Step, Verdict};
use crate::search::SearchControl;

/// Why an action cannot fail: its caller has checked it.
const LEGAL: &str = "a legal action";

/// The result of the actions of an attempt so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// The state after the actions.
    pub state: State<Cells>,
    /// The opponent's actions; empty in a puzzle without actions of the opponent.
    pub replies: Vec<Action>,
    /// Whether the goal is reached, still possible or missed.
    pub standing: AttemptState,
}

/// The state of an attempt at a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttemptState {
    /// The goal can still be reached.
    Open,
    /// The goal is reached.
    Solved,
    /// The player has lost.
    Lost,
    /// The goal can no longer be reached.
    Missed,
}

/// Why an attempt has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AttemptError {
    /// An action that the rules do not allow.
    #[error("action {index}: {why}")]
    Illegal {
        /// The action, from 0.
        index: usize,
        /// The reason.
        why: SkillNotReady,
    },
    /// There are more actions than the attempt has turns.
    #[error("expected at most {most} actions, found {found}")]
    TooMany {
        /// The turns of the attempt.
        most: usize,
        /// The actions.
        found: usize,
    },
    /// Trying all actions takes too many simulated drops, or was stopped.
    #[error("trying all actions of this position takes too long")]
    Unfinished,
}

/// Plays the actions of an attempt at a puzzle. `packs` are those of the puzzle, at most
/// [`MOST_PACKS`](super::MOST_PACKS). In [`PuzzleKind::Kill`] the opponent answers with an action
/// that refutes the attempt, or else with the one that holds out longest.
///
/// # Errors
/// The rules do not allow an action, there are too many actions, `control` has stopped the search,
/// or trying all actions takes too many simulated drops.
pub fn attempt(
    state: &State<Cells>,
    packs: &[Pack],
    goal: Goal,
    actions: &[Action],
    control: &Arc<SearchControl>,
) -> Result<Attempt, AttemptError> {
    let mut search = Exhaustive::new(control);
    let mut now = Attempt { state: *state, replies: Vec::new(), standing: AttemptState::Open };
    let too_many = |most| AttemptError::TooMany { most, found: actions.len() };
    for (index, &action) in actions.iter().enumerate() {
        if matches!(now.standing, AttemptState::Solved | AttemptState::Lost) {
            return Err(too_many(index));
        }
        let packs = packs.get(index..).filter(|packs| !packs.is_empty());
        let packs = packs.ok_or_else(|| too_many(index))?;
        let step = now.state[Seat::First].step(&packs[0], action);
        step.map_err(|why| AttemptError::Illegal { index, why })?;
        now = match goal.kind {
            PuzzleKind::Kill => search.reply(&now, packs, action),
            PuzzleKind::Chain | PuzzleKind::Survive => search.alone(&now, packs, goal, action),
        }
        .map_err(|Unfinished| AttemptError::Unfinished)?;
    }
    if actions.is_empty() {
        let is_open = search.is_open(&now.state.convert(), packs, goal);
        let is_open = is_open.map_err(|Unfinished| AttemptError::Unfinished)?;
        now.standing = if is_open { AttemptState::Open } else { AttemptState::Missed };
    }
    Ok(now)
}

impl Exhaustive {
    /// Plays a legal action against the opponent's best reply. `packs` begin with that of the turn.
    pub(super) fn reply(
        &mut self,
        now: &Attempt,
        packs: &[Pack],
        action: Action,
    ) -> Result<Attempt, Unfinished> {
        /// The rank of a reply for the opponent, the worst reply first.
        #[derive(PartialEq, Eq, PartialOrd, Ord)]
        enum ReplyRank {
            Loses,
            /// Loses within this number of turns.
            Resists(usize),
            Refutes,
            Wins,
        }
        let state: State<Field> = now.state.convert();
        let step = state.players[0].step(&packs[0], action).expect(LEGAL);
        let mut best: Option<(ReplyRank, Action)> = None;
        for reply in self.moves(&state.players[1], &packs[0])? {
            let next = state.after_steps(&[step, reply.step]);
            let rank = match next.end() {
                Some((_, Verdict::Win(Seat::First))) => ReplyRank::Loses,
                Some(_) => ReplyRank::Wins,
                None => {
                    let mut rank = ReplyRank::Refutes;
                    for turns in 1..packs.len() {
                        if self.wins(&next, &packs[1..=turns])? {
                            rank = ReplyRank::Resists(turns);
                            break;
                        }
                    }
                    rank
                }
            };
            if best.as_ref().is_none_or(|(found, _)| rank > *found) {
                best = Some((rank, reply.action));
            }
        }
        let (rank, reply) = best.expect("a player can always drop");
        let played = now.state.play(&packs[0], [action, reply]).expect(LEGAL);
        let standing = match rank {
            ReplyRank::Loses => AttemptState::Solved,
            ReplyRank::Resists(_) => AttemptState::Open,
            ReplyRank::Refutes => AttemptState::Missed,
            ReplyRank::Wins => AttemptState::Lost,
        };
        let replies = now.replies.iter().copied().chain([reply]).collect();
        Ok(Attempt { state: played.after, replies, standing })
    }

    /// Plays a legal action while the opponent does nothing. `packs` begin with that of the turn.
    fn alone(
        &mut self,
        now: &Attempt,
        packs: &[Pack],
        goal: Goal,
        action: Action,
    ) -> Result<Attempt, Unfinished> {
        let (pack, later) = (&packs[0], &packs[1..]);
        let step = now.state[Seat::First].step(pack, action).expect(LEGAL);
        let state = after_alone(&now.state, &step);
        let field: Step<Field> =
            Step { player: step.player.convert(), chain: step.chain, explosion: step.explosion };
        let standing = if goal.is_reached(&field, later.len()) {
            AttemptState::Solved
        } else if step.player.field.is_over() {
            AttemptState::Lost
        } else if self.is_open(&state.convert(), later, goal)? {
            AttemptState::Open
        } else {
            AttemptState::Missed
        };
        Ok(Attempt { state, replies: Vec::new(), standing })
    }
}
