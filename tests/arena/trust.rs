//! `tensai match --resume` and folders that come from elsewhere: their commands are not run unasked.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::run::{names, ok_in, program, refused_in};

const RANDOM: &str = "tensai play --random";

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
fn an_own_folder_is_resumed_wherever_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    half_a_match(here);
    fs::create_dir(here.join("other")).unwrap();
    fs::rename(here.join("games"), here.join("other/place")).unwrap();
    ok_in(here, &["match", "--resume", "other/place"]);
    assert_eq!(names(&here.join("other/place")), ["0001.json", "0002.json", "match.json"]);
}

#[test]
fn commands_that_were_changed_are_run_only_when_they_are_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    half_a_match(here);
    change(here, |manifest| {
        manifest["engines"][1]["cmd"] = "sh -c 'touch ran; exec tensai\u{1b}'".into();
    });
    let before = names(&here.join("games"));
    let refused = refused_in(here, &["match", "--resume", "games"]);
    assert_eq!(
        refused,
        "tensai: games: made by another user or on another machine, or changed since: it runs \
         `tensai play --random`, `sh -c 'touch ran; exec tensai\\u{1b}'`; if you trust that, add \
         --trust"
    );
    assert!(!here.join("ran").exists());
    assert_eq!(names(&here.join("games")), before);
    ok_in(here, &["match", "--resume", "games", "--trust"]);
    assert!(here.join("ran").exists());
    // Who has trusted a folder once is not asked again.
    change(here, |manifest| manifest["rounds"] = 3.into());
    ok_in(here, &["match", "--resume", "games"]);
}

#[test]
fn another_folder_or_variable_for_a_command_is_asked_about_too() {
    let changes: [fn(&mut Value); 3] = [
        |engine| engine["dir"] = "/tmp".into(),
        |engine| engine["env"] = serde_json::json!({ "LD_PRELOAD": "./x.so" }),
        |engine| drop(engine.as_object_mut().unwrap().insert("threads".to_owned(), 2.into())),
    ];
    for changed in changes {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        half_a_match(here);
        change(here, |manifest| changed(&mut manifest["engines"][0]));
        assert!(refused_in(here, &["match", "--resume", "games"]).contains("add --trust"));
    }
}

#[test]
fn a_merge_makes_no_foreign_command_an_own_one() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    half_a_match(here);
    change(here, |manifest| drop(manifest.as_object_mut().unwrap().remove("seal")));
    ok_in(here, &["match", "--merge", "games", "--records", "united"]);
    assert!(refused_in(here, &["match", "--resume", "united"]).contains("add --trust"));
}

#[test]
fn without_a_place_for_the_key_a_match_is_played_and_resumed_by_trust() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let run = |arguments: &[&str]| {
        let mut program = program();
        program.args(arguments).current_dir(here).env_remove("HOME").env_remove("XDG_STATE_HOME");
        program.output().unwrap().status.code()
    };
    let start = ["match", "--a", RANDOM, "--b", RANDOM, "--records=games", "--seed=3", "--time=1h"];
    assert_eq!(run(&start), Some(0));
    assert_eq!(run(&["match", "--resume", "games"]), Some(2));
    assert_eq!(run(&["match", "--resume", "games", "--trust"]), Some(0));
}
