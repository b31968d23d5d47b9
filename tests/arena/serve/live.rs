//! `match --serve`: the match in a browser while it is played.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use super::client::{Served, request};
use crate::checked::said;
use crate::running::{program, unhurried};
use crate::validator::assert_fits;

/// The word `cmd=` of a bot that waits for a line in the FIFO `gate`, which is made, before its first
/// turn.
fn slow(folder: &Path) -> String {
    let bot = "echo slow; read -r line < gate; exec 3<&0; n=-500; half=0; \
        while read -r line; do case $line in END) if [ $n -lt 0 ]; then n=$((n + 1)); \
        else half=$((1 - half)); if [ $half = 0 ]; then echo 0 0; fi; fi;; esac; done";
    nix::unistd::mkfifo(&folder.join("gate"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    format!("cmd=sh -c {}", shlex::try_quote(bot).unwrap())
}

/// Starts a match whose second bot is [`slow`].
fn start(folder: &Path, more: &[&str]) -> Served {
    let slow = slow(folder);
    let arguments =
        [&["match", "--engine", "random", "--engine", "name=slow", &slow, "--seed", "1"][..], more]
            .concat();
    served(folder, &unhurried(&arguments))
}

/// Starts a command that says where its games are shown.
fn served(folder: &Path, arguments: &[impl AsRef<std::ffi::OsStr>]) -> Served {
    let mut child = program()
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains(" is shown at ") {
        line.clear();
        assert!(stderr.read_line(&mut line).unwrap() > 0, "no address");
    }
    let url = line.trim().rsplit(' ').next().unwrap().to_owned();
    Served::at(child, Some(stderr), &url)
}

/// The events of a live stream, each its name and its data.
fn events(served: &Served) -> impl Iterator<Item = (String, Value)> + use<> {
    let mut stream: TcpStream = served.connect();
    let line = format!("GET /live?token={}", served.token);
    stream.write_all(request(&line, &[("Host", &served.address)], "").as_bytes()).unwrap();
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let head: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    assert!(head[0].contains(" 200 "), "{head:?}");
    assert!(head.iter().any(|line| line == "content-type: text/event-stream"), "{head:?}");
    let mut name = String::new();
    lines.filter_map(move |line| {
        if let Some(event) = line.strip_prefix("event: ") {
            event.clone_into(&mut name);
        }
        let data = line.strip_prefix("data: ")?;
        Some((name.clone(), serde_json::from_str(data).unwrap()))
    })
}

#[test]
fn a_match_is_shown_turn_by_turn_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let served = start(folder.path(), &["--serve", "127.0.0.1:0", "--json"]);
    let mut reader = events(&served);
    let (name, standing) = reader.next().unwrap();
    assert_eq!(name, "standing");
    assert_eq!((&standing["planned"], &standing["played"]), (&json!(1), &json!(0)), "{standing}");
    // Methods that a page may ask for during the match.
    assert_eq!(served.ask("hello", &json!({}))["result"]["live"], json!(true));
    let refused = served.ask("review", &json!({}));
    assert_eq!(refused["error"]["code"], "busy", "{refused}");
    fs::write(folder.path().join("gate"), "go\n").unwrap();
    let rest: Vec<_> = reader.collect();
    let named = |wanted: &str| {
        let of = rest.iter().filter(|(name, _)| name == wanted);
        of.map(|(_, data)| data.clone()).collect::<Vec<Value>>()
    };
    let (games, turns, standings) = (named("game"), named("turn"), named("standing"));
    assert_eq!(rest.last().unwrap().0, "end");
    assert_eq!(games.len(), 2, "when it begins and when it ends");
    let (begun, ended) = (&games[0], &games[1]);
    assert_eq!((&begun["outcome"], &begun["game"]["actions"]), (&Value::Null, &json!([])));
    assert_eq!(begun["game"]["packs"].as_str().unwrap().len(), 4 * 500);
    assert_eq!(begun["game"]["names"], json!(["random", "slow"]));
    let played: Vec<&Value> = turns.iter().map(|turn| &turn["actions"]).collect();
    let kept: Vec<&Value> = ended["game"]["actions"].as_array().unwrap().iter().collect();
    assert!(!played.is_empty());
    assert_eq!(played, kept, "each turn is shown once");
    let numbers: Vec<u64> = turns.iter().map(|turn| turn["turn"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (0..turns.len() as u64).collect::<Vec<_>>());
    assert!(ended["outcome"].as_str().unwrap().contains("wins"), "{ended}");
    for (name, events) in [("live-game", &games), ("live-turn", &turns), ("results", &standings)] {
        for (index, event) in events.iter().enumerate() {
            assert_fits(name, &format!("live-{index}"), event);
        }
    }
    // The standing is what `--json` prints, but for the games.
    let mut child = served;
    let mut printed = String::new();
    child.stdout().read_to_string(&mut printed).unwrap();
    let mut printed: Value = serde_json::from_str(&printed).unwrap();
    printed["games"] = json!([]);
    assert_eq!(standings.last().unwrap(), &printed);
    let (status, errors) = child.wait();
    assert!(status.success(), "{errors}");
}

#[test]
fn a_league_is_shown_turn_by_turn() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let slow = slow(folder);
    let league = |words: &[&str]| said(folder, &[&["league"], words].concat(), "");
    league(&["init", "L", "--time=1h", "--turn-time=10m", "--start-time=10m", "--seed=5"]);
    league(&["add", "L", "random"]);
    league(&["add", "L", "name=slow", &slow]);
    for number in 1..=2 {
        let arguments = ["league", "run", "L", "--games=1", "--no-pin", "--serve", "127.0.0.1:0"];
        let served = served(folder, &arguments);
        let mut reader = events(&served);
        let (name, standing) = reader.next().unwrap();
        assert_eq!((name.as_str(), &standing["played"]), ("standing", &json!(number - 1)));
        fs::write(folder.join("gate"), "go\n").unwrap();
        let rest: Vec<_> = reader.collect();
        assert_eq!(rest.last().unwrap().0, "end");
        let named = |wanted: &str| {
            let of = rest.iter().filter(|(name, _)| name == wanted);
            of.map(|(_, data)| data.clone()).collect::<Vec<Value>>()
        };
        let numbers: Vec<Value> = named("game").iter().map(|game| game["number"].clone()).collect();
        // Those that are finished already come first; each game comes when it begins and ends.
        let expected = if number == 1 { json!([1, 1]) } else { json!([1, 2, 2]) };
        assert_eq!(Value::from(numbers), expected);
        let (games, turns, standings) = (named("game"), named("turn"), named("standing"));
        let [.., begun, ended] = &games[..] else { panic!("{games:?}") };
        assert_eq!((&begun["outcome"], &begun["game"]["actions"]), (&Value::Null, &json!([])));
        let mut names = [&begun["game"]["names"][0], &begun["game"]["names"][1]];
        names.sort_by_key(|name| name.to_string());
        assert_eq!(names, ["random", "slow"]);
        let played: Vec<&Value> = turns.iter().map(|turn| &turn["actions"]).collect();
        let kept: Vec<&Value> = ended["game"]["actions"].as_array().unwrap().iter().collect();
        assert!(!played.is_empty());
        assert_eq!(played, kept, "each turn is shown once");
        for (name, events) in
            [("live-game", &games), ("live-turn", &turns), ("league-list", &standings)]
        {
            for (index, event) in events.iter().enumerate() {
                assert_fits(name, &format!("league-{index}"), event);
            }
        }
        let (status, errors) = served.wait();
        assert!(status.success(), "{errors}");
        let list: Value = serde_json::from_str(&league(&["show", "L", "--json"])).unwrap();
        assert_eq!(standings.last().unwrap(), &list, "the list that `--json` prints");
    }
}

#[test]
fn the_address_of_a_match_may_stand_in_its_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.toml"), "serve = \"127.0.0.1:0\"\n").unwrap();
    let served = start(folder.path(), &["--config", "a.toml"]);
    assert!(events(&served).next().is_some());
    for wrong in ["serve = \"here\"\n", "serve = 70000\n", "serve = []\n"] {
        fs::write(folder.path().join("wrong.toml"), wrong).unwrap();
        let refused = program()
            .args(["match", "--config", "wrong.toml"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(said.contains("wrong.toml: ") && said.contains("serve"), "{said}");
    }
}
