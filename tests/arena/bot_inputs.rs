//! The standard input of a bot, also a truncated one, where commands read games.

use std::fs;
use std::path::Path;

use tensai::analysis::RecordedGame;

use crate::official::write_official;
use crate::run::{ok_in, refused_in, run_in};
use crate::view_tools::data;

const LOG: &str = include_str!("../data/official_16_turns.txt");

/// The lines of the packs, and of a turn.
const PACKS: usize = 1500;
const TURN: usize = 43;

/// The first lines of the log.
fn lines(count: usize) -> String {
    LOG.split_inclusive('\n').take(count).collect()
}

/// A folder with the log, and with a dump of a bot that was killed while it read turn 10.
fn inputs() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("input.txt"), LOG).unwrap();
    let cut = lines(PACKS + 10 * TURN + 7) + "0 0 0";
    fs::write(folder.path().join("cut.txt"), cut).unwrap();
    folder
}

/// Runs the program, and returns what it prints on both streams.
fn printed(folder: &Path, arguments: &[&str]) -> [String; 2] {
    let output = run_in(folder, arguments);
    let streams = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{arguments:?}: {streams:?}");
    // The time of a search differs between two runs.
    let is_kept = |line: &&str| !line.trim_start().starts_with("\"time_ms\"");
    streams.map(|text| text.split_inclusive('\n').filter(is_kept).collect())
}

const WARNING: &str = "tensai: cut.txt: it is truncated, and only its whole turns are read: input \
                       line 1938, turn 10, own field, row 3 from the top: expected 10 numbers, 0 \
                       to 9 or 11, found `0 0 0`\n";

#[test]
fn every_mode_of_replay_reads_the_whole_turns_of_a_truncated_input() {
    let folder = inputs();
    let folder = folder.path();
    fs::write(folder.join("whole.txt"), lines(PACKS + 10 * TURN)).unwrap();
    let search = ["--nodes", "2000", "--threads", "1"];
    for mode in [
        &["FILE"][..],
        &["situation", "FILE", "9"],
        &[&["turn", "FILE", "4", "--json"][..], &search].concat(),
        &[&["blunders", "FILE", "--seat", "0", "--playouts", "0"][..], &search].concat(),
        &["from", "FILE", "9", "--nodes", "500", "--against", "tensai --engine random"],
    ] {
        let of = |file| {
            let words = mode.iter().map(|&word| if word == "FILE" { file } else { word });
            printed(folder, &std::iter::once("replay").chain(words).collect::<Vec<_>>())
        };
        let ([expected, progress], [shown, errors]) = (of("whole.txt"), of("cut.txt"));
        // A game that is played on tells its chains, and ends elsewhere each time.
        let plays = mode.first() == Some(&"from");
        assert!(errors.starts_with(WARNING), "{mode:?}: {errors}");
        assert!(plays || (progress.is_empty() && errors == WARNING), "{mode:?}: {errors}");
        assert!(plays || shown == expected, "{mode:?}: {shown}");
    }
    let refused = run_in(folder, &["replay", "turn", "cut.txt", "10"]);
    let errors = String::from_utf8(refused.stderr).unwrap();
    let missing = "tensai: cut.txt: turn 10 is not in the game, which has turns 0 to 9\n";
    assert_eq!(errors, WARNING.to_owned() + missing);
}

#[test]
fn a_page_and_puzzles_are_made_of_an_input() {
    let folder = inputs();
    let folder = folder.path();
    let input = fs::read(folder.join("input.txt")).unwrap();
    let inferred = RecordedGame::of_input(&input[..]).unwrap().games.remove(0);
    for (file, turns) in [("input.txt", 15), ("cut.txt", 9)] {
        let [_, warning] = printed(folder, &["record", "page", file, "-o", "page.html"]);
        assert_eq!(warning, if turns == 9 { WARNING } else { "" });
        let game = data(&folder.join("page.html"))["games"][0].clone();
        assert_eq!(game["turns"].as_array().unwrap().len(), turns, "the last answers are unknown");
        for (turn, shown) in game["turns"].as_array().unwrap().iter().enumerate() {
            for seat in 0..2 {
                let answer = inferred.moments[turn].answers[seat][0].to_string();
                assert_eq!(shown["actions"][seat], answer);
            }
        }
        assert_eq!(game["outcome"], format!("cut short after {turns} turns"));
        let puzzles = format!("{file}.json");
        let [report, warning] =
            printed(folder, &["record", "puzzles", file, "--packs", "1", "-o", &puzzles]);
        assert!(report.contains(" from 1 game: "), "{report}");
        assert_eq!(warning, if turns == 9 { WARNING } else { "" });
    }
    // Several inputs, and a game from whose input a turn is missing.
    let gap = lines(PACKS + 5 * TURN)
        + &LOG.split_inclusive('\n').skip(PACKS + 6 * TURN).collect::<String>();
    fs::write(folder.join("gap.txt"), lines(PACKS + 3 * TURN) + &gap).unwrap();
    let [_, warning] =
        printed(folder, &["record", "page", "input.txt", "gap.txt", "-o", "page.html"]);
    let games = data(&folder.join("page.html"))["games"].clone();
    let turns =
        games.as_array().unwrap().iter().map(|game| game["turns"].as_array().unwrap().len());
    assert_eq!(turns.collect::<Vec<_>>(), [15, 2, 4]);
    assert_eq!(
        warning,
        "tensai: gap.txt, game 2: no answers in turn 4 lead to turn 6, which follows it: the game \
         ends before turn 4\n"
    );
}

