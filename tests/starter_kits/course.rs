//! The course in `examples/course`: its rules pass the golden vectors, each bot plays a game, and
//! weights and pictures can be made anew.

use std::fs;
use std::path::Path;
use std::process::Command;

use tensai::record::Record;

use crate::kits::{command, copy, is_missing};
use crate::running::{STATE, run, tensai};

/// The bots in the order of the steps, each after its first opponent.
const BOTS: [&str; 10] = [
    "random",
    "survivor",
    "greedy",
    "exhaustive",
    "beam",
    "chokudai",
    "mazai",
    "reactive",
    "mcts",
    "duel",
];

#[test]
fn the_course_is_built_plays_and_makes_its_weights_and_pictures_anew() {
    if is_missing("course", &["cargo"], "cargo") {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let parent = tempfile::tempdir().unwrap();
    for name in ["course", "vectors"] {
        copy(&root.join("examples").join(name), &parent.path().join(name));
    }
    let folder = parent.path().join("course");
    command(&folder, &["./build.sh"], "");
    let test = ["cargo", "test", "--release", "--quiet", "--locked", "--offline"];
    command(&folder, &[&test[..], &["--target-dir", "target", "--test", "vectors"]].concat(), "");
    for pair in BOTS.windows(2) {
        plays_without_a_fault(&folder, pair[1], pair[0]);
    }
    for step in 1..=9 {
        let drawn = command(&folder, &["target/release/draw", &step.to_string()], "");
        let picture = root.join(format!("docs/course/{step}.svg"));
        assert!(drawn == fs::read_to_string(&picture).unwrap(), "{}", picture.display());
    }
    let output = Command::new(folder.join("weights.sh"))
        .env("TENSAI", tensai())
        .env("XDG_STATE_HOME", STATE)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let weights = fs::read_to_string(folder.join("src/weights.txt")).unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), weights, "weights made anew: {errors}");
    writes_its_ratings(&folder);
}

/// A league of two bots whose list gets into each document, below the heading in its language.
fn writes_its_ratings(folder: &Path) {
    let parts = |heading: &str, rows: &str| {
        format!("before\n<!-- ratings 3 -->\n\n{heading}\n|---|\n{rows}\n<!-- end -->\nafter\n")
    };
    let documents = [("english.md", "| place |"), ("japanese.md", "| 順位 |")];
    for (name, heading) in documents {
        fs::write(folder.join(name), parts(heading, "| – |\n")).unwrap();
    }
    let output = Command::new(folder.join("league.sh"))
        .current_dir(folder)
        .args(["league", "3", "survivor", "random"])
        .envs([("GAMES", "2"), ("LIMITS", "--nodes 20"), ("RATINGS", "english.md japanese.md")])
        .env("TENSAI", tensai())
        .env("XDG_STATE_HOME", STATE)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let [english, japanese] =
        documents.map(|(name, _)| fs::read_to_string(folder.join(name)).unwrap());
    let rows: Vec<&str> = english.lines().filter(|line| line.starts_with("| 1 |")).collect();
    assert!(rows.len() == 1 && rows[0].contains("`survivor`"), "{english}");
    assert_eq!(japanese, english.replace("place", "順位"));
    assert!(english.starts_with("before\n") && english.ends_with("<!-- end -->\nafter\n"));
}

/// One game by nodes.
fn plays_without_a_fault(folder: &Path, bot: &str, opponent: &str) {
    let games = tempfile::tempdir().unwrap();
    let engine = |name: &str| {
        let program = folder.join("target/release").join(name);
        let words =
            [format!("name={name}"), format!("cmd={}", program.display()), "nodes=20".into()];
        if program.exists() { words.to_vec() } else { vec![name.to_owned()] }
    };
    let mut arguments = vec!["match".to_owned(), "--engine".to_owned()];
    arguments.extend(engine(bot));
    arguments.push("--engine".to_owned());
    arguments.extend(engine(opponent));
    arguments
        .extend(["--seed", "11", "--no-pin", "--records", "games", "--json"].map(str::to_owned));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = run(games.path(), &arguments, b"");
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{bot}: {said}");
    let record = Record::read(&games.path().join("games/0001.json")).unwrap();
    assert!(record.result.faults.iter().all(Option::is_none), "{bot}: {said}");
}
