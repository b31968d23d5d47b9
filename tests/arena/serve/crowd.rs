//! Many clients at once, and clients that go away.

use std::io::{BufRead as _, BufReader, Write as _};
use std::thread;
use std::time::Instant;

use serde_json::{Value, json};

use tensai::web::api::{NoProgress, handle};

use super::client::{HANGING, Played, Served, request};

/// Clients at a time.
const CLIENTS: u64 = 50;

#[test]
fn fifty_sessions_are_answered_as_one_is() {
    let served =
        Served::start(&["--threads", "2", "--engine", "name=other", "cmd=tensai --engine random"]);
    let asked = |client: u64| {
        let mut game = Played::new(client);
        let mut actions = Vec::new();
        for _ in 0..3 {
            let own = served.ask("decide", &game.asks("tensai", &json!({ "nodes": 500 })));
            let session = json!({ "session": format!("page-{client}") });
            let other = served.ask("decide", &game.asks("other", &session));
            let pair = [&own, &other].map(|answer| {
                let action = answer["result"]["action"].as_str();
                action.unwrap_or_else(|| panic!("{answer}")).to_owned()
            });
            game.play([&pair[0], &pair[1]]);
            actions.push(pair[0].clone());
        }
        actions
    };
    let all: Vec<_> = thread::scope(|scope| {
        let clients: Vec<_> =
            (0..CLIENTS).map(|client| scope.spawn(move || asked(client))).collect();
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    });
    // The library, on one thread, decides as the server does for all its clients.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for (client, actions) in (0..).zip(&all).step_by(10) {
        let params = Played::new(client).asks("tensai", &json!({ "nodes": 500 }));
        let params = params.to_string();
        let decided = pool.install(|| handle("decide", &params, &mut NoProgress::default()));
        let decided: Value = serde_json::from_str(decided.unwrap().get()).unwrap();
        assert_eq!(decided["action"], actions[0], "client {client}");
    }
}

#[test]
fn a_search_ends_when_its_client_goes_away() {
    let served = Served::start(&["--threads", "1"]);
    let long = Played::new(1).asks("tensai", &json!({ "nodes": 1_000_000_000 }));
    let mut stream = served.connect();
    stream.write_all(served.asked("decide", &long).as_bytes()).unwrap();
    // The search runs when it reports.
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let progress = lines.find(|line| line.starts_with("{\"progress\"")).expect("it reports");
    let progress: Value = serde_json::from_str(&progress).unwrap();
    assert!(progress["progress"]["nodes"].as_u64() > Some(0), "{progress}");
    drop(lines);
    drop(stream);
    let since = Instant::now();
    let short = Played::new(1).asks("tensai", &json!({ "level": 1 }));
    let answer = served.ask("decide", &short);
    assert!(answer["result"]["action"].is_string(), "{answer}");
    assert!(since.elapsed() < HANGING, "the only thread is free again");
}

#[test]
fn clients_that_wait_and_go_away_leave_their_place() {
    let served = Served::start(&["--threads", "1"]);
    let long = Played::new(1).asks("tensai", &json!({ "nodes": 1_000_000_000 }));
    let waiting: Vec<_> = (0..20)
        .map(|_| {
            let mut stream = served.connect();
            stream.write_all(served.asked("decide", &long).as_bytes()).unwrap();
            stream
        })
        .collect();
    // A method that does not search has threads of its own.
    assert!(served.ask("hello", &json!({}))["result"].is_object());
    drop(waiting);
    let answer = served.ask("decide", &Played::new(1).asks("tensai", &json!({ "level": 1 })));
    assert!(answer["result"]["action"].is_string(), "{answer}");
}

/// Parsed, each of these requests would take 140 MB.
#[test]
fn requests_that_wait_are_held_as_text() {
    /// The most memory that the server takes, in KiB: 5 MB of its own, a page, 20 texts.
    const MOST: u64 = 200 << 10;
    let served = Served::start(&["--threads", "1"]);
    let long = Played::new(1).asks("tensai", &json!({ "nodes": 1_000_000_000 }));
    let mut running = served.connect();
    running.write_all(served.asked("decide", &long).as_bytes()).unwrap();
    let mut lines = BufReader::new(running).lines().map_while(Result::ok);
    lines.find(|line| line.starts_with("{\"progress\"")).expect("the only thread is busy");
    let origin = &mut String::new();
    let own = served.own(origin);
    let dense = format!("{{\"position\":[{}0]}}", "{\"\":0},".repeat(130_000));
    let waiting: Vec<_> = (0..20)
        .map(|_| {
            let mut stream = served.connect();
            stream.write_all(request("POST /api/decide", &own, &dense).as_bytes()).unwrap();
            // The head of the answer is sent when the whole request was read.
            assert!(stream.peek(&mut [0]).unwrap() > 0);
            stream
        })
        .collect();
    let status = std::fs::read_to_string(format!("/proc/{}/status", served.pid())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak < MOST, "{peak} KiB with {} requests", waiting.len());
}
