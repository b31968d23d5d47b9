//! `tensai stats` as a process, with games that were played for it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use tensai::arena::statistics::{PlayerPosition, Position};
use tensai::game::{Cell, Cells, Player, State};
use tensai::record::{GameResult, Record};

use crate::run::{names, ok_in, program, records, refused_in, run_in};
use crate::validator::assert_fits;

/// Plays four games of `greedy` against `random`; their records are in `games`.
fn play(folder: &Path) -> Vec<Record> {
    let engines = ["cmd=greedy", "cmd=random"];
    let engines = ["--engine", engines[0], "--engine", engines[1]];
    let arguments = ["match", "--seed", "1", "--games", "4", "--records", "games"];
    ok_in(folder, &[&arguments[..], &engines].concat());
    records(&folder.join("games")).iter().map(|path| Record::read(path).unwrap()).collect()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Compares the side of a player in a position with the replay.
fn assert_side(side: &PlayerPosition, player: &Player<Cells>, place: &str) {
    let rows = side.field.map(|row| row.map(|code| Cell::from_code(code).unwrap()));
    // In a position, nobody has lost: no block lies above the 16 rows.
    assert_eq!(Cells::from_rows(&rows).unwrap(), player.field, "{place}");
    let figures = (side.stock, side.gauge, side.score);
    assert_eq!(figures, (player.stock, player.gauge.get(), player.score), "{place}");
}

#[test]
fn statistics_of_a_match_agree_with_its_records() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let games = play(folder);
    let text = ok_in(folder, &["stats", "engines", "games"]);
    for part in ["Games and their ends", "First attacks", "Chains by length", "Ojama a game"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.contains("4 games"), "{text}");
    // A record that is named twice counts once.
    let twice = ["games", "games/0001.json", "./games"];
    for command in ["engines", "ratings"] {
        let once = ok_in(folder, &["stats", command, "games"]);
        assert_eq!(ok_in(folder, &[&["stats", command], &twice[..]].concat()), once, "{command}");
    }

    let all = json(&ok_in(folder, &["stats", "engines", "games", "--json", "--attack", "2"]));
    assert_eq!((&all["format"], &all["games"]), (&"tensai statistics".into(), &4.into()));
    assert_fits("statistics", "all", &all);
    let greedy = &all["engines"][0];
    assert_eq!(greedy["engine"], "greedy");
    // The expected figures, counted from the replays.
    let (mut chains, mut sent, mut turns, mut uses) = (BTreeMap::new(), 0, 0, 0);
    let mut firsts = 0;
    for game in &games {
        let seat = usize::from(game.players[1].engine.as_deref() == Some("greedy"));
        turns += game.turns.len();
        uses += game.turns.iter().filter(|turn| turn.answers[seat].trim() == "S").count();
        let played = game.replay().unwrap();
        firsts += usize::from(played.iter().any(|turn| turn.steps[seat].chain.ojama() >= 2));
        for turn in played {
            sent += turn.steps[seat].sent();
            if turn.steps[seat].chain.0 > 0 {
                *chains.entry(turn.steps[seat].chain.0.to_string()).or_insert(0_u64) += 1;
            }
        }
    }
    assert_eq!(greedy["chains"], serde_json::to_value(&chains).unwrap());
    assert_eq!(greedy["ojama"]["sent"], sent);
    assert_eq!(greedy["turns"]["mean"], turns as f64 / 4.0);
    assert_eq!(greedy["skill"]["uses"], uses);
    assert_eq!(greedy["first_attacks"]["turn"]["count"], firsts);

    let lines = ok_in(folder, &["stats", "engines", "games/0001.json", "games/0002.json", "--csv"]);
    let mut reader = csv(&lines);
    let header = reader.remove(0);
    assert_eq!(header[..4], ["game", "file", "engine", "seat"]);
    assert_eq!(reader.len(), 4);
    assert!(reader.iter().all(|line| line.len() == header.len()));
    assert_eq!(reader.iter().map(|line| &*line[0]).collect::<Vec<_>>(), ["1", "1", "2", "2"]);
}

/// The cells of a CSV text whose cells contain no line breaks.
fn csv(text: &str) -> Vec<Vec<String>> {
    let mut lines = Vec::new();
    for line in text.lines() {
        let (mut cells, mut quoted) = (vec![String::new()], false);
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(String::new()),
                c => cells.last_mut().unwrap().push(c),
            }
        }
        lines.push(cells);
    }
    lines
}

