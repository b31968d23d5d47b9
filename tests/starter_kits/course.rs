//! The course in `examples/course`: its rules pass the golden vectors, each bot plays a game,
//! weights and pictures can be made anew, and its scripts refuse what they cannot do.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

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
    let temporary = tempfile::tempdir().unwrap();
    // A path with a blank, which a command must not be split at.
    let parent = temporary.path().join("my bots");
    fs::create_dir(&parent).unwrap();
    for name in ["course", "vectors"] {
        copy(&root.join("examples").join(name), &parent.join(name));
    }
    let folder = parent.join("course");
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
    makes_its_weights_anew(&folder);
    refuses_what_would_make_no_league(&folder);
    writes_its_ratings(&folder);
    goes_on_only_with_the_same_seed_and_limits(&folder);
    ends_when_no_game_is_played(&folder);
    judges_no_match_with_faults(&folder);
}

/// Wrong calls get a sentence, and the old weights stay. The new ones are those of the repository.
fn makes_its_weights_anew(folder: &Path) {
    let file = folder.join("src/weights.txt");
    let weights = fs::read_to_string(&file).unwrap();
    fs::write(&file, "old").unwrap();
    let output = script(folder, "weights.sh", &[], &[("TENSAI", "no/tensai")]);
    refuses(&output, "weights.sh: no program tensai at 'no/tensai'");
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    let mazai = |arguments: &[&str], message: &str| {
        refuses(&script(folder, "target/release/mazai", arguments, &[]), message);
    };
    mazai(&["foo"], "mazai: expected no argument");
    mazai(&["train", "Cargo.toml"], "mazai: Cargo.toml: no recorded game");
    mazai(&["train", "none.json"], "mazai: none.json: ");
    refuses(&script(folder, "weights.sh", &["beam"], &[]), "weights.sh: beam does not learn");
    let output = script(folder, "weights.sh", &[], &[]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !errors.contains("records:"), "{errors}");
    assert_eq!(fs::read_to_string(&file).unwrap(), weights, "weights made anew: {errors}");
}

/// Runs a script of the course in its folder, with leagues of two games by nodes.
fn script(folder: &Path, name: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    Command::new(folder.join(name))
        .current_dir(folder)
        .args(arguments)
        .envs([("GAMES", "2"), ("LIMITS", "--nodes 20"), ("RATINGS", "")])
        .env("TENSAI", tensai())
        .env("XDG_STATE_HOME", STATE)
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

/// One line that begins so, and exit code 2.
fn refuses(output: &Output, message: &str) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.starts_with(message) && errors.lines().count() == 1, "{message}: {errors}");
    assert_eq!(output.status.code(), Some(2), "{errors}");
}

/// `--help` is no folder. Nothing is written before all arguments are known to be right.
fn refuses_what_would_make_no_league(folder: &Path) {
    for name in ["build.sh", "league.sh", "play.sh", "weights.sh"] {
        let output = script(folder, name, &["--help"], &[]);
        let help = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && help.starts_with(&format!("usage: {name}")), "{help}");
    }
    let league = |arguments: &[&str], variables: &[(&str, &str)], message: &str| {
        refuses(&script(folder, "league.sh", arguments, variables), message);
        assert!(!folder.join("league").exists(), "{message}");
    };
    league(&["--nodes", "league"], &[], "league.sh: unknown option '--nodes'");
    league(&["league", "x"], &[], "league.sh: SEED is a number");
    league(&["league", "3", "nobody", "greedy"], &[], "league.sh: no bot 'nobody'");
    league(&["league", "3", "greedy"], &[], "league.sh: a new league needs two engines");
    league(&["league", "3", "greedy", "greedy"], &[], "league.sh: a new league needs two engines");
    for games in ["abc", "0", "99999999999999999999"] {
        league(&["league"], &[("GAMES", games)], "league.sh: GAMES is a number");
    }
    league(&["league"], &[("LIMITS", "--nodes x")], "tensai: invalid value 'x' for '--nodes");
}

/// A league is not gone on with by another seed or other limits than its own.
fn goes_on_only_with_the_same_seed_and_limits(folder: &Path) {
    let before = fs::read_to_string(folder.join("league/league.json")).unwrap();
    let league = |seed: &str, limits: &str, message: &str| {
        let arguments = ["league", seed, "survivor", "random"];
        refuses(&script(folder, "league.sh", &arguments, &[("LIMITS", limits)]), message);
    };
    league("2", "--nodes 20", "league.sh: league is a league of seed 3, not of seed 2");
    league("3", "--nodes 30", "league.sh: league is a league of nodes 20, not of nodes 30");
    league("3", "", "league.sh: league is a league of nodes 20, not of nodes none");
    assert_eq!(fs::read_to_string(folder.join("league/league.json")).unwrap(), before);
}

/// A league whose runs play no game, here by a `tensai` that plays none.
fn ends_when_no_game_is_played(folder: &Path) {
    let idle = "#!/bin/sh\n[ \"$1 $2\" = 'league run' ] || exec \"$PLAYS\" \"$@\"\n";
    // Another process writes it: one that is open for writing anywhere does not start.
    command(folder, &["sh", "-c", "cat > idle.sh; chmod +x idle.sh"], idle);
    let variables = [("GAMES", "3"), ("TENSAI", "./idle.sh"), ("PLAYS", &tensai())];
    let output = script(folder, "league.sh", &["league", "3", "survivor", "random"], &variables);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("too few games"), "{errors}");
    assert_eq!(output.status.code(), Some(1), "{errors}");
}

/// A bot that crashes lets the other one win every game, and pass no check. A good match is judged.
fn judges_no_match_with_faults(folder: &Path) {
    fs::write(folder.join("src/bin/mine.rs"), "fn main() { panic!() }\n").unwrap();
    let play = |opponent: &str| {
        let arguments = ["survivor", opponent, "2", "nodes=20"];
        script(folder, "play.sh", &arguments, &[("SEED", "4000000000")])
    };
    let crashes = play("mine");
    let errors = String::from_utf8_lossy(&crashes.stderr);
    assert!(errors.contains("not judged, because of the faults of mine"), "{errors}");
    assert_eq!(crashes.status.code(), Some(2), "{errors}");
    let passes = play("random");
    let said = String::from_utf8_lossy(&passes.stdout);
    assert!(passes.status.success() && said.contains("passed: survivor scores 100.0 %"), "{said}");
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
    let arguments = ["league", "3", "survivor", "random"];
    let ratings = [("RATINGS", "english.md japanese.md")];
    let output = script(folder, "league.sh", &arguments, &ratings);
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
        let program = format!("target/release/{name}");
        if !folder.join(&program).exists() {
            return vec![name.to_owned()];
        }
        let dir = format!("dir={}", folder.display());
        vec![format!("name={name}"), format!("cmd={program}"), dir, "nodes=20".to_owned()]
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
