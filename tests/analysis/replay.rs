//! `tensai replay` with the official log, and with games that were played for it.

use std::path::{Path, PathBuf};

use crate::official::write_official;
use crate::run::{play, refused, run, said, tensai};
use serde_json::Value;
use tensai::game::{Action, Seat};
use tensai::record::Record;

const LOG: &str = include_str!("../data/official_16_turns.txt");

fn folder_with_log() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("input.txt"), LOG).unwrap();
    folder
}

/// A game that the second of two lost, with few nodes.
fn lost_game(folder: &Path) -> PathBuf {
    let strong = ["name=strong", "cmd=tensai", "nodes=100000"];
    play(folder, [&strong, &["name=weak", "cmd=tensai", "nodes=2000"]])
}

/// Rows of the table of a listing: turn, and the words behind it.
fn rows(text: &str) -> Vec<&str> {
    let is_row =
        |line: &&str| line.split_whitespace().next().is_some_and(|w| w.parse::<u32>().is_ok());
    text.lines().filter(is_row).collect()
}

#[test]
fn the_official_log_is_listed_turn_by_turn() {
    let folder = folder_with_log();
    let printed = said(folder.path(), &["replay", "input.txt"], "");
    assert_eq!(printed, include_str!("official_16_turns.listing"));
    std::fs::write(folder.path().join("twice.txt"), [LOG, LOG].concat()).unwrap();
    let both = said(folder.path(), &["replay", "twice.txt"], "");
    assert_eq!(both, format!("game 1 of 2\n{printed}\ngame 2 of 2\n{printed}"));
    let second = said(folder.path(), &["replay", "twice.txt", "--game", "2"], "");
    assert_eq!(second, format!("game 2 of 2\n{printed}"));
}

#[test]
fn a_record_and_its_official_form_have_the_same_turns() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    lost_game(folder);
    let shown = said(folder, &["replay", "games/0001.json"], "");
    // The official format loses names of engines and limits, but no turn.
    write_official(folder, &["games/0001.json"], "official.json");
    let official = said(folder, &["replay", "official.json"], "");
    assert_eq!(rows(&official), rows(&shown));
    let moved = folder.join("moved.pack");
    std::fs::rename(folder.join("official.1.pack"), &moved).unwrap();
    let given = ["replay", "official.json", "--packs", "moved.pack"];
    assert_eq!(rows(&said(folder, &given, "")), rows(&shown));
    let printed = refused(folder, &["replay", "official.json"], "");
    assert!(printed.contains("official.1.pack: no such file"), "{printed}");
}

#[test]
fn recorded_answers_are_inferred_from_the_input() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let record = Record::read(&lost_game(folder)).unwrap();
    for seat in Seat::BOTH {
        let number = seat.index().to_string();
        let input = said(folder, &["record", "input", "games/0001.json", "--seat", &number], "");
        std::fs::write(folder.join("input.txt"), input).unwrap();
        let printed = said(folder, &["replay", "input.txt"], "");
        let printed = rows(&printed);
        assert_eq!(printed.len(), record.turns.len());
        for (row, turn) in printed.iter().zip(&record.turns[..record.turns.len() - 1]) {
            // In the input of a seat, that seat comes first. Several answers may lead to one field.
            let is_action = |printed: &str| printed.parse::<Action>().is_ok();
            let cells = row.split("  ").map(str::trim);
            let cells: Vec<&str> = cells.filter(|cell| cell.split('|').all(is_action)).collect();
            assert_eq!(cells.len(), 2, "`{row}`");
            for (cell, seat) in cells.into_iter().zip([seat, seat.other()]) {
                let answer = &turn.answers[seat.index()];
                assert!(cell.split('|').any(|printed| printed == answer), "{answer} in `{row}`");
            }
        }
        assert_eq!(printed.last().unwrap().matches("unknown").count(), 2);
    }
}

