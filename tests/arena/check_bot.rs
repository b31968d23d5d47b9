//! `tensai check-bot`: a good bot passes, and each fault is named with its turn and its rule.

use std::path::Path;

use serde_json::Value;

use crate::run::shell_bot;
use crate::running::run;

/// Checks `command`; returns the exit code and the results. The time limits are so long that only a
/// hang reaches them; `more` may set others.
fn check(command: &str, more: &[&str]) -> (i32, Value) {
    let mut arguments = vec!["check-bot", command, "--json"];
    for [name, value] in [["--time", "1h"], ["--turn-time", "10m"], ["--start-time", "10m"]] {
        if !more.contains(&name) {
            arguments.extend([name, value]);
        }
    }
    arguments.extend(more);
    let output = run(Path::new("."), &arguments, b"");
    let json = serde_json::from_slice(&output.stdout);
    let log = String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap(), json.unwrap_or_else(|error| panic!("{error}: {log}")))
}

/// The only finding in the only situation of a check with exit code 1: what the bot did, and the
/// turn.
fn fault(turn_of_bot: &str, more: &[&str]) -> (String, Option<u64>) {
    let script = format!("sh -c {}", quoted(&shell_bot(turn_of_bot)));
    let (code, json) = check(&script, more);
    let finding = &json["situations"][0]["findings"][0];
    assert_eq!(
        (code, &json["faults"], &finding["severity"]),
        (1, &1.into(), &"fault".into()),
        "{json}"
    );
    assert!(!finding["rule"].as_str().unwrap().is_empty());
    (finding["what"].as_str().unwrap().to_owned(), finding["turn"].as_u64())
}

fn quoted(script: &str) -> String {
    shlex::try_quote(script).unwrap().into_owned()
}

#[test]
fn a_bot_that_plays_by_the_protocol_passes() {
    let (code, json) = check("tensai --engine random", &["--env", "TENSAI_SEED=1"]);
    assert_eq!((code, &json["faults"], &json["name"]), (0, &0.into(), &"random".into()), "{json}");
    let situations = json["situations"].as_array().unwrap();
    assert_eq!(situations.len(), 13);
    for situation in situations {
        // The bot drops at random, and so it may lose where another drop does not.
        let is_full = situation["situation"] == "nearly-full";
        let findings = situation["findings"].as_array().unwrap();
        assert!(is_full || findings.is_empty(), "{situation}");
    }
}

#[test]
fn each_fault_is_named_with_its_turn() {
    let start = ["--only", "start"];
    assert_eq!(fault("echo 9 0", &start), ("answered `9 0`".to_owned(), Some(0)));
    let late = "[ $n = 3 ] && { echo 'no more' >&2; exit 3; }; echo 0 $((n % 4))";
    assert_eq!(
        fault(late, &start),
        ("gave no answer: ended with exit status: 3".to_owned(), Some(3))
    );
    let twice = "echo 0 0; echo 0 0; sleep 1";
    assert_eq!(fault(twice, &start).0, "printed `0 0` before it was asked");
    let mute = ["--only", "start", "--turn-time", "1s"];
    let (what, turn) = fault(":", &mute);
    assert_eq!(
        (without_time(&what).as_str(), turn),
        ("printed no answer within 1.0s, with TIME since its start; is the line flushed?", Some(0))
    );
    let skill = ["--only", "skill-not-ready"];
    assert_eq!(fault("echo S", &skill), ("answered `S` with a gauge of 0".to_owned(), Some(40)));
}

/// A finding without the processor time in it.
fn without_time(what: &str) -> String {
    let (before, after) = what.split_once(", with ").unwrap();
    let (seconds, after) = after.split_once(" s of processor time").unwrap();
    assert!(seconds.parse::<f64>().unwrap() >= 0.0, "{what}");
    format!("{before}, with TIME{after}")
}

#[test]
fn a_check_ends_with_the_first_situation_in_which_the_bot_does_not_start() {
    let starts = [("echo x > begun; sleep 1000", 1), ("exit 3", 1), ("echo a/b; sleep 1000", 1)];
    // Remarks are no faults of play, but a bot that does not start has a fault.
    for only in [&[][..], &["--only", "second-game", "--only", "end-of-input"]] {
        for (script, played) in starts {
            let folder = tempfile::tempdir().unwrap();
            let dir = folder.path().to_str().unwrap();
            let script = format!("sh -c {}", quoted(script));
            let more = [&["--start-time", "0.5s", "--dir", dir], only].concat();
            let (code, json) = check(&script, &more);
            let situations = json["situations"].as_array().unwrap();
            assert_eq!((code, situations.len(), &json["faults"]), (1, played, &1.into()), "{json}");
            let finding = &situations[0]["findings"][0];
            assert_eq!((&finding["severity"], &finding["turn"]), (&"fault".into(), &Value::Null));
            if folder.path().join("begun").exists() {
                let what = without_time(finding["what"].as_str().unwrap());
                let expected = "printed no name within 500ms, with TIME since its start; is the \
                    line flushed?";
                assert_eq!(what, expected);
            }
        }
    }
    let output = run(Path::new("."), &["check-bot", "sh -c 'exit 3'"], b"");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(errors, "tensai: the bot does not start: 1 of 13 situations played\n");
}

