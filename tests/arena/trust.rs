//! `tensai match resume` with folders of other users or machines: their commands are not run
//! without `--trust`.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::run::{names, ok_in, program, refused_in, run_in, tensai};

const RANDOM: &str = "tensai --engine random";

/// Plays the first game of a match of two, in the folder `games`.
fn half_a_match(here: &Path) {
    ok_in(here, &["match", "--a", RANDOM, "--b", RANDOM, "--records=games", "--seed=3"]);
    change(here, |manifest| manifest["rounds"] = 2.into());
}

/// Changes the manifest in the folder `games`.
fn change(here: &Path, change: impl FnOnce(&mut Value)) {
    let path = here.join("games/match.json");
    let mut manifest = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut manifest);
    fs::write(path, manifest.to_string()).unwrap();
}

#[test]
fn an_own_folder_is_resumed_after_it_is_moved() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    half_a_match(here);
    fs::create_dir(here.join("other")).unwrap();
    fs::rename(here.join("games"), here.join("other/place")).unwrap();
    ok_in(&here.join("other"), &["match", "resume", "place"]);
    assert_eq!(names(&here.join("other/place")), ["0001.json", "0002.json", "match.json"]);
}

#[test]
fn an_own_folder_in_another_working_folder_needs_trust() {
    let folder = tempfile::tempdir().unwrap();
    let bot = |name: &str, script: &str| {
        let here = folder.path().join(name);
        fs::create_dir(&here).unwrap();
        fs::write(here.join("bot.sh"), format!("{script}\nexec {} --engine random\n", tensai()))
            .unwrap();
        here
    };
    let (own, foreign) = (bot("own", ""), bot("foreign", "touch ran"));
    ok_in(&own, &["match", "--a=sh bot.sh", "--b", RANDOM, "--records=games", "--seed=3"]);
    change(&own, |manifest| manifest["rounds"] = 2.into());
    fs::rename(own.join("games"), foreign.join("games")).unwrap();
    assert!(refused_in(&foreign, &["match", "resume", "games"]).contains("add --trust"));
    assert!(!foreign.join("ran").exists());
    // In the working folder of its start, the match resumes without `--trust`.
    ok_in(&own, &["match", "resume", "../foreign/games"]);
    change(&foreign, |manifest| manifest["rounds"] = 3.into());
    ok_in(&foreign, &["match", "resume", "games", "--trust"]);
    assert!(foreign.join("ran").exists());
}

#[test]
fn many_long_commands_are_listed_in_one_short_line() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    half_a_match(here);
    change(here, |manifest| {
        let bot = |number| {
            let cmd = format!("sh -c '{}'", "x".repeat(5000));
            serde_json::json!({ "name": format!("bot {number}"), "cmd": cmd, "dir": "y".repeat(4000) })
        };
        manifest["engines"] = (0..50).map(bot).collect();
    });
    let refused = refused_in(here, &["match", "resume", "games"]);
    assert!(refused.contains("add --trust to run `sh -c 'xxx"), "{refused}");
    assert!(refused.ends_with(" and 44 more in match.json"), "{refused}");
}

#[test]
fn processes_that_start_at_the_same_time_share_one_key() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let start = |number: usize| {
        let mut program = program();
        let records = format!("--records=games-{number}");
        program.args(["match", "--a", RANDOM, "--b", RANDOM, "--seed=3", "--time=1h", &records]);
        program.current_dir(here).env("XDG_STATE_HOME", here.join("state")).stdout(Stdio::null());
        program.stderr(Stdio::null()).spawn().unwrap()
    };
    let started: Vec<_> = (0..4).map(start).collect();
    started.into_iter().for_each(|mut match_| assert!(match_.wait().unwrap().success()));
    assert_eq!(names(&here.join("state/tensai")), ["key"]);
    let key = here.join("state/tensai/key").metadata().unwrap();
    assert_eq!((key.len(), key.permissions().mode() & 0o777), (32, 0o600));
    for number in 0..4 {
        let mut program = program();
        program.args(["match", "resume", &format!("games-{number}")]).current_dir(here);
        program.env("XDG_STATE_HOME", here.join("state"));
        assert!(program.output().unwrap().status.success(), "games-{number}");
    }
}

