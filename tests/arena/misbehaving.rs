//! Bots that misbehave on purpose: none hangs or misleads the referee, and none outlives its game.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::run::{HANGING, ok_in, play, play_shell, program, shell_bot, tensai};
use tensai::game::{End, Fault, Seat, Verdict};
use tensai::record::Record;

#[test]
fn a_bot_has_no_variables_of_the_one_who_plays_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let variables = ["NODES", "PONDER", "PARAMETERS", "BACKEND", "TURN_TIME"];
    let printed = variables.map(|name| format!("${{TENSAI_{name}-no}}")).join(" ");
    let bot = format!("sh -c {}", shlex::try_quote(&format!("echo \"{printed}\"")).unwrap());
    let status = program()
        .args(["match", "--a", &bot, "--b", "random", "--seed", "1", "--records", "games"])
        .current_dir(folder.path())
        .env("TENSAI_NODES", "5")
        .env("TENSAI_PONDER", "always")
        .env("TENSAI_PARAMETERS", "discount=0.5")
        .env("TENSAI_BACKEND", "portable")
        .env("TENSAI_TURN_TIME", "1s")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    let record = Record::read(&folder.path().join("games/0001.json")).unwrap();
    // The limit of a turn is the match's.
    assert_eq!(record.players[0].name, "no no no no 20000ms");
}

/// Plays a bot, and checks that it loses by this fault and that the report names the fault.
fn loses(script: &str, fault: Fault, what: &str) {
    loses_with(script, fault, what, "");
}

/// As [`loses`], with a further word for the bot's engine, such as `time=1s`; the other bot keeps
/// its own time.
fn loses_with(script: &str, fault: Fault, what: &str, more: &str) {
    let command = format!("cmd=sh -c {}", shlex::try_quote(script).unwrap());
    let words = ["--engine", &command, more].map(str::to_owned);
    let words = words.into_iter().filter(|word| !word.is_empty());
    let other = ["--engine", "cmd=tensai --engine random"].map(str::to_owned);
    let words: Vec<String> = words.chain(other).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (record, report) = play(&[&words[..], &["--seed", "1"]].concat());
    assert_eq!(record.result.verdict, Verdict::Win(Seat::Second), "{script}: {report}");
    let [Some(found), None] = &record.result.faults else { panic!("{script}: {report}") };
    assert_eq!(found.fault, fault, "{script}: {report}");
    assert!(found.reason.contains(what), "{script}: {}", found.reason);
    let turn = record.turns.len();
    let printed = format!("{}: {} at turn {turn}: ", record.name(Seat::First), fault.name());
    assert!(report.contains(&printed) && report.contains(what), "{printed}: {report}");
}

/// The exact limits of time are tested with the referee's own clock, `src/arena/referee/play/tests.rs`.
#[test]
fn a_silent_bot_is_out_of_time() {
    let what = "500.0ms were left, no answer came";
    loses_with(&shell_bot(":"), Fault::OutOfTime, what, "time=0.5");
}

#[test]
fn an_answer_that_is_not_an_action_is_invalid() {
    let answers =
        ["fish", "s", "+3 0", "03 0", "3 0 1", "9 0", "0 4", "", "-1 0", "3,0", "0 0 S", "S S"];
    for answer in answers {
        let what = format!("answered `{answer}`: expected `POSITION ROTATION`");
        loses(&shell_bot(&format!("echo '{answer}'")), Fault::Invalid, &what);
    }
    let skill = "answered `S`: the skill needs a gauge of 80, found 0";
    loses(&shell_bot("echo S"), Fault::Invalid, skill);
    let unseen = "answered `4 1\\u{0}`: expected `POSITION ROTATION`";
    loses(&shell_bot("printf '4 1\\000\\n'"), Fault::Invalid, unseen);
    let long = shell_bot("head -c 200000 /dev/zero | tr '\\0' 7; echo");
    loses(&long, Fault::Invalid, "answered `7777");
}

#[test]
fn blanks_around_an_answer_are_ignored() {
    let (record, report) = play_shell(&shell_bot("printf '  0   0 \\r\\n'"), &[]);
    assert_eq!(record.result.end, Some(End::DangerLine), "{report}");
    assert_eq!(record.turns[0].answers[0], "0 0");
}

#[test]
fn a_bot_that_closes_its_output_has_crashed() {
    let closes = shell_bot("exec >&-; sleep 100");
    loses(&closes, Fault::Crash, "no answer: closed its output");
}

#[test]
fn a_bot_that_exits_during_a_game_has_crashed() {
    let dies = shell_bot("[ $n = 5 ] && { echo 'no more' >&2; exit 3; }; echo 0 $((n % 4))");
    let (record, report) = play_shell(&dies, &[]);
    let fault = record.result.faults[0].as_ref().unwrap();
    assert_eq!((fault.fault, record.turns.len()), (Fault::Crash, 5));
    assert_eq!(fault.reason, "no answer: ended with exit status: 3");
    assert_eq!(fault.last_words, ["no more"]);
    assert!(report.contains("| no more"), "{report}");
    let killed = shell_bot("kill -SEGV $$");
    loses(&killed, Fault::Crash, "ended with signal: 11 (SIGSEGV)");
}

