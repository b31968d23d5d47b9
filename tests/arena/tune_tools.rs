//! `tensai tune`, `tensai dev decisions` and `dev blunders` as processes.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::run::{ok_in, refused_in, run_in};
use crate::validator::assert_fits;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn read(path: &Path) -> Value {
    json(&fs::read_to_string(path).unwrap())
}

#[test]
fn parameters_without_effect_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let tune = |name, arguments, more: &[&'static str]| {
        let cmd = format!("cmd={} --engine {arguments}", env!("CARGO_BIN_EXE_tensai"));
        let arguments = ["tune", name, "--engine", &cmd, "name=e", "--parameter", "name=w"];
        let values = ["start=1", "min=0", "max=2", "stride=1", "whole=true"];
        let games = ["--iterations", "1", "--games", "1", "--time", "1h"];
        let tuned = run_in(folder.path(), &[&arguments[..], &values, &games, more].concat());
        String::from_utf8(tuned.stderr).unwrap()
    };
    for (unread, read, against) in
        [("unread", "read", &[][..]), ("unread-too", "read-too", &["--against", "greedy"])]
    {
        let unread = tune(unread, "greedy", against);
        assert!(unread.contains("warning: plus and minus played the same actions"), "{unread}");
        assert!(unread.contains("in the environment variable NAME: w"), "{unread}");
        let read = tune(read, "random --seed {w}", against);
        assert!(!read.contains("warning"), "{read}");
    }
    let unplayed = tune("unplayed", "greedy --no-such-option", &[]);
    assert!(unplayed.contains("no start") && !unplayed.contains("warning"), "{unplayed}");
}

#[test]
fn a_tuning_fails_if_an_engine_starts_in_none_of_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let tuned = run_in(
        folder.path(),
        &[
            "tune",
            "T",
            "--engine",
            "cmd=false",
            "name=e",
            "--parameter",
            "name=w",
            "start=1",
            "min=0",
            "max=2",
            "stride=1",
            "--iterations",
            "2",
            "--games",
            "1",
        ],
    );
    let said = String::from_utf8(tuned.stderr).unwrap();
    assert_eq!(tuned.status.code(), Some(1), "{said}");
    let last = said.lines().last().unwrap();
    assert!(last.contains(" has not started in 2 games: "), "{said}");
    assert!(folder.path().join("T/path.html").exists());
}

#[test]
fn parameters_are_tuned_and_a_stopped_tuning_goes_on_alike() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let parameters = ["--parameter", "discount", "--parameter", "name=opening", "max=12"];
    let games =
        ["--nodes", "300", "--time", "1h", "--openings", "2", "--games", "1", "--seed", "4"];
    let with = |more: &[&'static str]| [&["tune"], more, &parameters[..], &games].concat();
    let whole = json(&ok_in(here, &with(&["whole", "--iterations", "3", "--json"])));
    let path = whole["path"].as_array().unwrap();
    assert_eq!(path.len(), 3);
    for step in path {
        let better = step["better"].as_f64().unwrap();
        assert!((-1.0..=1.0).contains(&better) && step["games"] == 1, "{step}");
        assert_ne!(step["plus"], step["minus"]);
        assert_eq!(step["plus"][1].as_f64().unwrap().fract(), 0.0, "opening is whole");
    }
    let tuned = whole["tuned"].as_object().unwrap();
    assert_eq!(tuned.keys().collect::<Vec<_>>(), ["discount", "opening"]);
    assert_eq!(read(&here.join("whole/tuning.json")), whole);
    assert_fits("tuning", "whole", &whole);
    assert_fits("parameters", "tuned", &whole["tuned"]);
    let played = read(&here.join("whole/games/0001/match.json"));
    let cmd = played["engines"][0]["cmd"].as_str().unwrap();
    assert!(cmd.starts_with("tensai --parameter discount=0."), "{cmd}");
    let page = fs::read_to_string(here.join("whole/path.html")).unwrap();
    assert_eq!(page.matches("<polyline").count(), 2);
    let table = ok_in(here, &["tune", "resume", "whole"]);
    assert!(table.contains("3 of 3 iterations, 3 games"), "{table}");

    // As if the second iteration had been stopped: its game has no record yet.
    fs::create_dir_all(here.join("part/games")).unwrap();
    let mut begun = whole.clone();
    begun["path"].as_array_mut().unwrap().truncate(1);
    fs::write(here.join("part/tuning.json"), begun.to_string()).unwrap();
    let resumed = json(&ok_in(here, &["tune", "resume", "part", "--json"]));
    assert_eq!(resumed["path"], whole["path"]);
    assert_eq!(resumed["tuned"], whole["tuned"]);
    let more = json(&ok_in(here, &["tune", "resume", "part", "--iterations", "4", "--json"]));
    assert_eq!(more["path"].as_array().unwrap().len(), 4);

    let taken = refused_in(here, &with(&["whole"]));
    assert!(taken.ends_with(
        "it holds a tuning already: go on with `tune resume`, or choose another folder"
    ));
    let mut foreign = whole.clone();
    foreign["engine"]["cmd"] = "tensai --name other".into();
    fs::write(here.join("part/tuning.json"), foreign.to_string()).unwrap();
    let untrusted = refused_in(here, &["tune", "resume", "part"]);
    assert!(untrusted.contains("add --trust to run `tensai --name other`"), "{untrusted}");
}