#[test]
fn changed_commands_need_trust() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    half_a_match(here);
    change(here, |manifest| {
        manifest["engines"][1]["cmd"] = "sh -c 'touch ran; exec tensai\u{1b}'".into();
    });
    let before = names(&here.join("games"));
    let refused = refused_in(here, &["match", "resume", "games"]);
    assert_eq!(
        refused,
        "tensai: games: its commands may not be yours: the match was started by another user, on \
         another machine or in another working folder, or was changed since; add --trust to run \
         `tensai --engine random`, `sh -c 'touch ran; exec tensai\\u{1b}'`"
    );
    assert!(!here.join("ran").exists());
    assert_eq!(names(&here.join("games")), before);
    ok_in(here, &["match", "resume", "games", "--trust"]);
    assert!(here.join("ran").exists());
    // A folder that was trusted once needs no further `--trust`.
    change(here, |manifest| manifest["rounds"] = 3.into());
    ok_in(here, &["match", "resume", "games"]);
}

#[test]
fn a_changed_folder_or_variable_of_a_command_needs_trust() {
    let changes: [fn(&mut Value); 4] = [
        |engine| engine["cmd"] = "tensai --engine random --threads 1".into(),
        |engine| engine["dir"] = "/tmp".into(),
        |engine| engine["env"] = serde_json::json!({ "LD_PRELOAD": "./x.so" }),
        |engine| drop(engine.as_object_mut().unwrap().insert("threads".to_owned(), 2.into())),
    ];
    for changed in changes {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        half_a_match(here);
        change(here, |manifest| changed(&mut manifest["engines"][0]));
        assert!(refused_in(here, &["match", "resume", "games"]).contains("add --trust"));
    }
}

#[test]
fn a_merge_does_not_make_foreign_commands_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    half_a_match(here);
    change(here, |manifest| drop(manifest.as_object_mut().unwrap().remove("seal")));
    ok_in(here, &["match", "merge", "games", "--partial", "--records", "united"]);
    assert!(refused_in(here, &["match", "resume", "united"]).contains("add --trust"));
}

#[test]
fn without_a_key_a_match_is_played_and_resumed_with_trust() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let run = |arguments: &[&str]| {
        let mut program = program();
        program.args(arguments).current_dir(here).env_remove("HOME").env_remove("XDG_STATE_HOME");
        program.output().unwrap().status.code()
    };
    let start = ["match", "--a", RANDOM, "--b", RANDOM, "--records=games", "--seed=3", "--time=1h"];
    assert_eq!(run(&start), Some(0));
    assert_eq!(run(&["match", "resume", "games"]), Some(2));
    assert_eq!(run(&["match", "resume", "games", "--trust"]), Some(0));
}

/// A bot, or another user of a shared folder, puts a link where a record will be.
#[test]
fn a_link_that_is_planted_while_a_game_runs_is_not_written_through() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("secret"), "mine").unwrap();
    for (target, number) in [("../secret", 1), ("../none", 2)] {
        let games = format!("games-{number}");
        let plants = format!("ln -s {target} {games}/0001.json");
        fs::write(
            here.join("bot.sh"),
            format!("{plants}\nexec {RANDOM}\n").replace("tensai", &tensai()),
        )
        .unwrap();
        let match_ = ["match", "--a=sh bot.sh", "--b", RANDOM, "--seed=3", "--records", &games];
        let output = run_in(here, &match_);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        let said =
            format!("{games}/0001.json: cannot write: it exists already and is not overwritten");
        assert!(errors.contains(&said), "{errors}");
        assert!(here.join(&games).join("0001.json").is_symlink(), "what was planted stays");
    }
    assert_eq!(fs::read_to_string(here.join("secret")).unwrap(), "mine");
    assert!(!here.join("none").exists());
}

/// The files that hold the `env=` of bots.
#[test]
fn only_the_user_can_read_the_environment_of_bots() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mode = |file: &str| here.join(file).metadata().unwrap().permissions().mode() & 0o777;
    half_a_match(here);
    assert_eq!(mode("games/match.json"), 0o600);
    assert_eq!(mode("games/0001.json") & 0o600, 0o600);
    // One that an earlier version wrote for all is closed when it is written again.
    fs::set_permissions(here.join("games/match.json"), fs::Permissions::from_mode(0o644)).unwrap();
    ok_in(here, &["match", "resume", "games", "--trust"]);
    assert_eq!(mode("games/match.json"), 0o600);
    ok_in(here, &["league", "init", "league"]);
    assert_eq!(mode("league/league.json"), 0o600);
    ok_in(
        here,
        &["league", "add", "league", "name=a", "cmd=tensai --engine random", "env=KEY=secret"],
    );
    assert_eq!(mode("league/league.json"), 0o600);
}
