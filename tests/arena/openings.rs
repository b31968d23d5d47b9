//! Random openings and adjudicated games as processes.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tensai::game::{End, Seat, State, Verdict};
use tensai::record::Record;

use crate::run::{ok_in, records, refused_in, run_in};
use crate::running::run;

/// The records of a match of `arguments` in the folder `games`.
fn played(here: &Path, arguments: &[&str]) -> Vec<Record> {
    ok_in(here, &[&["match", "--records", "games"], arguments].concat());
    records(&here.join("games")).iter().map(|path| Record::read(path).unwrap()).collect()
}

#[test]
fn games_begin_with_drawn_turns() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // The bots write down the turns that they are asked about, and read their fields from the
    // input.
    let bot = "sh -c 'tee -a asked | TENSAI --engine random --seed 3'";
    let bot = bot.replace("TENSAI", &crate::run::tensai());
    let arguments = ["--a", &bot, "--b", "level1", "--rounds", "2", "--seed", "7"];
    let games =
        played(here, &[&arguments[..], &["--openings", "5", "--concurrency", "1"]].concat());
    let openings: Vec<Vec<[String; 2]>> = games
        .iter()
        .map(|game| game.turns[..5].iter().map(|turn| turn.answers.clone()).collect())
        .collect();
    for (game, opening) in games.iter().zip(&openings) {
        assert_eq!(game.opening, 5);
        assert!(opening.iter().all(|[first, second]| first == second), "{opening:?}");
        assert!(game.turns[..5].iter().all(|turn| turn.think_us == [0, 0]), "no clock runs");
        assert!(game.turns[..5].iter().all(|turn| turn.info == [None, None]));
        let before = game.replay().unwrap()[4].after;
        assert_eq!(before.players[0], before.players[1], "both stand alike");
        assert!(game.turns.len() > 5 && game.turns[5].info[1].is_some(), "then they decide");
    }
    assert_ne!(openings[0], openings[1], "each round has an opening of its own");
    // The bot is asked about turn 0 with an empty field, and about turn 1 after the random drop.
    let asked = fs::read_to_string(here.join("asked")).unwrap();
    let input = ok_in(here, &["record", "input", "games/0001.json", "--seat", "0", "-o", "-"]);
    let [asked, sent] = [&asked, &input].map(|text| text.lines().take(1501 + 8 * 43));
    assert!(asked.eq(sent), "the packs and the first turns are as in the record");

    // The tools take the turns for what they are.
    ok_in(here, &["record", "check", "games"]);
    let answers = run(here, &["--threads", "1", "--nodes", "500"], input.as_bytes());
    assert!(answers.status.success(), "{}", String::from_utf8_lossy(&answers.stderr));
    ok_in(here, &["record", "page", "games", "-o", "page.html"]);
    let statistics: Value =
        serde_json::from_str(&ok_in(here, &["stats", "engines", "games", "--json"])).unwrap();
    let turns = statistics["engines"][0]["time"]["turns"].as_array().unwrap();
    assert_eq!(turns[0]["first"], 5, "no player decided the turns before: {turns:?}");
    let blunders = [
        "replay",
        "blunders",
        "games/0001.json",
        "--seat=0",
        "--nodes=200",
        "--playouts=2",
        "--json",
    ];
    let review: Value = serde_json::from_str(&ok_in(here, &blunders)).unwrap();
    assert_eq!(review["turns"], games[0].turns.len() - 5);
    let mut moves = review["moves"].as_array().unwrap().iter();
    assert!(moves.all(|one| one["chance"].as_array().unwrap().len() == 2), "{review}");
    assert!(review["fall"]["before"].as_f64() > review["fall"]["after"].as_f64(), "{review}");

    // The same match again draws the same turns.
    let other = tempfile::tempdir().unwrap();
    let level1 = ["--a", "random", "--b", "level1", "--seed", "8", "--openings", "5"];
    let again = played(other.path(), &level1);
    let again: Vec<_> = again[0].turns[..5].iter().map(|turn| turn.answers.clone()).collect();
    assert_eq!(again, openings[1], "the seed of the second round");

    let line = refused_in(here, &["match", "--openings", "21"]);
    assert_eq!(line, "tensai: openings: expected 0 to 20, found 21");
    let mut wrong = games[0].clone();
    wrong.opening = wrong.turns.len() + 1;
    wrong.write(&here.join("wrong.json")).unwrap();
    let line = refused_in(here, &["replay", "wrong.json"]);
    assert!(line.contains("opening: expected turns that both play alike"), "{line}");
}

#[test]
fn decided_games_are_adjudicated() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let arguments = ["--a", "level4", "--b", "greedy", "--rounds", "6", "--seed", "1"];
    let games = played(here, &[&arguments[..], &["--adjudicate"]].concat());
    let is_adjudicated = |game: &&Record| game.result.end == Some(End::Adjudication);
    let adjudicated: Vec<&Record> = games.iter().filter(is_adjudicated).collect();
    assert!(!adjudicated.is_empty(), "ojama bury most losers");
    for game in &adjudicated {
        let state = game.replay().unwrap().last().map_or_else(State::new, |turn| turn.after);
        let Verdict::Win(winner) = game.result.verdict else { panic!("a proof has a winner") };
        assert!(state[winner.other()].stock >= 10 && state.end().is_none());
        assert!(game.outcome().contains(" wins, adjudication at turn "), "{}", game.outcome());
    }
    ok_in(here, &["record", "check", "games"]);
    let statistics: Value =
        serde_json::from_str(&ok_in(here, &["stats", "engines", "games", "--json"])).unwrap();
    let ends = &statistics["engines"][0]["ends"]["adjudication"];
    let counted = ends["wins"].as_u64().unwrap() + ends["losses"].as_u64().unwrap();
    assert_eq!(counted, adjudicated.len() as u64);

    // The search is made again: another winner, or an earlier end, is noticed.
    let mut wrong = adjudicated[0].clone();
    let Verdict::Win(winner) = wrong.result.verdict else { panic!("a proof has a winner") };
    wrong.result.verdict = Verdict::Win(winner.other());
    wrong.write(&here.join("wrong.json")).unwrap();
    let checked = run_in(here, &["record", "check", "wrong.json"]);
    assert_eq!(checked.status.code(), Some(1), "{checked:?}");
    let mut early = adjudicated[0].clone();
    early.turns.truncate(5);
    early.result.scores = early.replay().unwrap()[4].after.players.map(|player| player.score);
    early.result.verdict = Verdict::Win(Seat::First);
    early.write(&here.join("early.json")).unwrap();
    let checked = run_in(here, &["record", "check", "early.json"]);
    let said = String::from_utf8_lossy(&checked.stdout) + String::from_utf8_lossy(&checked.stderr);
    assert!(said.contains("no player is proven to lose"), "{said}");
}