#[test]
fn positions_are_the_states_of_the_replay() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let games = play(folder);
    let said = ok_in(folder, &["stats", "positions", "-o", "all.jsonl", "--packs", "3", "games"]);
    let text = fs::read_to_string(folder.join("all.jsonl")).unwrap();
    let positions: Vec<Position> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (index, line) in text.lines().enumerate().step_by(7) {
        assert_fits("position", &format!("line-{index}"), &json(line));
    }
    let expected: usize = games.iter().map(|game| 2 * game.turns.len()).sum();
    assert_eq!(positions.len(), expected);
    assert_eq!(said, format!("all.jsonl: {expected} positions of 4 games\n"));
    let mut rest = positions.iter();
    for (number, game) in (1..).zip(&games) {
        let mut state = State::<Cells>::new();
        for (turn, played) in game.replay().unwrap().into_iter().enumerate() {
            for seat in 0..2 {
                let position = rest.next().unwrap();
                let place = format!("game {number}, turn {turn}, seat {seat}");
                let found = (position.game, position.turn, position.seat);
                assert_eq!(found, (number, turn, seat));
                assert_eq!(position.file, format!("games/{number:04}.json"));
                assert_side(&position.own, &state.players[seat], &place);
                assert_side(&position.opponent, &state.players[1 - seat], &place);
                assert_eq!(position.packs, game.packs[turn..(turn + 3).min(500)], "{place}");
                assert_eq!(position.action, game.turns[turn].answers[seat].trim(), "{place}");
                let step = &played.steps[seat];
                assert_eq!((position.chain, position.sent), (step.chain.0, step.sent()));
            }
            state = played.after;
        }
    }
    assert_eq!(ok_in(folder, &["stats", "positions", "--packs", "3", "games", "-o", "-"]), text);
    let again = refused_in(folder, &["stats", "positions", "-o", "all.jsonl", "games"]);
    assert_eq!(again, "tensai: all.jsonl: cannot write: it exists already and is not overwritten");
}

#[test]
fn games_that_were_stopped_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut game = play(folder).swap_remove(0);
    game.turns.pop();
    game.result = GameResult::cut_short(game.result.scores);
    game.write(&folder.join("games/0002.json")).unwrap();
    let all = json(&ok_in(folder, &["stats", "engines", "games", "--json"]));
    assert_eq!((&all["games"], &all["stopped"]), (&3.into(), &1.into()));
    let none = refused_in(folder, &["stats", "engines", "games/0002.json"]);
    assert_eq!(none, "tensai: games/0002.json: no game in it was played to its end");
}

/// A wrong record is reported in one line, and no file of positions is left.
#[test]
fn a_wrong_record_is_refused_and_leaves_no_positions() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    play(folder);
    fs::write(folder.join("games/0003.json"), "{}").unwrap();
    for more in [
        &["engines", "--json"][..],
        &["engines", "--csv"],
        &["positions", "-o", "p.jsonl"],
        &["positions", "-o", "-"],
    ] {
        let arguments = [&["stats"][..], more, &["games"]].concat();
        let output = run_in(folder, &arguments);
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.starts_with("tensai: games/0003.json: not a game record: "), "{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
        assert_eq!(names(folder), ["games"], "{more:?}");
    }
    assert_eq!(
        run_in(folder, &["stats", "engines", "games", "--attack", "0"]).status.code(),
        Some(2)
    );
    assert_eq!(
        run_in(folder, &["stats", "engines", "games", "--packs", "3"]).status.code(),
        Some(2)
    );
}

/// The names of engines are untrusted text.
#[test]
fn names_cannot_control_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut game = play(folder).swap_remove(0);
    game.players[0].engine = Some("\u{1b}[31mred".to_owned());
    game.write(&folder.join("red.json")).unwrap();
    for more in
        [&["engines"][..], &["engines", "--json"], &["engines", "--csv"], &["positions", "-o", "-"]]
    {
        let text = ok_in(folder, &[&["stats"][..], more, &["red.json"]].concat());
        assert!(!text.contains('\u{1b}') && text.contains("red"), "{more:?}: {text}");
    }
}

/// `head` closes the pipe after a few lines.
#[test]
fn a_closed_pipe_ends_the_positions_without_an_error() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path());
    let mut child = program()
        .args(["stats", "positions", "-o", "-", "games"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = child.stdout.take().unwrap();
    output.read_exact(&mut [0; 100]).unwrap();
    drop(output);
    let ended = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success() && !errors.contains("cannot"), "{errors}");
}

#[test]
fn foresight_is_read_from_the_info_lines_of_recorded_games() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let engines = ["--engine", "level4", "--engine", "random"];
    let played = ["match", "--seed", "1", "--games", "2", "--records", "games"];
    ok_in(folder, &[&played[..], &engines].concat());
    let all = json(&ok_in(folder, &["stats", "foresight", "games", "--chain", "6", "--json"]));
    let [of_level] = &all.as_array().unwrap()[..] else { panic!("one engine plans: {all}") };
    assert_eq!((&of_level["engine"], &of_level["opponent"]), (&"level4".into(), &"random".into()));
    let now = of_level["counterattacks"].as_array().unwrap().last().unwrap();
    assert_eq!((&now["turns_ahead"], &now["attacks"]), (&0.into(), &2.into()), "{all}");
    assert_eq!(of_level["drift"].as_array().unwrap().len(), 4);
    let text = ok_in(folder, &["stats", "foresight", "games", "--chain", "6"]);
    for part in ["level4 against random: counterattacks to its first attacks", "2 games\n"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let none = ok_in(folder, &["stats", "foresight", "games", "--chain", "40"]);
    let why = "2 games: no first attack of 40 rounds or more was planned, see --chain\n";
    assert!(none.ends_with(why), "{none}");
}
