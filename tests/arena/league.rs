//! `tensai league` as processes: finished games are kept, interrupted games are played again.
//!
//! No step depends on the machine's speed: an engine waits at a gate until the test opens it, and
//! the time limits are so long that only a hang reaches them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tensai::record::Record;

use crate::checked::{refused, said};
use crate::running::{program, tensai};

/// A name that is markup, and that hides text on a terminal.
const HOSTILE: &str = "<img src=x>\u{1b}[2J";

/// The folder of a test, in which the league `L` is.
struct Place(tempfile::TempDir);

impl Place {
    /// A new league, and an engine `gated.sh` whose gate is closed.
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        let script = format!(
            "echo x >waits\nwhile [ ! -e open ]; do sleep 0.02; done\nrm waits\nexec {} \
             --engine random\n",
            tensai()
        );
        fs::write(place.path().join("gated.sh"), script).unwrap();
        let limits = ["--time=1h", "--turn-time=10m", "--start-time=10m", "--seed=5"];
        place.said(&[&["init", "L"], &limits[..]].concat());
        place
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Runs `tensai league`, which must succeed. Its standard output.
    fn said(&self, arguments: &[&str]) -> String {
        said(self.path(), &[&["league"], arguments].concat(), "")
    }

    /// Runs `tensai league`, which must refuse in one line. The line.
    fn refused(&self, arguments: &[&str]) -> String {
        refused(self.path(), &[&["league"], arguments].concat(), "")
    }

