//! `tensai match` in parts: what a part plays, what a merge says of parts that are missing, a test on
//! the parts that have come; and a match that is resumed with more rounds or another test.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tensai::record::Record;

use crate::run::{ok_in, records, refused_in, run_in, tensai};

/// A match of engines that play at random, whose games take no time.
fn tournament(engines: usize, rounds: usize, more: &[&str]) -> Vec<String> {
    let mut arguments =
        vec!["match".to_owned(), "--seed=3".to_owned(), format!("--rounds={rounds}")];
    for engine in 1..=engines {
        arguments.extend(["--engine".to_owned(), format!("name=r{engine}")]);
        arguments.push(format!("cmd=tensai --engine random --seed {engine}"));
    }
    arguments.extend(more.iter().map(|&word| word.to_owned()));
    arguments
}

fn ok(here: &Path, arguments: &[String]) -> String {
    ok_in(here, &arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The name and the course of each game of a folder.
fn games(folder: &Path) -> Vec<(String, Vec<[String; 2]>)> {
    let game = |path: &std::path::PathBuf| {
        let record = Record::read(path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, record.turns.into_iter().map(|turn| turn.answers).collect())
    };
    records(folder).iter().map(game).collect()
}

/// Ends with exit code 1; returns the last line.
fn fails(here: &Path, arguments: &[&str]) -> String {
    let output = run_in(here, arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    errors.lines().last().unwrap().to_owned()
}

#[test]
fn eight_engines_in_sixty_parts_play_the_games_of_the_whole_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok(here, &tournament(8, 3, &["--records", "expected"]));
    let mut merge = vec!["match".to_owned(), "merge".to_owned()];
    for part in 1..=60 {
        let (shard, records) = (format!("{part}/60"), format!("parts/{part}"));
        ok(here, &tournament(8, 3, &["--shard", &shard, "--records", &records]));
        merge.push(records);
    }
    let parts: Vec<usize> =
        (1..=60).map(|part| records(&here.join(format!("parts/{part}"))).len()).collect();
    assert_eq!(parts.iter().sum::<usize>(), 84, "no game is played twice");
    assert!(parts.iter().all(|&part| part == 1 || part == 2), "{parts:?}");
    merge.extend(["--records", "whole"].map(str::to_owned));
    ok(here, &merge);
    assert_eq!(games(&here.join("whole")), games(&here.join("expected")));
}

#[test]
fn a_merge_names_the_parts_that_are_missing() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for part in [1, 4] {
        let (shard, records) = (format!("{part}/6"), format!("p{part}"));
        ok(here, &tournament(4, 3, &["--shard", &shard, "--records", &records]));
    }
    let merge = ["match", "merge", "p1", "p4"];
    let missing = "tensai: match merge: 12 of 18 games are missing, of the parts 2-3,5-6 of 6: a part \
        goes on in its folder; --partial accepts the games that are there";
    assert_eq!(fails(here, &merge), missing);
    ok_in(here, &[&merge[..], &["--partial"]].concat());
    // The merged games are there, and a part that lacks a game is named as one that is missing.
    assert_eq!(fails(here, &[&merge[..], &["--records", "some"]].concat()), missing);
    assert_eq!(records(&here.join("some")).len(), 6);
    fs::remove_file(records(&here.join("p4")).remove(0)).unwrap();
    let line = fails(here, &merge);
    assert!(line.contains("13 of 18 games are missing, of the parts 2-6 of 6"), "{line}");
    // A match without parts has games that are missing.
    ok(here, &tournament(2, 3, &["--records", "two"]));
    fs::remove_file(here.join("two/0002.json")).unwrap();
    let line = fails(here, &["match", "merge", "two"]);
    assert!(line.starts_with("tensai: match merge: 1 of 3 games is missing (2): "), "{line}");
}

#[test]
fn the_parts_of_an_earlier_version_keep_their_games() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let part = |index: usize, records: &str| {
        let shard = format!("{index}/3");
        ok(here, &tournament(3, 4, &["--shard", &shard, "--records", records]));
    };
    part(1, "now");
    let change = |folder: &str| {
        let path = here.join(folder).join("match.json");
        let mut manifest: Value =
            serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        manifest["version"] = json!(1);
        fs::write(&path, manifest.to_string()).unwrap();
    };
    // As if an earlier version had begun the match: every third game.
    part(1, "earlier");
    change("earlier");
    records(&here.join("earlier")).into_iter().for_each(|path| fs::remove_file(path).unwrap());
    part(1, "earlier");
    let numbers = |folder: &str| -> BTreeSet<String> {
        games(&here.join(folder)).into_iter().map(|(name, _)| name[..4].to_owned()).collect()
    };
    assert_eq!(numbers("earlier"), ["0001", "0004", "0007", "0010"].map(str::to_owned).into());
    assert_eq!(numbers("now"), ["0001", "0005", "0009", "0010"].map(str::to_owned).into());
    let line = refused_in(here, &["match", "merge", "now", "earlier", "--records", "x"]);
    let start = "tensai: earlier: not a part of the match in now: another version of tensai has";
    assert!(line.starts_with(start) && !here.join("x").exists(), "{line}");
}

