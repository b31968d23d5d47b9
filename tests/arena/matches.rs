//! `tensai match` as a process: one game and its report.

use crate::run::{ok_in, play, program, refused_in, run_in};
use crate::running::unhurried;
use tensai::game::{End, Seat, Verdict};
use tensai::record::Record;

#[test]
fn the_bot_beats_the_random_bot() {
    let (record, report) = play(&["--a", "tensai --nodes 20000", "--seed", "5"]);
    assert_eq!(record.result.verdict, Verdict::Win(Seat::First), "{report}");
    assert_eq!(record.result.end, Some(End::DangerLine));
    assert_eq!(record.packs_from, "seed 5");
    assert!(report.contains("tensai - random: tensai wins, danger line at turn "), "{report}");
    let used: Vec<&str> = report.lines().filter(|line| line.contains(" s used, ")).collect();
    assert_eq!(used.len(), 2, "{report}");
    assert!(used.iter().all(|line| line.len() <= 80), "a terminal wraps {used:?}");
    // Each `info` line of the bot is recorded with its turn.
    let turns = record.turns.iter().enumerate();
    let mut lines = 0;
    for (index, turn) in turns {
        // The referee does not wait for the last lines of a bot that does not end at once.
        let Some(info) = &turn.info[0] else { continue };
        let info = info.value();
        assert!(info["turn"] == index && info["action"] == *turn.answers[0], "{info}");
        lines += 1;
    }
    assert!(lines > 0, "{report}");
    // The resources that the bots used are recorded, too.
    for player in &record.players {
        let usage = player.usage.unwrap();
        assert!(usage.peak_kib > 1000 && usage.threads >= 1, "{usage:?}");
    }
}

#[test]
fn messages_about_a_game_use_the_names_of_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let engines = ["--engine", "name=A", "cmd=tensai --nodes 20000 --name unheard"];
    let arguments = [&["match", "--seed", "5"], &engines[..], &["--engine", "name=B\u{1b}[31m"]];
    let output =
        run_in(folder.path(), &[&arguments.concat()[..], &["cmd=tensai", "nodes=9000"]].concat());
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("A: chain of ") && errors.contains("B\\u{1b}[31m: chain of "),
        "{errors}"
    );
    assert!(!errors.contains("unheard") && !errors.contains('\u{1b}'), "{errors}");
}

/// Turns are numbered as in the protocol, during the game and in the report.
#[test]
fn a_turn_has_the_same_number_live_and_in_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let engines = [
        "--engine",
        "name=A",
        "cmd=tensai",
        "nodes=20000",
        "--engine",
        "cmd=tensai",
        "nodes=2000",
        "name=B",
    ];
    let arguments = [&["match", "--seed", "5", "--records", "g"], &engines[..]].concat();
    let output = run_in(folder, &arguments);
    let [report, live] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    let record = Record::read(&folder.join("g/0001.json")).unwrap();
    let chains = record.replay().unwrap().into_iter().map(|turn| turn.steps[0].chain.0);
    let chains: Vec<_> = chains.collect();
    let longest = *chains.iter().max().unwrap();
    assert!(longest >= 3, "{report}");
    let turn = chains.iter().position(|&chain| chain == longest).unwrap();
    assert!(live.contains(&format!("turn {turn}: A: chain of {longest}, ")), "{live}");
    assert!(report.contains(&format!(", longest chain {longest} at turn {turn}, ")), "{report}");
    let last = record.turns.len() - 1;
    assert!(report.contains(&format!(" wins, danger line at turn {last}\n")), "{report}");
    let shown = ok_in(folder, &["replay", "g/0001.json"]);
    assert!(shown.lines().any(|line| line.starts_with(&format!("{last:>4}  "))), "{shown}");
    let again = ["replay", "turn", "g/0001.json", &turn.to_string(), "--nodes", "100"];
    let drawn = ok_in(folder, &again);
    assert!(drawn.contains(&format!("a chain of {longest}")), "{drawn}");
    // Clocks that did not run are not reported.
    assert!(shown.contains("\nlimits 0  20000 nodes a decision, no clock\n"), "{shown}");
    assert!(shown.contains("\nlimits 1  2000 nodes a decision, no clock\n"), "{shown}");
    assert!(report.starts_with("A ") && report.contains("\nno clock "), "{report}");
}

