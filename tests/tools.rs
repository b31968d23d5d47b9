//! `tensai dev bench` and `tensai dev perft` as processes.

use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use tensai::board::Backend;

fn run(arguments: &[&str]) -> Output {
    Command::new(cargo_bin("tensai")).args(arguments).output().unwrap()
}

fn lines(output: Output) -> Vec<String> {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn bench_prints_the_same_signature_for_every_backend() {
    for backend in Backend::available() {
        let printed = lines(run(&["dev", "bench", "--passes", "1", "--backend", backend.name()]));
        assert_eq!(printed[0], format!("backend            {backend}"));
        assert_eq!(printed.len(), 6, "{printed:?}");
        assert_eq!(printed[5], "signature          17952 2131 4fffc0c844b1d434");
    }
}

#[test]
fn the_engine_decides_the_same_with_every_simulator() {
    let signatures = Backend::available().map(|backend| {
        let arguments = ["dev", "bench", "engine", "--nodes", "30000", "--backend", backend.name()];
        let printed = lines(run(&arguments));
        assert_eq!(printed[0], format!("backend            {backend}"));
        assert_eq!(printed[1], "decisions          40");
        printed.last().unwrap().clone()
    });
    let signatures: Vec<String> = signatures.collect();
    assert!(signatures.iter().all(|signature| *signature == signatures[0]), "{signatures:?}");
}

/// The drops and the longest chains by turn of each beam, without its time, of the two programs in a
/// report of `dev bench beam`.
fn chains(printed: &[String]) -> [Vec<Vec<f64>>; 2] {
    let levels = printed.iter().filter_map(|line| {
        let words = line.split_whitespace().enumerate().filter(|(column, _)| *column != 1);
        let numbers = words.map(|(_, word)| word.parse().ok()).collect::<Option<Vec<f64>>>()?;
        (numbers.len() > 2).then_some(numbers)
    });
    let mut first: Vec<Vec<f64>> = levels.collect();
    assert_eq!(first.len(), 2 * 3 * 5, "two programs, three settings, five levels");
    let second = first.split_off(15);
    [first, second]
}

/// The program against itself: every beam finds the same chains.
#[test]
fn bench_races_another_program() {
    let program = cargo_bin("tensai");
    let program = program.to_str().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("race.svg");
    let race = ["dev", "bench", "beam", "--nodes", "100", "--against", program];
    let drawn = ["--svg", picture.to_str().unwrap()];
    let printed = lines(run(&[&race[..], &drawn].concat()));
    let drawing = std::fs::read_to_string(&picture).unwrap();
    assert_eq!(drawing.matches("<polyline").count(), 2 * 3);
    assert_eq!(run(&[&race[..], &drawn].concat()).status.code(), Some(2), "the file exists");
    if cfg!(target_os = "linux") {
        let full = run(&["dev", "bench", "beam", "--nodes", "100", "--svg", "/dev/full"]);
        assert!(full.stdout.starts_with(b"backend ") && full.status.code() == Some(2), "{full:?}");
    }
    let streamed = run(&["dev", "bench", "beam", "--nodes", "100", "--svg", "-"]);
    assert!(streamed.stdout.starts_with(b"<svg ") && streamed.stdout.ends_with(b"</svg>\n"));
    assert!(String::from_utf8(streamed.stderr).unwrap().contains("fields             336"));
    assert_eq!(printed[1], "fields             336");
    let last = &printed[printed.len() - 5..];
    let title = format!("speed of this program at equal chains, times that of {program} (95 %)");
    assert_eq!(last[0], title);
    for (line, setting) in last[1..].iter().zip(["all", "empty", "turn 8", "rows"]) {
        assert!(line.starts_with(setting) && line.contains(" to "), "{line}");
    }
    let [first, second] = chains(&lines(run(&[&race[..], &["--seed", "5"]].concat())));
    assert_eq!(first, second);
}

/// Beams on more threads find the same chains.
#[test]
fn bench_compares_threads() {
    let printed = lines(run(&["dev", "bench", "beam", "--nodes", "2000", "--beam-threads", "3"]));
    let programs = printed.iter().filter_map(|line| Some(line.split_once(", empty: ")?.0));
    assert_eq!(programs.collect::<Vec<_>>(), ["3 threads", "1 thread"]);
    let [first, second] = chains(&printed);
    assert_eq!(first, second);
    assert!(printed[printed.len() - 5].starts_with("speed of 3 threads at equal chains"));
}

#[test]
fn bench_names_a_program_that_is_no_tensai() {
    for (program, message) in [
        ("/no/such/program", "/no/such/program: cannot be started: "),
        ("/bin/true", "/bin/true: ended without an answer to a beam; expected a `tensai`"),
    ] {
        let output = run(&["dev", "bench", "beam", "--against", program]);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(message) && errors.lines().count() == 1, "{errors}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn perft_counts_every_line_once() {
    let count = |more: &[&str]| lines(run(&[&["dev", "perft", "--depth", "2"], more].concat()));
    assert_eq!(count(&[])[0], "leaves  1296");
    assert_eq!(count(&["--backend", "reference"]), count(&[]));
}

#[test]
fn bad_requests_are_refused_with_one_line() {
    for (arguments, message) in [
        (&["dev", "bench", "--passes", "0"][..], "invalid value '0'"),
        (&["dev", "bench", "--backend", "slow"], "invalid value 'slow'"),
        (&["dev", "bench", "--backend", "slow"], "[possible values: avx512, avx2, portable, "),
        (&["dev", "bench", "--against", "x"], "unexpected argument '--against' found"),
        (&["dev", "bench", "--nodes", "5"], "unexpected argument '--nodes'"),
        (&["dev", "perft", "--depth", "9"], "'--depth <0..5>': "),
    ] {
        let output = run(arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(message), "{arguments:?}: {errors}");
        assert!(output.stdout.is_empty());
    }
}