#[test]
fn a_second_answer_is_invalid() {
    // The second line may arrive after the input of the next turn, and count as its answer: then a
    // later line comes before the input of its turn.
    let twice = shell_bot("printf '0 0\\n0 0\\n'");
    loses(&twice, Fault::Invalid, "answered `0 0` before it was asked");
}

#[test]
fn a_flood_on_standard_error_does_not_disturb_a_match() {
    // Some megabytes before every answer; the bot stacks its drops until it loses.
    let flood = shell_bot("head -c 3000000 /dev/zero | tr '\\0' x >&2; echo 0 0");
    let (record, report) = play_shell(&flood, &[]);
    assert_eq!(record.result.end, Some(End::DangerLine), "{report}");
    // A flood of `info` lines does not disturb the match, either.
    let info = shell_bot("yes 'info {\"turn\":0}' | head -n 20000 >&2; echo 0 0");
    let (record, report) = play_shell(&info, &[]);
    assert_eq!(record.result.end, Some(End::DangerLine), "{report}");
}

#[test]
fn a_bot_that_does_not_start_loses_by_no_start() {
    loses("exit 1", Fault::NoStart, "no name: ended with exit status: 1");
    loses_with("sleep 1000", Fault::NoStart, "no name within 500ms", "start-time=0.5");
    loses("echo a/b; sleep 1000", Fault::NoStart, "a name may not contain `/`");
}

#[test]
fn a_bot_starts_with_no_signal_blocked() {
    let tells = "grep '^SigBlk' /proc/self/status >&2; exit 1";
    let (record, report) = play_shell(tells, &[]);
    let fault = record.result.faults[0].as_ref().unwrap();
    assert_eq!(fault.last_words, ["SigBlk:\t0000000000000000"], "{report}");
}

/// Whether a process runs whose command line contains the word.
fn runs(word: &str) -> bool {
    let processes = procfs::process::all_processes().unwrap().flatten();
    let mut lines = processes.filter_map(|process| process.cmdline().ok());
    lines.any(|line| line.iter().any(|part| part == word))
}

