//! How the program ends where somebody stops it, and where its output cannot be written.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tensai::submission::archive::{self, Files};

use crate::run::{ok_in, program};

/// Plays a game of two that drop at random; its records are in `name`.
fn play(folder: &Path, name: &str, more: &[&str]) {
    let random = ["--a", "tensai play --random", "--b", "tensai play --random --seed 1"];
    ok_in(folder, &[&["match", "--records", name], &random[..], more].concat());
}

#[test]
fn an_output_that_is_full_or_closed_is_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    play(folder, "one", &[]);
    play(folder, "two", &["--rounds", "2"]);
    for arguments in [
        &["match", "--resume", "one"][..],
        &["match", "--resume", "two"],
        &["match", "--resume", "two", "--json"],
        &["match", "--resume", "two", "--csv"],
        &["rate", "two"],
        &["rate", "two", "--json"],
        &["perft", "--depth", "1"],
        &["bench", "--passes", "1"],
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

/// Runs the program until the file `begun` is there, and stops it. Its standard error.
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
fn who_is_stopped_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    play(folder, "one", &[]);
    let slow = "sh -c 'touch begun; echo slow; sleep 1000'";
    let errors = stopped(folder, &["replay", "one/0001.json", "--from", "0", "--against", slow]);
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
