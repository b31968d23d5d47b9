//! How a server starts and ends.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

use super::client::{Played, Served};
use super::engines::wait_for;
use crate::running::program;

#[test]
fn signals_end_the_server_its_engines_and_its_searches() {
    // A process that was started to ignore a signal, as by nohup, goes on ignoring it.
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    let ignored = u64::from_str_radix(ignored.trim(), 16).unwrap();
    let signals = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];
    for signal in signals.into_iter().filter(|&signal| ignored >> (signal as i32 - 1) & 1 == 0) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pid");
        // An engine that does not end by itself, nor by the end of its input.
        let script =
            format!("echo odd; echo $$ > {0}.new; mv {0}.new {0}; sleep 1000", file.display());
        let cmd = format!("cmd=sh -c {}", shlex::try_quote(&script).unwrap());
        let served = Served::start(&["--threads", "2", "--engine", "name=odd", &cmd]);
        let game = Played::new(1);
        let searching =
            served.asked("decide", &game.asks("tensai", &json!({ "nodes": 1_000_000_000 })));
        let waiting = served.asked("decide", &game.asks("odd", &json!({ "session": "a" })));
        let mut streams = [searching, waiting].map(|asked| {
            let mut stream = served.connect();
            stream.write_all(asked.as_bytes()).unwrap();
            stream
        });
        let pid = wait_for(|| fs::read_to_string(&file).ok()).trim().to_owned();
        kill(Pid::from_raw(served.pid()), signal).unwrap();
        let (status, errors) = served.wait();
        assert_eq!(status.code(), Some(130), "{signal}: {errors}");
        assert_eq!(errors, "tensai: stopped: the server has ended, and the engines with it\n");
        assert!(!fs::exists(format!("/proc/{pid}")).unwrap(), "{signal}: the engine has ended");
        for stream in &mut streams {
            let mut answer = String::new();
            let _ = stream.read_to_string(&mut answer);
        }
    }
}

#[test]
fn a_port_that_is_taken_is_explained() {
    let served = Served::start(&[]);
    let port = served.address.rsplit(':').next().unwrap();
    let refused = program().args(["serve", "--no-open", "--port", port]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    let said = String::from_utf8(refused.stderr).unwrap();
    let expected = format!(
        "tensai: 127.0.0.1:{port}: cannot listen: another program uses this port: give another \
         port, or 0 for any free one\n"
    );
    assert_eq!(said, expected);
    // A server that may choose takes another port if the default one is taken.
    let [one, other] = [0, 1].map(|_| Served::of(program().args(["serve", "--no-open"])));
    assert_ne!(one.address, other.address);
    assert_ne!(one.token, other.token);
}

#[test]
fn wrong_arguments_are_refused_before_anything_starts() {
    let cases: [(&[&str], &str, i32); 4] = [
        (&["--engine", "name=greedy", "cmd=sh"], "every page has `greedy` already", 2),
        (&["--engine", "cmd=no-such-program"], "no folder of PATH has a program", 1),
        (&["--host", "203.0.113.1"], "this machine does not have this address", 2),
        (&["--threads", "0"], "expected a whole number from 1 to 1024", 2),
    ];
    for (arguments, what, code) in cases {
        let refused = program().args(["serve", "--no-open"]).args(arguments).output().unwrap();
        let said = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(what), "{arguments:?}: {said}");
    }
}

/// The browser is no child of the server: the arena ends what its process is the parent of.
#[test]
fn the_browser_gets_the_address_and_is_no_child() {
    let folder = tempfile::tempdir().unwrap();
    let (path, script) = (folder.path(), folder.path().join("xdg-open"));
    let text = format!(
        "#!/bin/sh\nsleep 1000 & echo $! > {0}/pid; echo \"$1\" > {0}/new; \
         mv {0}/new {0}/url; wait\n",
        path.display()
    );
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let paths = format!("{}:/usr/bin:/bin", path.display());
    let served = Served::of(program().args(["serve", "--port", "0"]).env("PATH", paths));
    let url = wait_for(|| fs::read_to_string(path.join("url")).ok());
    assert_eq!(url.trim(), served.url);
    let pid: i32 = fs::read_to_string(path.join("pid")).unwrap().trim().parse().unwrap();
    wait_for(|| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
        let parent: i32 = stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse().ok()?;
        // The script itself waits for its own child.
        let stat = fs::read_to_string(format!("/proc/{parent}/stat")).ok()?;
        let above: i32 = stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse().ok()?;
        (above != served.pid()).then_some(())
    });
    kill(Pid::from_raw(pid), Signal::SIGKILL).unwrap();
}

#[test]
fn without_a_browser_a_line_says_what_to_do() {
    let empty = tempfile::tempdir().unwrap();
    let mut server = program();
    server.args(["serve", "--port", "0"]).env("PATH", empty.path()).stdin(Stdio::null());
    let served = Served::of(&mut server);
    // The line is written before the server looks for signals.
    kill(Pid::from_raw(served.pid()), Signal::SIGINT).unwrap();
    let (_, errors) = served.wait();
    assert!(errors.contains("tensai: no browser opens ("), "{errors}");
    assert!(errors.contains("open the address above"), "{errors}");
}
