//! `tensai match` as a process: many games, interrupted, resumed, played in parts, merged, rated.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::run::{names, ok_in, program, records, refused_in, run_in, tensai};
use crate::running::unhurried;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tensai::record::{GameResult, Record};

/// Three engines whose games take no time, and follow from their seeds.
const ENGINES: [&str; 11] = [
    "--engine",
    "name=A",
    "cmd=tensai --engine random --seed 1",
    "--engine",
    "name=B",
    "cmd=tensai --engine random --seed 2",
    "--engine",
    "name=C",
    "cmd=tensai",
    "nodes=500",
    "--seed=11",
];

/// Arguments after those of a match of these engines.
fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["match"], &ENGINES[..], more].concat()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The answers of all games, without the times that they took.
fn answers(folder: &Path) -> Vec<Vec<[String; 2]>> {
    let games = records(folder).into_iter().map(|path| Record::read(&path).unwrap());
    games.map(|game| game.turns.into_iter().map(|turn| turn.answers).collect()).collect()
}

#[test]
fn each_engine_plays_each_other_engine() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let results = json(&ok_in(here, &with(&["--rounds", "2", "--json", "--records", "all"])));
    assert_eq!((&results["planned"], &results["played"]), (&6.into(), &6.into()));
    let games = results["games"].as_array().unwrap();
    let packs: Vec<_> = games.iter().map(|game| game["packs_from"].as_str().unwrap()).collect();
    let first_and_second_round = [["seed 11"; 3], ["seed 12"; 3]].concat();
    assert_eq!(packs, first_and_second_round, "the same packs for all pairs of a round");
    let rounds: Vec<_> = games.iter().map(|game| game["round"].as_u64().unwrap()).collect();
    assert_eq!(rounds, [1, 1, 1, 2, 2, 2]);
    assert_eq!(results["engines"][2]["standing"]["name"], "C");
    assert_eq!(results["engines"][2]["standing"]["wins"], 4, "it thinks");
    assert_eq!(records(&here.join("all")).len(), 6);

    // The same command again plays no game; with more rounds it plays the missing games.
    let table = ok_in(here, &with(&["--rounds", "2", "--records", "all"]));
    assert!(table.contains(" C           4    4      0     0  100.0 %"), "{table}");
    let more = json(&ok_in(here, &with(&["--rounds", "3", "--records", "all", "--json"])));
    assert_eq!(more["games"].as_array().unwrap().len(), 9);

    // Another match is refused in this folder.
    let line = refused_in(here, &with(&["--gauntlet", "--records", "all"]));
    let what = "tensai: all: holds another match: `pairing` is \"round-robin\" in that match, \
                \"gauntlet\" in this one; choose another folder, or go on with that match by `match resume`";
    assert_eq!(line, what);

    // One list over several matches, of which one shares only an engine with the other.
    let more = [
        "match",
        "--engine",
        "name=C",
        "cmd=tensai",
        "nodes=500",
        "--engine",
        "cmd=tensai",
        "nodes=400",
        "name=D",
    ];
    ok_in(here, &[&more[..], &["--records", "more", "--rounds", "3", "--seed", "5"]].concat());
    let list = ok_in(here, &["stats", "ratings", "all", "more", "--anchor", "A=1000", "--json"]);
    let list = json(&list);
    let elo = |name: &str| {
        let rated = list.as_array().unwrap().iter().find(|rated| rated["engine"] == name);
        rated.unwrap()["elo"].as_f64().unwrap()
    };
    assert_eq!(elo("A"), 1000.0);
    assert!(elo("C") > elo("B") && elo("D") > elo("B"));
    let list = ok_in(here, &["stats", "ratings", "all"]);
    assert!(list.contains(" C "));
    // A stopped game does not count for the rating.
    let mut cut = Record::read(&here.join("all/0001.json")).unwrap();
    cut.turns.pop();
    cut.result = GameResult::cut_short(cut.result.scores);
    cut.write(&here.join("all/stopped.json")).unwrap();
    assert_eq!(ok_in(here, &["stats", "ratings", "all"]), list);
    cut.write(&here.join("cut/0001.json")).unwrap();
    let line = refused_in(here, &["stats", "ratings", "cut"]);
    assert_eq!(line, "tensai: cut: no game in it was played to its end");
    let line = refused_in(here, &["stats", "ratings", "all", "--anchor", "X=5"]);
    assert!(line.contains("`X`"), "{line}");
    std::fs::create_dir(here.join("empty")).unwrap();
    assert_eq!(
        refused_in(here, &["stats", "ratings", "empty"]),
        "tensai: empty: it contains no game record"
    );
    std::fs::write(here.join("all/0002.json"), "{}").unwrap();
    assert!(
        refused_in(here, &["stats", "ratings", "all"])
            .starts_with("tensai: all/0002.json: not a game")
    );
}

