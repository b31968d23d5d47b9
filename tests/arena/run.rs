//! Runs the program, and reads the files that it writes.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use tensai::game::Fault;
use tensai::record::Record;

use crate::checked::{refused, said};
use crate::running::run;
pub use crate::running::{program, tensai};

/// A time that only a process that hangs takes, on any machine under any load.
pub const HANGING: Duration = Duration::from_secs(300);

/// The script of a bot in shell: its name, then `turn` for every turn, with the number of the turn in
/// `$n`.
///
/// A turn's lines hold two fields, each ended by `END`; before them come the 500 packs.
pub fn shell_bot(turn: &str) -> String {
    format!(
        "echo odd; n=-500; half=0; while read -r line; do case $line in END)
            if [ $n -lt 0 ]; then n=$((n + 1)); else half=$((1 - half));
            if [ $half = 0 ]; then {turn}; n=$((n + 1)); fi; fi;; esac; done"
    )
}

/// Runs the program in a folder.
pub fn run_in(folder: &Path, arguments: &[&str]) -> Output {
    run(folder, arguments, b"")
}

/// Runs the program in a folder; it must succeed. Returns its standard output.
pub fn ok_in(folder: &Path, arguments: &[&str]) -> String {
    said(folder, arguments, "")
}

/// Runs the program in a folder and returns its message. The program must fail with this one line,
/// exit code 2 and no other output.
pub fn refused_in(folder: &Path, arguments: &[&str]) -> String {
    refused(folder, arguments, "")
}

/// The records in a match's folder, by number.
pub fn records(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| !path.ends_with("match.json")).collect();
    files.sort();
    files
}

/// The names of all entries of a folder.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Plays one game. Returns its record and the report. The exit code must be 1 if a bot does not
/// start, else 0.
pub fn play(arguments: &[&str]) -> (Record, String) {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [&["match", "--records", "games"], arguments].concat();
    let output = run_in(folder.path(), &arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    let records = records(&folder.path().join("games"));
    assert_eq!(records.len(), 1, "one record and nothing half-written: {errors}");
    let record = Record::read(&records[0]).unwrap();
    let mut faults = record.result.faults.iter().flatten();
    let no_start = faults.any(|fault| fault.fault == Fault::NoStart);
    assert_eq!(output.status.code(), Some(i32::from(no_start)), "{errors}");
    (record, String::from_utf8(output.stdout).unwrap())
}

/// A bot of one shell command, against one that plays at random.
pub fn play_shell(script: &str, more: &[&str]) -> (Record, String) {
    let bot = format!("sh -c {}", shlex::try_quote(script).unwrap());
    play(&[&["--a", &bot, "--seed", "1"], more].concat())
}
