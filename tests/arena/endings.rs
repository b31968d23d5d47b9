//! The ends of the program: after a signal, and if its output cannot be written.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tensai::arena::submission::archive::{self, Files};

use crate::run::{names, ok_in, program, tensai};
use crate::running::{STATE, unhurried};

/// Plays a game of two bots that drop at random, with its record in the folder `name`.
fn play(folder: &Path, name: &str, more: &[&str]) {
    let random = ["--a", "tensai --engine random", "--b", "tensai --engine random --seed 1"];
    ok_in(folder, &[&["match", "--records", name], &random[..], more].concat());
}

#[test]
fn a_full_or_closed_output_causes_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    play(folder, "one", &[]);
    play(folder, "two", &["--rounds", "2"]);
    for arguments in [
        &["match", "resume", "one"][..],
        &["match", "resume", "two"],
        &["match", "resume", "two", "--json"],
        &["stats", "ratings", "two"],
        &["stats", "ratings", "two", "--json"],
        &["dev", "perft", "--depth", "1"],
        &["dev", "bench", "--passes", "1"],
    ] {
        let run = |stdout: Stdio| {
            let mut command = program();
            let output = command.args(arguments).current_dir(folder).stdout(stdout).output();
            let output = output.unwrap();
            (output.status.code(), String::from_utf8(output.stderr).unwrap())
        };
        let (code, errors) = run(File::options().write(true).open("/dev/full").unwrap().into());
        assert_eq!(code, Some(2), "{arguments:?}: {errors}");
        assert!(errors.starts_with("tensai: cannot write to standard output: "), "{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        assert_eq!(run(writer.into()), (Some(0), String::new()), "{arguments:?}");
    }
}

/// The words of a text that contain no digit: times and sizes differ between runs.
fn words(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8(text.to_vec()).unwrap();
    let words = text.split_whitespace().map(str::to_owned);
    words.filter(|word| !word.contains(|c: char| c.is_ascii_digit())).collect()
}

#[test]
fn an_unwritable_standard_error_loses_no_result() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    play(folder, "one", &[]);
    play(folder, "two", &["--rounds", "2"]);
    let random = "tensai --engine random";
    let new =
        ["match", "--records", "new", "--seed", "1", "--no-pin", "--a", random, "--b", random];
    let new = |more: &[&'static str]| [&new[..], more].concat();
    let game = |command: &'static str, more: &[&'static str]| {
        [&["replay", command, "one/0001.json"], more].concat()
    };
    for arguments in [
        new(&[]),
        new(&["--rounds", "3"]),
        new(&["--rounds", "3", "--json"]),
        // Both bots fail; the failures are also reported on standard error.
        vec!["match", "--records", "new", "--rounds", "2", "--a", "false", "--b", "false"],
        vec!["match", "resume", "two"],
        vec!["match", "resume", "two", "--json"],
        vec!["match", "merge", "two", "--records", "new"],
        vec!["replay", "one/0001.json"],
        vec!["record", "check", "two", "none"],
        vec!["stats", "ratings", "two"],
        vec!["stats", "ratings", "two", "--json"],
        vec!["record", "page", "two", "-o", "page.html"],
        vec!["record", "page", "two", "-o", "-"],
        vec!["replay", "one/0001.json"],
        game("turn", &["3", "--nodes", "200", "--threads", "1"]),
        game("blunders", &["--nodes", "100", "--playouts", "2", "--threads", "1"]),
        game("from", &["3", "--nodes", "100", "--threads", "1", "--against", random]),
        vec!["dev", "perft", "--depth", "2"],
        vec!["dev", "bench", "--passes", "1"],
        vec!["no-such-command"],
        vec!["match", "--tiem", "3"],
        vec!["record"],
        vec!["--help"],
    ] {
        let run = |errors: &str| {
            let _ = fs::remove_dir_all(folder.join("new"));
            let _ = fs::remove_file(folder.join("page.html"));
            let script = format!("exec \"$@\" 2>{errors}");
            let mut command = Command::new("sh");
            command.args(["-c", &script, "sh", &tensai()]).args(unhurried(&arguments));
            command.env("XDG_STATE_HOME", STATE).current_dir(folder).stdin(Stdio::null());
            let output = command.output().unwrap();
            let page = folder.join("page.html").exists();
            (output.status.code(), words(&output.stdout), page)
        };
        let expected = run("errors");
        assert!(matches!(expected.0, Some(0..=2)), "{arguments:?}: {expected:?}");
        assert_eq!(run("/dev/full"), expected, "{arguments:?}");
        assert_eq!(run("&-"), expected, "{arguments:?}");
    }
}

#[test]
fn a_file_size_limit_is_reported_as_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    play(folder, "one", &[]);
    for arguments in [
        &["record", "page", "one", "-o", "new"][..],
        &["record", "input", "one/0001.json", "--seat", "0", "-o", "new"],
        &["packs", "generate", "-o", "new"],
        &["dev", "learn", "data", "--records", "one", "--nodes", "50", "-o", "new"],
        &["replay", "from", "one/0001.json", "9", "--nodes", "50", "-o", "new"],
    ] {
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -f 2; exec \"$@\"", "sh", &tensai()]).args(arguments);
        let output = command.current_dir(folder).stdin(Stdio::null()).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors} {:?}", output.status);
        let last = errors.lines().last().unwrap_or_default();
        assert!(last.ends_with("cannot write: File too large (os error 27)"), "{errors}");
        assert_eq!(names(folder), ["one"], "{arguments:?}: nothing is left");
    }
}

/// Runs the program until the file `begun` exists, and stops it. Returns its standard error.
fn stopped(folder: &Path, arguments: &[&str]) -> String {
    let mut command = program();
    command.args(arguments).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::piped());
    let running = command.spawn().unwrap();
    let since = Instant::now();
    while !folder.join("begun").exists() {
        assert!(since.elapsed() < Duration::from_secs(300), "nothing begins");
        std::thread::sleep(Duration::from_millis(5));
    }
    kill(Pid::from_raw(running.id().cast_signed()), Signal::SIGINT).unwrap();
    let output = running.wait_with_output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{arguments:?}: {errors}");
    fs::remove_file(folder.join("begun")).unwrap();
    errors
}

#[test]
fn a_stopped_command_reports_that_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    play(folder, "one", &[]);
    let slow = "sh -c 'touch begun; echo slow; sleep 1000'";
    let errors = stopped(folder, &["replay", "from", "one/0001.json", "0", "--against", slow]);
    assert_eq!(errors, "tensai: stopped before the end of the game\n");
    let begun = folder.join("begun").display().to_string();
    let begun = shlex::try_quote(&begun).unwrap();
    let slow = format!("#!/bin/sh\ntouch {begun}\nsleep 1000\n").into_bytes();
    let play = format!("#!/bin/sh\necho slow\ntouch {begun}\nsleep 1000\n").into_bytes();
    let nothing = b"#!/bin/sh\n".to_vec();
    for (compile, run) in [(slow, nothing.clone()), (nothing, play)] {
        let files = [("compile.sh".to_owned(), compile), ("run.sh".to_owned(), run)];
        archive::write(&folder.join("x.zip"), &Files::from(files)).unwrap();
        let errors = stopped(folder, &["submit", "--check", "x.zip"]);
        assert_eq!(errors, "tensai: stopped\n");
    }
}
