//! Matches in folders with odd names, and on folders of packs with odd files.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;

use tensai::record::Record;

use crate::run::{names, ok_in, program, tensai};
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