#[test]
fn a_gauntlet_has_only_games_of_the_first_engine() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = with(&["--gauntlet", "--rounds", "2", "--json"]);
    let results = json(&ok_in(folder.path(), &arguments));
    let games = results["games"].as_array().unwrap();
    assert!(games.len() == 4 && games.iter().all(|game| game["players"][0] == "A"));
}

#[test]
fn a_stopped_match_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // In the match whose name is in the file `hold`, no bot starts any more once three games are
    // played, so that the match is not over when the signal comes.
    let held = format!(
        "while [ -e hold ] && [ -e \"$(cat hold)/0003.json\" ]; do sleep 0.1; done; \
         exec {} --engine random",
        tensai()
    );
    let held = format!("cmd=sh -c {}", shlex::try_quote(&held).unwrap());
    let with = |more: &[&'static str]| {
        let held = ["--engine", "name=H", &held];
        with(more).into_iter().chain(held).map(str::to_owned).collect::<Vec<_>>()
    };
    let whole = with(&["--rounds", "4", "--records", "whole"]);
    ok_in(here, &whole.iter().map(String::as_str).collect::<Vec<_>>());
    for (signal, name) in [(Signal::SIGINT, "int"), (Signal::SIGTERM, "term")] {
        std::fs::write(here.join("hold"), name).unwrap();
        let begun = with(&["--rounds", "4", "--records", name]);
        let mut playing = program()
            .args(unhurried(&begun.iter().map(String::as_str).collect::<Vec<_>>()))
            .current_dir(here)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let since = Instant::now();
        while !here.join(name).join("0003.json").exists() {
            assert!(since.elapsed() < Duration::from_secs(300));
            std::thread::sleep(Duration::from_millis(1));
        }
        kill(Pid::from_raw(playing.id().cast_signed()), signal).unwrap();
        assert_eq!(playing.wait().unwrap().code(), Some(130));
        let output = playing.wait_with_output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        let last = errors.lines().last().unwrap();
        let (_, resume) = last.split_once("resume with: tensai ").unwrap();
        assert_eq!(resume, format!("match resume {name}"));
        std::fs::remove_file(here.join("hold")).unwrap();
        let kept = records(&here.join(name));
        assert!((3..24).contains(&kept.len()), "{} games", kept.len());
        let written = |path: &Path| std::fs::metadata(path).unwrap().modified().unwrap();
        let before: Vec<_> = kept.iter().map(|path| written(path)).collect();
        ok_in(here, &resume.split(' ').collect::<Vec<_>>());
        let after: Vec<_> = kept.iter().map(|path| written(path)).collect();
        assert_eq!(before, after, "what was played is not played again");
        assert_eq!(answers(&here.join(name)), answers(&here.join("whole")));
    }
}