#[test]
fn a_turn_is_drawn_and_searched_again() {
    let folder = folder_with_log();
    let again = |more: &[&str]| {
        let arguments = ["replay", "turn", "input.txt", "12", "--nodes", "20000", "--threads", "1"];
        said(folder.path(), &[&arguments, more].concat(), "")
    };
    let printed = again(&[]);
    assert!(printed.starts_with("turn 12\nplayer 0 "), "{printed}");
    assert!(printed.contains("| 8 7 . 6 1 1 4 . . .|      | . 2 7 6 1 2 1 7 . .|\n"));
    assert!(printed.contains("falls  . 6   1 8"));
    assert!(printed.contains("  player 0: 8 2, after 18.1 s\n  player 1: 6 3, after 3.6 s\n"));
    assert!(printed.contains("searched again for player 0: "));
    assert_eq!(printed.matches("chosen").count(), 1);
    assert!(printed.lines().any(|line| line.starts_with("    8 2 ") && line.ends_with("played")));
    assert!(printed.contains("the best chains of player 1, under the rows due now:\n    turn  "));
    assert_eq!(
        printed,
        again(&[]),
        "with one thread and a number of nodes, the output is deterministic"
    );
    assert!(!printed.contains("\x1b[") && again(&["--color", "always"]).contains("\x1b["));
    let other = again(&["--seat", "1"]);
    assert!(other.contains("searched again for player 1: "));
    assert!(other.lines().any(|line| line.starts_with("    6 3 ") && line.ends_with("played")));
    // The two answers of turn 2 have the same effect; turn 15 is the last turn of the input.
    let printed = said(folder.path(), &["replay", "turn", "input.txt", "2", "--time", "50ms"], "");
    assert!(printed.contains("player 0: 4 0 (or 4 1, with the same effect), a chain of 1"));
    let printed = said(folder.path(), &["replay", "turn", "input.txt", "15", "--time", "50ms"], "");
    assert!(printed.contains("  player 0: unknown\n  player 1: unknown\n"));
}

#[test]
fn a_turn_becomes_a_situation_that_analyse_reads() {
    let folder = folder_with_log();
    let analysed = |seat: &str| {
        let arguments = ["replay", "situation", "input.txt", "12", "--seat", seat];
        let situation = said(folder.path(), &arguments, "");
        assert!(situation.starts_with("turn = 12\ntime = \""), "{situation}");
        assert!(situation.contains("packs = [\n    \".6/"), "{situation}");
        said(folder.path(), &["analyse", "--threads", "1", "--nodes", "1000"], &situation)
    };
    let (first, second) = ("| 8 7 . 6 1 1 4 . . .|", "| . 2 7 6 1 2 1 7 . .|");
    assert!(analysed("0").contains(&format!("{first}      {second}\n")));
    assert!(analysed("1").contains(&format!("{second}      {first}\n")));
    let error = refused(folder.path(), &["replay", "situation", "input.txt"], "");
    assert!(error.contains("<TURN>"), "{error}");
}

#[test]
fn a_turn_that_a_fault_ended_shows_the_recorded_fault() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let script = format!("{} --engine random | sed -u '4s/.*/9 9/'", tensai());
    let fish = format!("cmd=sh -c {}", shlex::try_quote(&script).unwrap());
    play(folder, [&["name=fish", &fish], &["name=other", "cmd=tensai --engine random"]]);
    let turn = |turn: &str| {
        let arguments = ["replay", "turn", "games/0001.json", turn, "--nodes", "100"];
        said(folder, &arguments, "")
    };
    let printed = turn("2");
    let what = "  fish: invalid answer: answered `9 9`: expected `POSITION ROTATION`";
    assert!(printed.contains(what), "{printed}");
    assert!(!printed.contains("fish: unknown"), "{printed}");
    assert!(!turn("1").contains("invalid answer"), "it was turn 2");
}

