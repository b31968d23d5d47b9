//! Recorded games that commands read: each game once, from files and folders of every kind.

use std::fs;
use std::path::Path;

use crate::official::write_official;
use crate::run::{ok_in, program};

/// The commands that count games, and the words of standard output that tell how many.
const COUNTS: [(&[&str], &str); 2] =
    [(&["stats", "engines"], "Games and their ends"), (&["stats", "ratings"], "games")];

/// Plays a match of two engines in `folder`.
fn play(folder: &Path, more: &[&str]) {
    let engines = ["--engine", "greedy", "--engine", "random"];
    ok_in(folder, &[&["match", "--seed", "1", "--rounds", "4"], &engines[..], more].concat());
}

/// The output of a command that must succeed, and its messages.
fn told(folder: &Path, arguments: &[&str]) -> (String, String) {
    let output = program().current_dir(folder).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn parts_and_their_merge_count_each_game_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for part in ["1/2", "2/2"] {
        play(folder, &["--shard", part, "--records", &format!("parts/{}", &part[..1])]);
    }
    ok_in(folder, &["match", "merge", "parts/1", "parts/2", "--records", "whole"]);
    for (command, _) in COUNTS {
        let (whole, silent) = told(folder, &[command, &["whole"]].concat());
        assert_eq!(silent, "");
        let (all, line) = told(folder, &[command, &["parts/1", "parts/2", "whole"]].concat());
        assert_eq!(all, whole, "{command:?}");
        assert!(
            line.starts_with("tensai: 4 records of games that were read before, such as"),
            "{line}"
        );
        assert!(line.ends_with("each game counts once\n") && line.lines().count() == 1, "{line}");
    }
}

#[test]
fn a_copied_record_counts_once_whatever_it_is_called() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    play(folder, &["--records", "games"]);
    let once = COUNTS.map(|(command, _)| told(folder, &[command, &["games"]].concat()).0);
    let first = fs::read_to_string(folder.join("games/0001.json")).unwrap();
    fs::write(folder.join("games/0001 (copy).json"), &first).unwrap();
    // The same record, laid out by another program.
    let value: serde_json::Value = serde_json::from_str(&first).unwrap();
    fs::write(folder.join("games/x.json"), serde_json::to_string_pretty(&value).unwrap()).unwrap();
    for ((command, _), once) in COUNTS.into_iter().zip(&once) {
        let (text, line) = told(folder, &[command, &["games"]].concat());
        assert_eq!(&text, once, "{command:?}");
        assert!(line.starts_with("tensai: 2 records of games that were read before"), "{line}");
    }
    for (command, output) in [("page", "a.html"), ("puzzles", "a.json")] {
        let arguments = ["record", command, "games", "-o", output, "--packs", "1"];
        let count = if command == "page" { 5 } else { 7 };
        let (_, line) = told(folder, &arguments[..count]);
        assert!(line.starts_with("tensai: 2 records of games"), "{command}: {line}");
    }
    let page = fs::read_to_string(folder.join("a.html")).unwrap();
    told(
        folder,
        &[
            "record",
            "page",
            "games/0001.json",
            "games/0002.json",
            "games/0003.json",
            "games/0004.json",
            "-o",
            "b.html",
        ],
    );
    assert_eq!(page, fs::read_to_string(folder.join("b.html")).unwrap());
    let measured = ["dev", "learn", "data", "--nodes", "100", "--records", "games", "-o", "c.csv"];
    let (text, line) = told(folder, &measured);
    assert!(text.contains(" of 4 games") && line.contains("2 records of games"), "{text}{line}");
}

