//! `tensai packs` as a process.

use std::path::Path;
use std::process::Output;

use tensai::game::Packs;

use crate::run::{self, names};

fn run_in(folder: &Path, arguments: &[&str]) -> Output {
    run::run_in(folder, &[&["packs"], arguments].concat())
}

/// Returns the standard output of a command that must succeed.
fn said(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty());
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Returns the standard error of a command that must fail.
fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn packs_follow_from_their_seeds() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert_eq!(said(&run_in(folder, &["generate"])), Packs::from_seed(0).to_string());
    let seven = said(&run_in(folder, &["generate", "--seed", "7"]));
    assert_eq!(seven, Packs::from_seed(7).to_string());
    assert_eq!(
        said(&run_in(folder, &["generate", "--seed", "6", "--count", "2", "-o", "two"])),
        ""
    );
    assert_eq!(names(&folder.join("two")), ["pack_0000.pack", "pack_0001.pack"]);
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read("two/pack_0001.pack"), seven);
    said(&run_in(folder, &["generate", "--seed", "7", "-o", "one.pack"]));
    assert_eq!(read("one.pack"), seven);
    said(&run_in(folder, &["generate", "--seed", "7", "-o", "new/"]));
    assert_eq!(read("new/pack_0000.pack"), seven);
    // The greatest seed.
    said(&run_in(folder, &["generate", "--seed", "18446744073709551615", "-o", "last.pack"]));
}

#[test]
fn packs_are_written_completely_and_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::create_dir(folder.join("some")).unwrap();
    std::fs::write(folder.join("some/pack_0002.pack"), "mine").unwrap();
    for (arguments, message) in [
        (
            &["--count", "4", "-o", "some"][..],
            "tensai: some/pack_0002.pack: cannot write: it exists already and is not overwritten\n",
        ),
        (&["-o", "some/pack_0002.pack"], "tensai: some/pack_0002.pack: cannot write: it exists"),
        (
            &["--count", "2", "-o", "some/pack_0002.pack"],
            "tensai: some/pack_0002.pack/pack_0000.pack: cannot create its folder: ",
        ),
        (&["--count", "2"], "tensai: the packs of several games need a folder: "),
        (
            &["--seed", "18446744073709551615", "--count", "2", "-o", "some"],
            "tensai: --seed 18446744073709551615 with --count 2: the last seed is above 2^64 - 1\n",
        ),
        (&["--count", "0"], "tensai: invalid value '0' for '--count <N>'"),
    ] {
        let output = run_in(folder, &[&["generate"], arguments].concat());
        let errors = refused(&output);
        assert!(errors.starts_with(message), "{arguments:?}: {errors}");
        assert!(output.stdout.is_empty());
        assert_eq!(names(&folder.join("some")), ["pack_0002.pack"], "{arguments:?}");
        assert_eq!(std::fs::read(folder.join("some/pack_0002.pack")).unwrap(), b"mine");
    }
}

#[test]
fn official_and_drawn_packs_pass_the_same_check() {
    let official = Path::new(env!("CARGO_MANIFEST_DIR")).join("replays/packs");
    let folder = tempfile::tempdir().unwrap();
    said(&run_in(folder.path(), &["generate", "--count", "5", "-o", "drawn"]));
    let checked = said(&run_in(folder.path(), &["check", official.to_str().unwrap(), "drawn"]));
    let lines: Vec<&str> = checked.lines().collect();
    assert_eq!(lines.len(), 20 + 5);
    let alike = ": 500 packs, as the contest's server made them";
    assert!(lines.iter().all(|line| line.ends_with(alike)), "{checked}");
    assert_eq!(lines[24], format!("drawn/pack_0004.pack{alike}"));
}

#[test]
fn a_file_that_is_named_twice_is_checked_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    said(&run_in(folder, &["generate", "--count", "2", "-o", "two"]));
    let output = run_in(folder, &["check", "two", "./two", "two/pack_0001.pack"]);
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "tensai: 3 files are named twice, such as ./two/pack_0000.pack: each file counts once\n"
    );
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 2);
}

#[test]
fn every_file_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    let good = Packs::from_seed(1).to_string();
    write("good", &good);
    // The example of the rules, which the server never generated.
    let (first, others) = good.split_once("END\n").unwrap();
    write("odd", &format!("9 0\n5 9\nEND\n{others}"));
    write("short", others);
    write("long", &format!("{good}{first}END\n"));
    write("wrong", &good.replacen("END", "FIN", 1));
    std::fs::create_dir(folder.join("empty")).unwrap();
    let output =
        run_in(folder, &["check", "short", "good", "empty", "odd", "long", "wrong", "none"]);
    let errors = refused(&output);
    let errors: Vec<&str> = errors.lines().collect();
    let expected = [
        "tensai: short: input line 1498, pack 499: expected two numbers, 0 to 9, found the end of \
         the input",
        "tensai: empty: it contains no file",
        "tensai: long: input line 1501, pack 500: expected the end of the file, found ",
        "tensai: wrong: input line 3, pack 0: expected `END`, found `FIN`",
        "tensai: none: cannot read: ",
    ];
    assert_eq!(errors.len(), expected.len(), "{errors:?}");
    for (error, expected) in errors.iter().zip(expected) {
        assert!(error.starts_with(expected), "{error}");
    }
    let said = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "good: 500 packs, as the contest's server made them");
    let odd = "odd: 500 packs, legal, but not as the contest's server made them: ";
    assert!(lines[1].starts_with(odd), "{said}");
    assert!(lines[1].contains("packs with an empty upper right cell: 1 instead of 0"), "{said}");
    assert_eq!(lines.len(), 2);
}
