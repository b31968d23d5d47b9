//! What disturbs a match from outside the game: bots that reach for the referee and for each other,
//! a machine that lacks processes or file handles, and Ctrl-Z.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use procfs::process::Process;

use crate::run::{HANGING, play_shell, program, shell_bot, tensai};
use crate::running::unhurried;
use tensai::game::{End, Fault};
use tensai::record::Record;

/// Words of a shell command that runs the script.
fn command(script: &str) -> String {
    format!("sh -c {}", shlex::try_quote(script).unwrap())
}

/// The start of a script, which finds its supervisor and its referee.
const FAMILY: &str = "supervisor=$PPID; read -r a b c referee rest < /proc/$supervisor/stat;";

/// Two engines play each other while both play a third one, which opens whatever it finds open in
/// the referee and in all supervisors, and keeps it open until that game is over.
#[test]
fn a_bot_that_keeps_the_handles_of_others_open_does_not_hang_their_game() {
    let folder = tempfile::tempdir().unwrap();
    let begun = "[ $n = 0 ] && : > begun.$$";
    let fair = shell_bot(&format!(
        "{begun}; while [ $n = 0 ] && [ ! -e held ]; do sleep 0.05; done; echo 0 0"
    ));
    let holds = "set -- begun.*; while [ $# -lt 4 ]; do sleep 0.05; set -- begun.*; done;
        for stat in /proc/[0-9]*/stat; do
            read -r pid b c parent rest < $stat && [ \"$parent\" = $referee ] &&
                family=\"$family $pid\"; done 2> /dev/null;
        for pid in $referee $family; do for handle in /proc/$pid/fd/*; do
            sleep 100000 <> $handle & done; done 2> /dev/null;
        : > held; while [ ! -e games/0003.json ]; do sleep 0.05; done";
    let hostile = shell_bot(&format!("[ $n = 0 ] && {{ {FAMILY} {holds}; }}; echo 0 $((n % 4))"));
    let engine = |name: &str, script: &str| {
        ["--engine".to_owned(), format!("name={name}"), format!("cmd={}", command(script))]
    };
    let engines = [engine("H", &hostile), engine("A", &fair), engine("B", &fair)].concat();
    let engines: Vec<&str> = engines.iter().map(String::as_str).collect();
    let more = ["--concurrency=3", "--no-pin", "--seed=1", "--records", "games"];
    crate::run::ok_in(folder.path(), &[&["match"], &engines[..], &more].concat());
    for number in 1..=3 {
        let path = folder.path().join(format!("games/000{number}.json"));
        let record = Record::read(&path).unwrap();
        assert_eq!(record.result.end, Some(End::DangerLine), "{number}: {:?}", record.result);
        for player in record.players {
            assert!(player.usage.is_some_and(|usage| usage.peak_kib > 100), "{number}");
        }
    }
}

#[test]
fn a_bot_cannot_forge_its_resources() {
    let usage = r#"{"peak-kib":1,"peak_kib":1,"cpu_ms":1,"wall_ms":1,"threads":1}"#;
    let report = format!(r#"{{"status":0,"killed":0,"usage":{usage}}}"#);
    let forges = format!(
        "for handle in /proc/$PPID/fd/*; do
            printf '%s\\n' '{report}' '{{\"Ended\":{report}}}' > $handle; done 2> /dev/null"
    );
    let bot = shell_bot(&format!("[ $n = 1 ] && {{ {forges}; }}; echo 0 0"));
    // What reaches its own output may lose the game by an invalid answer.
    let (record, report) = play_shell(&bot, &[]);
    assert!(record.players[0].usage.unwrap().peak_kib > 1, "{report}");
}

#[test]
fn a_bot_that_keeps_stopping_its_supervisor_is_ended_and_reported() {
    let stops = "supervisor=$PPID; (while kill -STOP $supervisor; do :; done) < /dev/null > /dev/null 2>&1 &";
    let (record, report) = play_shell(&format!("{stops} {}", shell_bot("echo 0 0")), &[]);
    assert_eq!(record.result.end, Some(End::DangerLine), "{report}");
    assert!(record.players[0].usage.is_some(), "the supervisor has reported: {report}");
    let ends = shell_bot(&format!("[ $n = 3 ] && {{ {stops} exit 3; }}; echo 0 0"));
    let (record, report) = play_shell(&ends, &[]);
    let fault = record.result.faults[0].as_ref().unwrap();
    assert_eq!(fault.fault, Fault::Crash, "{report}");
    assert_eq!(fault.reason, "no answer: ended with exit status: 3", "{report}");
}

/// Whether the tests run as root.
fn is_root() -> bool {
    Process::myself().unwrap().uid().unwrap() == 0
}

/// The program without the powers of root, by which root reads any process.
fn without_powers() -> Command {
    if !is_root() {
        return program();
    }
    let mut command = Command::new("setpriv");
    command.args(["--bounding-set=-all", "--inh-caps=-all", &tensai()]);
    command.env("XDG_STATE_HOME", crate::running::STATE);
    command
}

#[test]
fn a_bot_cannot_look_into_its_referee_and_its_supervisor() {
    let folder = tempfile::tempdir().unwrap();
    let looks = "for pid in $$ $supervisor $referee; do
            cat /proc/$pid/environ > /dev/null && echo environ of $pid >&2
            readlink /proc/$pid/fd/0 > /dev/null && echo handles of $pid >&2
            (: <> /proc/$pid/mem) && echo memory of $pid >&2
        done 2> /dev/null; exit 1";
    // What is said in the loop goes to the bot's standard error.
    let looks = looks.replace(">&2", ">&3");
    let bot = command(&format!("exec 3>&2; {FAMILY} {looks}"));
    let arguments = ["match", "--a", &bot, "--b", "random", "--seed", "1", "--records", "games"];
    let output = without_powers()
        .args(unhurried(&arguments))
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    // The bot says no name.
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let record = Record::read(&folder.path().join("games/0001.json")).unwrap();
    let words = &record.result.faults[0].as_ref().unwrap().last_words;
    let [a, b, c] = &words[..] else { panic!("its own only: {words:?}") };
    let own = a.rsplit(' ').next().unwrap();
    assert_eq!(
        [a, b, c],
        [&format!("environ of {own}"), &format!("handles of {own}"), &format!("memory of {own}")]
    );
}

#[test]
fn a_bot_has_no_terminal() {
    let (record, report) =
        play_shell("exec 3>&2; (: > /dev/tty) && echo terminal >&3; exit 1", &[]);
    let words = &record.result.faults[0].as_ref().unwrap().last_words;
    assert!(!words.contains(&"terminal".to_owned()), "{report}");
}

/// Plays a match of two bots that start no process, under limits of the system. Either the game is
/// played without a fault, or the match ends with exit code 2, and there is no record. Returns
/// whether it was played.
fn played_under(limits: &mut Command, folder: &Path, tells: &str) -> bool {
    let _ = fs::remove_dir_all(folder.join("games"));
    let bot = command(&shell_bot("echo 0 0"));
    let arguments = ["--no-pin", "--seed", "1", "--records", "games"];
    let arguments = [&["match", "--a", &bot, "--b", &bot], &arguments[..]].concat();
    limits.args(unhurried(&arguments)).current_dir(folder).stdin(Stdio::null());
    let Output { status, stderr, .. } = limits.output().unwrap();
    let errors = String::from_utf8(stderr).unwrap();
    let record = folder.join("games/0001.json");
    if status.success() {
        let record = Record::read(&record).unwrap();
        assert_eq!(record.result.end, Some(End::DangerLine), "{limits:?}: {errors}");
        return true;
    }
    assert_eq!(status.code(), Some(2), "{limits:?}: {errors}");
    assert!(errors.contains(tells), "{limits:?}: {errors}");
    assert!(!record.exists(), "{limits:?}");
    let is_begun = folder.join("games/match.json").exists();
    assert!(!is_begun || errors.contains("resume with: tensai match resume games"), "{errors}");
    false
}

#[test]
fn a_bot_does_not_lose_because_file_handles_are_missing() {
    let folder = tempfile::tempdir().unwrap();
    let mut failed = 0;
    for most in 6.. {
        let mut limits = Command::new("prlimit");
        limits.args([&format!("--nofile={most}"), &tensai()]);
        limits.env("XDG_STATE_HOME", crate::running::STATE);
        if played_under(&mut limits, folder.path(), "Too many open files (os error 24)") {
            break;
        }
        failed += 1;
    }
    assert!(failed > 5, "the limits were low: {failed}");
}

/// Root has no limit of processes, so another user plays.
#[test]
fn a_bot_does_not_lose_because_processes_are_missing() {
    if !is_root() {
        let why = "skipped: only root can play as a user who has no other process";
        let _ = writeln!(std::io::stderr(), "{why}");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // No other process belongs to this user.
    let user = 1_000_000 + std::process::id();
    chown(folder.path(), Some(user), Some(user)).unwrap();
    let copy = folder.path().join("tensai");
    fs::copy(tensai(), &copy).unwrap();
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).unwrap();
    let mut failed = 0;
    for most in 1.. {
        let mut limits = Command::new("setpriv");
        limits.args([format!("--reuid={user}"), format!("--regid={user}")]);
        limits.args(["--clear-groups", "prlimit", &format!("--nproc={most}")]).arg(&copy);
        limits.env("XDG_STATE_HOME", folder.path().join("state"));
        let tells = "Resource temporarily unavailable (os error 11)";
        if played_under(&mut limits, folder.path(), tells) {
            break;
        }
        failed += 1;
    }
    assert!(failed > 5, "the limits were low: {failed}");
}

/// Whether the process is stopped.
fn is_stopped(pid: i32) -> bool {
    Process::new(pid).unwrap().stat().unwrap().state == 'T'
}

/// The test itself is in no time of a bot: the times that are counted and the pause are disjoint
/// parts of the time from the start to the end, on any machine.
#[test]
fn ctrl_z_stops_the_bots_and_their_clocks() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let thinks = "[ $n = 2 ] && { echo $$ > draft; mv draft thinks; until [ -e go ]; do :; done; }";
    let bot = command(&shell_bot(&format!("{thinks}; echo 0 $((n % 4))")));
    let arguments = ["match", "--a", &bot, "--b", "random", "--seed", "1", "--records", "games"];
    let begin = Instant::now();
    let mut referee = program();
    // As a shell does: the kernel ignores the signal in a group that no other process can continue.
    referee.args(unhurried(&arguments)).current_dir(folder).process_group(0);
    let mut referee =
        referee.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let wait = |what: &str, is_so: &dyn Fn() -> bool| {
        let since = Instant::now();
        while !is_so() {
            assert!(since.elapsed() < HANGING, "{what}");
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    wait("it thinks", &|| folder.join("thinks").exists());
    let bot = fs::read_to_string(folder.join("thinks")).unwrap().trim().parse().unwrap();
    let pid = referee.id().cast_signed();
    kill(Pid::from_raw(pid), Signal::SIGTSTP).unwrap();
    wait("the referee stops", &|| is_stopped(pid));
    wait("the bot stops", &|| is_stopped(bot));
    let stopped = Instant::now();
    std::thread::sleep(Duration::from_secs(2));
    let pause = stopped.elapsed();
    fs::write(folder.join("go"), "").unwrap();
    kill(Pid::from_raw(pid), Signal::SIGCONT).unwrap();
    assert!(referee.wait().unwrap().success());
    let whole = begin.elapsed();
    let record = Record::read(&folder.join("games/0001.json")).unwrap();
    assert_eq!(record.result.end, Some(End::DangerLine));
    let counted = record.turns.iter().map(|turn| Duration::from_micros(turn.think_us[0]));
    assert!(counted.sum::<Duration>() + pause <= whole, "the pause is no thinking time");
    let usage = record.players[0].usage.unwrap();
    assert!(Duration::from_millis(usage.wall_ms) + pause <= whole, "nor is it the bot's");
}

/// A referee that is killed in a pause leaves no stopped bot behind.
#[test]
fn a_referee_that_is_killed_in_a_pause_takes_its_bots_along() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bot = command("echo $$ > draft; mv draft begun; while :; do sleep 1; done");
    let mut referee = program();
    referee.args(unhurried(&["match", "--a", &bot, "--b", "random", "--records", "games"]));
    referee.current_dir(folder).process_group(0).stdin(Stdio::null());
    let mut referee = referee.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let since = Instant::now();
    let waits = || {
        assert!(since.elapsed() < HANGING);
        std::thread::sleep(Duration::from_millis(5));
    };
    while !folder.join("begun").exists() {
        waits();
    }
    let bot: i32 = fs::read_to_string(folder.join("begun")).unwrap().trim().parse().unwrap();
    kill(Pid::from_raw(referee.id().cast_signed()), Signal::SIGTSTP).unwrap();
    while !is_stopped(bot) {
        waits();
    }
    referee.kill().unwrap();
    referee.wait().unwrap();
    while fs::exists(format!("/proc/{bot}")).unwrap() {
        waits();
    }
}
