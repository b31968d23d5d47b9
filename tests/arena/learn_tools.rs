//! `tensai dev learn` as a process, with games that were played for it.

use std::fs;

use crate::run::{names, ok_in, refused_in};

/// Plays games between a bot with few nodes and a bot with fewer nodes.
fn play(folder: &std::path::Path, rounds: &str) {
    let engine = |name: &str, nodes: u32| {
        format!("name={name} cmd=\"tensai --threads 1\" nodes={nodes} time=180s")
    };
    let words = |engine: String| shlex::split(&engine).unwrap();
    let mut arguments = vec!["match".to_owned(), "--engine".to_owned()];
    arguments.extend(words(engine("a", 4000)));
    arguments.push("--engine".to_owned());
    arguments.extend(words(engine("b", 1500)));
    let more = ["--rounds", rounds, "--seed", "3", "--records", "games"];
    arguments.extend(more.map(str::to_owned));
    let arguments: Vec<&str> = arguments.iter().map(|argument| &**argument).collect();
    ok_in(folder, &arguments);
}

#[test]
fn games_are_measured_fitted_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    play(folder, "8");
    let measure = |output: &str, threads: &str| {
        let options = ["--nodes", "2000", "--threads", threads, "-o", output];
        ok_in(folder, &[&["dev", "learn", "data", "--records", "games"], &options[..]].concat())
    };
    let said = measure("a.csv", "1");
    assert!(said.contains("positions of 8 games"), "{said}");
    measure("b.csv", "2");
    let [a, b] = ["a.csv", "b.csv"].map(|file| fs::read_to_string(folder.join(file)).unwrap());
    assert_eq!(a, b, "the threads make no difference");
    let mut lines = a.lines();
    let origin = "# tensai dev learn data --nodes 2000 --records games";
    assert_eq!(lines.next(), Some(origin));
    assert!(lines.next().unwrap().starts_with("game,packs,turn,result,own-stock,"));
    assert!(lines.next().unwrap().starts_with("games/0001,"));

    let weights = ok_in(folder, &["dev", "learn", "fit", "a.csv"]);
    for line in [origin, "tensai dev learn fit a.csv", "learned from: ", "held out: "] {
        let line = format!("/// {}", line.trim_start_matches("# "));
        assert!(weights.lines().any(|found| found.starts_with(&line)), "{line}: {weights}");
    }
    assert!(weights.contains("\npub const LEARNED: [f64; FEATURES] = [\n"), "{weights}");
    assert_eq!(ok_in(folder, &["dev", "learn", "fit", "a.csv"]), weights, "the same again");

    let loss = |report: &str| -> f64 {
        let line = report.lines().find(|line| line.starts_with("all") && line.contains("learned"));
        line.unwrap().split_whitespace().nth(3).unwrap().parse().unwrap()
    };
    let own = ok_in(folder, &["dev", "learn", "check", "a.csv"]);
    assert!(own.contains("stock alone") && own.contains("a coin"), "{own}");
    let json = ok_in(folder, &["dev", "learn", "check", "a.csv", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let of_all = &json["quality"][0];
    assert_eq!((&json["games"], &of_all["judge"]), (&8.into(), &"learned".into()), "{json}");
    assert!((of_all["loss"].as_f64().unwrap() - loss(&own)).abs() < 0.001, "{json}");
    // The weights were fitted to games of far stronger bots, and each change of the engine alters
    // these eight games: the test only asserts that the weights are better than a coin.
    let coin = std::f64::consts::LN_2;
    assert!(loss(&own) < coin, "the program's own weights tell something here too: {own}");
}

#[test]
fn weights_of_the_beam_are_learned_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let sample = ["--packs", "6", "--nodes", "2000"];
    let learn = |threads: &str, more: &[&str]| {
        let options = ["--steps", "12", "--batch", "3", "--threads", threads];
        ok_in(folder, &[&["dev", "learn", "beam"], &sample[..], &options, more].concat())
    };
    let first = learn("1", &[]);
    assert!(first.contains("/// blocks and steps ") && first.contains("/// learned "), "{first}");
    let command = "/// tensai dev learn beam --packs 6 --nodes 2000 --steps 12 --batch 3 --seed 1";
    assert!(first.lines().any(|line| line == command), "{first}");
    assert_eq!(learn("2", &[]), first, "the threads make no difference");
    let found = first.lines().find_map(|line| line.strip_prefix("/// To continue: --from "));
    let found = found.unwrap();
    let on = learn("2", &["--from", found, "--seed", "2"]);
    assert!(on.contains(&format!("--seed 2 --from {found}\n")), "{on}");

    let table = |said: &str| -> Vec<String> {
        let lines = said.lines().filter(|line| line.contains('±'));
        let cells = |line: &str| line.split_whitespace().rev().take(12).collect();
        lines.map(cells).collect()
    };
    let looked =
        ok_in(folder, &[&["dev", "learn", "chains", "--weights", found], &sample[..]].concat());
    assert!(looked.starts_with("6 packs, 2000 drops: ") && looked.contains("built in"), "{looked}");
    assert_eq!(table(&looked).last(), table(&first).last(), "the same packs");
    let json = ok_in(folder, &[&["dev", "learn", "chains", "--json"], &sample[..]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&json[0]["weights"], &json[1]["weights"]),
        (&"blocks and steps".into(), &"built in".into())
    );
    assert_eq!(json[0]["settings"][2]["setting"], "rows", "{json}");
}

#[test]
fn unusable_input_of_learn_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let refused = |arguments: &str| {
        refused_in(
            folder,
            &[&["dev", "learn"], &arguments.split(' ').collect::<Vec<_>>()[..]].concat(),
        )
    };
    fs::write(folder.join("x.csv"), "# x\nturn,a\n").unwrap();
    fs::create_dir(folder.join("none")).unwrap();
    let before = names(folder);
    for (arguments, what) in [
        ("data --records none -o a.csv", "none: it contains no game record"),
        ("data --records x.csv -o a.csv", "x.csv: not a game record: "),
        (
            "data --records none -o x.csv",
            "x.csv: cannot write: it exists already and is not overwritten",
        ),
        ("fit x.csv", "x.csv: column 1: expected `game`, found `turn`"),
        ("fit y.csv", "y.csv: cannot read: "),
        ("check y.csv", "y.csv: cannot read: "),
    ] {
        let said = refused(arguments);
        assert!(said.contains(what), "{arguments}: {said}");
    }
    assert_eq!(names(folder), before, "nothing is written");
}

#[test]
fn weights_on_the_command_line_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    for (given, what) in [
        ("4,-1", "expected 8 numbers (block, step, pair, column-1, "),
        ("4,-1,6,-1,-0.5,0,0.5,much", "expected a number, found `much`"),
        ("4,-1,6,-1,-0.5,0,0.5,inf", "expected a number, found `inf`"),
    ] {
        for command in [["dev", "learn", "beam", "--from"], ["dev", "learn", "chains", "--weights"]]
        {
            let said = refused_in(folder.path(), &[&command[..], &[given]].concat());
            assert!(said.contains(what), "{command:?} {given}: {said}");
        }
    }
}
