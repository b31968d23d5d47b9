//! The mind in drawn positions: ends of games (`tests/situations/endgame`), and positions of games
//! that were lost (`lost`), where what it does better now stays better. In `failing` are those that
//! it does not master yet.

mod situations;

use tensai::mind::{Planner, Settings};

use self::situations::{folder, play};

/// What each situation of a folder fails in.
fn failures(name: &str) -> Vec<(String, Vec<String>)> {
    let situations = folder(name);
    assert!(situations.len() >= 3, "the situations are there");
    // On the fastest simulator; decisions do not depend on it.
    let play = |text: &str| play(text, |_| Planner::new(Settings::default()));
    situations.into_iter().map(|(name, text)| (name, play(&text))).collect()
}

/// That all situations of a folder are played as they should be.
fn assert_mastered(name: &str) {
    let failures = failures(name);
    let failures: Vec<_> = failures.iter().filter(|(_, failures)| !failures.is_empty()).collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn ends_of_games_are_played_as_drawn() {
    assert_mastered("endgame");
}

#[test]
fn what_lost_games_taught_is_known() {
    assert_mastered("lost");
}

/// Where this fails, a situation is mastered that was not: move its file to `lost`.
#[test]
fn what_fails_still_fails() {
    let mastered: Vec<_> =
        failures("failing").into_iter().filter(|(_, failures)| failures.is_empty()).collect();
    assert!(mastered.is_empty(), "move to tests/situations/lost: {mastered:?}");
}
