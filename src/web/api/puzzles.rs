//! `puzzles` and `try_puzzle`: puzzles from recorded games.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::client_error::ApiError;
use super::game_data::{GameData, PositionData, StartedGame};
use super::progress::{Progress, ProgressReport};
use super::puzzle_data::{PuzzleData, PuzzleFile};
use crate::analysis::PuzzleKind;
use crate::analysis::puzzle::{self, AttemptError, AttemptState, Goal, MOST_PACKS};
use crate::game::{Action, Chain, Seat};
use crate::search::SearchControl;
use crate::util::numbers::counted;
use crate::util::sanitize::quoted;

/// Parameters of `puzzles`: games, or the text of a file of puzzles.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PuzzlesParams {
    /// The games to search.
    #[serde(default)]
    pub games: Vec<GameData>,
    /// The text of a file of puzzles, instead of `games`.
    #[serde(default)]
    pub text: Option<String>,
    /// The most packs of a puzzle, 1 to 4.
    #[serde(default = "default_packs")]
    pub packs: usize,
}

const fn default_packs() -> usize {
    3
}

/// Result of `puzzles`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PuzzlesResult {
    /// The puzzles.
    pub puzzles: Vec<PuzzleData>,
}

/// Parameters of `try_puzzle`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TryPuzzleParams {
    /// The puzzle.
    pub puzzle: PuzzleData,
    /// The actions so far.
    pub actions: Vec<String>,
}

/// Result of `try_puzzle`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TryPuzzleResult {
    /// Whether the puzzle is solved.
    pub solved: bool,
    /// Whether it can no longer be solved.
    pub failed: bool,
    /// The number of turns that are left.
    pub left: usize,
    /// The state of the attempt, in words.
    pub message: String,
    /// The opponent's actions so far; empty in a puzzle without actions of the opponent.
    pub replies: Vec<String>,
    /// The position after the actions.
    pub position: PositionData,
}

/// Finds the puzzles of games, or reads a file of puzzles.
pub fn puzzles(
    params: &PuzzlesParams,
    progress: &mut dyn Progress,
) -> Result<PuzzlesResult, ApiError> {
    if !(1..=MOST_PACKS).contains(&params.packs) {
        let (most, found) = (MOST_PACKS, params.packs);
        let reason = format!("`packs`: expected 1 to {most}, found {found}");
        return Err(ApiError::bad_request(reason));
    }
    if let Some(text) = &params.text {
        if !params.games.is_empty() {
            return Err(ApiError::bad_request("expected `games` or `text`, found both"));
        }
        let file = PuzzleFile::parse(text.as_bytes()).map_err(ApiError::bad_request)?;
        return Ok(PuzzlesResult { puzzles: file.puzzles });
    }
    if params.games.is_empty() {
        return Err(ApiError::bad_request("expected `games` or `text`, found none"));
    }
    let games: Vec<StartedGame> =
        params.games.iter().map(StartedGame::whole).collect::<Result<_, _>>()?;
    let of = games.iter().map(|game| game.turns.len()).sum();
    let mut done = 0;
    let mut puzzles = Vec::new();
    for (number, game) in (1..).zip(&games) {
        let mut finder = Finder::new(game, number, params.packs);
        for _ in &game.turns {
            let found = finder.next_turn(progress.control());
            if progress.control().is_stopped() {
                return Err(ApiError::stopped());
            }
            done += 1;
            progress.report(ProgressReport::Puzzles { done, of, found: found.clone() });
            puzzles.extend(found);
        }
    }
    Ok(PuzzlesResult { puzzles })
}

/// Finds the puzzles of a game, turn by turn.
///
/// A puzzle of a seat and a kind covers the turns of its packs: a later puzzle in these turns would
/// be a part of its solution.
#[derive(Debug)]
pub struct Finder<'a> {
    game: &'a StartedGame,
    number: usize,
    most_packs: usize,
    turn: usize,
    /// By seat, for each kind the first turn that no puzzle covers.
    open_from: [BTreeMap<PuzzleKind, usize>; 2],
}

