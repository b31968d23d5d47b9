//! The situations, in the order in which they are played.

use std::collections::HashSet;
use std::thread;
use std::time::Duration;

use super::checker::{BotChecker, BotSituation};
use super::dialogue::{Delivery, Dialogue, Halt};
use super::finding::rules;
use super::finding::{Finding, Severity};
use crate::arena::PlayerClock;
use crate::arena::process::EXIT_TIMEOUT;
use crate::game::{Action, Cells, Gauge, Pack, Packs, Placement, Player, State, Stock, TURNS};

/// All situations, in the order in which they are played.
pub const SITUATIONS: [BotSituation; 13] = [
    BotSituation {
        name: "start",
        about: "prints the name, waits for the packs and for turn 0, plays 10 turns",
        severity: Severity::Fault,
        play: start,
    },
    BotSituation {
        name: "ojama-at-turn-0",
        about: "35 ojama wait in turn 0, as in a game that begins with a given position",
        severity: Severity::Fault,
        play: ojama_at_turn_0,
    },
    BotSituation {
        name: "empty-cells",
        about: "packs of three blocks whose empty cell is in each of the four places, and of four",
        severity: Severity::Fault,
        play: empty_cells,
    },
    BotSituation {
        name: "skill-not-ready",
        about: "a field of fives with gauges of 0, 8, 72 and 79, which are too low for the skill",
        severity: Severity::Fault,
        play: skill_not_ready,
    },
    BotSituation {
        name: "skill-ready",
        about: "gauges of 80 and 100, with many fives on the field, and with none",
        severity: Severity::Fault,
        play: skill_ready,
    },
    BotSituation {
        name: "nearly-full",
        about: "fields up to the danger line: one column is free, all are full, rows of ojama wait",
        severity: Severity::Fault,
        play: nearly_full,
    },
    BotSituation {
        name: "large-numbers",
        about: "stocks of 405 and 20,000, scores of 10,000,000, an opponent without time",
        severity: Severity::Fault,
        play: large_numbers,
    },
    BotSituation {
        name: "all-turns",
        about: "turns 0 to 499 in one game; a field that grows high is emptied",
        severity: Severity::Fault,
        play: all_turns,
    },
    BotSituation {
        name: "short-clock",
        about: "a sixtieth of the game's time is left for turns 60 to 99",
        severity: Severity::Fault,
        play: short_clock,
    },
    BotSituation {
        name: "slow-referee",
        about: "the input comes in pieces, with pauses of a second before turns",
        severity: Severity::Fault,
        play: slow_referee,
    },
    BotSituation {
        name: "windows-line-ends",
        about: "each line of the input ends with \\r\\n",
        severity: Severity::Remark,
        play: windows_line_ends,
    },
    BotSituation {
        name: "second-game",
        about: "after 3 turns the packs and the turns of another game follow",
        severity: Severity::Remark,
        play: second_game,
    },
    BotSituation {
        name: "end-of-input",
        about: "the input ends after the name, after the packs, within a turn, after an answer",
        severity: Severity::Remark,
        play: end_of_input,
    },
];

/// A field in which no two neighbours sum to ten, `height` rows high.
fn tower(height: usize) -> Cells {
    drawing(&["1212121212", "3434343434"], height)
}

/// A field of `height` rows that repeat `rows` from the bottom.
fn drawing(rows: &[&str], height: usize) -> Cells {
    let rows: Vec<&str> = (0..height).rev().map(|row| rows[row % rows.len()]).collect();
    rows.join("\n").parse().expect("the rows are drawn as fields are")
}

fn gauge(gauge: u8) -> Gauge {
    Gauge::new(gauge).expect("a gauge of 0 to 100")
}

/// The state of `turn` in which both players have `field`, the first player has `stock`, and the
/// second player has no stock.
fn state(turn: usize, field: Cells, stock: Stock) -> State<Cells> {
    let player = Player { field, stock, ..Player::new() };
    State { turn, players: [player, Player { stock: 0, ..player }] }
}

/// The opponent's action in `turn`: any drop.
fn opponents_action(turn: usize) -> Action {
    // 7 and the number of placements are coprime, so each placement occurs.
    let placement = Placement::from_index(7 * turn % Placement::COUNT);
    Action::Drop(placement.expect("an index below the number of placements"))
}

/// Plays the turn of `state` by the rules; returns the next state.
fn play_turn(state: &State<Cells>, pack: &Pack, action: Action) -> State<Cells> {
    let turn = state.play(pack, [action, opponents_action(state.turn)]);
    turn.expect("the dialogue refuses a skill with too low a gauge").after
}

/// The clocks of both players, with `left` for the rest of the game.
fn clocks(left: Duration) -> [PlayerClock; 2] {
    [PlayerClock::new(left); 2]
}