#[test]
fn any_engine_gets_its_values() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let bot =
        "sh -c 'echo \"$1 $speed $OPTIONS\" >> values; exec TENSAI --engine random' bot {depth}";
    let bot = format!("cmd={}", bot.replace("TENSAI", &crate::run::tensai()));
    let arguments = [
        "tune",
        "t",
        "--engine",
        "name=bot",
        &bot,
        "env=OPTIONS=w={weight}",
        "--against",
        "greedy",
        "--against",
        "name=r",
        "cmd=random",
        "--iterations",
        "1",
        "--games",
        "1",
        "--time",
        "1h",
        "--parameter",
        "name=depth",
        "start=6",
        "min=2",
        "max=12",
        "stride=2",
        "whole=true",
        "--parameter",
        "name=speed",
        "start=1",
        "min=0",
        "max=2",
        "stride=0.25",
        "--parameter",
        "name=weight",
        "start=0",
        "min=-1",
        "max=1",
        "stride=0.5",
        "--json",
    ];
    let tuning = json(&ok_in(here, &arguments));
    let step = &tuning["path"][0];
    assert_eq!(step["games"], 4, "both sides against both opponents");
    let values = fs::read_to_string(here.join("values")).unwrap();
    let mut values: Vec<&str> = values.lines().collect();
    values.sort_unstable();
    let side = |name: &str| {
        let value = |index: usize| step[name][index].as_f64().unwrap();
        format!("{} {} w={}", value(0), value(1), value(2))
    };
    let mut expected = [side("plus"), side("plus"), side("minus"), side("minus")];
    expected.sort_unstable();
    assert_eq!(values, expected);
}

#[test]
fn wrong_tunings_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let start = "tensai: ";
    for (arguments, message) in [
        (
            &["tune", "t", "--parameter", "discuont"][..],
            "--parameter: discuont: expected min=NUMBER",
        ),
        (&["tune", "t", "--parameter", "discount", "max=2"], "discount: expected a range within"),
        (&["tune", "t", "--parameter", "discount", "--rate", "0"], "rate: expected above 0 to 10"),
        (
            &["tune", "t", "--parameter", "discount", "--against", "name=plus", "cmd=x"],
            "`engines`: two have",
        ),
        (
            &[
                "tune",
                "t",
                "--engine",
                "cmd=sh {dept}",
                "--parameter",
                "name=depth",
                "start=1",
                "min=0",
                "max=2",
                "stride=1",
            ],
            "{dept} in cmd or env is the place of no parameter; did you mean `{depth}`?",
        ),
        (&["tune", "resume", "none"], "none: not the folder of a tuning: tuning.json: "),
    ] {
        let line = refused_in(here, arguments);
        assert!(line.starts_with(start) && line.contains(message), "{line}");
    }
    assert!(!here.join("t").exists(), "nothing is written");
    let output = run_in(here, &["--parameter", "discount=2"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        errors,
        "tensai: invalid value 'discount=2' for '--parameter <NAME=VALUE>': discount: expected a \
         number from 0.3 to 1, found `2` (see --help)\n"
    );
    let list = ok_in(here, &["--help-parameters"]);
    assert!(list.contains("  discount            0.8     0.3 to 1      "), "{list}");
}

