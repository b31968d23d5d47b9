//! External engines: they play, misbehave, crash and end.

use std::fs;
use std::io::Write as _;
use std::time::Instant;

use serde_json::{Value, json};

use tensai::game::Packs;

use super::client::{HANGING, Played, Served};
use crate::run::shell_bot;

/// The word of `--engine` for a [`shell_bot`].
fn bot(turn: &str) -> String {
    format!("cmd=sh -c {}", shlex::try_quote(&shell_bot(turn)).unwrap())
}

fn served(turn: &str) -> Served {
    Served::start(&["--engine", "name=odd", &bot(turn)])
}

/// Asks the engine `odd` in a session.
fn ask(served: &Served, game: &Played) -> Value {
    served.ask("decide", &game.asks("odd", &json!({ "session": "a" })))
}

#[test]
fn a_session_is_one_process_that_gets_turn_after_turn() {
    let served = served("echo $((n % 9)) 0");
    let hello = served.ask("hello", &json!({}));
    assert_eq!(hello["result"]["engines"], json!(["odd"]), "{hello}");
    let mut game = Played::new(1);
    for turn in 0..4 {
        let answer = ask(&served, &game);
        assert_eq!(answer["result"]["action"], format!("{turn} 0"), "{answer}");
        game.play([&format!("{turn} 0"), "8 0"]);
    }
    // A game of which only some packs are known.
    let mut part = Played {
        packs: Packs::known(490, game.packs.from_turn(490).to_vec()).unwrap(),
        ..Played::new(1)
    };
    part.state.turn = 490;
    let asks = |part: &Played| part.asks("odd", &json!({ "session": "part" }));
    for turn in 0..3 {
        let answer = served.ask("decide", &asks(&part));
        assert_eq!(answer["result"]["action"], format!("{turn} 0"), "{answer}");
        part.play([&format!("{turn} 0"), "8 0"]);
    }
    let limited = game.asks("odd", &json!({ "session": "a", "nodes": 5 }));
    assert_eq!(served.ask("decide", &limited)["error"]["code"], "bad_request");
    // A turn that was taken back, another game, another session: a new process.
    assert_eq!(ask(&served, &Played::new(1))["result"]["action"], "0 0");
    assert_eq!(ask(&served, &Played::new(2))["result"]["action"], "0 0");
    let other = game.asks("odd", &json!({ "session": "b" }));
    assert_eq!(served.ask("decide", &other)["result"]["action"], "0 0");
}

#[test]
fn a_crash_is_explained_and_the_game_goes_on() {
    let served = served("if [ $n = 1 ]; then echo 'no memory' >&2; exit 3; fi; echo 2 0");
    let mut game = Played::new(1);
    assert_eq!(ask(&served, &game)["result"]["action"], "2 0");
    game.play(["2 0", "8 0"]);
    let error = &ask(&served, &game)["error"];
    assert_eq!(error["code"], "engine", "{error}");
    let message = error["message"].as_str().unwrap();
    assert!(message.starts_with("odd: turn 1: no answer: "), "{message}");
    assert!(message.contains("ended with exit status: 3"), "{message}");
    assert!(message.ends_with("its last line on standard error: no memory"), "{message}");
    let answer = ask(&served, &game);
    assert_eq!(answer["result"]["action"], "2 0", "a new process goes on: {answer}");
}

#[test]
fn wrong_answers_are_explained() {
    let cases = [
        ("echo fish", "odd: turn 0: answered `fish`: expected `POSITION ROTATION`"),
        ("echo S", "odd: turn 0: answered `S`: the skill needs a gauge of 80, found 0"),
        ("printf '\\033[2J\\n'", "odd: turn 0: answered `\\u{1b}[2J`: "),
        ("kill -9 $$", "odd: turn 0: no answer: "),
    ];
    for (turn, what) in cases {
        let error = &ask(&served(turn), &Played::new(1))["error"];
        assert_eq!(error["code"], "engine", "{turn}: {error}");
        assert!(error["message"].as_str().unwrap().starts_with(what), "{turn}: {error}");
    }
    let silent = Served::start(&["--engine", "name=odd", "cmd=sh -c 'exit 7'"]);
    let error = &ask(&silent, &Played::new(1))["error"];
    assert_eq!(error["code"], "engine", "{error}");
    assert!(error["message"].as_str().unwrap().starts_with("odd: did not start: "), "{error}");
    let late = Served::start(&["--engine", "name=odd", "cmd=sleep 1000", "start-time=100ms"]);
    let error = &ask(&late, &Played::new(1))["error"];
    assert_eq!(error["message"], "odd: did not start: no name within 100.0ms", "{error}");
}

#[test]
fn a_request_names_an_engine_of_the_command_line_and_never_a_command() {
    let served = served("echo 0 0");
    let game = Played::new(1);
    for engine in ["sh", "sh -c true", "../odd", "tensai --engine random", ""] {
        let error = &served.ask("decide", &game.asks(engine, &json!({})))["error"];
        assert_eq!(error["code"], "bad_request", "{engine}: {error}");
    }
    for time in [0, 600_001, u64::MAX] {
        let error = &served.ask("decide", &game.asks("odd", &json!({ "time_ms": time })))["error"];
        assert_eq!(error["code"], "bad_request", "{time}: {error}");
    }
    for session in ["a b", "../a", &"a".repeat(65), "\u{1b}"] {
        let error =
            &served.ask("decide", &game.asks("odd", &json!({ "session": session })))["error"];
        assert_eq!(error["code"], "bad_request", "{session}: {error}");
    }
}

#[test]
fn an_engine_ends_when_its_client_goes_away() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let script = format!("echo $$ > {}.new; mv {0}.new {0}; sleep 1000", file.display());
    let served = served(&script);
    let asked = served.asked("decide", &Played::new(1).asks("odd", &json!({ "session": "a" })));
    let mut stream = served.connect();
    stream.write_all(asked.as_bytes()).unwrap();
    let pid = wait_for(|| fs::read_to_string(&file).ok()).trim().to_owned();
    let runs = || fs::exists(format!("/proc/{pid}")).unwrap();
    assert!(runs());
    drop(stream);
    wait_for(|| (!runs()).then_some(()));
}

/// Waits until `look` finds something.
pub fn wait_for<T>(look: impl Fn() -> Option<T>) -> T {
    let since = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(since.elapsed() < HANGING, "it never comes");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}
