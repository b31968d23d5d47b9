//! Tries all actions of one player or of both, within a budget of simulated drops.

use std::sync::Arc;

use super::definition::{Goal, PuzzleKind};
use crate::board::{ChildBuffer, Field};
use crate::game::{
    Action, Chain, Explosion, Pack, Placement, Player, Seat, Simulate, State, Step, Verdict,
};
use crate::search::{Budget, SearchControl};

/// Simulated drops to prove a puzzle with: more than all lines of one player in four turns.
const DROPS: u64 = 20_000_000;

/// Trying all actions took too many simulated drops, or was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Unfinished;

/// An action of a player, and its result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) action: Action,
    pub(super) step: Step<Field>,
}

/// The lines of one player that a search has found.
#[derive(Default)]
pub(super) struct SolutionLines {
    /// Lines up to the goal, to a loss or to the end of the packs.
    pub(super) tried: u64,
    /// Lines that reach the goal.
    pub(super) solutions: u64,
    /// The first of them.
    pub(super) first: Vec<Action>,
}

/// A search that tries all actions, within a budget.
pub(super) struct Exhaustive {
    buffer: ChildBuffer,
    budget: Budget,
}

impl Exhaustive {
    pub(super) fn new(control: &Arc<SearchControl>) -> Self {
        let budget = Budget::new(DROPS, None).with_control(Some(Arc::clone(control)));
        Self { buffer: ChildBuffer::new(), budget }
    }

    /// All actions of a player that differ in their effect.
    pub(super) fn moves(
        &mut self,
        player: &Player<Field>,
        pack: &Pack,
    ) -> Result<Vec<Move>, Unfinished> {
        if !self.budget.spend(Placement::COUNT as u64) {
            return Err(Unfinished);
        }
        let mut rained = *player;
        rained.take_row();
        rained.field.children_hashed(pack, &mut self.buffer);
        let mut moves: Vec<Move> = Vec::with_capacity(Placement::COUNT + 1);
        let mut hashes: Vec<u64> = Vec::with_capacity(Placement::COUNT);
        for (placement, &hash) in Placement::all().zip(self.buffer.hashes()) {
            let dropped = self.buffer.child(placement);
            // Most fields differ in their hashes, which are compared faster.
            let is_same = |(other, found): (&Move, &u64)| {
                *found == hash
                    && (other.step.chain, other.step.player.field) == (dropped.chain, dropped.field)
            };
            if moves.iter().zip(&hashes).any(is_same) {
                continue;
            }
            hashes.push(hash);
            let chain = dropped.chain;
            let gauge = rained.gauge.charged(chain);
            let score = rained.score + chain.score();
            let player = Player { field: dropped.field, gauge, score, ..rained };
            let step = Step { player, chain, explosion: Explosion::default() };
            moves.push(Move { action: Action::Drop(placement), step });
        }
        if let Ok(step) = player.step(pack, Action::Skill) {
            moves.push(Move { action: Action::Skill, step });
        }
        Ok(moves)
    }

    /// Counts the lines of the first player that reach the goal.
    pub(super) fn lines(
        &mut self,
        state: &State<Field>,
        packs: &[Pack],
        goal: Goal,
    ) -> Result<SolutionLines, Unfinished> {
        let mut lines = SolutionLines::default();
        self.add_lines(state, packs, goal, &mut Vec::new(), &mut lines)?;
        Ok(lines)
    }

    fn add_lines(
        &mut self,
        state: &State<Field>,
        packs: &[Pack],
        goal: Goal,
        path: &mut Vec<Action>,
        lines: &mut SolutionLines,
    ) -> Result<(), Unfinished> {
        let Some((pack, later)) = packs.split_first() else { return Ok(()) };
        for Move { action, step } in self.moves(&state.players[0], pack)? {
            path.push(action);
            let is_reached = goal.is_reached(&step, later.len());
            if step.player.field.is_over() || is_reached || later.is_empty() {
                lines.tried += 1;
                if is_reached {
                    lines.solutions += 1;
                    if lines.solutions == 1 {
                        lines.first.clone_from(path);
                    }
                }
            } else {
                self.add_lines(&after_alone(state, &step), later, goal, path, lines)?;
            }
            path.pop();
        }
        Ok(())
    }

    /// The longest chain within the packs.
    pub(super) fn longest(
        &mut self,
        state: &State<Field>,
        packs: &[Pack],
    ) -> Result<Chain, Unfinished> {
        let Some((pack, later)) = packs.split_first() else { return Ok(Chain(0)) };
        let mut longest = Chain(0);
        for Move { step, .. } in self.moves(&state.players[0], pack)? {
            if !step.player.field.is_over() {
                let after = self.longest(&after_alone(state, &step), later)?;
                longest = longest.max(step.chain).max(after);
            }
        }
        Ok(longest)
    }

    /// Whether the first player can win within the packs against every reply.
    pub(super) fn wins(
        &mut self,
        state: &State<Field>,
        packs: &[Pack],
    ) -> Result<bool, Unfinished> {
        self.has_move(state, packs, |search, own| search.wins_with(state, packs, own))
    }

    /// Whether the first player has an action for which `is_good` returns true; false without
    /// packs.
    fn has_move(
        &mut self,
        state: &State<Field>,
        packs: &[Pack],
        mut is_good: impl FnMut(&mut Self, &Move) -> Result<bool, Unfinished>,
    ) -> Result<bool, Unfinished> {
        let Some(pack) = packs.first() else { return Ok(false) };
        for own in self.moves(&state.players[0], pack)? {
            if is_good(self, &own)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the first player can win after `own` against every reply in this turn and
    /// later.
    pub(super) fn wins_with(
        &mut self,
        state: &State<Field>,
        packs: &[Pack],
        own: &Move,
    ) -> Result<bool, Unfinished> {
        let later = &packs[1..];
        let mut open = Vec::new();
        for reply in self.moves(&state.players[1], &packs[0])? {
            let next = state.after_steps(&[own.step, reply.step]);
            match next.end() {
                Some((_, Verdict::Win(Seat::First))) => {}
                Some(_) => return Ok(false),
                None if later.is_empty() => return Ok(false),
                None => open.push(next),
            }
        }
        // The reply that is most likely to refute comes first: the lowest field.
        open.sort_by_key(|next| next.players[1].field.tallest());
        for next in open {
            if !self.wins(&next, later)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the goal can be reached from a state.
    pub(super) fn is_open(
        &mut self,
        state: &State<Field>,
        packs: &[Pack],
        goal: Goal,
    ) -> Result<bool, Unfinished> {
        if goal.kind == PuzzleKind::Kill {
            return self.wins(state, packs);
        }
        self.has_move(state, packs, |search, Move { step, .. }| {
            let later = &packs[1..];
            let is_over = step.player.field.is_over();
            Ok(goal.is_reached(step, later.len())
                || !is_over && search.is_open(&after_alone(state, step), later, goal)?)
        })
    }
}

/// The state after an action of the first player, while the opponent does nothing.
pub(super) fn after_alone<F: Simulate>(state: &State<F>, step: &Step<F>) -> State<F> {
    let idle = Step { player: state.players[1], chain: Chain(0), explosion: Explosion::default() };
    state.after_steps(&[*step, idle])
}