impl<'a> Finder<'a> {
    /// A search of the game with this number, for puzzles of at most `most_packs` packs.
    pub fn new(game: &'a StartedGame, number: usize, most_packs: usize) -> Self {
        let open_from = [BTreeMap::new(), BTreeMap::new()];
        Self { game, number, most_packs, turn: game.start.turn, open_from }
    }

    /// The puzzles of the next turn of the game, for both seats.
    pub fn next_turn(&mut self, control: &Arc<SearchControl>) -> Vec<PuzzleData> {
        let Some(state) = self.game.before(self.turn) else { return Vec::new() };
        let packs = self.game.packs.from_turn(self.turn);
        let mut found = Vec::new();
        for seat in Seat::BOTH {
            let mut state = *state;
            state.players.rotate_left(seat.index());
            for puzzle in puzzle::find(&state, packs, self.most_packs, control) {
                let open_from = &mut self.open_from[seat.index()];
                let kind = puzzle.goal.kind;
                if open_from.get(&kind).is_some_and(|&open| self.turn < open) {
                    continue;
                }
                open_from.insert(kind, self.turn + puzzle.packs.len());
                let (number, turn, seat) = (self.number, self.turn, seat.index());
                let id = format!("{number}-{turn}-{seat}-{}", kind.name());
                found.push(PuzzleData::of(&puzzle, id));
            }
        }
        self.turn += 1;
        found
    }
}