    /// Starts `tensai league run L`.
    fn start(&self, arguments: &[&str]) -> Child {
        let mut program = program();
        program.args(["league", "run", "L", "--no-pin", "--concurrency=1"]).args(arguments);
        program.current_dir(self.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
        program.spawn().unwrap()
    }

    /// Waits until the gated engine waits at its gate.
    fn wait_for_engine(&self) {
        let since = Instant::now();
        while !self.path().join("waits").exists() {
            assert!(since.elapsed() < Duration::from_secs(120), "no engine is at the gate");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Lets the gated engine play, now and later.
    fn open_gate(&self) {
        fs::write(self.path().join("open"), "").unwrap();
    }

    /// Lets the gated engine wait in later games.
    fn close_gate(&self) {
        fs::remove_file(self.path().join("open")).unwrap();
    }

    /// Kills a run while the gated engine waits.
    fn kill(&self, mut run: Child) {
        self.wait_for_engine();
        run.kill().unwrap();
        run.wait().unwrap();
        let _ = fs::remove_file(self.path().join("waits"));
    }

    /// The records, each with its file and its bytes.
    fn records(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let entries = fs::read_dir(self.path().join("L/games")).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let mut paths: Vec<PathBuf> =
            paths.filter(|path| path.extension().is_some_and(|kind| kind == "json")).collect();
        paths.sort();
        paths.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
    }

    /// The engines of each game, in the order of numbers.
    fn pairs(&self) -> Vec<[String; 2]> {
        let pair = |(number, (path, _)): (usize, &(PathBuf, Vec<u8>))| {
            let record = Record::read(path).unwrap();
            record.check().unwrap();
            assert!(path.ends_with(format!("{number:04}.json")), "{path:?}");
            assert_eq!(record.number, Some(number));
            assert_eq!(record.packs_from, format!("seed {}", 4 + number), "by its number");
            record.players.map(|player| player.engine.unwrap())
        };
        (1..).zip(&self.records()).map(pair).collect()
    }

    /// The rating list, which fits its schema as the league's file does.
    fn list(&self) -> Value {
        let list = serde_json::from_str(&self.said(&["show", "L", "--json"])).unwrap();
        crate::validator::assert_fits("league-list", "list", &list);
        let league = fs::read_to_string(self.0.path().join("L/league.json")).unwrap();
        crate::validator::assert_fits("league", "league", &serde_json::from_str(&league).unwrap());
        list
    }
}

/// The messages of a run that has ended.
fn messages(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_league_goes_on_through_kills_and_changes() {
    let place = Place::new();
    assert!(place.refused(&["init", "L"]).contains("holds a league already"));
    place.said(&["add", "L", "random"]);
    assert!(place.refused(&["run", "L"]).contains("needs two engines, found 1"));
    place.said(&["add", "L", &format!("name={HOSTILE}"), "cmd=tensai --engine random"]);
    assert!(place.refused(&["add", "L", "random"]).contains("`random` plays already"));
    assert!(place.refused(&["add", "L", "cmd=./none"]).contains("there is no file"));
    let run = place.start(&["--games=3"]).wait_with_output().unwrap();
    assert!(run.status.success(), "{}", messages(&run));
    assert_eq!(place.pairs().len(), 3);
    let first = place.records();

    // A new engine meets the others at once; its game is killed, and begins again with the next
    // run: the number, the engines and the packs stay.
    place.said(&["add", "L", "name=gated", "cmd=sh gated.sh"]);
    place.kill(place.start(&[]));
    let running: Value =
        serde_json::from_slice(&fs::read(place.path().join("L/running.json")).unwrap()).unwrap();
    assert_eq!(running["games"][0]["number"], 4);
    assert_eq!(running["games"][0]["engines"][0], "gated");
    assert_eq!(place.records(), first, "an unfinished game has no record");

    // While a league runs, no other process runs it, and engines come and go.
    let run = place.start(&["--games=2"]);
    place.wait_for_engine();
    let busy = place.refused(&["run", "L"]);
    assert!(busy.contains(&format!("process {} runs the league", run.id())), "{busy}");
    place.said(&["add", "L", "greedy"]);
    place.said(&["remove", "L", HOSTILE]);
    place.open_gate();
    let run = run.wait_with_output().unwrap();
    assert!(run.status.success(), "{}", messages(&run));
    let pairs = place.pairs();
    assert_eq!(pairs.len(), 5);
    let interrupted = pairs[3].each_ref().map(|name| Value::from(name.as_str()));
    assert_eq!(Value::from(interrupted.to_vec()), running["games"][0]["engines"]);
    assert_eq!(pairs[4][0], "greedy", "it has the fewest games");
    assert_ne!(pairs[4][1], HOSTILE, "it has retired");
    assert_eq!(place.records()[..3], first, "no game is played twice");
    assert!(place.refused(&["remove", "L", HOSTILE]).contains("has retired already"));
    assert!(place.refused(&["remove", "L", "greedi"]).contains("did you mean `greedy`?"));

    the_list_counts_all(&place, &pairs);

    // Ctrl-C ends the game in progress.
    place.said(&["remove", "L", "greedy"]);
    place.close_gate();
    let run = place.start(&[]);
    place.wait_for_engine();
    kill(Pid::from_raw(run.id().try_into().unwrap()), Signal::SIGINT).unwrap();
    let run = run.wait_with_output().unwrap();
    assert_eq!(run.status.code(), Some(130), "{}", messages(&run));
    let said = messages(&run);
    assert_eq!(
        said.lines().last(),
        Some(
            "tensai: stopped after 5 games; finished games are kept; resume with: tensai league \
             run L"
        ),
    );
    assert_eq!(place.pairs(), pairs);
}

/// The list as JSON, as a table and as a page.
fn the_list_counts_all(place: &Place, pairs: &[[String; 2]]) {
    let list = place.list();
    assert_eq!((&list["played"], &list["connected"]), (&5.into(), &true.into()));
    let engines = list["engines"].as_array().unwrap();
    let names: BTreeSet<&str> = engines.iter().map(|e| e["engine"].as_str().unwrap()).collect();
    assert_eq!(names, BTreeSet::from(["random", HOSTILE, "gated", "greedy"]));
    let mut sum = 0.0;
    for entry in engines {
        let name = entry["engine"].as_str().unwrap();
        let games = pairs.iter().flatten().filter(|player| *player == name).count();
        assert_eq!(entry["games"], games, "{name}");
        assert_eq!(entry["retired"], name == HOSTILE);
        assert!(entry["error"].as_f64().unwrap() > 0.0);
        sum += entry["elo"].as_f64().unwrap();
    }
    assert!(sum.abs() < 1e-6, "the mean is 0");
    let fixed = place.said(&["show", "L", "--json", "--anchor", "random=1500"]);
    let fixed: Value = serde_json::from_str(&fixed).unwrap();
    let random = fixed["engines"].as_array().unwrap().iter().find(|e| e["engine"] == "random");
    let random = random.unwrap();
    assert_eq!((&random["elo"], &random["error"]), (&1500.0.into(), &0.0.into()));
    assert_eq!(fixed["anchors"], serde_json::json!(["random"]));
    let other = place.refused(&["show", "L", "--anchor", "randm"]);
    assert!(other.ends_with("no engine of that name; did you mean `random`?"), "{other}");
    let table = place.said(&["show", "L"]);
    assert!(table.contains("<img src=x>\\u{1b}[2J"), "{table}");
    assert!(table.contains("retired") && table.contains("5 games since "), "{table}");
    place.said(&["show", "L", "--page", "list.html"]);
    let page = fs::read_to_string(place.path().join("list.html")).unwrap();
    assert!(page.contains("<b>&lt;img src=x&gt;\\u{1b}[2J</b> (retired)"), "{page}");
    assert!(!page.contains("<img") && !page.contains('\u{1b}'));
    place.said(&["show", "L", "--page", "list.html"]);
    let other = place.refused(&["show", "L", "--page", "gated.sh"]);
    assert!(other.contains("it exists already and is not a page"), "{other}");
}

#[test]
fn a_stop_does_not_change_the_games() {
    let [whole, parts] = [&["--games=4"][..], &["--games=1", "--games=3"]].map(|runs| {
        let place = Place::new();
        for engine in ["greedy", "level1", "level2"] {
            place.said(&["add", "L", engine]);
        }
        for run in runs {
            let run = place.start(&[run]).wait_with_output().unwrap();
            assert!(run.status.success(), "{}", messages(&run));
        }
        let games = place.records().into_iter().map(|(path, _)| {
            let record = Record::read(&path).unwrap();
            let answers: Vec<_> = record.turns.into_iter().map(|turn| turn.answers).collect();
            (record.players.map(|player| player.engine), answers)
        });
        (place.pairs(), games.collect::<Vec<_>>())
    });
    assert_eq!(whole.0, parts.0);
    assert_eq!(whole.0[0], ["greedy", "level1"]);
    assert_eq!(whole.0[1][0], "level2", "it has no game yet");
    assert!(whole.1 == parts.1, "the answers differ");
}

#[test]
fn settings_change_for_the_games_to_come() {
    let place = Place::new();
    place.said(&["add", "L", "random"]);
    place.said(&["add", "L", "name=gated", "cmd=sh gated.sh"]);
    assert_eq!(
        place.said(&["set", "L"]),
        "time        1h\nturn-time   10m\ngrace       100ms\nstart-time  10m\nnodes       none\n\
         sequential  false\nopenings    0\nadjudicate  false\nseed        5\n"
    );
    for (name, seed) in [("first.pack", "7"), ("other.pack", "8")] {
        said(place.path(), &["packs", "generate", "--seed", seed, "-o", name], "");
    }
    let record = |number: usize| {
        Record::read(&place.path().join(format!("L/games/{number:04}.json"))).unwrap()
    };

    // The game in progress keeps its settings, the next one has the new ones.
    let run = place.start(&["--games=2"]);
    place.wait_for_engine();
    let words = ["--time=50m", "--nodes=300", "--openings=3", "--adjudicate", "--packs=first.pack"];
    let set = place.said(&[&["set", "L"], &words[..]].concat());
    assert!(set.contains("time        50m\n") && set.contains("first.pack\n"), "{set}");
    place.open_gate();
    let run = run.wait_with_output().unwrap();
    assert!(run.status.success(), "{}", messages(&run));
    let [before, after] = [record(1), record(2)];
    assert_eq!((before.limits.game_ms, before.opening), (3_600_000, 0));
    assert_eq!((before.packs_from.as_str(), before.players[0].nodes), ("seed 5", None));
    assert_eq!((after.limits.game_ms, after.opening), (3_000_000, 3));
    assert_eq!((after.packs_from.as_str(), after.players[0].nodes), ("first.pack", Some(300)));
    assert_eq!(place.list()["played"], 2, "games of all settings are in one list");

    // What cannot be played is refused, or not taken over.
    let definition = || fs::read(place.path().join("L/league.json")).unwrap();
    let there = definition();
    for (words, what) in [
        (["--packs", "none.pack"], "none.pack: "),
        (["--packs", "gated.sh"], "gated.sh: "),
        (["--openings", "21"], "openings: expected 0 to 20, found 21"),
        (["--nodes", "0"], "expected a number from 1 or `none`, found `0`"),
    ] {
        let refused = place.refused(&[&["set", "L"], &words[..]].concat());
        assert!(refused.contains(what), "{refused}");
        assert_eq!(definition(), there, "{words:?}");
    }
    place.close_gate();
    let run = place.start(&["--games=2"]);
    place.wait_for_engine();
    place.said(&["set", "L", "--openings=1", "--packs=other.pack"]);
    fs::remove_file(place.path().join("other.pack")).unwrap();
    place.open_gate();
    let run = run.wait_with_output().unwrap();
    assert!(run.status.success(), "{}", messages(&run));
    let said = messages(&run);
    let kept = said.lines().find(|line| line.contains("other.pack")).unwrap();
    assert!(kept.ends_with(": the league goes on as it was"), "{said}");
    assert_eq!((record(4).packs_from.as_str(), record(4).opening), ("first.pack", 3));
    assert!(place.refused(&["run", "L", "--games=1"]).contains("other.pack: "));

    // Every setting can be taken back.
    let words = ["--seed=9", "--nodes=none", "--adjudicate=false", "--openings=0"];
    let set = place.said(&[&["set", "L"], &words[..]].concat());
    assert!(set.ends_with("openings    0\nadjudicate  false\nseed        9\n"), "{set}");
    assert!(set.contains("nodes       none\n"), "{set}");
    let run = place.start(&["--games=1"]).wait_with_output().unwrap();
    assert!(run.status.success(), "{}", messages(&run));
    assert_eq!((record(5).packs_from.as_str(), record(5).opening), ("seed 13", 0));
}

#[test]
fn a_run_fails_if_an_engine_starts_in_none_of_its_games() {
    let place = Place::new();
    place.said(&["add", "L", "random"]);
    place.said(&["add", "L", "name=mute", "cmd=false"]);
    let run = place.start(&["--games=2"]).wait_with_output().unwrap();
    let said = messages(&run);
    assert_eq!(run.status.code(), Some(1), "{said}");
    let last = said.lines().last().unwrap();
    assert!(last.starts_with("tensai: mute has not started in 2 games: "), "{said}");
    assert!(String::from_utf8(run.stdout).unwrap().contains("mute"), "the list is printed");
    assert_eq!(place.list()["played"], 2);
    // Once it has retired, it is no fault of a later run.
    place.said(&["remove", "L", "mute"]);
    place.said(&["add", "L", "greedy"]);
    let run = place.start(&["--games=1"]).wait_with_output().unwrap();
    assert!(run.status.success(), "{}", messages(&run));
}

#[test]
fn foreign_commands_need_trust() {
    let place = Place::new();
    place.said(&["add", "L", "random"]);
    place.said(&["add", "L", "name=other", "cmd=tensai --engine random"]);
    let path = place.path().join("L/league.json");
    let changed = fs::read_to_string(&path).unwrap();
    let command = format!("sh -c 'touch ran; exec {} --engine random'", tensai());
    let changed = changed.replace(
        "\"name\":\"other\",\"cmd\":\"tensai --engine random\"",
        &format!("\"name\":\"other\",\"cmd\":\"{command}\""),
    );
    fs::write(&path, changed).unwrap();
    let refused = place.refused(&["run", "L", "--games=1"]);
    assert!(refused.ends_with(&format!("add --trust to run `{command}`")), "{refused}");
    // An added engine does not make the others trusted.
    place.said(&["add", "L", "greedy"]);
    assert!(place.refused(&["run", "L", "--games=1"]).contains("add --trust"));
    assert!(!place.path().join("ran").exists());
    // A user who has trusted the commands once is not asked again.
    for arguments in [&["--games=1", "--trust"][..], &["--games=1"]] {
        let run = place.start(arguments).wait_with_output().unwrap();
        assert!(run.status.success(), "{}", messages(&run));
    }
    assert_eq!(place.pairs().len(), 2);
}