#[test]
fn merged_shards_equal_the_whole_match() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let shard = |shard: &str, records: &str| {
        let arguments = ["--rounds", "4", "--shard", shard, "--records", records];
        program()
            .args(unhurried(&with(&arguments)))
            .current_dir(here)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    // At the same time, as on several machines; two of them in one folder.
    let running = [shard("1/3", "one"), shard("2/3", "rest"), shard("3/3", "rest")];
    assert!(running.into_iter().all(|mut part| part.wait().unwrap().success()));
    assert_eq!([records(&here.join("one")).len(), records(&here.join("rest")).len()], [4, 8]);
    let merged = ["match", "merge", "one", "rest", "one", "--records", "all", "--json"];
    let merged = json(&ok_in(here, &merged));
    assert_eq!(merged["played"], 12);
    ok_in(here, &with(&["--rounds", "4", "--records", "whole"]));
    assert_eq!(answers(&here.join("all")), answers(&here.join("whole")));
    ok_in(here, &["match", "--seed", "1", "--nodes", "50", "--records", "other"]);
    let line = refused_in(here, &["match", "merge", "one", "other"]);
    assert!(line.starts_with("tensai: other: not a part of the match in one: `"), "{line}");
}

#[test]
fn a_match_and_a_merge_keep_the_manifest_of_their_folder() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok_in(here, &with(&["--rounds", "2", "--records", "whole"]));
    // No more threads are started than there are games.
    ok_in(here, &with(&["--records", "part", "--no-pin", "--concurrency", "1000000000"]));
    let manifest = || std::fs::read_to_string(here.join("whole/match.json")).unwrap();
    let before = manifest();
    let merged = json(&ok_in(here, &["match", "merge", "part", "--records", "whole", "--json"]));
    assert_eq!((&merged["planned"], &merged["played"]), (&6.into(), &6.into()));
    assert_eq!(manifest(), before);
    ok_in(here, &with(&["--records", "whole"]));
    assert_eq!(manifest(), before);
}

#[test]
fn a_match_ends_when_its_sprt_is_decided() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let engines =
        |a, b| ["match", "--engine", a, "cmd=tensai", "nodes=2000", "--engine", "name=R", b];
    let random = engines("name=T", "cmd=tensai --engine random");
    let test = ["--sprt", "elo0=0", "elo1=100", "--seed=1", "--json", "--records", "a"];
    let results = json(&ok_in(here, &[&random[..], &test].concat()));
    assert_eq!(results["sprt"]["accepted"], "h1");
    let played = results["played"].as_u64().unwrap();
    assert!((5..100).contains(&played), "{played} games for a plain difference");
    // The decision is final.
    let again = json(&ok_in(here, &["match", "resume", "a", "--json"]));
    assert_eq!(again["played"], played);
    let table = ok_in(here, &["match", "resume", "a"]);
    assert!(table.contains("H1 accepted: T is stronger"), "{table}");
    // Also for the command that began it, and with a game less.
    std::fs::remove_file(here.join(format!("a/{played:04}.json"))).unwrap();
    let fewer = json(&ok_in(here, &[&random[..], &test].concat()));
    assert_eq!(fewer["played"], played - 1, "no game is played");
    assert_eq!(fewer["sprt"]["accepted"], "h1");
    let three = with(&["--sprt"]);
    let message = "tensai: --sprt compares two engines, found 3: add --paired if the first two are \
        versions that play the others";
    assert_eq!(refused_in(here, &three), message);
}

