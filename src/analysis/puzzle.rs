//! Puzzles: positions in which a few packs suffice for a goal, proven by trying all actions.
//!
//! Two actions with the same effect count once: actions are compared by the field, the gauge and
//! the ojama that they leave.
//!
//! * In [`PuzzleKind::Chain`] and [`PuzzleKind::Survive`] the opponent sends no ojama, and none
//!   falls on it. A solution is a line of actions up to the goal.
//! * In [`PuzzleKind::Kill`] both players act at once. A solution is a first action after which the
//!   player can win within the packs of the puzzle against every reply of the opponent.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::board::{ChildBuffer, Field};
use crate::game::{
    Action, Cells, Chain, HEIGHT, OJAMA_ROW, Pack, Placement, Player, Seat, Simulate,
    SkillNotReady, State, Step, Verdict,
};
use crate::search::{Budget, SearchControl};

/// The kind of a puzzle's goal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PuzzleKind {
    /// Set off a chain of a given length. The opponent does nothing.
    Chain,
    /// Stay below the danger line under the rows that are due. The opponent does nothing.
    Survive,
    /// Win against every reply of the opponent.
    Kill,
}

impl PuzzleKind {
    /// The name, as in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chain => "chain",
            Self::Survive => "survive",
            Self::Kill => "kill",
        }
    }
}

/// The most packs of a puzzle: with four, a position has 2 million lines of one player.
pub const MOST_PACKS: usize = 4;

/// The most solutions of a puzzle that [`find`] keeps.
const MOST_SOLUTIONS: u64 = 3;

/// The least rounds of a chain to find, by the number of packs. Chosen by hand.
const SHORTEST: [Chain; MOST_PACKS] = [Chain(5), Chain(6), Chain(7), Chain(8)];

/// The least rounds of a chain that counts as difficult.
const LONG: Chain = Chain(9);

/// Simulated drops with which a puzzle is proven: more than all lines of one player in four turns.
const DROPS: u64 = 20_000_000;

/// A goal within the packs of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The kind.
    pub kind: PuzzleKind,
    /// The rounds of the chain to set off; 0 for the other kinds.
    pub chain: Chain,
}

/// A puzzle. The player of the first seat solves it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The position.
    pub state: State<Cells>,
    /// The packs, one a turn.
    pub packs: Vec<Pack>,
    /// The goal.
    pub goal: Goal,
    /// The number of solutions.
    pub solutions: u64,
    /// The first solution; against the longest resistance, if the opponent resists.
    pub solution: Vec<Action>,
    /// The difficulty, 1 to 5: the decimal logarithm of the lines that were tried for each
    /// solution, less one, and one more for a long chain.
    pub difficulty: u8,
}

/// Where an attempt at a puzzle stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// The state after the actions.
    pub state: State<Cells>,
    /// The opponent's actions; empty in a puzzle without actions of the opponent.
    pub replies: Vec<Action>,
    /// The state of the attempt.
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

/// The puzzles of a position for the player of the first seat, at most one of each kind; `packs`
/// begin with that of the turn. A puzzle has at most `most_packs` packs, 1 to [`MOST_PACKS`]. What
/// takes more than some millions of drops to prove is left out; nothing is found once `control` has
/// stopped the search.
pub fn find(
    state: &State<Cells>,
    packs: &[Pack],
    most_packs: usize,
    control: &Arc<SearchControl>,
) -> Vec<Puzzle> {
    let packs = &packs[..packs.len().min(most_packs.min(MOST_PACKS))];
    if state.end().is_some() {
        return Vec::new();
    }
    let search = || Exhaustive::new(control);
    let found = [
        search().find_chain(state, packs),
        search().find_survival(state, packs),
        search().find_kill(state, packs),
    ];
    match control.is_stopped() {
        true => Vec::new(),
        false => found.into_iter().flatten().flatten().collect(),
    }
}

/// Plays the actions of an attempt at a puzzle. `packs` are those of the puzzle, at most
/// [`MOST_PACKS`]. In [`PuzzleKind::Kill`] the opponent answers with an action that refutes the
/// attempt, or else with the one that holds out longest.
///
/// # Errors
/// The rules do not allow an action, there are too many actions, or `control` has stopped the
/// search.
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
        .ok_or(AttemptError::Unfinished)?;
    }
    if actions.is_empty() {
        let is_open = search.is_open(&now.state.convert(), packs, goal);
        let is_open = is_open.ok_or(AttemptError::Unfinished)?;
        now.standing = if is_open { AttemptState::Open } else { AttemptState::Missed };
    }
    Ok(now)
}