#[test]
fn decisions_are_compared_with_those_of_more_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let bench = ["dev", "decisions", "--positions", "8", "--nodes", "500"];
    let report = json(&ok_in(here, &[&bench[..], &["--json"]].concat()));
    assert_eq!((&report["decisions"], &report["reference_nodes"]), (&8.into(), &8000.into()));
    let agreement = report["agreement"].as_f64().unwrap();
    let differing = report["differing"].as_array().unwrap();
    assert!((agreement - (1.0 - differing.len() as f64 / 8.0)).abs() < 1e-9, "{report}");
    let lost: f64 = differing.iter().map(|one| one["lost"].as_f64().unwrap()).sum();
    assert!((report["mean_loss"].as_f64().unwrap() - lost / 8.0).abs() < 1e-9, "{report}");
    let text = ok_in(here, &[&bench[..], &["--threads", "1"]].concat());
    let signature = report["signature"].as_str().unwrap();
    assert!(text.contains(&format!("signature          {signature}\n")), "{text}");
    let same = ok_in(here, &[&bench[..], &["--factor", "1"]].concat());
    assert!(same.contains("all                8     100.0 %       0.00"), "{same}");

    ok_in(here, &["match", "--a", "level1", "--b", "random", "--records", "games"]);
    let own = json(&ok_in(here, &[&bench[..], &["games", "--json"]].concat()));
    assert_eq!(own["decisions"], 8);
    assert_ne!(own["signature"], report["signature"]);
    let line = refused_in(here, &["dev", "decisions", "none.json"]);
    assert!(line.starts_with("tensai: none.json: cannot read: "), "{line}");
}

#[test]
fn planted_blunders_are_ranked_by_a_review() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let bench = ["dev", "blunders", "--nodes", "10000", "--playouts", "8"];
    let report = json(&ok_in(here, &[&bench[..], &["--json"]].concat()));
    let blunders = report["blunders"].as_array().unwrap();
    assert!(!blunders.is_empty(), "{report}");
    assert_eq!(report["planted"], blunders.len());
    let up_to =
        |most: u64| blunders.iter().filter(|one| one["rank"].as_u64() <= Some(most)).count();
    assert_eq!((&report["first"], &report["first_three"]), (&up_to(1).into(), &up_to(3).into()));
    let confirmed = blunders.iter().filter(|one| one["is_confirmed"] == true).count();
    assert_eq!(report["confirmed"], confirmed);
    assert!(confirmed > 0, "{report}");
    let kinds = report["kinds"].as_array().unwrap();
    assert_eq!(
        kinds.iter().map(|kind| kind["planted"].as_u64().unwrap()).sum::<u64>(),
        blunders.len() as u64
    );
    for one in blunders {
        assert_ne!(one["replaced"], one["action"], "{one}");
        assert!(one["rank"].as_u64() >= Some(1) && one["rank"].as_u64() <= one["turns"].as_u64());
    }
    let alone = json(&ok_in(here, &[&bench[..], &["--json", "--threads", "1"]].concat()));
    assert_eq!(alone["blunders"], report["blunders"], "for every number of threads");
    let text = ok_in(here, &bench);
    assert!(text.contains(&format!("{:16}{:9}", "all", blunders.len())), "{text}");
}