#[test]
fn wrong_names_are_faults() {
    for (script, expected) in [
        ("echo a/b; sleep 100", "printed the name `a/b`, which has a `/`"),
        ("exit 0", "printed no name: ended with exit status: 0"),
    ] {
        let (code, json) = check(&format!("sh -c {}", quoted(script)), &["--only", "start"]);
        let finding = &json["situations"][0]["findings"][0];
        assert_eq!((code, finding["what"].as_str()), (1, Some(expected)), "{json}");
    }
}

#[test]
fn what_the_contest_leaves_open_is_a_remark() {
    // The bot does not end after the last line of its input.
    let script = format!("{}; sleep 1000", shell_bot("echo 0 $((n % 4))"));
    let (code, json) = check(&format!("sh -c {}", quoted(&script)), &["--only", "end-of-input"]);
    let findings = json["situations"][0]["findings"].as_array().unwrap();
    assert_eq!((code, findings.len()), (0, 1), "{json}");
    assert_eq!(findings[0]["what"], "still ran 10s after the end of its input");
    assert_eq!(findings[0]["severity"], "remark");
    // The bot reads the packs of the second game as turns.
    let (code, json) = check(
        &format!("sh -c {}", quoted(&shell_bot("[ $n -gt 2 ] && exit 1; echo 0 $((n % 4))"))),
        &["--only", "second-game"],
    );
    assert_eq!((code, &json["faults"]), (0, &0.into()), "{json}");
    let finding = &json["situations"][0]["findings"][0];
    assert_eq!((&finding["severity"], &finding["turn"]), (&"remark".into(), &0.into()), "{json}");
    let what = finding["what"].as_str().unwrap();
    assert!(what.starts_with("in the second game: "), "{what}");
    assert!(finding["rule"].as_str().unwrap().contains("a line of two numbers"), "{json}");
}

/// Any fault is one of line ends, unless the bot has a fault with the contest's lines too.
#[test]
fn a_fault_after_windows_line_ends_is_a_remark_about_them() {
    let (answers, line_ends) = ("an answer is `POSITION ROTATION`", "the contest's lines end with");
    let drop = "echo 0 $((n % 4))";
    let only_then = |wrong: &str| format!("case $line in *D) {drop};; *) {wrong};; esac");
    for (turn_of_bot, what, turn, rule) in [
        (only_then("echo 0 x"), "after lines that end with \\r\\n: answered `0 x`", 0, line_ends),
        (
            only_then("exit 3"),
            "after lines that end with \\r\\n: gave no answer: ended with exit status: 3",
            0,
            line_ends,
        ),
        (format!("[ $n = 2 ] && echo 0 x; {drop}"), "answered `0 x`", 2, answers),
    ] {
        // Unlike other bots in shell, this one finds `END` before `\r`.
        let script = shell_bot(&turn_of_bot).replace("in END)", "in END*)");
        let only = ["--only", "windows-line-ends"];
        let (code, json) = check(&format!("sh -c {}", quoted(&script)), &only);
        let findings = json["situations"][0]["findings"].as_array().unwrap();
        assert_eq!((code, findings.len(), &json["faults"]), (0, 1, &0.into()), "{json}");
        let finding = &findings[0];
        assert_eq!((&finding["what"], &finding["turn"]), (&what.into(), &turn.into()), "{json}");
        assert_eq!(finding["severity"], "remark");
        assert!(finding["rule"].as_str().unwrap().starts_with(rule), "{json}");
    }
}

#[test]
fn known_opponents_are_checked_by_name() {
    for (name, said) in
        [("random", "random"), ("level1", "beginner"), ("level2", "stacker"), ("level3", "tensai")]
    {
        let (code, json) = check(name, &["--only", "skill-ready"]);
        assert_eq!((code, &json["name"]), (0, &said.into()), "{json}");
    }
}

/// The variable of a user must not hide that a bot does not flush.
#[test]
fn a_bot_in_python_flushes_by_itself() {
    let script = format!("sh -c {}", quoted("echo \"[$PYTHONUNBUFFERED]\""));
    let only = ["--only", "start"];
    assert_eq!(check(&script, &only).1["name"], "[]");
    let given = check(&script, &[&only[..], &["--env", "PYTHONUNBUFFERED=1"]].concat()).1;
    assert_eq!(given["name"], "[1]");
}

#[test]
fn a_bot_that_does_not_start_ends_the_check() {
    let output = run(Path::new("."), &["check-bot", "./no-such-bot"], b"");
    let log = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{log}");
    assert!(log.contains("`./no-such-bot` does not start"), "{log}");
    assert!(output.stdout.is_empty());
    let output = run(Path::new("."), &["check-bot", ""], b"");
    assert!(!output.status.success() && output.stdout.is_empty());
    let output = run(Path::new("."), &["check-bot", "x", "--only", "strat"], b"");
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(log.contains("did you mean `start`?"), "{log}");
}

#[test]
fn the_situations_are_listed() {
    let output = run(Path::new("."), &["check-bot", "--list"], b"");
    let list = String::from_utf8_lossy(&output.stdout);
    let named = list.lines().filter(|line| !line.starts_with(' ')).count();
    assert_eq!((output.status.code(), named), (Some(0), 13), "{list}");
    assert!(list.lines().all(|line| line.chars().count() <= 80), "{list}");
    assert!(list.contains("skill-not-ready    a field of fives"), "{list}");
    let output = run(Path::new("."), &["check-bot", "--list", "--json"], b"");
    let list: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((list.as_array().unwrap().len(), &list[0]["situation"]), (13, &"start".into()));
}