#[test]
fn a_test_on_the_parts_that_have_come_says_when_the_rest_need_not_be_played() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let engines = ["match", "--engine", "name=T", "cmd=tensai", "nodes=2000", "--engine", "name=R"];
    let random = ["cmd=tensai --engine random", "--seed=1", "--rounds=100"];
    let sprt = ["--sprt", "elo0=0", "elo1=100"];
    let mut merge: Vec<String> = vec!["match".to_owned(), "merge".to_owned()];
    let mut said = None;
    for part in 1..=25 {
        let (shard, records) = (format!("{part}/25"), format!("parts/{part}"));
        let part = ["--shard", &shard, "--records", &records];
        ok_in(here, &[&engines[..], &random, &part].concat());
        merge.push(records);
        let merge: Vec<&str> = merge.iter().map(String::as_str).chain(sprt).collect();
        let output = run_in(here, &merge);
        if output.status.success() {
            said = Some(String::from_utf8(output.stdout).unwrap());
            break;
        }
        let line = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{line}");
        assert!(line.starts_with("tensai: match merge: the test is not decided, and "), "{line}");
    }
    let said = said.expect("a decision on some of the parts");
    assert!(said.contains("H1 accepted: T is stronger"), "{said}");
    assert!(
        said.contains("the test is decided: ") && said.ends_with("need not be played\n"),
        "{said}"
    );
    // Kept with the games: no more games are played.
    let mut kept: Vec<&str> = merge.iter().map(String::as_str).chain(sprt).collect();
    kept.extend(["--records", "whole"]);
    ok_in(here, &kept);
    let played = records(&here.join("whole")).len();
    ok_in(here, &["match", "resume", "whole"]);
    assert_eq!(records(&here.join("whole")).len(), played);
}

#[test]
fn a_match_is_resumed_with_more_rounds_or_another_test() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok(here, &tournament(2, 2, &["--records", "games"]));
    let resume = |more: &[&'static str]| [&["match", "resume", "games"], more].concat();
    ok_in(here, &resume(&["--rounds", "5"]));
    assert_eq!(records(&here.join("games")).len(), 5);
    assert_eq!(
        refused_in(here, &resume(&["--rounds", "4"])),
        "tensai: --rounds: the match has 5 rounds already, found 4: a resumed match may get more \
         rounds, not fewer"
    );
    let refused = refused_in(here, &resume(&["--seed", "4"]));
    assert!(refused.contains("unexpected argument '--seed' found"), "{refused}");
    let test = |more: &[&'static str]| -> Value {
        serde_json::from_str(&ok_in(here, &resume(&[more, &["--rounds=6", "--json"]].concat())))
            .unwrap()
    };
    let narrow = test(&["--sprt", "elo0=0", "elo1=1"]);
    assert_eq!((&narrow["played"], &narrow["sprt"]["accepted"]), (&json!(6), &Value::Null));
    // Bounds that any six games pass, and again the narrow ones: a decision belongs to its test.
    let wide = test(&["--sprt", "elo0=-1000", "elo1=-500", "alpha=0.49", "beta=0.49"]);
    assert!(wide["sprt"]["accepted"].is_string(), "{wide}");
    let kept = test(&[]);
    assert_eq!(kept["sprt"], wide["sprt"]);
    let again = test(&["--sprt", "elo0=0", "elo1=1"]);
    assert_eq!(again["sprt"]["accepted"], Value::Null);
}

#[test]
fn a_part_is_resumed_by_its_number_only() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok(here, &tournament(3, 2, &["--shard=2/3", "--records=part"]));
    let played = records(&here.join("part")).len();
    let line = refused_in(here, &["match", "resume", "part"]);
    assert!(line.contains("a match in 3 parts: --shard I/3"), "{line}");
    assert_eq!(records(&here.join("part")).len(), played);
    ok_in(here, &["match", "resume", "part", "--shard=2/3"]);
    assert_eq!(records(&here.join("part")).len(), played);
    ok_in(here, &["match", "resume", "part", "--shard=1/1"]);
    assert_eq!(records(&here.join("part")).len(), 6);
    // It is whole now, and a part of it would be played by mistake.
    ok_in(here, &["match", "resume", "part"]);
    let line = refused_in(here, &["match", "resume", "part", "--shard=1/3", "--rounds=4"]);
    assert!(line.contains("a match that is not in parts: leave the option out"), "{line}");
    assert_eq!(records(&here.join("part")).len(), 6);
}

#[test]
fn a_merge_says_which_of_two_different_records_counts() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for records in ["a", "b"] {
        ok(here, &tournament(2, 2, &["--records", records]));
    }
    let merge = ["match", "merge", "a", "b"];
    // Dates and times differ between two runs of a game.
    let output = run_in(here, &merge);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    assert!(errors.contains("such as game 1: a/0001.json counts") || errors.contains("a counts"));
    ok_in(here, &["match", "merge", "a", "--records", "whole"]);
    let output = run_in(here, &["match", "merge", "a", "--records", "whole"]);
    assert!(output.status.success() && output.stderr.is_empty(), "copies do not differ");
}

#[test]
fn a_test_on_parts_counts_no_engine_that_did_not_start() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let plays = format!("test -e broken && exit 3; exec {} --engine random --seed 1", tensai());
    let broken = &format!("cmd=sh -c '{plays}'");
    let engines = ["match", "--engine", "random", "--engine", "name=old", broken, "--rounds=9"];
    ok_in(here, &[&engines[..], &["--shard=1/3", "--records=p/1"]].concat());
    fs::write(here.join("broken"), "").unwrap();
    let part = [&engines[..], &["--shard=2/3", "--records=p/2"]].concat();
    assert!(fails(here, &part).contains("old has not started in 3 games"));
    let line = refused_in(here, &["match", "merge", "p/1", "p/2", "--sprt", "elo0=0", "elo1=9"]);
    assert!(line.contains("--sprt: old did not start in game "), "{line}");
    let merge = ["match", "merge", "p/1", "p/2", "--partial", "--records=whole"];
    ok_in(here, &merge);
    let resume = ["match", "resume", "whole", "--sprt", "elo0=0", "elo1=9"];
    assert!(refused_in(here, &resume).contains("--sprt: old did not start in game "));
}
