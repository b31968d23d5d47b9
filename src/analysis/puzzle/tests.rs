use proptest::prelude::*;

use std::sync::Arc;

use super::exhaustive::Exhaustive;
use super::*;
use crate::game::{
    Action, Cells, Chain, Gauge, Pack, Packs, Placement, Player, Seat, State, Verdict,
};
use crate::search::SearchControl;

/// The lines of a player that reach the goal, by the plain simulator and without any sharing: the
/// states after each action, so that actions of the same effect count once.
fn plain_lines(state: &State<Cells>, packs: &[Pack], goal: Goal) -> Vec<Vec<Action>> {
    let (pack, later) = packs.split_first().unwrap();
    let mut seen = Vec::new();
    let mut lines = Vec::new();
    for action in Action::all() {
        let Ok(step) = state.players[0].step(pack, action) else { continue };
        let effect = (step, action == Action::Skill);
        if seen.contains(&effect) {
            continue;
        }
        seen.push(effect);
        let lives = !step.player.field.is_over();
        let is_reached = match goal.kind {
            PuzzleKind::Chain => lives && step.chain >= goal.chain,
            _ => lives && later.is_empty(),
        };
        if is_reached {
            lines.push(vec![action]);
        } else if lives && !later.is_empty() {
            // The opponent drops nothing: only what it receives is counted.
            let mut next = State { turn: state.turn + 1, players: [step.player, state.players[1]] };
            next.players[1].stock += step.sent();
            let offset = next.players[0].stock.min(next.players[1].stock);
            next.players.iter_mut().for_each(|player| player.stock -= offset);
            for line in plain_lines(&next, later, goal) {
                lines.push([vec![action], line].concat());
            }
        }
    }
    lines
}

/// Whether the first player wins within the packs against every reply, by the rules alone.
fn plain_wins(state: &State<Cells>, packs: &[Pack], first: Option<Action>) -> bool {
    let Some((pack, later)) = packs.split_first() else { return false };
    let legal = |seat: Seat| {
        Action::all()
            .filter(move |&action| action != Action::Skill || state[seat].gauge.allows_skill())
    };
    legal(Seat::First).filter(|&own| first.is_none_or(|first| first == own)).any(|own| {
        legal(Seat::Second).all(|reply| {
            let next = state.play(pack, [own, reply]).unwrap().after;
            match next.end() {
                Some((_, verdict)) => verdict == Verdict::Win(Seat::First),
                None => plain_wins(&next, later, None),
            }
        })
    })
}

fn player(drawing: &str, stock: u64, gauge: u8) -> Player<Cells> {
    let gauge = Gauge::new(gauge).unwrap();
    Player { field: drawing.parse().unwrap(), stock, gauge, score: 0 }
}

fn found(state: &State<Cells>, packs: &[Pack], kind: PuzzleKind) -> Option<Puzzle> {
    let found = find(state, packs, 3, &Arc::default());
    found.into_iter().find(|puzzle| puzzle.goal.kind == kind)
}

