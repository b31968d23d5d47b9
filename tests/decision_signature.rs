//! The engine in test positions: endgames (`tests/situations/endgame`), positions of lost games
//! that the engine now masters (`lost`), and positions that it does not master yet (`failing`).

#![cfg(feature = "arena")]

mod situations;

use tensai::dev;
use tensai::engine::{Planner, PlannerParameters};

use self::situations::{folder, play};

/// The signature of `tensai dev bench engine --nodes 30000`. A commit that alters it changes play: it
/// carries `Bench: SIGNATURE` of the whole bench, and the match that an SPRT has accepted.
const SIGNATURE: u64 = 0xaad3_3775_97ec_5feb;

#[test]
fn decisions_have_the_pinned_signature() {
    let found = dev::decisions(30_000).signature;
    assert_eq!(found, SIGNATURE, "expected {SIGNATURE:016x}, found {found:016x}");
}

/// Returns the failed expectations of each situation of a folder.
fn failures(name: &str) -> Vec<(String, Vec<String>)> {
    let situations = folder(name);
    assert!(situations.len() >= 3, "the situations are there");
    // The fastest simulator is used; decisions do not depend on the simulator.
    let play = |text: &str| play(text, |_| Planner::new(PlannerParameters::default()));
    situations.into_iter().map(|(name, text)| (name, play(&text))).collect()
}

/// Asserts that the expectations of all situations of a folder are met.
fn assert_mastered(name: &str) {
    let failures = failures(name);
    let failures: Vec<_> = failures.iter().filter(|(_, failures)| !failures.is_empty()).collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn endgame_situations_are_mastered() {
    assert_mastered("endgame");
}

#[test]
fn situations_from_lost_games_are_mastered() {
    assert_mastered("lost");
}

/// If this fails, the engine masters a situation of `failing`: move its file to `lost`.
#[test]
fn failing_situations_still_fail() {
    let mastered: Vec<_> =
        failures("failing").into_iter().filter(|(_, failures)| failures.is_empty()).collect();
    assert!(mastered.is_empty(), "move to tests/situations/lost: {mastered:?}");
}