#[test]
fn packs_without_a_turn_are_no_game() {
    let folder = inputs();
    let folder = folder.path();
    fs::write(folder.join("packs.txt"), lines(PACKS)).unwrap();
    for command in
        [&["replay", "packs.txt"][..], &["record", "page", "packs.txt", "-o", "page.html"]]
    {
        let output = run_in(folder, command);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains("packs.txt: packs without a turn"), "{errors}");
    }
}

#[test]
fn commands_that_need_a_record_name_those_that_read_an_input_or_a_replay() {
    let folder = inputs();
    let folder = folder.path();
    let official = include_str!("../data/official_20190510_1814.json");
    fs::write(folder.join("official.json"), official).unwrap();
    for command in [
        &["record", "check", "FILE"][..],
        &["record", "input", "FILE", "--seat", "0"],
        &["stats", "ratings", "FILE"],
        &["stats", "engines", "FILE"],
        &["stats", "positions", "FILE", "-o", "out.json"],
    ] {
        let of = |file: &str| {
            let words = command.iter().map(|&word| if word == "FILE" { file } else { word });
            let output = run_in(folder, &words.collect::<Vec<_>>());
            assert!(!output.status.success() && output.stdout.is_empty());
            String::from_utf8(output.stderr).unwrap()
        };
        for file in ["input.txt", "cut.txt"] {
            let expected = format!(
                "tensai: {file}: not a game record, but the input of a bot: `tensai replay` shows \
                 its games, and `tensai record page` makes a page of them\n"
            );
            assert_eq!(of(file), expected, "{command:?}");
        }
        let error = of("official.json");
        let reads_replays = ["stats", "check"].iter().any(|word| command.contains(word));
        let expected = match reads_replays {
            true => "official.1.pack: no such file",
            false => {
                "not a game record, but an official replay: `tensai replay` shows its games, \
                      and `tensai record import` makes records of them"
            }
        };
        assert!(error.contains(expected), "{command:?}: {error}");
        assert!(!folder.join("out.json").exists());
    }
}

/// A file of JSON has its result at its end, and packs are needed to the last one.
#[test]
fn other_truncated_files_are_refused_where_they_end() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ok_in(folder, &["match", "--a", "random", "--b", "random", "--records", "games"]);
    write_official(folder, &["games/0001.json"], "official.json");
    let half = |from: &str, to: &str| {
        let text = fs::read_to_string(folder.join(from)).unwrap();
        fs::write(folder.join(to), &text[..text.len() / 2]).unwrap();
    };
    half("games/0001.json", "record.json");
    half("official.json", "replay.json");
    fs::rename(folder.join("official.1.pack"), folder.join("whole.pack")).unwrap();
    half("whole.pack", "official.1.pack");
    let ends = "expected JSON, found the end of the text at line 1, column ";
    let pack = "official.1.pack: input line ";
    for (command, error) in [
        (&["replay", "record.json"][..], ends),
        (&["record", "page", "record.json", "-o", "page.html"], ends),
        (&["stats", "ratings", "record.json"], ends),
        (&["replay", "replay.json"], ends),
        (&["record", "import", "replay.json", "-o", "out"], ends),
        (&["replay", "official.json"], pack),
        (&["record", "import", "official.json", "-o", "out"], pack),
        (&["packs", "check", "official.1.pack"], pack),
        (&["match", "--packs", "official.1.pack", "--records", "out"], pack),
    ] {
        let refused = run_in(folder, command);
        let errors = String::from_utf8(refused.stderr).unwrap();
        assert!(!refused.status.success() && errors.contains(error), "{command:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
        assert!(!folder.join("out").exists() && !folder.join("page.html").exists());
    }
    let error = refused_in(folder, &["replay", "official.json"]);
    assert!(error.contains("found the end of the input") || error.contains(", found `"), "{error}");
}