/// A field of random drops.
fn field(seed: u64, drops: usize) -> Player<Cells> {
    let packs = Packs::from_seed(seed);
    let mut player = Player::<Cells>::new();
    for (turn, pack) in packs.from_turn(0).iter().take(drops).enumerate() {
        let index = turn * 7 + (seed % 11) as usize * turn;
        let action = Action::Drop(Placement::from_index(index % Placement::COUNT).unwrap());
        let next = player.step(pack, action).unwrap().player;
        if next.field.is_over() {
            break;
        }
        player = next;
    }
    Player { score: 0, stock: 0, ..player }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// All lines of two turns by the plain simulator: the same number, and the same first one.
    #[test]
    fn lines_are_those_of_the_plain_simulator(
        seed: u64, drops in 5..40_usize, stock in 0..30_u64, gauge in 60..=100_u8, chain in 1..4_u8,
    ) {
        let gauge = Gauge::new(gauge).unwrap();
        let own = Player { stock, gauge, ..field(seed, drops) };
        let state = State { turn: 9, players: [own, Player::new()] };
        let packs = Packs::from_seed(seed ^ 1);
        let packs = &packs.from_turn(0)[..2];
        for goal in [
            Goal { kind: PuzzleKind::Chain, chain: Chain(chain) },
            Goal { kind: PuzzleKind::Survive, chain: Chain(0) },
        ] {
            let plain = plain_lines(&state, packs, goal);
            let lines = Exhaustive::new(&Arc::default()).lines(&state.convert(), packs, goal).unwrap();
            prop_assert_eq!(lines.solutions, plain.len() as u64, "{:?}", goal);
            prop_assert_eq!(&lines.first, &plain.first().cloned().unwrap_or_default());
            if !plain.is_empty() {
                let attempt = attempt(&state, packs, goal, &lines.first, &Arc::default()).unwrap();
                prop_assert_eq!(attempt.standing, AttemptState::Solved);
            }
        }
    }

    /// Wins in one turn, by the rules alone.
    #[test]
    fn wins_are_those_of_the_rules(seed: u64, stock in 10..30_u64, height in 13..=16_usize) {
        let rows = "#########.\n".repeat(height);
        let opponent = player(&rows, stock, 0);
        let state = State { turn: 9, players: [field(seed, 20), opponent] };
        let packs = Packs::from_seed(seed);
        let packs = &packs.from_turn(0)[..1];
        let wins = Exhaustive::new(&Arc::default()).wins(&state.convert(), packs).unwrap();
        prop_assert_eq!(wins, plain_wins(&state, packs, None));
    }
}

/// A 1 beside or above the second column's ojama meets the 9: a chain of seven.
const CHAIN_OF_SEVEN: &str = "
    8.........
    7.........
    8.........
    7.........
    6.........
    5.........
    4.........
    3.........
    2.........
    9#........
    8#........
    7#........
    6#........
    5#........
    4#........
    3#........";

#[test]
fn a_chain_of_one_pack_is_a_puzzle() {
    let state = State { turn: 3, players: [player(CHAIN_OF_SEVEN, 0, 0), Player::new()] };
    let packs = [Pack::new([3, 1, 3, 0]).unwrap()];
    let puzzle = found(&state, &packs, PuzzleKind::Chain).expect("a chain");
    let step = state.players[0].step(&packs[0], puzzle.solution[0]).unwrap();
    assert_eq!((step.chain, puzzle.solution.len()), (puzzle.goal.chain, 1));
    assert!(puzzle.goal.chain >= Chain(5) && (1..=3).contains(&puzzle.solutions));
    assert!((1..=5).contains(&puzzle.difficulty));

    let attempted = |action: &str| {
        let actions = [action.parse().unwrap()];
        attempt(&state, &packs, puzzle.goal, &actions, &Arc::default()).unwrap()
    };
    assert_eq!(attempted(&puzzle.solution[0].to_string()).standing, AttemptState::Solved);
    assert_eq!(attempted("8 0").standing, AttemptState::Missed);
    let begin = attempt(&state, &packs, puzzle.goal, &[], &Arc::default()).unwrap();
    assert_eq!((begin.standing, begin.state), (AttemptState::Open, state));
    let twice = [puzzle.solution[0], puzzle.solution[0]];
    let error = attempt(&state, &packs, puzzle.goal, &twice, &Arc::default()).unwrap_err();
    assert_eq!(error, AttemptError::TooMany { most: 1, found: 2 });
    let skill = attempt(&state, &packs, puzzle.goal, &[Action::Skill], &Arc::default());
    assert!(matches!(skill, Err(AttemptError::Illegal { index: 0, .. })));
}

