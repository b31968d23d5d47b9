//! `--logs`: the files with what bots write to standard error, and with the protocol.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::Value;
use tensai::record::Record;

use crate::run::{names, ok_in, refused_in, run_in, shell_bot};

/// The words of an engine `A` that runs `script`, and of a random one.
fn engines(script: &str) -> Vec<String> {
    let cmd = format!("cmd=sh -c {}", shlex::try_quote(script).unwrap());
    ["--engine", "name=A", &cmd, "env=GAME=g{game}s{seat}", "--engine", "random"]
        .map(str::to_owned)
        .into()
}

/// Plays a match of `engines`.
fn arguments<'a>(engines: &'a [String], more: &[&'a str]) -> Vec<&'a str> {
    let engines = engines.iter().map(String::as_str);
    ["match"].into_iter().chain(engines).chain(["--seed=1"]).chain(more.iter().copied()).collect()
}

#[test]
fn each_game_and_seat_has_a_log_that_the_record_names() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let script = shell_bot("echo \"  $GAME turn $n\" >&2; [ $n = 3 ] && exit 3; echo 0 $((n % 4))");
    let engines = engines(&script);
    let more = ["--rounds=2", "--records", "r", "--logs", "l/m", "--json"];
    ok_in(here, &arguments(&engines, &more));
    let logs = ["000001-0.log", "000001-1.log", "000002-0.log", "000002-1.log"];
    assert_eq!(names(&here.join("l/m")), logs);
    for game in [1, 2] {
        let log = fs::read_to_string(here.join(format!("l/m/00000{game}-0.log"))).unwrap();
        let turns = (0..4).map(|turn| format!("  g{game}s0 turn {turn}\n"));
        assert_eq!(log, turns.collect::<String>());
        let record = Record::read(&here.join(format!("r/000{game}.json"))).unwrap();
        let named = record.players.map(|player| player.log.unwrap());
        assert_eq!(named, [0, 1].map(|seat| format!("l/m/00000{game}-{seat}.log")));
    }
    // The match is the same one without logs, and more games follow.
    ok_in(here, &arguments(&engines, &["--rounds=3", "--records", "r", "--json"]));
    ok_in(here, &["match", "resume", "r", "--json"]);
    ok_in(here, &["match", "merge", "r", "--records", "whole", "--json"]);
    let record = Record::read(&here.join("whole/0001.json")).unwrap();
    assert_eq!(record.players[0].log.as_deref(), Some("l/m/000001-0.log"));
    let record = Record::read(&here.join("whole/0003.json")).unwrap();
    assert_eq!(record.players[0].log, None);
}

#[test]
fn a_log_replaces_no_file_and_follows_no_link() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("secret"), "secret").unwrap();
    fs::create_dir(here.join("l")).unwrap();
    symlink("../secret", here.join("l/000001-0.log")).unwrap();
    let engines = engines(&shell_bot("echo text >&2; exit 3"));
    let printed = ok_in(here, &arguments(&engines, &["--records", "r", "--logs", "l"]));
    assert!(printed.contains("\n    log: l/000001-0-2.log\n"), "{printed}");
    assert_eq!(fs::read_to_string(here.join("secret")).unwrap(), "secret");
    assert_eq!(fs::read_to_string(here.join("l/000001-0-2.log")).unwrap(), "text\n");
}

#[test]
fn a_log_with_the_protocol_has_all_that_a_bot_is_sent_and_answers() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("match.toml"), "logs = \"l\"\nlogs-protocol = true\nseed = 1\n").unwrap();
    let engines = engines(&shell_bot("echo turn $n >&2; [ $n = 2 ] && exit 3; echo 0 0"));
    let engines = engines.iter().map(String::as_str);
    let config = ["match", "--config", "match.toml", "--records", "r"];
    ok_in(here, &config.into_iter().chain(engines).collect::<Vec<_>>());
    let log = fs::read_to_string(here.join("l/000001-0.log")).unwrap();
    let of = |mark: &str| -> Vec<&str> {
        let lines = log.lines().map(|line| line.trim_start().split_once(' ').unwrap());
        lines.filter_map(|(_, text)| text.strip_prefix(mark)).collect()
    };
    assert_eq!(of("< "), ["odd", "0 0", "0 0"]);
    assert_eq!(of("! "), ["turn 0", "turn 1", "turn 2"]);
    ok_in(here, &["record", "input", "r/0001.json", "--seat", "0", "-o", "input.txt"]);
    let input = fs::read_to_string(here.join("input.txt")).unwrap();
    let sent = of("> ");
    assert!(input.lines().zip(&sent).take(1501).all(|(line, sent)| line == *sent), "the packs");
    assert!(sent.len() > 1501 && sent.last() == Some(&"END"));
}