/// Waits until no process runs whose command line contains the word.
fn assert_gone(word: &str) {
    let since = Instant::now();
    while runs(word) {
        assert!(since.elapsed() < HANGING, "{word} still runs");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Seconds to sleep, by which a test recognises its processes, also among those of other runs.
fn marker(test: u32) -> String {
    format!("{}", 100_000_000 + 10 * std::process::id() + test)
}

/// A bot that starts further processes in several ways; all of them sleep for `seconds`.
fn forking(seconds: &str) -> String {
    let forks = format!(
        "sleep {seconds} & (sleep {seconds} &) ; setsid sleep {seconds} &
        setsid sh -c 'setsid sh -c \"trap : HUP TERM INT; sleep {seconds} & wait\" &' &
        nohup sleep {seconds} > /dev/null 2>&1 &"
    );
    // The bot ignores its input, including the end of the input.
    format!(
        "trap '' HUP TERM INT; {forks} {}; while :; do sleep {seconds}; done",
        shell_bot("echo 0 0")
    )
}

#[test]
fn forked_processes_of_a_bot_end_with_its_game() {
    let marker = marker(1);
    let (record, report) = play_shell(&forking(&marker), &[]);
    assert_eq!(record.result.end, Some(End::DangerLine), "{report}");
    assert!(!runs(&marker), "the game's end is the end of all");
    let usage = record.players[0].usage.unwrap();
    assert!(usage.peak_kib > 0 && usage.threads >= 5, "{usage:?}");
}

#[test]
fn processes_of_a_bot_that_kills_its_supervisor_end_with_its_game() {
    let marker = marker(4);
    let forks = format!("setsid sleep {marker} & ").repeat(5);
    // The bot answers after the kill.
    let kills = shell_bot(&format!(
        "[ $n = 3 ] && {{ {forks} kill -9 $PPID; sleep 0.5; }}; echo 0 $((n % 4))"
    ));
    let what = "no answer: its supervisor was killed (signal: 9";
    loses(&kills, Fault::Crash, what);
    assert!(!runs(&marker), "the game's end is the end of all");
    let at_once = format!("{forks} kill -9 $PPID; sleep {marker}");
    loses(&at_once, Fault::NoStart, "no name: its supervisor ");
    assert!(!runs(&marker));
    let stops = format!("{forks} kill -STOP $PPID; {}", shell_bot("echo 0 0"));
    let (record, report) = play_shell(&stops, &[]);
    assert_eq!(record.result.end, Some(End::DangerLine), "{report}");
    assert!(!runs(&marker));
    let ends = shell_bot("[ $n = 3 ] && { kill -STOP $PPID; exit 3; }; echo 0 $((n % 4))");
    loses(&ends, Fault::Crash, "ended with exit status: 3");
}

/// `timeout` leads a process group in the session of the supervisor, as a background job does after
/// `set -m` in a shell that needs no terminal for it.
#[test]
fn a_process_group_that_a_bot_leaves_behind_is_not_taken_for_the_bot() {
    let marker = marker(6);
    let leads = "read -r a b c d group e < /proc/$!/stat && [ \"$group\" = $! ]";
    let job = format!("set -m; timeout {marker} sleep {marker} > /dev/null 2>&1 & set +m");
    let leaves = format!("{job}; until {leads}; do :; done; exit 3");
    loses(&leaves, Fault::NoStart, "no name: ended with exit status: 3");
    let in_a_game = shell_bot(&format!("[ $n = 3 ] && {{ {leaves}; }}; echo 0 $((n % 4))"));
    loses(&in_a_game, Fault::Crash, "no answer: ended with exit status: 3");
    assert!(!runs(&marker), "the game's end is the end of all");
}

/// With a limit of one open file, the supervisor can neither wait for the bot nor list its
/// processes.
#[test]
fn a_bot_that_takes_its_supervisors_files_is_killed_and_reported() {
    let marker = marker(5);
    let takes = format!("prlimit --pid $PPID --nofile=1:1; sleep {marker}");
    let takes = shell_bot(&format!("[ $n = 3 ] && {{ {takes}; }}; echo 0 $((n % 4))"));
    let (record, report) = play_shell(&takes, &[]);
    let fault = record.result.faults[0].as_ref().unwrap();
    assert_eq!((fault.fault, record.turns.len()), (Fault::Crash, 3), "{report}");
    assert!(record.players[0].usage.is_some(), "the supervisor has reported: {report}");
    assert!(!runs(&marker), "no process of the bot is left");
}

#[test]
fn a_killed_supervisor_does_not_disturb_other_games() {
    let folder = tempfile::tempdir().unwrap();
    let kills =
        shell_bot("[ $n = 3 ] && { setsid sleep 99 & kill -9 $PPID; sleep 9; }; echo 0 $((n % 4))");
    let kills = format!("sh -c {}", shlex::try_quote(&kills).unwrap());
    let random = "cmd=tensai --engine random";
    let kills = ["--engine", "name=K", &format!("cmd={kills}")];
    let others = ["--engine", "name=A", random, "--engine", "name=B", random, "--seed=1"];
    let more = ["--no-pin", "--concurrency=6", "--rounds=4", "--json"];
    let printed = ok_in(folder.path(), &[&["match"], &kills[..], &others, &more].concat());
    let printed: serde_json::Value = serde_json::from_str(&printed).unwrap();
    let games = printed["games"].as_array().unwrap();
    assert_eq!(games.len(), 12);
    for game in games {
        let killed = game["players"][0] == "K";
        assert_eq!(game["faults"][0] == "crash", killed, "{game}");
        assert!(game["faults"][1].is_null(), "{game}");
    }
}

#[test]
fn a_bot_plays_on_after_its_wrapper_exits() {
    // The first process ends, and the bot is its orphan.
    let wrapper = format!("( {} ) < /dev/fd/3 & exit 0", shell_bot("echo 0 0"));
    let (record, report) = play_shell(&format!("exec 3<&0; {wrapper}"), &[]);
    assert_eq!(record.result.end, Some(End::DangerLine), "{report}");
}

#[test]
fn all_processes_of_a_match_end_with_a_killed_referee() {
    let folder = tempfile::tempdir().unwrap();
    let marker = marker(2);
    let script = forking(&marker).replace("echo 0 0", ":"); // never answers
    let cmd = format!("sh -c {}", shlex::try_quote(&script).unwrap());
    let mut referee = program()
        .args(["match", "--a", &cmd, "--time", "1h", "--turn-time", "1h", "--start-time", "1h"])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let since = Instant::now();
    while !runs(&marker) {
        assert!(since.elapsed() < HANGING, "the bot does not start");
        std::thread::sleep(Duration::from_millis(20));
    }
    referee.kill().unwrap();
    referee.wait().unwrap();
    assert_gone(&marker);
}

#[test]
fn a_bot_that_does_not_read_its_input_is_ended() {
    // The pipe of its input is full long before the game is over.
    let marker = marker(3);
    let asleep = format!("echo odd; sleep {marker}");
    loses_with(&asleep, Fault::OutOfTime, "no answer came", "time=0.5");
    assert_gone(&marker);
}

#[test]
fn keep_fails_outside_a_match() {
    let output = program().arg("supervise").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(errors, "tensai: only the arena starts this command\n");
    assert!(Path::new(&tensai()).exists());
}