/// Plays up to `turns` turns from `state` on by the rules, until the game ends. `left` is the time
/// of each player.
fn play(
    dialogue: &mut Dialogue<'_>,
    packs: &Packs,
    mut state: State<Cells>,
    turns: usize,
    left: Duration,
) -> Result<(), Halt> {
    let mut clocks = clocks(left);
    for _ in 0..turns {
        let Some(pack) = packs.get(state.turn) else { break };
        let action = dialogue.ask(&state, &mut clocks)?;
        state = play_turn(&state, pack, action);
        if state.end().is_some() {
            break;
        }
    }
    Ok(())
}

fn start(checker: &mut BotChecker<'_>) -> Result<(), Halt> {
    /// Time before the packs, and before turn 0.
    const PAUSE: Duration = Duration::from_millis(500);
    let mut dialogue = checker.start(EXIT_TIMEOUT)?;
    dialogue.pause(PAUSE)?;
    dialogue.send_packs(&checker.packs)?;
    dialogue.pause(PAUSE)?;
    play(&mut dialogue, &checker.packs, State::new(), 10, checker.limits.game)
}

fn ojama_at_turn_0(checker: &mut BotChecker<'_>) -> Result<(), Halt> {
    let mut dialogue = checker.begin()?;
    let state = state(0, Cells::EMPTY, 35);
    play(&mut dialogue, &checker.packs, state, 6, checker.limits.game)
}

fn empty_cells(checker: &mut BotChecker<'_>) -> Result<(), Halt> {
    const CELLS: [[u8; 4]; 5] =
        [[0, 1, 2, 3], [4, 0, 5, 6], [7, 8, 0, 9], [1, 3, 5, 0], [2, 4, 6, 7]];
    let pack = |turn: usize| Pack::new(CELLS[turn % CELLS.len()]).expect("three or four blocks");
    let packs = Packs::new((0..TURNS).map(pack).collect()).expect("a pack for each turn");
    let mut dialogue = checker.start(EXIT_TIMEOUT)?;
    dialogue.send_packs(&packs)?;
    play(&mut dialogue, &packs, State::new(), 10, checker.limits.game)
}

fn skill_not_ready(checker: &mut BotChecker<'_>) -> Result<(), Halt> {
    let mut dialogue = checker.begin()?;
    for (turn, low) in (40..).zip([0, 8, 72, 79]) {
        let mut state = state(turn, drawing(&["5355355355", "1551515515"], 8), 0);
        state.players[0].gauge = gauge(low);
        state.players[1].gauge = gauge(100);
        dialogue.ask(&state, &mut clocks(checker.limits.game / 2))?;
    }
    Ok(())
}

fn skill_ready(checker: &mut BotChecker<'_>) -> Result<(), Halt> {
    let mut dialogue = checker.begin()?;
    let fives = drawing(&["5355355355", "1551515515"], 10);
    let mut turn = 40;
    for field in [fives, tower(6), Cells::EMPTY] {
        for ready in [80, 100] {
            let mut state = state(turn, field, 0);
            state.players[0].gauge = gauge(ready);
            dialogue.ask(&state, &mut clocks(checker.limits.game / 2))?;
            turn += 1;
        }
    }
    Ok(())
}

fn nearly_full(checker: &mut BotChecker<'_>) -> Result<(), Halt> {
    let mut dialogue = checker.begin()?;
    // Column 4 is empty, all others are full.
    let gap = drawing(&["1212.21212", "3434.43434"], 16);
    let fields = [(tower(13), 0), (gap, 0), (tower(15), 0), (tower(16), 0), (tower(15), 120)];
    for (turn, (field, stock)) in (60..).zip(fields) {
        let state = state(turn, field, stock);
        let Some(pack) = checker.packs.get(turn) else { break };
        let action = dialogue.ask(&state, &mut clocks(checker.limits.game / 2))?;
        let survives = |action: Action| {
            let step = state.players[0].step(pack, action);
            step.is_ok_and(|step| !step.player.field.is_over())
        };
        let safe = Placement::all().map(Action::Drop).filter(|&drop| survives(drop)).count();
        if safe > 0 && !survives(action) {
            checker.findings.push(Finding {
                severity: Severity::Remark,
                turn: Some(turn),
                reason: format!(
                    "answered `{action}`, which loses at once; {safe} of {} drops do not",
                    Placement::COUNT
                ),
                rule: rules::DANGER_LINE,
                log: Vec::new(),
            });
        }
    }
    Ok(())
}

fn large_numbers(checker: &mut BotChecker<'_>) -> Result<(), Halt> {
    let mut dialogue = checker.begin()?;
    for (turn, [own, opponents]) in (100..).zip([[405, 0], [20_000, 0], [0, 20_000]]) {
        let mut state = state(turn, tower(4), own);
        state.players[1].stock = opponents;
        for player in &mut state.players {
            player.score = 10_000_000;
        }
        let left = [checker.limits.game / 2, Duration::ZERO];
        dialogue.ask(&state, &mut left.map(PlayerClock::new))?;
    }
    Ok(())
}