/// An action of a player, and its result.
#[derive(Clone, Copy, Debug)]
struct Move {
    action: Action,
    step: Step<Field>,
}

/// The lines of one player that a search has found.
#[derive(Default)]
struct SolutionLines {
    /// Lines up to the goal, to a loss or to the end of the packs.
    tried: u64,
    solutions: u64,
    first: Vec<Action>,
}

/// A search that tries all actions, within a budget.
struct Exhaustive {
    buffer: ChildBuffer,
    budget: Budget,
}

impl Exhaustive {
    fn new(control: &Arc<SearchControl>) -> Self {
        let budget = Budget::new(DROPS, None).with_control(Some(Arc::clone(control)));
        Self { buffer: ChildBuffer::new(), budget }
    }

    /// All actions of a player that differ in their effect; `None` if the budget is used up.
    fn moves(&mut self, player: &Player<Field>, pack: &Pack) -> Option<Vec<Move>> {
        if !self.budget.spend(Placement::COUNT as u64) {
            return None;
        }
        let mut rained = *player;
        if rained.stock >= OJAMA_ROW {
            rained.stock -= OJAMA_ROW;
            rained.field.rain();
        }
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
            let step = Step { player, chain, explosion: Default::default() };
            moves.push(Move { action: Action::Drop(placement), step });
        }
        if let Ok(step) = player.step(pack, Action::Skill) {
            moves.push(Move { action: Action::Skill, step });
        }
        Some(moves)
    }

    /// The state after an action of the first player, while the opponent does nothing.
    fn after_alone<F: Simulate>(state: &State<F>, step: &Step<F>) -> State<F> {
        let mut players = [step.player, state.players[1]];
        players[1].gauge = players[1].gauge.drained(step.chain);
        players[1].stock += step.sent();
        let offset = players[0].stock.min(players[1].stock);
        players.iter_mut().for_each(|player| player.stock -= offset);
        State { turn: state.turn + 1, players }
    }

    /// Counts the lines of the first player that reach the goal; `None` if the budget is used up.
    fn lines(&mut self, state: &State<Field>, packs: &[Pack], goal: Goal) -> Option<SolutionLines> {
        let mut lines = SolutionLines::default();
        self.add_lines(state, packs, goal, &mut Vec::new(), &mut lines)?;
        Some(lines)
    }

    fn add_lines(
        &mut self,
        state: &State<Field>,
        packs: &[Pack],
        goal: Goal,
        path: &mut Vec<Action>,
        lines: &mut SolutionLines,
    ) -> Option<()> {
        let (pack, later) = packs.split_first()?;
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
                self.add_lines(&Self::after_alone(state, &step), later, goal, path, lines)?;
            }
            path.pop();
        }
        Some(())
    }

    /// The longest chain within the packs; `None` if the budget is used up.
    fn longest(&mut self, state: &State<Field>, packs: &[Pack]) -> Option<Chain> {
        let Some((pack, later)) = packs.split_first() else { return Some(Chain(0)) };
        let mut longest = Chain(0);
        for Move { step, .. } in self.moves(&state.players[0], pack)? {
            if !step.player.field.is_over() {
                let after = self.longest(&Self::after_alone(state, &step), later)?;
                longest = longest.max(step.chain).max(after);
            }
        }
        Some(longest)
    }

    /// The longest chain that needs all of some packs, as a puzzle.
    fn find_chain(&mut self, state: &State<Cells>, packs: &[Pack]) -> Option<Option<Puzzle>> {
        let field: State<Field> = state.convert();
        let mut found = None;
        let mut before = Chain(0);
        for length in 1..=packs.len() {
            let packs = &packs[..length];
            let chain = self.longest(&field, packs)?;
            if chain > before && chain >= SHORTEST[length - 1] {
                let goal = Goal { kind: PuzzleKind::Chain, chain };
                let lines = self.lines(&field, packs, goal)?;
                found = Puzzle::of_lines(state, packs, goal, lines).or(found);
            }
            before = before.max(chain);
        }
        Some(found)
    }

    /// The first number of packs for which few lines survive.
    fn find_survival(&mut self, state: &State<Cells>, packs: &[Pack]) -> Option<Option<Puzzle>> {
        if state.players[0].stock < OJAMA_ROW {
            return Some(None);
        }
        let field: State<Field> = state.convert();
        let goal = Goal { kind: PuzzleKind::Survive, chain: Chain(0) };
        for length in 1..=packs.len() {
            let packs = &packs[..length];
            let lines = self.lines(&field, packs, goal)?;
            // Where half of all lines survive, later turns do not make a puzzle of it soon.
            if lines.solutions == 0 || lines.solutions * 2 > lines.tried {
                return Some(None);
            }
            let puzzle = Puzzle::of_lines(state, packs, goal, lines);
            if puzzle.is_some() {
                return Some(puzzle);
            }
        }
        Some(None)
    }

    /// The least number of packs for which few first actions win.
    fn find_kill(&mut self, state: &State<Cells>, packs: &[Pack]) -> Option<Option<Puzzle>> {
        let field: State<Field> = state.convert();
        let goal = Goal { kind: PuzzleKind::Kill, chain: Chain(0) };
        for length in 1..=packs.len() {
            // Fewer rows than that leave a player below the danger line who drops elsewhere.
            if usize::from(field.players[1].field.tallest()) + length <= HEIGHT {
                continue;
            }
            let packs = &packs[..length];
            let moves = self.moves(&field.players[0], &packs[0])?;
            let mut winning = Vec::new();
            for own in &moves {
                if self.wins_with(&field, packs, own)? {
                    winning.push(own.action);
                }
            }
            let Some(&first) = winning.first() else { continue };
            let solutions = winning.len() as u64;
            if solutions > MOST_SOLUTIONS {
                return Some(None);
            }
            let lines = SolutionLines {
                tried: (moves.len() as u64).pow(length as u32),
                solutions,
                first: self.principal(state, packs, first)?,
            };
            return Some(Puzzle::of_lines(state, packs, goal, lines));
        }
        Some(None)
    }

    /// The winning line that begins with `first`, against the longest resistance.
    fn principal(
        &mut self,
        state: &State<Cells>,
        packs: &[Pack],
        first: Action,
    ) -> Option<Vec<Action>> {
        let begin = Attempt { state: *state, replies: Vec::new(), standing: AttemptState::Open };
        let (mut now, mut action, mut line) = (begin, first, Vec::new());
        for index in 0..packs.len() {
            line.push(action);
            now = self.reply(&now, &packs[index..], action)?;
            let later = &packs[index + 1..];
            if now.standing != AttemptState::Open || later.is_empty() {
                break;
            }
            let field = now.state.convert();
            let moves = self.moves(&field.players[0], &later[0])?;
            for own in &moves {
                if self.wins_with(&field, later, own)? {
                    action = own.action;
                    break;
                }
            }
        }
        Some(line)
    }

    /// Whether the first player can win within the packs against every reply; `None` if the
    /// budget is used up.
    fn wins(&mut self, state: &State<Field>, packs: &[Pack]) -> Option<bool> {
        let Some(pack) = packs.first() else { return Some(false) };
        for own in self.moves(&state.players[0], pack)? {
            if self.wins_with(state, packs, &own)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether the first player can win after `own` against every reply in this turn and
    /// later.
    fn wins_with(&mut self, state: &State<Field>, packs: &[Pack], own: &Move) -> Option<bool> {
        let later = &packs[1..];
        let mut open = Vec::new();
        for reply in self.moves(&state.players[1], &packs[0])? {
            let next = both(state, [own.step, reply.step]);
            match next.end() {
                Some((_, Verdict::Win(Seat::First))) => {}
                Some(_) => return Some(false),
                None if later.is_empty() => return Some(false),
                None => open.push(next),
            }
        }
        // The reply that is most likely to refute comes first: the lowest field.
        open.sort_by_key(|next| next.players[1].field.tallest());
        for next in open {
            if !self.wins(&next, later)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Plays an action against the opponent's best reply.
    fn reply(&mut self, now: &Attempt, packs: &[Pack], action: Action) -> Option<Attempt> {
        /// The rank of a reply for the opponent, the worst reply first.
        #[derive(PartialEq, Eq, PartialOrd, Ord)]
        enum Rank {
            Loses,
            /// Loses within this number of turns.
            Resists(usize),
            Refutes,
            Wins,
        }
        let state: State<Field> = now.state.convert();
        let step = state.players[0].step(&packs[0], action).ok()?;
        let mut best: Option<(Rank, Action)> = None;
        for reply in self.moves(&state.players[1], &packs[0])? {
            let next = both(&state, [step, reply.step]);
            let rank = match next.end() {
                Some((_, Verdict::Win(Seat::First))) => Rank::Loses,
                Some(_) => Rank::Wins,
                None => {
                    let mut rank = Rank::Refutes;
                    for turns in 1..packs.len() {
                        if self.wins(&next, &packs[1..=turns])? {
                            rank = Rank::Resists(turns);
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
        let (rank, reply) = best?;
        let played = now.state.play(&packs[0], [action, reply]).ok()?;
        let standing = match rank {
            Rank::Loses => AttemptState::Solved,
            Rank::Resists(_) => AttemptState::Open,
            Rank::Refutes => AttemptState::Missed,
            Rank::Wins => AttemptState::Lost,
        };
        let replies = now.replies.iter().copied().chain([reply]).collect();
        Some(Attempt { state: played.after, replies, standing })
    }

    /// Plays an action while the opponent does nothing.
    fn alone(
        &mut self,
        now: &Attempt,
        packs: &[Pack],
        goal: Goal,
        action: Action,
    ) -> Option<Attempt> {
        let (pack, later) = packs.split_first()?;
        let step = now.state[Seat::First].step(pack, action).ok()?;
        let state = Self::after_alone(&now.state, &step);
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
        Some(Attempt { state, replies: Vec::new(), standing })
    }

    /// Whether the goal can be reached from a state.
    fn is_open(&mut self, state: &State<Field>, packs: &[Pack], goal: Goal) -> Option<bool> {
        if goal.kind == PuzzleKind::Kill {
            return self.wins(state, packs);
        }
        let Some((pack, later)) = packs.split_first() else { return Some(false) };
        for Move { step, .. } in self.moves(&state.players[0], pack)? {
            let is_reached = goal.is_reached(&step, later.len());
            let is_over = step.player.field.is_over();
            if is_reached
                || !is_over && self.is_open(&Self::after_alone(state, &step), later, goal)?
            {
                return Some(true);
            }
        }
        Some(false)
    }
}

impl Goal {
    /// Whether a step reaches the goal, with `left` packs after it.
    fn is_reached(self, step: &Step<Field>, left: usize) -> bool {
        let lives = !step.player.field.is_over();
        match self.kind {
            PuzzleKind::Chain => lives && step.chain >= self.chain,
            PuzzleKind::Survive => lives && left == 0,
            PuzzleKind::Kill => false,
        }
    }
}

/// The state after both players' halves of a turn.
fn both(state: &State<Field>, steps: [Step<Field>; 2]) -> State<Field> {
    let mut players = [0, 1].map(|seat: usize| {
        let (own, opponent) = (&steps[seat], &steps[1 - seat]);
        let mut player = own.player;
        player.gauge = player.gauge.drained(opponent.chain);
        player.stock += opponent.sent();
        player
    });
    let offset = players[0].stock.min(players[1].stock);
    players.iter_mut().for_each(|player| player.stock -= offset);
    State { turn: state.turn + 1, players }
}

impl Puzzle {
    /// The puzzle of some lines, if it has few solutions.
    fn of_lines(
        state: &State<Cells>,
        packs: &[Pack],
        goal: Goal,
        lines: SolutionLines,
    ) -> Option<Self> {
        let SolutionLines { tried, solutions, first } = lines;
        if !(1..=MOST_SOLUTIONS).contains(&solutions) {
            return None;
        }
        let for_each = (tried as f64 / solutions as f64).log10().round() as i32;
        let difficulty = for_each - 1 + i32::from(goal.chain >= LONG);
        Some(Self {
            state: *state,
            packs: packs.to_vec(),
            goal,
            solutions,
            solution: first,
            difficulty: difficulty.clamp(1, 5) as u8,
        })
    }
}

#[cfg(test)]
mod tests;