/// A broken version must not make the test accept the other one.
#[test]
fn an_engine_that_does_not_start_ends_a_match_with_an_sprt() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // Two games are played before the program breaks, and the others after it is mended.
    let breaks = "[ ! -e a/0002.json ] || [ -e mended ] || { echo broken >&2; exit 3; }";
    let breaks = format!("{breaks}; exec {} --engine random --seed 2", tensai());
    let breaks = format!("cmd=sh -c {}", shlex::try_quote(&breaks).unwrap());
    let engines = ["match", "--engine", "random", "--engine", "name=new", &breaks, "--seed=1"];
    let rounds = ["--rounds=4", "--no-pin", "--concurrency=1", "--records", "a"];
    let ended = run_in(here, &[&engines[..], &rounds, &["--sprt"]].concat());
    let message = "tensai: new: no start in game 3: expected its name within 600s: no name: ended \
        with exit status: 3: broken; the SPRT does not count this game: correct the engine; 2 games \
        played, 2 kept; resume with: tensai match resume a";
    let errors = String::from_utf8(ended.stderr).unwrap();
    assert_eq!((ended.status.code(), errors.lines().last()), (Some(1), Some(message)));
    assert_eq!(names(&here.join("a")), ["0001.json", "0002.json", "match.json"]);
    std::fs::write(here.join("mended"), "").unwrap();
    let resumed = json(&ok_in(here, &["match", "resume", "a", "--json"]));
    assert_eq!((&resumed["played"], &resumed["sprt"]["games"]), (&4.into(), &4.into()));

    // An opponent of two versions counts like the versions; without a test the engine loses.
    let broken = "cmd=sh -c 'exit 3'";
    let versions = ["match", "--paired", "--engine", "random", "--engine", "greedy"];
    let versions = [&versions[..], &["--engine", "name=x", broken, "--seed=1", "--json"]].concat();
    let ended = run_in(here, &[&versions[..], &["--sprt", "--records", "b"]].concat());
    let errors = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{errors}");
    assert!(errors.contains("tensai: x: no start in game "), "{errors}");
    assert_eq!(names(&here.join("b")), ["match.json"]);
    let lost = run_in(here, &[&versions[..], &["--records", "c"]].concat());
    let results = json(&String::from_utf8(lost.stdout).unwrap());
    assert_eq!(results["games"][0]["faults"], serde_json::json!([null, "no-start"]));
    assert_eq!(lost.status.code(), Some(1), "it has started in no game");
}

/// A start that fails once is a result; an engine that never starts has none.
#[test]
fn a_match_fails_if_an_engine_starts_in_no_game() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // The bot fails in its first game, or while `broken` is there.
    let fails = "[ -e begun ] && [ ! -e broken ] || { touch begun; echo lost file >&2; exit 3; }";
    let fails = format!("{fails}; exec {} --engine random --seed 2", tensai());
    let fails = format!("cmd=sh -c {}", shlex::try_quote(&fails).unwrap());
    let engines = ["match", "--engine", "random", "--engine", "greedy", "--engine", "name=x"];
    let rounds = [&fails[..], "--seed=1", "--rounds=2", "--concurrency=1", "--no-pin", "--json"];
    let with = |records| [&engines[..], &rounds, &["--records", records]].concat();
    let once = json(&ok_in(here, &with("once")));
    let row = |results: &Value| results["engines"][2]["standing"]["faults"]["no start"].clone();
    assert_eq!((&once["played"], row(&once)), (&6.into(), 1.into()));

    std::fs::write(here.join("broken"), "").unwrap();
    let never = run_in(here, &with("never"));
    let results = json(&String::from_utf8(never.stdout).unwrap());
    assert_eq!((&results["played"], row(&results)), (&6.into(), 4.into()));
    let message = "tensai: x has not started in 4 games: no name: ended with exit status: 3";
    let failed = |errors: &[u8], code: Option<i32>| {
        let errors = String::from_utf8_lossy(errors);
        assert_eq!((errors.lines().last(), code), (Some(message), Some(1)), "{errors}");
    };
    failed(&never.stderr, never.status.code());
    let merged = run_in(here, &["match", "merge", "never"]);
    failed(&merged.stderr, merged.status.code());
    assert!(!merged.stdout.is_empty(), "the table comes first");
}

