//! Matches in folders with odd names, and on folders of packs with odd files.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;

use tensai::record::Record;

use crate::official::write_official;
use crate::run::{names, ok_in, program, refused_in, tensai};
use crate::running::unhurried;

/// Only paths that a file of the match names must be UTF-8.
#[test]
fn a_match_is_played_in_a_folder_whose_name_is_not_utf_8() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().join(OsStr::from_bytes(b"bad\xff"));
    fs::create_dir(&here).unwrap();
    let bot = here.join("bot");
    fs::write(&bot, "#!/bin/sh\nexec \"$TENSAI\" --engine random\n").unwrap();
    fs::set_permissions(&bot, fs::Permissions::from_mode(0o755)).unwrap();
    let program_path = format!("env=TENSAI={}", tensai());
    let arguments = ["match", "--engine", "cmd=./bot", &program_path, "--engine", "random"];
    ok_in(&here, &[&arguments[..], &["--seed=1", "--records=games"]].concat());
    let record = Record::read(&here.join("games/0001.json")).unwrap();
    assert!(record.result.faults.iter().all(Option::is_none), "{:?}", record.result);
}

/// Records of another kind of folder would count nowhere.
#[test]
fn a_folder_of_another_kind_is_refused_and_left_as_it_is() {
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    let random = ["--engine", "random", "--engine", "name=other", "cmd=random"];
    let tune = ["tune", "--nodes", "10", "--parameter", "discount", "--iterations", "1"];
    let tune = |folder| [&tune[..], &["--openings", "4", "--games", "1", folder]].concat();
    ok_in(here, &[&["match", "--seed", "1", "--records", "M"], &random[..]].concat());
    ok_in(here, &["league", "init", "L"]);
    ok_in(here, &tune("T"));
    let is = |found: &str, needed: &str, command: &str| {
        format!(
            "it is the folder of {found}, not of {needed}: go on with it by `tensai {command}`, or \
             choose another folder"
        )
    };
    let inside = |found: &str| format!("it is in the folder of {found}: choose another folder");
    let [a_match, a_league, a_tuning] = ["a match", "a league", "a tuning"];
    let go_on = ["match resume", "league run", "tune resume"];
    let before = ["M", "L", "L/games", "T", "T/games"].map(|folder| names(&here.join(folder)));
    for (folder, found, command) in
        [("M", a_match, go_on[0]), ("L", a_league, go_on[1]), ("T", a_tuning, go_on[2])]
    {
        let of_match = [&["match", "--logs", "logs", "--records", folder], &random[..]].concat();
        for (needed, arguments) in [
            (a_match, of_match),
            (a_match, vec!["match", "resume", folder]),
            (a_match, vec!["match", "merge", folder]),
            (a_match, vec!["match", "merge", "M", "--records", folder]),
            (a_league, vec!["league", "init", folder]),
            (a_league, vec!["league", "run", folder]),
            (a_league, vec!["league", "show", folder]),
            (a_tuning, [&tune(folder)[..], &["--logs", "logs"]].concat()),
            (a_tuning, vec!["tune", "resume", folder]),
        ] {
            if found != needed {
                let message = format!("tensai: {folder}: {}", is(found, needed, command));
                assert_eq!(refused_in(here, &arguments), message, "{arguments:?}");
            }
        }
    }
    for (folder, found) in [("L/games", a_league), ("T/games", a_tuning), ("T/games/9", a_tuning)] {
        let message = format!("tensai: {folder}: {}", inside(found));
        for arguments in [
            [&["match", "--records", folder], &random[..]].concat(),
            vec!["league", "init", folder],
            tune(folder),
        ] {
            assert_eq!(refused_in(here, &arguments), message, "{arguments:?}");
        }
    }
    write_official(here, &["M/0001.json"], "match.json");
    let import = refused_in(here, &["record", "import", "match.json", "-o", "L"]);
    assert_eq!(import, "tensai: L: it is the folder of a league: choose another folder");
    // The match of the official client is no description of a match, though it has its name.
    ok_in(here, &["league", "init", "."]);
    let after = ["M", "L", "L/games", "T", "T/games"].map(|folder| names(&here.join(folder)));
    assert_eq!(before, after);
    assert!(!here.join("logs").exists());
    // A match in a folder of its own among the games of a league is no game of the league.
    ok_in(here, &[&["match", "--records", "games/A"], &random[..]].concat());
}

#[test]
fn a_command_for_one_game_names_a_game_of_a_folder() {
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    ok_in(here, &["match", "--a", "random", "--b", "random", "--rounds", "2", "--records", "M"]);
    fs::create_dir(here.join("empty")).unwrap();
    for arguments in [
        &["replay", "FOLDER"][..],
        &["replay", "blunders", "FOLDER"],
        &["replay", "turn", "FOLDER", "3"],
        &["record", "input", "FOLDER", "--seat", "0"],
    ] {
        let with = |folder| {
            let words = arguments.iter().map(|&word| if word == "FOLDER" { folder } else { word });
            refused_in(here, &words.collect::<Vec<_>>())
        };
        let message = "tensai: M: it is a folder: name one of its games, such as M/0001.json";
        assert_eq!(with("M"), message, "{arguments:?}");
        let description = refused_in(here, &["replay", "M/match.json"]);
        assert!(description.ends_with("name one of its games, such as M/0001.json"));
        assert_eq!(with("empty"), "tensai: empty: it contains no game record", "{arguments:?}");
    }
}

/// Systems and editors put files into folders that their users do not see.
#[test]
fn hidden_files_in_a_folder_of_packs_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok_in(here, &["packs", "generate", "--seed=1", "--count=2", "-o", "packs"]);
    let packs = names(&here.join("packs"));
    for name in [
        ".gitkeep",
        ".DS_Store",
        "._0001.pack",
        ".a.swp",
        "Thumbs.db",
        "a~",
        "desktop.ini",
        "Icon\r",
        "#a#",
    ] {
        fs::write(here.join("packs").join(name), "no packs\n").unwrap();
    }
    fs::create_dir(here.join("packs/.git")).unwrap();
    fs::create_dir(here.join("packs/old")).unwrap();
    let arguments = ["match", "--engine", "random", "--engine", "random", "--rounds=3"];
    let more = ["--packs=packs", "--records=games"];
    let output = program()
        .args(unhurried(&[&arguments[..], &more].concat()))
        .current_dir(here)
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    let left_out = "tensai: packs: left out, because it is no file: old\n";
    assert!(errors.contains(left_out), "{errors}");
    let record = Record::read(&here.join("games/0002.json")).unwrap();
    assert!(packs.contains(&record.packs_from), "{}", record.packs_from);
    let checked = ok_in(here, &["packs", "check", "packs"]);
    assert_eq!(checked.lines().count(), 2, "{checked}");
    fs::write(here.join("packs/notes.txt"), "no packs\n").unwrap();
    let refused =
        program().args([&arguments[..], &more].concat()).current_dir(here).output().unwrap();
    let errors = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{errors}");
    assert!(
        errors.contains("notes.txt: input line 1"),
        "other files are not passed over: {errors}"
    );
}