#[test]
fn a_game_is_continued_against_another_bot() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let record = Record::read(&lost_game(folder)).unwrap();
    // A bot that writes down the turns it is asked about, and whose answers before are ignored.
    let script = "import sys\nprint('other', flush=True)\nlog = open('asked.txt', 'w')\n\
        for _ in range(1500): input()\n\
        for line in sys.stdin:\n    turn = line\n    for _ in range(42): sys.stdin.readline()\n    \
        log.write(turn); log.flush()\n    print('nonsense' if int(turn) < 10 else '0 0', flush=True)\n";
    std::fs::write(folder.join("other.py"), script).unwrap();
    let arguments = [
        "replay",
        "from",
        "games/0001.json",
        "10",
        "--seat",
        "1",
        "--against",
        "python3 other.py",
        "--nodes",
        "3000",
        "-o",
        "on.json",
    ];
    let printed = said(folder, &arguments, "");
    assert!(printed.contains(", played on from turn 10\n  record: on.json\n"), "{printed}");
    let played = Record::read(&folder.join("on.json")).unwrap();
    played.check().unwrap();
    for (turn, (new, old)) in played.turns.iter().zip(&record.turns).enumerate().take(10) {
        assert_eq!((&new.answers, new.think_us), (&old.answers, old.think_us), "turn {turn}");
    }
    assert!(played.turns[10..].iter().all(|turn| turn.answers[0] == "0 0"));
    let says = |turn: usize| played.turns[turn].info[1].is_some();
    assert!(!says(9) && says(10), "what it says about earlier turns is not kept");
    let asked = std::fs::read_to_string(folder.join("asked.txt")).unwrap();
    let asked: Vec<usize> = asked.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(asked, (0..played.turns.len()).collect::<Vec<_>>(), "from turn 0 on, each once");
    let printed = refused(folder, &arguments, "");
    assert_eq!(printed, "tensai: on.json: cannot write: it exists already and is not overwritten");
}

#[test]
fn a_bot_that_fails_before_the_turn_loses() {
    let folder = folder_with_log();
    let arguments =
        ["replay", "from", "input.txt", "3", "--nodes", "100", "--against", "sh -c 'echo a'"];
    let printed = said(folder.path(), &arguments, "");
    assert!(printed.contains("tensai - sh: tensai wins, crash at turn 0, played on from turn 3\n"));
}

#[test]
fn no_clock_runs_in_the_turns_before_from() {
    let folder = folder_with_log();
    // Sixteen turns are asked about, of which fifteen take nothing of the time for the rest.
    let random = format!("{} --engine random", tensai());
    let arguments = ["replay", "from", "input.txt", "15", "--time", "3s", "--against", &random];
    let more = ["-o", "on.json"];
    let printed = said(folder.path(), &[&arguments[..], &more].concat(), "");
    assert!(printed.contains("played on from turn 15"), "{printed}");
    let record = Record::read(&folder.path().join("on.json")).unwrap();
    assert_eq!(record.limits.game_ms, 3000);
    assert!(record.turns[..15].iter().all(|turn| turn.think_us == [0, 0]));
}

