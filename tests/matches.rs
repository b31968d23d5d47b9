//! `tensai match` as a process: games to their end, and bots that misbehave.

use std::path::Path;
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use tensai::game::{End, Fault, Seat, Verdict};
use tensai::record::Record;

fn tensai() -> String {
    cargo_bin("tensai").display().to_string()
}

/// Runs a match in an empty folder; its records are in `games` there.
fn run_in(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(cargo_bin("tensai"))
        .arg("match")
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// Plays one game and reads its record.
fn play(arguments: &[&str]) -> (Record, String) {
    let folder = tempfile::tempdir().unwrap();
    let output = run_in(folder.path(), arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut records: Vec<_> = std::fs::read_dir(folder.path().join("games")).unwrap().collect();
    assert_eq!(records.len(), 1, "one record and nothing half-written");
    let record = Record::read(&records.remove(0).unwrap().path()).unwrap();
    (record, String::from_utf8(output.stdout).unwrap())
}

/// A bot of one shell command, against one that plays at random.
fn play_shell(script: &str, more: &[&str]) -> (Record, String) {
    let bot = format!("sh -c {}", shlex::try_quote(script).unwrap());
    play(&[&["--a", &bot, "--seed", "1"], more].concat())
}

#[test]
fn the_bot_beats_the_random_one() {
    let bot = format!("{} --threads 1 --nodes 20000", tensai());
    let (record, report) = play(&["--a", &bot, "--seed", "5"]);
    assert_eq!(record.result.verdict, Verdict::Win(Seat::First), "{report}");
    assert_eq!(record.result.end, Some(End::DangerLine));
    assert_eq!(record.packs_from, "seed 5");
    assert!(report.contains("tensai - random: tensai wins, danger line at turn "), "{report}");
    // What the bot said about its moves is kept with the turns that it is about.
    let turns = record.turns.iter().enumerate();
    let told = turns.filter(|(index, turn)| {
        turn.info[0].as_ref().is_some_and(|info| {
            info["turn"] == *index && info["action"] == turn.answers[0].as_str()
        })
    });
    assert_eq!(told.count(), record.turns.len());
}

#[test]
fn random_games_follow_from_their_seeds() {
    let bots = [1, 2].map(|seed| format!("{} play --random --seed {seed}", tensai()));
    let game = || play(&["--a", &bots[0], "--b", &bots[1], "--seed", "9"]).0;
    let answers = |record: &Record| -> Vec<[String; 2]> {
        record.turns.iter().map(|turn| turn.answers.clone()).collect()
    };
    assert_eq!(answers(&game()), answers(&game()));
}

#[test]
fn faults_are_named_and_end_the_game() {
    let name_then = |rest: &str| format!("echo odd; {rest}");
    let cases = [
        (name_then("cat > /dev/null"), Fault::OutOfTime, "no answer came"),
        (
            name_then("head -n 1501 > /dev/null; echo fish; cat > /dev/null"),
            Fault::Invalid,
            "answered `fish`: expected `POSITION ROTATION`",
        ),
        (
            name_then("head -n 1501 > /dev/null; echo S; cat > /dev/null"),
            Fault::Invalid,
            "answered `S`: the skill needs a gauge of 80, found 0",
        ),
        (
            name_then("head -n 1501 > /dev/null; echo bye >&2; exit 3"),
            Fault::Invalid,
            "no answer: ended with exit status: 3",
        ),
        (name_then("echo 0 0; sleep 9"), Fault::Invalid, "before it was asked"),
        ("exit 1".to_owned(), Fault::Invalid, "no name: ended with exit status: 1"),
        ("sleep 9".to_owned(), Fault::OutOfTime, "no name within"),
    ];
    for (script, fault, what) in cases {
        let limits = ["--time", "0.5", "--start-time", "0.5"];
        let (record, report) = play_shell(&script, &limits);
        assert_eq!(record.result.verdict, Verdict::Win(Seat::Second), "{script}: {report}");
        let [Some(found), None] = &record.result.faults else { panic!("{script}: {report}") };
        assert_eq!(found.fault, fault, "{script}: {report}");
        assert!(found.what.contains(what), "{script}: {}", found.what);
        assert!(report.contains(what), "{report}");
        if script.contains("bye") {
            assert_eq!(found.last_words, ["bye"]);
            assert!(report.contains("| bye"), "{report}");
        }
    }
}

#[test]
fn a_bot_that_floods_standard_error_harms_nobody() {
    // Some megabytes before every answer; it falls over its own tower in the end.
    let flood = "echo odd; n=-500; while read -r line; do
        case $line in END) n=$((n + 1)); [ $n -gt 0 ] && [ $((n % 2)) = 0 ] && {
            head -c 3000000 /dev/zero | tr '\\0' x >&2; echo 0 0; };; esac; done";
    let (record, report) = play_shell(flood, &["--time", "60"]);
    assert_eq!(record.result.end, Some(End::DangerLine), "{report}");
}

#[test]
fn bad_requests_are_refused_with_one_line() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.pack"), "1 2\n3 0\nEND\n1 2\n3 12\n").unwrap();
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    for (arguments, message) in [
        (
            &["--packs", "bad.pack"][..],
            "tensai: bad.pack: input line 5, pack 1: expected two numbers, 0 to 9, found `3 12`",
        ),
        (&["--packs", "none"], "tensai: none: cannot read"),
        (&["--packs", "empty"], "tensai: empty: no file of packs is in it"),
        (&["--a", "./no-such-bot"], "tensai: `./no-such-bot` does not start: "),
        (&["--a", "'"], "tensai: `'` is not a command"),
    ] {
        let output = run_in(folder.path(), arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.starts_with(message), "{arguments:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
    assert!(!folder.path().join("games").exists(), "nothing is written");
}