fn answers(record: &Record) -> Vec<[String; 2]> {
    record.turns.iter().map(|turn| turn.answers.clone()).collect()
}

#[test]
fn random_games_follow_from_their_seeds() {
    let bots = [1, 2].map(|seed| format!("tensai --engine random --seed {seed}"));
    let game = || play(&["--a", &bots[0], "--b", &bots[1], "--seed", "9"]).0;
    assert_eq!(answers(&game()), answers(&game()));
}

/// Each game has other packs, and each seat is told to the bot.
#[test]
fn the_opponent_random_plays_differently_in_each_game_and_seat() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let arguments = ["match", "--engine", "random", "--engine", "random", "--rounds", "2"];
    for records in ["g", "again"] {
        run_in(folder, &[&arguments[..], &["--seed", "1", "--records", records]].concat());
    }
    let played = |name: &str| answers(&Record::read(&folder.join(name)).unwrap());
    let games = [played("g/0001.json"), played("g/0002.json")];
    assert_eq!(played("again/0002.json"), games[1], "a game can be played again");
    let of = |game: usize, seat: usize| -> Vec<&String> {
        games[game].iter().map(|turn| &turn[seat]).take(10).collect()
    };
    let mut all = [of(0, 0), of(0, 1), of(1, 0), of(1, 1)];
    all.sort();
    assert!(all.windows(2).all(|pair| pair[0] != pair[1]), "{all:?}");
}

/// All pairs of a round play on the same packs, and with one file of packs all rounds do.
#[test]
fn random_opponents_play_differently_in_each_game_on_the_same_packs() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run_in(folder, &["packs", "generate", "--seed", "5", "-o", "one.pack"]);
    let engines = ["--engine", "random"].repeat(3);
    let more = ["--rounds", "2", "--packs", "one.pack", "--records", "g"];
    run_in(folder, &[&["match"][..], &engines, &more].concat());
    let mut all = Vec::new();
    for game in 1..=6 {
        let record = Record::read(&folder.join(format!("g/{game:04}.json"))).unwrap();
        for seat in [0, 1] {
            all.push(answers(&record).iter().map(|turn| turn[seat].clone()).take(10).collect());
        }
    }
    let different: std::collections::BTreeSet<Vec<String>> = all.iter().cloned().collect();
    assert_eq!(different.len(), 12, "{all:?}");
}

/// Two versions that play alike have the same game against an opponent that plays at random.
#[test]
fn both_games_of_a_pair_have_the_same_random_drops() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let engines = ["--engine", "random"].repeat(4);
    let more = ["--paired", "--seed", "3", "--records", "g"];
    run_in(folder, &[&["match"][..], &engines, &more].concat());
    let played =
        |game: usize| answers(&Record::read(&folder.join(format!("g/{game:04}.json"))).unwrap());
    assert_eq!(played(1), played(2));
    assert_eq!(played(3), played(4));
    assert_ne!(played(1), played(3), "another pair");
}

#[test]
fn games_under_a_node_limit_do_not_depend_on_other_options() {
    let game = |more: &[&str]| {
        let engines = [
            "--engine",
            "name=a",
            "cmd=tensai",
            "nodes=5000",
            "--engine",
            "cmd=tensai",
            "nodes=2000",
            "name=b",
        ];
        play(&[&engines[..], &["--seed", "3"], more].concat()).0
    };
    let together = game(&[]);
    assert_eq!(together.players[1].nodes, Some(2000));
    let nodes_used =
        |record: &Record| record.turns[3].info[0].as_ref().unwrap().value()["nodes"].clone();
    let sequential = game(&["--sequential", "--no-pin", "--time", "50"]);
    assert_eq!(answers(&together), answers(&sequential));
    assert_eq!(nodes_used(&together), nodes_used(&sequential));
    // No clock runs.
    let time_left = sequential.time_left(Seat::First, sequential.turns.len());
    assert_eq!(time_left.as_secs(), 50);
}