#[test]
fn blunders_are_listed_worst_first() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    lost_game(folder);
    let blunders = ["replay", "blunders", "games/0001.json", "--nodes", "100000", "--threads", "1"];
    let output = run(folder, &blunders, b"");
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.starts_with("weak (player 1), "), "the loser's: {printed}");
    let record: Value =
        serde_json::from_slice(&std::fs::read(folder.join("games/0001.json")).unwrap()).unwrap();
    assert!(record["turns"].as_array().unwrap().len() > 5);
    assert!(output.stderr.is_empty(), "progress is for a terminal");
    let lost = |lines: &str| -> Vec<f64> {
        lines.lines().filter_map(|line| line.split_whitespace().next()?.parse().ok()).collect()
    };
    // The turns after the game was lost stand apart.
    for part in printed.split("the game was lost before these turns:") {
        assert!(lost(part).is_sorted_by(|a, b| a >= b), "{printed}");
    }
    let lost = lost(&printed);
    assert!(lost[0] >= 0.5, "the first row cost something: {printed}");
    let review: Value =
        serde_json::from_str(&said(folder, &[&blunders[..], &["--json"]].concat(), "")).unwrap();
    let moves = review["moves"].as_array().unwrap();
    assert_eq!(moves.len(), lost.len());
    let number = |one: &Value, key: &str| one[key].as_f64().unwrap();
    assert!(moves.is_sorted_by(|a, b| {
        let key = |one| (number(one, "lost_chance"), number(one, "lost"));
        key(a) >= key(b)
    }));
    for one in moves {
        let (lost, mark) = (number(one, "lost_chance"), &one["mark"]);
        assert!(lost >= 0.005 || number(one, "lost") >= 1.0, "{one}");
        assert!(lost >= 0.05 || mark == "", "no mark without a loss of win probability: {one}");
        assert_eq!(mark == "blunder", lost >= 0.15, "{one}");
        let [before, after] = [0, 1].map(|at| one["chance"][at].as_f64());
        assert!(before.is_none_or(|before| lost <= before), "no more than there was: {one}");
        let fall = before.zip(after).map_or(1.0, |(before, after)| before - after);
        let is_confirmed = one["playouts"]["is_confirmed"] == true;
        assert!(is_confirmed || lost <= fall.max(0.0), "no more than the fall: {one}");
        let better = if lost >= 0.035 { &one["best"] } else { &Value::Null };
        assert_eq!(&one["better"], better, "{one}");
    }
    let turn = &moves[0]["turn"];
    assert!(printed.contains(&format!("\nTurn {turn} cost most: ")), "{printed}");
    let accuracy = review["accuracy"].as_f64().unwrap();
    assert!(0.0 < accuracy && accuracy < 100.0, "{accuracy}");
    assert!(printed.lines().next().unwrap().ends_with(&format!(", accuracy {accuracy:.0} %")));
    assert_eq!(
        printed,
        said(folder, &blunders, ""),
        "with one thread and a number of nodes, the output is deterministic"
    );
    let winner = said(folder, &[&blunders[..], &["--seat", "0"]].concat(), "");
    assert!(winner.starts_with("strong (player 0), "));
}

#[test]
fn turns_that_cost_win_probability_are_played_out() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    play(folder, [&["level5"], &["level3"]]);
    let blunders = ["replay", "blunders", "games/0001.json", "--nodes", "100000"];
    let listed = |more: &[&str]| said(folder, &[&blunders[..], more].concat(), "");
    let moves = |playouts: &str| -> Vec<Value> {
        let text = listed(&["--threads", "1", "--json", "--playouts", playouts]);
        let review: Value = serde_json::from_str(&text).unwrap();
        review["moves"].as_array().unwrap().clone()
    };
    let played_out = moves("6");
    for one in &played_out {
        let [before, after] = [0, 1].map(|at| one["chance"][at].as_f64());
        let falls = before.zip(after).is_some_and(|(before, after)| before - after >= 0.1);
        let (playouts, is_best) = (&one["playouts"], one["played"] == one["best"]);
        assert!(playouts.is_object() || !falls || is_best, "{one}");
        assert!(playouts.is_null() || !is_best, "{one}");
        let lost = one["lost_chance"].as_f64().unwrap();
        if playouts.is_object() {
            let [low, mean, high] =
                ["low", "mean", "high"].map(|key| playouts["difference"][key].as_f64().unwrap());
            assert!(-1.0 <= low && low <= mean && mean <= high && high <= 1.0, "{one}");
            let [played, best] =
                ["played", "best"].map(|key| playouts[key]["chance"].as_f64().unwrap());
            assert!((best - played - mean).abs() < 1e-9, "{one}");
            assert_eq!(playouts["is_confirmed"], low > 0.0, "{one}");
            assert_eq!(playouts["is_refuted"], high < 0.0, "{one}");
            assert!(high >= 0.0 || lost == 0.0, "a refuted loss is none: {one}");
            assert!(high >= 0.0 || one["better"].is_null(), "and nothing was better: {one}");
            assert!(low <= 0.0 || lost >= low.min(before.unwrap_or(1.0)), "{one}");
        } else {
            assert!(lost < 0.1 || is_best, "{one}");
        }
        for action in ["played", "best"].iter().filter(|_| playouts.is_object()) {
            let [low, chance, high] =
                ["low", "chance", "high"].map(|key| playouts[action][key].as_f64().unwrap());
            assert!(0.0 <= low && low <= chance && chance <= high && high <= 1.0, "{one}");
        }
    }
    assert!(played_out.iter().any(|one| one["playouts"]["playouts"] == 6), "{played_out:?}");
    assert_eq!(played_out, moves("6"), "with one thread, the output is deterministic");
    assert!(moves("0").iter().all(|one| one["playouts"].is_null()));
    let text = listed(&["--playouts", "2"]);
    assert!(text.contains("\nPlayed out 2 times with each action:\nturn "), "{text}");
    assert!(text.contains(" %, difference "), "{text}");
    assert!(
        refused(folder, &["replay", "games/0001.json", "--playouts", "2"], "")
            .contains("unexpected argument '--playouts' found")
    );
}