#[test]
fn two_versions_are_tested_by_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let versions = ["match", "--paired", "--engine", "name=new", "cmd=level3", "--engine"];
    let opponents = ["name=old", "cmd=random", "--engine", "greedy", "--engine", "level1"];
    let test = ["--sprt", "elo0=0", "elo1=200", "alpha=0.1", "beta=0.1", "--seed=1"];
    let with = |more: &[&'static str]| [&versions[..], &opponents, &test, more].concat();
    // One round, as if the match had been stopped.
    let first = json(&ok_in(here, &with(&["--rounds", "1", "--records", "a", "--json"])));
    let games = first["games"].as_array().unwrap();
    let played: Vec<_> = games.iter().map(|game| game["players"].to_string()).collect();
    let expected = [r#"["new","greedy"]"#, r#"["old","greedy"]"#, r#"["new","level1"]"#];
    assert_eq!((played.len(), &played[..3]), (4, &expected.map(str::to_owned)[..]));
    assert!(games.iter().all(|game| game["packs_from"] == "seed 1"), "the same packs");
    assert_eq!((&first["sprt"]["accepted"], &first["sprt"]["games"]), (&Value::Null, &2.into()));

    // It goes on with the pairs that it has, until the test is decided.
    let results = json(&ok_in(here, &with(&["--records", "a", "--json"])));
    assert_eq!(results["sprt"]["accepted"], "h1");
    let versions = &results["versions"];
    assert_eq!((&versions["new"], &versions["old"]), (&"new".into(), &"old".into()));
    let count = |kind: &str| versions["pairs"][kind].as_u64().unwrap();
    assert!(count("better") >= 5 && count("worse") == 0, "{versions}");
    let played = results["played"].as_u64().unwrap();
    assert!((12..100).contains(&played), "{played} games for a plain difference");
    let again = json(&ok_in(here, &["match", "resume", "a", "--json"]));
    assert_eq!(again["played"], played, "it is decided for good");
    let table = ok_in(here, &["match", "resume", "a"]);
    assert!(table.contains("\nnew pairs +") && table.contains(" (against old)\n"), "{table}");
    assert!(table.contains("H1 accepted: new is stronger"), "{table}");

    let two = ["match", "--paired", "--engine", "level1", "--engine", "random"];
    let message = "tensai: `engines`: expected a new version, an old version and at least one \
        opponent, found 2 engines";
    assert_eq!(refused_in(here, &two), message);
}

#[test]
fn a_part_of_a_match_with_an_sprt_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let engines = ["match", "--a", "random", "--b", "greedy", "--rounds", "2"];
    let message = "tensai: --shard: this match has an SPRT, which a part cannot decide: play the \
        parts with a number of --rounds and without --sprt, and test what has come by `match \
        merge FOLDER... --sprt`";
    let part = ["--shard", "1/2", "--records", "parts"];
    let line = refused_in(here, &[&engines[..], &["--sprt", "elo1=20"], &part].concat());
    assert_eq!(line, message);
    let file = "shard = \"1/2\"\nrecords = \"parts\"\n[sprt]\nelo1 = 20\n";
    std::fs::write(here.join("match.toml"), file).unwrap();
    assert_eq!(refused_in(here, &[&engines[..], &["--config", "match.toml"]].concat()), message);
    assert!(!here.join("parts").exists(), "nothing is written");
    ok_in(here, &[&engines[..], &["--sprt", "--records", "whole"]].concat());
    let line = refused_in(here, &["match", "resume", "whole", "--shard", "1/2"]);
    assert_eq!(line, message);
}

#[test]
fn all_settings_can_be_given_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = "rounds = 2\nseed = 11\ntime = \"20s\"\n\
        [[engine]]\nname = \"A\"\ncmd = \"tensai --engine random --seed 1\"\n\
        [[engine]]\nname = \"C\"\ncmd = \"tensai\"\nnodes = 500\n";
    std::fs::write(here.join("match.toml"), file).unwrap();
    ok_in(here, &["match", "--config", "match.toml", "--records", "file"]);
    let flags = ["--engine", "name=C", "cmd=tensai", "nodes=500", "--rounds", "2", "--seed", "11"];
    let a = ["match", "--time", "20s", "--engine", "name=A", "cmd=tensai --engine random --seed 1"];
    ok_in(here, &[&a, &flags[..], &["--records", "flags"]].concat());
    assert_eq!(answers(&here.join("file")), answers(&here.join("flags")));
}
