//! Finds the puzzles of a position.

use std::sync::Arc;

use super::attempt::{Attempt, AttemptState};
use super::definition::{Goal, MOST_PACKS, Puzzle, PuzzleKind};
use super::exhaustive::{Exhaustive, SolutionLines, Unfinished};
use crate::board::Field;
use crate::game::{Action, Cells, Chain, HEIGHT, OJAMA_ROW, Pack, Player, State};
use crate::search::SearchControl;

/// The most solutions of a puzzle that [`find`] keeps.
const MOST_SOLUTIONS: u64 = 3;

/// The least rounds of a chain to find, by the number of packs. Chosen by hand.
const SHORTEST: [Chain; MOST_PACKS] = [Chain(5), Chain(6), Chain(7), Chain(8)];

/// The least rounds of a chain that counts as difficult.
const LONG: Chain = Chain(9);

/// The puzzles of a position for the player of the first seat, at most one of each kind; `packs`
/// begin with that of the turn. A puzzle has at most `most_packs` packs, 1 to [`MOST_PACKS`]. A
/// kind whose search takes more than 20 million simulated drops has no puzzle. Nothing is found
/// once `control` has stopped the search.
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
        false => found.into_iter().filter_map(Result::unwrap_or_default).collect(),
    }
}

impl Exhaustive {
    /// The puzzle of the longest chain that cannot be set off with fewer packs.
    fn find_chain(
        &mut self,
        state: &State<Cells>,
        packs: &[Pack],
    ) -> Result<Option<Puzzle>, Unfinished> {
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
        Ok(found)
    }

    /// The puzzle with the least number of packs for which few lines survive.
    fn find_survival(
        &mut self,
        state: &State<Cells>,
        packs: &[Pack],
    ) -> Result<Option<Puzzle>, Unfinished> {
        if state.players[0].stock < OJAMA_ROW {
            return Ok(None);
        }
        let field: State<Field> = state.convert();
        let goal = Goal { kind: PuzzleKind::Survive, chain: Chain(0) };
        for length in 1..=packs.len() {
            let packs = &packs[..length];
            let lines = self.lines(&field, packs, goal)?;
            // If more than half of the lines survive, few more packs rarely leave few solutions.
            if lines.solutions == 0 || lines.solutions * 2 > lines.tried {
                return Ok(None);
            }
            let puzzle = Puzzle::of_lines(state, packs, goal, lines);
            if puzzle.is_some() {
                return Ok(puzzle);
            }
        }
        Ok(None)
    }

    /// The puzzle with the least number of packs for which few first actions win.
    fn find_kill(
        &mut self,
        state: &State<Cells>,
        packs: &[Pack],
    ) -> Result<Option<Puzzle>, Unfinished> {
        let field: State<Field> = state.convert();
        let goal = Goal { kind: PuzzleKind::Kill, chain: Chain(0) };
        for length in 1..=packs.len() {
            if has_room(&field.players[1], length) {
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
                return Ok(None);
            }
            let lines = SolutionLines {
                tried: (moves.len() as u64).pow(length as u32),
                solutions,
                first: self.principal(state, packs, first)?,
            };
            return Ok(Puzzle::of_lines(state, packs, goal, lines));
        }
        Ok(None)
    }

    /// The winning line that begins with `first`, against the longest resistance.
    fn principal(
        &mut self,
        state: &State<Cells>,
        packs: &[Pack],
        first: Action,
    ) -> Result<Vec<Action>, Unfinished> {
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
        Ok(line)
    }
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

/// Whether `player` survives `turns` turns under any ojama of the opponent: the rows that may fall
/// leave room, in pairs of columns, for the two rows of each turn's pack.
fn has_room(player: &Player<Field>, turns: usize) -> bool {
    // Without a stock of ten, no row falls in the first turn.
    let rows = turns - usize::from(player.stock < OJAMA_ROW);
    let heights = player.field.heights().map(usize::from);
    let packs_in = |pair: &[usize]| {
        let highest = pair.iter().max().copied().unwrap_or_default();
        HEIGHT.saturating_sub(rows + highest) / 2
    };
    let packs: usize = heights.chunks(2).map(packs_in).sum();
    usize::from(player.field.tallest()) + rows <= HEIGHT && packs >= turns
}