/// Plays the actions of an attempt.
pub fn try_puzzle(
    params: &TryPuzzleParams,
    progress: &mut dyn Progress,
) -> Result<TryPuzzleResult, ApiError> {
    let TryPuzzleParams { puzzle, actions } = params;
    let (state, packs) = puzzle.position("puzzle.")?;
    let goal = Goal { kind: puzzle.kind, chain: Chain(puzzle.goal) };
    let action = |(index, action): (usize, &String)| {
        action.parse::<Action>().map_err(|error| {
            let found = quoted(action);
            ApiError::illegal(format!("action {index}: {error}, found {found}"))
        })
    };
    let actions: Vec<Action> = actions.iter().enumerate().map(action).collect::<Result<_, _>>()?;
    let attempt = puzzle::attempt(&state, &packs, goal, &actions, progress.control());
    let attempt = attempt.map_err(|error| match error {
        AttemptError::Unfinished if progress.control().is_stopped() => ApiError::stopped(),
        AttemptError::Unfinished => ApiError::bad_request(error.to_string()),
        AttemptError::Illegal { .. } | AttemptError::TooMany { .. } => {
            ApiError::illegal(error.to_string())
        }
    })?;
    let left = packs.len() - actions.len();
    let message = match attempt.standing {
        AttemptState::Solved => "solved".to_owned(),
        AttemptState::Lost if attempt.state.players[0].field.is_over() => {
            "a block rests above row 16: the attempt is lost".to_owned()
        }
        AttemptState::Lost => "the game has ended without a win: the attempt is lost".to_owned(),
        AttemptState::Missed => "the goal can no longer be reached".to_owned(),
        AttemptState::Open => format!("{} left", counted(left, "turn")),
    };
    Ok(TryPuzzleResult {
        solved: attempt.standing == AttemptState::Solved,
        failed: matches!(attempt.standing, AttemptState::Lost | AttemptState::Missed),
        left,
        message,
        replies: attempt.replies.iter().map(Action::to_string).collect(),
        position: PositionData::of(&attempt.state, &packs[actions.len()..], None),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::game::Packs;
    use crate::web::api::game_data::packs_text;
    use crate::web::api::progress::NoProgress;

    const FIELD: &str = "8.........\n7.........\n8.........\n7.........\n\
        6.........\n5.........\n4.........\n3.........\n\
        2.........\n9#........\n8#........\n7#........\n6#........\n5#........\n4#........\n3#........";

    /// A game that begins before a chain.
    fn game() -> Value {
        let start = json!({ "turn": 5, "players": [{}, { "field": FIELD }] });
        let packs = format!("3130{}", packs_text(&Packs::from_seed(1).from_turn(0)[..9]));
        json!({ "packs": packs, "start": start, "actions": [["0 0", "8 0"]] })
    }

    fn found(params: Value) -> Result<PuzzlesResult, ApiError> {
        puzzles(&serde_json::from_value(params).unwrap(), &mut NoProgress::default())
    }

    /// The puzzles of the page are solved by their solutions, and are as many as the page promises.
    #[test]
    fn the_puzzles_of_the_page_are_solved_by_their_solutions() {
        let text = include_str!("../front/puzzles.json");
        let shipped = found(json!({ "text": text })).unwrap().puzzles;
        assert_eq!(shipped.len(), 100);
        for puzzle in shipped {
            let actions = puzzle.solution.clone();
            let params = TryPuzzleParams { puzzle, actions };
            let tried = try_puzzle(&params, &mut NoProgress::default()).unwrap();
            assert!(tried.solved, "{}: {}", params.puzzle.id, tried.message);
        }
    }

    #[test]
    fn puzzles_are_found_once_and_read_back_from_a_file() {
        let found_puzzles = found(json!({ "games": [game()], "packs": 1 })).unwrap().puzzles;
        let [puzzle] = &found_puzzles[..] else { panic!("{found_puzzles:?}") };
        assert_eq!((&*puzzle.id, puzzle.kind), ("1-5-1-chain", PuzzleKind::Chain));
        let text = serde_json::to_string(&PuzzleFile::new(found_puzzles.clone())).unwrap();
        assert_eq!(found(json!({ "text": text })).unwrap().puzzles, found_puzzles);
        for (change, message) in [
            (json!({ "difficulty": 6 }), "`puzzles[0].difficulty`: expected 1 to 5, found 6"),
            (json!({ "solution": ["9 9"] }), "`puzzles[0].solution[0]`: expected `POSITION ROT"),
            (json!({ "solution": ["0 0", "0 0"] }), "`puzzles[0].solution`: expected at most 1"),
        ] {
            let mut file: Value = serde_json::from_str(&text).unwrap();
            let puzzle = file["puzzles"][0].as_object_mut().unwrap();
            puzzle.extend(change.as_object().unwrap().clone());
            let refused = found(json!({ "text": file.to_string() })).unwrap_err().message;
            assert!(refused.starts_with(message), "{refused}");
        }
        let refused = found(json!({})).unwrap_err().message;
        assert_eq!(refused, "expected `games` or `text`, found none");

        let tried = |actions: &[String]| {
            let params = TryPuzzleParams { puzzle: puzzle.clone(), actions: actions.to_vec() };
            try_puzzle(&params, &mut NoProgress::default())
        };
        let begin = tried(&[]).unwrap();
        assert_eq!((begin.left, &*begin.message), (1, "1 turn left"));
        assert_eq!(begin.position, puzzle.position);
        let solved = tried(&puzzle.solution).unwrap();
        assert!(solved.solved && !solved.failed && solved.left == 0);
        let missed = tried(&["8 0".to_owned()]).unwrap();
        assert_eq!((missed.failed, &*missed.message), (true, "the goal can no longer be reached"));
        let refused = tried(&["x".to_owned()]).unwrap_err();
        assert!(refused.message.starts_with("action 0: expected `POSITION ROTATION`"));
    }

    #[test]
    fn wrong_requests_are_refused() {
        for (params, message) in [
            (json!({ "packs": 5 }), "`packs`: expected 1 to 4, found 5"),
            (json!({ "text": "{}", "games": [game()] }), "expected `games` or `text`, found both"),
            (json!({ "text": "{}" }), "line 1: missing field `format`"),
            (
                json!({ "text": "{\"format\": \"tensai puzzles\", \"version\": 2, \"puzzles\": []}" }),
                "expected version 1 or earlier, found 2",
            ),
        ] {
            assert_eq!(found(params).unwrap_err().message, message);
        }
    }
}