#[test]
fn an_engine_gets_its_folder_variables_and_cores() {
    let folder = tempfile::tempdir().unwrap();
    let script = "#!/bin/sh\necho \"$NAME in $(basename \"$PWD\")\"\n\
        echo \"$(taskset -cp $$)\" >&2\nexit 1\n";
    let path = folder.path().join("bot.sh");
    std::fs::write(&path, script).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&path, mode).unwrap();
    let dir = format!("dir={}", folder.path().display());
    let output = program()
        .args(unhurried(&["match", "--records", "games"]))
        .args(["--engine", "name=A", "cmd=./bot.sh", &dir, "env=NAME=x=y"])
        .args(["--engine", "name=B", "cmd=tensai", "nodes=1000"])
        // Other matches of this user have claimed no core in this folder.
        .env("TMPDIR", folder.path())
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let report = String::from_utf8(output.stdout).unwrap();
    let record = Record::read(&folder.path().join("games/0001.json")).unwrap();
    let base = folder.path().file_name().unwrap().to_string_lossy();
    assert_eq!(record.players[0].name, format!("x=y in {base}"), "{report}");
    assert_eq!(record.players[0].engine.as_deref(), Some("A"));
    if std::thread::available_parallelism().unwrap().get() < 2 {
        return; // no engine is pinned if two engines would share a core
    }
    let [core] = record.players[0].cores[..] else { panic!("{:?}", record.players[0]) };
    let words = &record.result.faults[0].as_ref().unwrap().last_words;
    assert!(words[0].ends_with(&format!("affinity list: {core}")), "{words:?}");
    assert_ne!(record.players[0].cores, record.players[1].cores);
}