#[test]
fn bad_files_and_turns_are_refused_with_one_line() {
    let folder = folder_with_log();
    let folder = folder.path();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("empty.txt", " \n");
    write("half.txt", &LOG[..3000]);
    write("noise.txt", "hello\n");
    write("other.json", "{\"a\": 1}");
    write("packs.txt", &LOG.lines().take(1500).map(|line| format!("{line}\n")).collect::<String>());
    let mut gap: Vec<&str> = LOG.lines().collect();
    gap.drain(1500 + 43 * 4..1500 + 43 * 5);
    write("gap.txt", &(gap.join("\n") + "\n"));
    write("twice.txt", &[LOG, LOG].concat());
    for (arguments, printed) in [
        (&["empty.txt"][..], "empty.txt: the file is empty"),
        (&["none.txt"], "none.txt: cannot read: "),
        (
            &["half.txt"],
            "half.txt: input line 751, pack 250: expected two numbers, 0 to 9, found the",
        ),
        (
            &["noise.txt"],
            "noise.txt: input line 1, pack 0: expected two numbers, 0 to 9, found `hello`",
        ),
        (&["other.json"], "other.json: not a game record: line 1: missing field `format`"),
        (
            &["turn", "input.txt", "16"],
            "input.txt: turn 16 is not in the game, which has turns 0 to 15",
        ),
        (&["input.txt", "--game", "2"], "input.txt: it has no game 2, but one game"),
        (&["turn", "twice.txt", "3"], "twice.txt: it holds 2 games: choose one with --game N"),
        (&["turn", "packs.txt", "0"], "packs.txt: packs without a turn"),
        (&["blunders", "packs.txt"], "packs.txt: packs without a turn"),
        (
            &["from", "gap.txt", "9"],
            "gap.txt: the answer of player 0 in turn 3 is unknown, so that the game cannot be \
             played up to turn 9",
        ),
        (&["from", "input.txt", "2", "--against", "./none"], "`./none` does not start"),
        (
            &["input.txt", "--packs", "input.txt"],
            "input.txt: it contains its packs; --packs is for official replays only",
        ),
        (&["from", "input.txt", "2", "--against", ""], "--against: expected a command"),
        (&["--game", "1", "turn", "input.txt", "1"], "'input.txt' found; a command comes before"),
        (&["input.txt", "--nodes", "5"], "unexpected argument '--nodes'"),
        (&["situation", "input.txt", "1", "--threads", "1"], "unexpected argument '--threads'"),
        (&["blunders", "input.txt", "--playouts", "1001"], "whole number from 0 to 1000"),
        (&["turn", "input.txt", "1", "--time", "0"], "expected a time above 0"),
    ] {
        let said = refused(folder, &[&["replay"], arguments].concat(), "");
        assert!(said.contains(printed), "{arguments:?}: {said}");
    }
}
