//! The settings of a match, the manifest of its folder, and the files of a league and of a tuning.

use tensai::arena::Manifest;
use tensai::arena::league::{League, RunningGames};
use tensai::arena::tuning::Tuning;
use tensai::cli::MatchOptions;
use tensai::record::json_line;
use tensai::web::pages;

use super::FuzzTarget;
use crate::checks::{message, text};

/// A file for `match --config`.
pub const MATCH_CONFIG: FuzzTarget = FuzzTarget {
    words: &[
        "[[engine]]",
        "[sprt]",
        "[engine.env]",
        "name",
        "cmd",
        "threads",
        "nodes",
        "rounds",
        "packs",
        "seed",
        "time",
        "turn-time",
        "grace",
        "start-time",
        "sequential",
        "gauntlet",
        "elo0",
        "elo1",
        "alpha",
        "beta",
        " = ",
        "\"1week\"",
        "\"10s\"",
        "true",
        "nan",
        "inf",
        "-1",
        "1e400",
        "\"\"\"",
        "1000000000000000000",
        "\"\\u001b\"",
        "'''",
    ],
    ..FuzzTarget::new("match_config", config)
};

/// A folder's `match.json`.
pub const MANIFEST: FuzzTarget = FuzzTarget {
    words: &[
        "\"rounds\":1000000000000000000",
        "18446744073709551615",
        "\"gauntlet\"",
        "\"round-robin\"",
        "\"env\":{\"a\":\"b\"}",
        "\"threads\":0",
        "\"time\":\"1week\"",
        "\"packs\":null",
        "null",
        "1e9",
        "\"sprt\":{\"elo0\":0,\"elo1\":5,\"alpha\":0.05,\"beta\":0.05}",
        "\\u001b",
        "\\n",
        "{",
        "[",
    ],
    ..FuzzTarget::new("manifest", manifest)
};

/// The `league.json` and the `running.json` of a league.
pub const LEAGUE: FuzzTarget = FuzzTarget {
    words: &[
        "\"engine\":{\"name\":\"a\"}",
        "\"retired\":\"2026-11-24T08:00:00Z\"",
        "\"threads\":0",
        "\"nodes\":7",
        "\"number\":0",
        "18446744073709551615",
        "null",
        "\\u001b",
        "{",
        "[",
    ],
    ..FuzzTarget::new("league", league)
};

/// The `tuning.json` of a tuning.
pub const TUNING: FuzzTarget = FuzzTarget {
    words: &[
        "\"path\":[]",
        "\"plus\":[1]",
        "\"better\":-1",
        "\"games\":1000000",
        "\"iterations\":1",
        "\"name\":\"discount\"",
        "\"whole\":true",
        "\"opponents\":[{\"cmd\":\"a\",\"name\":\"b\"}]",
        "18446744073709551615",
        "1e308",
        "-1e-308",
        "null",
        "\\u001b",
        "{",
        "[",
    ],
    ..FuzzTarget::new("tuning", tuning)
};

/// The maximum number of games of a match, because the schedule is kept in memory.
const GAMES: usize = 1_000_000;

/// Asserts the properties of an accepted manifest.
fn accepted(manifest: &Manifest) {
    assert_eq!(manifest.difference(manifest), None);
    let schedule = manifest.schedule();
    assert!(schedule.games() <= GAMES, "{} games", schedule.games());
    let planned = schedule.fixtures().take(100).count();
    assert_eq!(planned, schedule.games().min(100));
    let again = Manifest::parse(json_line(manifest).as_bytes());
    assert_eq!(again.as_ref(), Ok(manifest), "a manifest reads back");
    for engine in &manifest.engines {
        let _ = (manifest.time_of(engine), manifest.start_time_of(engine));
    }
}

fn config(data: &[u8]) -> Option<String> {
    let settings = match MatchOptions::parse(&text(data)) {
        Ok(settings) => settings,
        Err(what) => return message(what),
    };
    match settings.manifest() {
        Ok(manifest) => {
            accepted(&manifest);
            None
        }
        Err(error) => message(error),
    }
}

fn manifest(data: &[u8]) -> Option<String> {
    match Manifest::parse(data) {
        Ok(manifest) => {
            accepted(&manifest);
            None
        }
        Err(what) => message(what),
    }
}

fn league(data: &[u8]) -> Option<String> {
    // A text that is not a file of running games is read as a league.
    if let Ok(running) = RunningGames::parse(data) {
        assert!(running.games.iter().all(|game| game.number > 0));
        return None;
    }
    match League::parse(data) {
        Ok(league) => {
            let again = League::parse(json_line(&league).as_bytes());
            assert_eq!(again.as_ref(), Ok(&league), "a league reads back");
            assert_eq!(league.manifest().engines.len(), league.engines.len());
            None
        }
        Err(what) => message(what),
    }
}

fn tuning(data: &[u8]) -> Option<String> {
    match Tuning::parse(data) {
        Ok(mut tuning) => {
            let again = Tuning::parse(json_line(&tuning).as_bytes());
            assert_eq!(again.as_ref(), Ok(&tuning), "a tuning reads back");
            accepted(&tuning.manifest(tuning.path.len()));
            tuning.step(1.0, tuning.games);
            assert_eq!(tuning.check(), Ok(()), "a tuning goes on");
            let page = pages::tuning::html(&tuning);
            assert!(page.ends_with("</html>\n"), "a page is whole");
            None
        }
        Err(what) => message(what),
    }
}