#[test]
fn bad_requests_are_refused_with_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("bad.pack"), "1 2\n3 0\nEND\n1 2\n3 12\n").unwrap();
    std::fs::write(folder.join("bad.toml"), "rounds = 2\ntiem = 3\n").unwrap();
    std::fs::write(folder.join("empty.toml"), "# rounds = 2\n").unwrap();
    std::fs::write(folder.join("none_plays.toml"), "engine = []\n").unwrap();
    std::fs::write(folder.join("one_plays.toml"), "[[engine]]\ncmd = \"tensai\"\n").unwrap();
    std::fs::write(folder.join("no_command.toml"), "[[engine]]\nname = \"mine2\"\n").unwrap();
    let twice = "[[engine]]\nname = \"a\"\ncmd = \"x\"\n[[engine]]\nname = \" a\"\ncmd = \"y\"\n";
    std::fs::write(folder.join("twice.toml"), twice).unwrap();
    std::fs::create_dir(folder.join("no_engine")).unwrap();
    let manifest = include_str!("../fuzz/corpus/manifest/match.json");
    let mut manifest: serde_json::Value = serde_json::from_str(manifest).unwrap();
    manifest["engines"] = serde_json::json!([]);
    std::fs::write(folder.join("no_engine/match.json"), manifest.to_string()).unwrap();
    std::fs::write(folder.join("text"), "I am no program\n").unwrap();
    std::fs::create_dir(folder.join("empty")).unwrap();
    let engine =
        |words: &'static [&'static str]| [&["--engine", "name=a", "cmd=tensai"], words].concat();
    for (arguments, message) in [
        (
            vec!["--packs", "bad.pack"],
            "tensai: bad.pack: input line 5, pack 1: expected two numbers, 0 to 9, found `3 12`",
        ),
        (vec!["--packs", "none"], "tensai: none: cannot read"),
        (vec!["--packs", "empty"], "tensai: empty: it contains no file"),
        (vec!["--a", "./no-such-bot"], "tensai: `./no-such-bot` does not start: "),
        (vec!["--a", "./text"], "tensai: `./text` does not start: "),
        (vec!["--a", "'"], "tensai: `'` is not a command"),
        (engine(&[]), "tensai: a match needs two engines: give --engine once more"),
        (
            engine(&["threads=1025", "--engine", "name=b", "cmd=tensai"]),
            "tensai: `engines`, `a`: threads: expected at most 1024, found 1025",
        ),
        (
            engine(&["threads=18446744073709551615", "--engine", "name=b", "cmd=tensai"]),
            "tensai: `engines`, `a`: threads: expected at most 1024, found 18446744073709551615",
        ),
        (
            engine(&["--engine", "name=level33"]),
            "tensai: --engine: `level33` needs a `cmd` (`tensai` for this program), because it is not \
             the name of a known opponent; did you mean `level3`?",
        ),
        (
            vec!["--config", "no_command.toml"],
            "tensai: no_command.toml: line 1, `engine`: `mine2` needs a `cmd` (`tensai` for this",
        ),
        (
            vec!["--a", "DEPTH=3 python3 bot.py"],
            "tensai: `DEPTH=3 python3 bot.py` does not start: no folder of PATH has a program \
             `DEPTH=3`; no shell runs the command: give a variable by env=NAME=VALUE",
        ),
        (engine(&["--engine", "nmae=b"]), "tensai: --engine: unknown key `nmae`; did you mean"),
        (
            engine(&["--engine", "cmd=x", "dir=no"]),
            "tensai: `x` does not start: no is not a folder",
        ),
        (vec!["--config", "bad.toml"], "tensai: bad.toml: line 2: unknown field `tiem`, expected"),
        (vec!["--config", "none.toml"], "tensai: none.toml: cannot read"),
        (vec!["--config", "empty.toml"], "tensai: empty.toml: it contains no setting"),
        (
            vec!["--config", "none_plays.toml"],
            "tensai: none_plays.toml: line 1, `engine`: expected two engines or more, found none",
        ),
        (
            vec!["--config", "one_plays.toml"],
            "tensai: a match needs two engines: give --engine once more, or [[engine]] in the file",
        ),
        (
            vec!["--config", "twice.toml"],
            "tensai: twice.toml: line 1, `engine`: two engines have the name `a`: give each a \
             different name",
        ),
        (
            engine(&["--engine", "name=a ", "cmd=tensai"]),
            "tensai: --engine: two engines have the name `a`: give each a different name",
        ),
        (
            vec!["resume", "no_engine"],
            "tensai: no_engine: not the folder of a match: match.json: `engines`: expected two",
        ),
        (vec!["resume", "empty"], "tensai: empty: not the folder of a match: match.json: "),
        (vec!["merge", "empty"], "tensai: empty: not the folder of a match: match.json: "),
        (vec!["--sprt", "elo2=5"], "tensai: --sprt: "),
        (vec!["--shard", "1/2"], "tensai: --shard: the parts of a match share it: give --records"),
        (
            vec!["--shard", "3/2", "--records", "x"],
            "tensai: invalid value '3/2' for '--shard <I/N>': expected a part such as `1/4`",
        ),
        (
            vec!["--tiem", "3"],
            "tensai: unexpected argument '--tiem' found; a similar argument exists: '--time'",
        ),
        (
            vec!["--resume", "x"],
            "tensai: `tensai match --resume` is now `tensai match resume FOLDER`",
        ),
        (vec!["--merge=x"], "tensai: `tensai match --merge` is now `tensai match merge FOLDER`"),
        (vec!["--live", "x.html"], "tensai: `tensai match --live` is now `tensai match --serve`"),
        (vec!["--rounds", "2", "resume", "x"], "tensai: "),
        (vec!["--seed", "-1"], "tensai: invalid value '-1' for '--seed <SEED>': expected a whole"),
        (vec!["--time", "soon"], "tensai: invalid value 'soon' for '--time <TIME>': expected"),
        (
            vec!["--time", "1e19"],
            "tensai: invalid value '1e19' for '--time <TIME>': expected a duration of a week",
        ),
        (
            vec!["--turn-time", "0"],
            "tensai: invalid value '0' for '--turn-time <TIME>': expected a time above 0",
        ),
    ] {
        let line = refused_in(folder, &[&["match"], &arguments[..]].concat());
        assert!(line.starts_with(message), "{arguments:?}: {line}");
    }
    assert!(!folder.join("games").exists() && !folder.join("x").exists(), "nothing is written");
}