#[test]
fn a_flood_on_standard_error_fills_no_disk() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let script = "yes flood | head -c 30000000 >&2; echo 'last words' >&2; exit 3";
    let engines = engines(&shell_bot(script));
    ok_in(here, &arguments(&engines, &["--records", "r", "--logs", "l"]));
    let log = fs::read_to_string(here.join("l/000001-0.log")).unwrap();
    assert!(log.len() < 9 << 20 && log.ends_with("flood\nlast words\n"));
    assert!(
        log.contains("\n[tensai: this log is cut here; after the game the last lines follow]\n")
    );
}

#[test]
fn a_folder_of_logs_that_cannot_be_made_is_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("file"), "").unwrap();
    let refused = refused_in(here, &["match", "--logs", "file", "--records", "r"]);
    assert!(refused.starts_with("tensai: file: cannot create: "), "{refused}");
    let refused = refused_in(here, &["match", "--logs-protocol", "--records", "r"]);
    assert_eq!(refused, "tensai: --logs-protocol: expected a folder too: add --logs FOLDER");
    assert_eq!(names(here), ["file"]);
}

#[test]
fn leagues_tunings_and_checks_have_logs() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let nodes = ["--nodes", "100", "--seed", "1"];
    ok_in(here, &[&["league", "init", "a"], &nodes[..]].concat());
    let script = shell_bot("echo $GAME >&2; [ $n = 3 ] && exit 3; echo 0 $((n % 4))");
    let cmd = format!("cmd=sh -c {}", shlex::try_quote(&script).unwrap());
    ok_in(here, &["league", "add", "a", "name=A", &cmd, "env=GAME={game}"]);
    ok_in(here, &["league", "add", "a", "random"]);
    ok_in(
        here,
        &["league", "run", "a", "--games=2", "--logs", "la", "--concurrency=1", "--no-pin"],
    );
    let logs = ["000001-0.log", "000001-1.log", "000002-0.log", "000002-1.log"];
    assert_eq!(names(&here.join("la")), logs);
    let league = logs.map(|name| fs::read_to_string(here.join("la").join(name)).unwrap());
    assert!(league[..2].contains(&"1\n".repeat(4)) && league[2..].contains(&"2\n".repeat(4)));

    // The games of a tuning are numbered through all iterations.
    let tune = ["tune", "t", "--engine", "name=e", &cmd, "env=GAME={game}-{seat}"];
    let parameter = ["--parameter", "name=w", "start=1", "min=0", "max=2", "stride=1"];
    let games = ["--iterations=2", "--games=1", "--logs", "lt", "--logs-protocol"];
    ok_in(here, &[&tune[..], &parameter, &games].concat());
    assert_eq!(names(&here.join("lt")), logs);
    let log = fs::read_to_string(here.join("lt/000002-1.log")).unwrap();
    assert!(log.contains(" ! 2-1\n") && log.contains(" > END\n"), "{log}");

    let bot = &cmd["cmd=".len()..];
    let check = ["check-bot", bot, "--only", "start", "--only", "empty-cells", "--json"];
    let more = ["--env", "GAME={game}", "--logs", "lc"];
    let output = run_in(here, &[&check[..], &more].concat());
    let checked: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(names(&here.join("lc")), ["01-start.log", "03-empty-cells.log"]);
    assert_eq!(checked["situations"][1]["logs"], serde_json::json!(["lc/03-empty-cells.log"]));
    assert_eq!(fs::read_to_string(here.join("lc/03-empty-cells.log")).unwrap(), "2\n".repeat(4));
}