/// A folder that was copied and resumed in both places holds two runs of the same game.
#[test]
fn two_runs_of_a_game_of_one_match_count_once_and_two_matches_count_both() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    play(folder, &["--records", "a"]);
    fs::create_dir(folder.join("b")).unwrap();
    for name in ["match.json", "0001.json"] {
        fs::copy(folder.join("a").join(name), folder.join("b").join(name)).unwrap();
    }
    ok_in(folder, &["match", "resume", "b"]);
    let once = told(folder, &["stats", "ratings", "a"]).0;
    assert_eq!(told(folder, &["stats", "ratings", "a", "b"]).0, once);
    // The same settings at another time: another match.
    let path = folder.join("b/match.json");
    let text = fs::read_to_string(&path).unwrap();
    let (before, after) = text.split_once("\"date\":\"20").unwrap();
    fs::write(&path, format!("{before}\"date\":\"19{}", after)).unwrap();
    let (_, line) = told(folder, &["stats", "ratings", "a", "b"]);
    assert!(line.starts_with("tensai: 1 record of a game that was read before"), "{line}");
}

#[test]
fn the_folder_of_a_league_or_a_tuning_is_read_as_that_of_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ok_in(folder, &["league", "init", "L"]);
    for engine in ["greedy", "random"] {
        ok_in(folder, &["league", "add", "L", engine]);
    }
    ok_in(folder, &["league", "run", "L", "--games", "2", "--no-pin"]);
    let tune = ["tune", "T", "--nodes", "50", "--parameter", "discount", "--iterations", "1"];
    ok_in(folder, &[&tune[..], &["--games", "2", "--no-pin"]].concat());
    for (path, inside) in [("L", "L/games"), ("T", "T/games/0001")] {
        for command in [&["stats", "engines"][..], &["stats", "ratings"], &["record", "check"]] {
            let of = |path: &str| told(folder, &[command, &[path]].concat()).0;
            let (folder, games) = (of(path), of(inside));
            let sum = |text: &str| text.lines().map(str::len).sum::<usize>();
            assert_eq!(sum(&folder), sum(&games), "{command:?} {path}: {folder}{games}");
        }
        told(folder, &["record", "page", path, "-o", &format!("{path}.html")]);
        told(folder, &["record", "puzzles", path, "-o", &format!("{path}.json"), "--packs", "1"]);
        let out = format!("{path}.csv");
        told(folder, &["dev", "learn", "data", "--nodes", "100", "--records", path, "-o", &out]);
    }
    ok_in(folder, &["league", "init", "empty"]);
    let output =
        program().current_dir(folder).args(["stats", "ratings", "empty"]).output().unwrap();
    assert_eq!(output.stderr, b"tensai: empty: it contains no game record\n");
    let output =
        program().current_dir(folder).args(["stats", "ratings", "T/games"]).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.ends_with("T/games/0001 holds a match: name the folders of matches\n"), "{text}");
}

/// A match of the official client may be called `match.json`, as the description of a match is.
#[test]
fn a_match_of_the_official_client_is_read_by_each_command() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    play(folder, &["--time", "180s", "--turn-time", "20s", "--records", "games"]);
    let records = ["games/0001.json", "games/0002.json"];
    for name in ["match.json", "out.json"] {
        let place = format!("official/{name}");
        write_official(folder, &records, &place);
        let said = ok_in(folder, &["record", "check", &place]);
        assert_eq!(said.lines().count(), 2, "{said}");
        for command in [&["stats", "engines"][..], &["stats", "ratings"], &["record", "check"]] {
            assert!(!ok_in(folder, &[command, &[&place]].concat()).is_empty());
        }
    }
    let all = ok_in(folder, &["record", "check", "official"]);
    assert!(all.ends_with("2 of 2 records are good\n"), "{all}");
    let (_, line) = told(folder, &["stats", "ratings", "official"]);
    assert!(line.contains("2 records of games that were read before"), "{line}");
    // Of the four games in the folder of the match, two are in the official file.
    let once = told(folder, &["stats", "ratings", "games"]).0;
    let (all, line) = told(folder, &["stats", "ratings", "games", "official/out.json"]);
    assert_eq!(all, once);
    assert!(line.contains("2 records of games that were read before"), "{line}");
    let described = ok_in(folder, &["record", "check", "games/match.json"]);
    assert!(described.contains("not a game, but the description of a match"), "{described}");
}