fn all_turns(checker: &mut BotChecker<'_>) -> Result<(), Halt> {
    /// A player whose field is higher than this, or who has a stock, gets an empty field and no
    /// stock, so that no player loses.
    const HIGH: u8 = 11;
    let mut dialogue = checker.begin()?;
    let (mut state, mut clocks) = (State::new(), clocks(checker.limits.game));
    for pack in checker.packs.from_turn(0) {
        let action = dialogue.ask(&state, &mut clocks)?;
        state = play_turn(&state, pack, action);
        for player in &mut state.players {
            if player.field.tallest() > HIGH || player.stock > 0 {
                (player.field, player.stock) = (Cells::EMPTY, 0);
            }
        }
    }
    Ok(())
}

fn short_clock(checker: &mut BotChecker<'_>) -> Result<(), Halt> {
    let mut dialogue = checker.begin()?;
    let left = checker.limits.game / 60;
    play(&mut dialogue, &checker.packs, state(60, tower(4), 0), 40, left)
}

fn slow_referee(checker: &mut BotChecker<'_>) -> Result<(), Halt> {
    let mut dialogue = checker.start(EXIT_TIMEOUT)?;
    dialogue.deliver(Delivery::Pieces);
    dialogue.send_packs(&checker.packs)?;
    let (mut state, mut clocks) = (State::new(), clocks(checker.limits.game));
    for pack in &checker.packs.from_turn(0)[..4] {
        dialogue.pause(Duration::from_secs(1))?;
        let action = dialogue.ask(&state, &mut clocks)?;
        state = play_turn(&state, pack, action);
    }
    Ok(())
}

fn windows_line_ends(checker: &mut BotChecker<'_>) -> Result<(), Halt> {
    let turns = |dialogue: &mut Dialogue<'_>, checker: &BotChecker<'_>| {
        dialogue.send_packs(&checker.packs)?;
        play(dialogue, &checker.packs, State::new(), 3, checker.limits.game)
    };
    let mut windows = checker.start(EXIT_TIMEOUT)?;
    windows.deliver(Delivery::WindowsLines);
    let Err(halt) = turns(&mut windows, checker) else { return Ok(()) };
    let mut contest = checker.start(EXIT_TIMEOUT)?;
    match turns(&mut contest, checker) {
        Ok(()) => Err(halt.broken(rules::LINE_ENDS, "after lines that end with \\r\\n")),
        // A bot that has a fault with the contest's lines too does not fail because of line ends.
        Err(Halt::Fault(_)) => Err(halt),
        interrupted => interrupted,
    }
}

fn second_game(checker: &mut BotChecker<'_>) -> Result<(), Halt> {
    let mut dialogue = checker.begin()?;
    play(&mut dialogue, &checker.packs, State::new(), 3, checker.limits.game)?;
    let other: Vec<Pack> = checker.packs.from_turn(0).iter().rev().copied().collect();
    let other = Packs::new(other).expect("a pack for each turn");
    let played = dialogue
        .send_packs(&other)
        .and_then(|()| play(&mut dialogue, &other, State::new(), 3, checker.limits.game));
    played.map_err(|halt| halt.broken(rules::SECOND_GAME, "in the second game"))
}

fn end_of_input(checker: &mut BotChecker<'_>) -> Result<(), Halt> {
    /// Time to end by itself: for a virtual machine that has to shut down.
    const TIMEOUT: Duration = Duration::from_secs(10);
    let turn = crate::protocol::writer::turn(
        &State::new(),
        crate::game::Seat::First,
        [checker.limits.game; 2],
    );
    let after_name = checker.start(TIMEOUT)?;
    let mut after_packs = checker.start(TIMEOUT)?;
    after_packs.send_packs(&checker.packs)?;
    let mut within_turn = checker.start(TIMEOUT)?;
    within_turn.send_packs(&checker.packs)?;
    within_turn.send_raw(&turn[..turn.len() / 2]);
    let mut after_answer = checker.start(TIMEOUT)?;
    after_answer.send_packs(&checker.packs)?;
    after_answer.ask(&State::new(), &mut clocks(checker.limits.game))?;
    let dialogues =
        [(after_name, false), (after_packs, false), (within_turn, false), (after_answer, true)];
    // In parallel, because the checker waits for a bot that runs on until `TIMEOUT` is over.
    let findings = thread::scope(|scope| {
        dialogues
            .map(|(dialogue, is_whole)| {
                scope.spawn(move || dialogue.end_of_input(is_whole, TIMEOUT))
            })
            .map(|end| end.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    checker.findings.extend(findings.into_iter().flatten());
    // Each remark once, although four dialogues may give it.
    let mut seen = HashSet::new();
    checker.findings.retain(|finding| seen.insert(finding.reason.clone()));
    Ok(())
}