/// The attack fills the opponent's stock of 1 to ten: the row of the second turn kills, wherever
/// the opponent drops.
fn kill_in_two() -> (State<Cells>, [Pack; 2]) {
    let flat = "##########\n".repeat(14);
    let state = State { turn: 3, players: [player(CHAIN_OF_SEVEN, 0, 0), player(&flat, 1, 0)] };
    (state, [[3, 1, 3, 0], [2, 2, 3, 0]].map(|cells| Pack::new(cells).unwrap()))
}

#[test]
fn a_kill_is_proven_against_every_reply() {
    let (state, packs) = kill_in_two();
    let puzzle = found(&state, &packs, PuzzleKind::Kill).expect("a kill in two turns");
    assert_eq!(puzzle.packs.len(), 2);
    assert!(plain_wins(&state, &packs, Some(puzzle.solution[0])));
    assert!(!plain_wins(&state, &packs, Some("8 0".parse().unwrap())));
    let goal = puzzle.goal;
    let begun = attempt(&state, &packs, goal, &puzzle.solution[..1], &Arc::default()).unwrap();
    assert_eq!((begun.standing, begun.replies.len()), (AttemptState::Open, 1));
}

#[test]
fn an_attempt_at_a_kill_stands_as_the_rules_say() {
    let goal = Goal { kind: PuzzleKind::Kill, chain: Chain(0) };
    let (state, packs) = kill_in_two();
    let mut wins = 0;
    for action in Placement::all().take(8).map(Action::Drop) {
        let attempted = attempt(&state, &packs, goal, &[action], &Arc::default()).unwrap();
        let is_won = plain_wins(&state, &packs, Some(action));
        assert_eq!(attempted.standing == AttemptState::Open, is_won, "{action}");
        assert_ne!(attempted.standing, AttemptState::Solved, "{action}");
        wins += usize::from(is_won);
    }
    assert!((1..8).contains(&wins), "{wins}");

    // An opponent without room for a pack loses at once.
    let full = "##########\n".repeat(16);
    let state = State { turn: 3, players: [Player::new(), player(&full, 0, 0)] };
    let action: Action = "8 0".parse().unwrap();
    let attempted = attempt(&state, &packs, goal, &[action], &Arc::default()).unwrap();
    assert_eq!(attempted.standing, AttemptState::Solved);
    assert!(plain_wins(&state, &packs, Some(action)));
}

#[test]
fn survival_is_a_puzzle_only_if_a_row_is_due() {
    // Only the two columns at the right have room under the row that falls.
    let tall = "########..\n".repeat(15);
    let state = State { turn: 3, players: [player(&tall, 10, 0), Player::new()] };
    let packs = [Pack::new([1, 2, 3, 0]).unwrap()];
    let goal = Goal { kind: PuzzleKind::Survive, chain: Chain(0) };
    let lines = Exhaustive::new(&Arc::default()).lines(&state.convert(), &packs, goal).unwrap();
    assert_eq!((lines.solutions, lines.tried > 8), (4, true), "the rotations over the gap");
    let without_rows = State { turn: 3, players: [player(&tall, 9, 0), Player::new()] };
    assert_eq!(found(&without_rows, &packs, PuzzleKind::Survive), None);
    let lost = attempt(&state, &packs, goal, &["0 0".parse().unwrap()], &Arc::default()).unwrap();
    assert_eq!(lost.standing, AttemptState::Lost);
}

#[test]
fn a_stopped_search_finds_nothing() {
    let state = State { turn: 3, players: [player(CHAIN_OF_SEVEN, 0, 0), Player::new()] };
    let packs = [Pack::new([1, 1, 1, 0]).unwrap()];
    let control = Arc::new(SearchControl::default());
    control.stop();
    assert_eq!(find(&state, &packs, 1, &control), []);
    let goal = Goal { kind: PuzzleKind::Chain, chain: Chain(5) };
    assert_eq!(attempt(&state, &packs, goal, &[], &control), Err(AttemptError::Unfinished));
}
