//! The classic engine in test situations (`tests/situations/classic`), and as a process.

#![cfg(feature = "arena")]

#[path = "running/bot.rs"]
mod bot;
mod running;
mod situations;

use tensai::analysis::{ClassicPreset, Situation};
use tensai::engine::classic::{Parameters, Preset};
use tensai::engine::{Classic, Engine as _};
use tensai::game::{Cells, Packs, Player, State};

use self::bot::Run;
use self::situations::{decide, folder, play};

/// The parameters of the preset, changed by the options of the situation.
fn parameters(situation: &Situation) -> Parameters {
    let options = situation.classic.clone().unwrap_or_default();
    let mut parameters = Parameters::of(match options.preset {
        Some(ClassicPreset::Online) => Preset::Online,
        Some(ClassicPreset::Submission) | None => Preset::Submission,
    });
    for (parameter, given) in [
        (&mut parameters.opening.width, options.opening_width),
        (&mut parameters.opening.cap, options.opening_cap),
        (&mut parameters.later.width, options.later_width),
        (&mut parameters.later.cap, options.later_cap),
        (&mut parameters.opponent.width, options.opponent_width),
        (&mut parameters.opponent.cap, options.opponent_cap),
        (&mut parameters.unquestioned, options.unquestioned),
    ] {
        *parameter = given.unwrap_or(*parameter);
    }
    parameters
}

#[test]
fn situations_are_answered_as_their_files_accept() {
    let situations = folder("classic");
    assert!(situations.len() >= 15, "the situations are there");
    let mut failures = Vec::new();
    for (name, text) in situations {
        let engine = |first: &Situation| Classic::new(parameters(first), false);
        failures
            .extend(play(&text, engine).into_iter().map(|failure| format!("{name}: {failure}")));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The plan of the opening stays off the outer columns, and reaches its target.
#[test]
fn the_opening_does_not_use_the_outer_columns() {
    for seed in 0..2 {
        let packs = Packs::from_seed(seed);
        let mut parameters = Parameters::of(Preset::Submission);
        (parameters.opening.width, parameters.opening.cap) = (60, 20);
        let mut engine = Classic::new(parameters, false);
        engine.new_game();
        let decision = decide(&mut engine, &packs, State::new(), None, Some(8_000_000));
        let classic = decision.report.classic.unwrap();
        let beam = classic.beam.unwrap();
        let columns = |drop: &String| (b'2'..=b'6').contains(&drop.as_bytes()[0]);
        assert!(beam.path.iter().all(columns), "{:?}", beam.path);
        let depth = beam.target_depth.expect("12 can be set off");
        assert_eq!(decision.report.plan.len(), depth, "it ends there");
    }
}

/// Two decisions in one position with one number of drops are equal.
#[test]
fn equal_positions_give_equal_decisions() {
    let field: Cells = "3....6....\n2..4.8....\n1..24791..".parse().unwrap();
    let player = Player { field, ..Player::new() };
    let state = State { turn: 12, players: [player; 2] };
    let packs = Packs::from_seed(3);
    let mut decisions = (0..2).map(|_| {
        let mut engine = Classic::new(Parameters::of(Preset::Online), false);
        engine.new_game();
        let report = decide(&mut engine, &packs, state, None, Some(3_000_000)).report;
        (report.action, report.value, report.nodes)
    });
    assert_eq!(decisions.next(), decisions.next());
}

/// Sixteen turns of the contest's own server.
const LOG: &str = include_str!("data/official_16_turns.txt");

fn run(arguments: &str, input: &str) -> Run {
    bot::run(&arguments.split_whitespace().collect::<Vec<_>>(), input.as_bytes())
}

const CLASSIC: &str = "--engine classic --threads 1 --nodes 60000";

#[test]
fn the_process_plays_the_same_moves_on_every_backend() {
    let first = run(CLASSIC, LOG);
    assert_eq!(first.code, Some(0), "{}", first.errors);
    assert_eq!(first.answers.len(), 1 + 16);
    assert_eq!(run(CLASSIC, LOG).answers, first.answers);
    assert_eq!(run(&format!("{CLASSIC} --backend portable"), LOG).answers, first.answers);
    assert!(first.errors.lines().filter(|line| line.starts_with("info {")).count() == 16);
}

#[test]
fn a_single_turn_is_answered_and_explained() {
    let two_games = LOG.trim_end().to_owned() + "\n" + LOG;
    let seen = run(&format!("{CLASSIC} --game 2 --turn 9 --verbose"), &two_games);
    assert_eq!((seen.code, seen.answers.len()), (Some(0), 2), "{}", seen.errors);
    let views =
        ["turn 9: we, and the opponent", "the opponent's tables", "the best line", "turn 9: "];
    for view in views {
        assert!(seen.errors.contains(view), "{view}: {}", seen.errors);
    }
    let game = run(&format!("{CLASSIC} --game 1"), &two_games);
    assert_eq!(game.answers.len(), 1 + 16);
}

#[test]
fn a_preset_needs_the_classic_engine() {
    let other = run(&format!("{CLASSIC} --preset online --turn 0"), LOG);
    assert_eq!((other.code, other.answers.len()), (Some(0), 2), "{}", other.errors);
    for (arguments, message) in [
        ("--preset online", "--preset needs --engine classic"),
        ("--engine random --verbose", "--verbose needs --engine classic"),
        ("--engine clasic", "'classic'"),
        ("--engine classic --preset offline", "[possible values: online, submission]"),
    ] {
        let refused = run(arguments, "");
        assert_eq!(refused.code, Some(2), "{arguments}");
        assert!(refused.errors.contains(message), "{arguments}: {}", refused.errors);
    }
}
