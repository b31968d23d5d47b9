//! `tensai play` with lines fed to it.

use std::path::Path;
use std::time::Duration;

use crate::run::{refused, run, said};

fn play(level: &str, lines: &str) -> String {
    let words = ["play", "--no-record", "--level", level, "--seed", "3"];
    said(Path::new("."), &words, lines)
}

#[test]
fn a_game_is_played_to_its_end() {
    // A tower in one place loses within twenty turns.
    let text = play("2", &"0 0\n".repeat(40));
    assert!(
        text.starts_with("You play against level 2; type ? for help.\n\nturn 0\nyou "),
        "{text}"
    );
    assert!(text.contains("The game is over: you lose, danger line.\n"));
    assert!(text.contains("the game is over: u takes the last turn back, q ends\n"));
    assert_eq!(text, play("2", &"0 0\n".repeat(40)), "level and seed decide the game");
    assert_ne!(text, play("4", &"0 0\n".repeat(40)));
}

#[test]
fn a_turn_is_taken_back() {
    let text = play("1", "u\n3 1\nu\nq\n");
    assert!(text.contains("there is no turn to take back\n"));
    let drawings: Vec<&str> = text.split("turn 0\n").collect();
    assert_eq!(drawings.len(), 3, "drawn at the start and once more: {text}");
    let drawing = |part: &str| part.split("turn 0, POSITION").next().unwrap().to_owned();
    assert_eq!(drawing(drawings[1]), drawing(drawings[2]));
    let lost = "0 0\n".repeat(60) + "u\n";
    let text = play("1", &lost);
    let end = text.rfind("The game is over").unwrap();
    assert!(text[end..].contains(", POSITION ROTATION"), "a lost game goes on from before");
}

#[test]
fn the_preview_shows_the_pack_as_it_lands() {
    let text = play("1", "4 3\n");
    // The pack is drawn in rotation 3 as it then stands on columns 4 and 5.
    let preview = text.find("rotation ").unwrap();
    let rows: Vec<&str> = text[preview..].lines().skip(1).take(2).collect();
    let rotated = rows.iter().map(|row| row[row.len() - 3..].trim_end()).collect::<Vec<&str>>();
    let after = &text[text.find("turn 1\n").unwrap()..];
    let field: Vec<&str> = after.lines().filter(|line| line.starts_with('|')).collect();
    let columns = |row: &str, x: usize| row.as_bytes()[2 + 2 * x] as char;
    let blocks = |row: &str| row.chars().filter(char::is_ascii_digit).count();
    let standing: usize = field.iter().map(|row| blocks(&row[..22])).sum();
    assert_eq!(standing, rotated.iter().map(|row| blocks(row)).sum::<usize>());
    // The upper cells stand on the lower ones, or have fallen to the ground.
    let left: String = rotated.iter().rev().map(|row| row.chars().next().unwrap()).collect();
    let left: String = left.chars().filter(char::is_ascii_digit).collect();
    let stands: String = field.iter().rev().map(|row| columns(row, 4)).collect();
    assert!(stands.starts_with(&left), "{left} in {stands}");
}

#[test]
fn a_wrong_line_gets_a_message_and_a_new_prompt() {
    let text = play("1", "?\n\nx\n9 0\n0 4\n3\nS\ns\n-1 0\n3 1 2\n");
    assert!(text.contains("POSITION ROTATION  drop the pack"));
    let wrong = "expected `POSITION ROTATION` (0 to 8, 0 to 3) or `S`; type ? for help\n";
    assert_eq!(text.matches(wrong).count(), 6);
    assert_eq!(text.matches("the skill needs a gauge of 80, found 0\n").count(), 2);
    assert!(!text.contains("turn 1"));
    assert!(text.ends_with("turn 0, POSITION ROTATION> \n"), "the input's end ends the game");
}

#[test]
fn no_input_causes_a_panic() {
    let noise: Vec<u8> =
        (0..4000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let output = run(Path::new("."), &["play", "--no-record", "--level", "1"], &noise);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty());
}

#[test]
fn packs_are_read_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    said(folder.path(), &["packs", "generate", "--seed", "3", "-o", "a.pack"], "");
    let human = ["play", "--no-record"];
    let said = |words: [&str; 2]| said(folder.path(), &[&human[..], &words].concat(), "3 1\n");
    let given = said(["--packs", "a.pack"]);
    let drawn = said(["--seed", "3"]);
    assert_eq!(given, drawn);
    let refused = |arguments: &[&str]| refused(folder.path(), arguments, "3 1\n");
    std::fs::write(folder.path().join("bad.pack"), "1 2\n").unwrap();
    assert!(refused(&["play", "--packs", "bad.pack"]).contains("bad.pack: input line 2"));
    assert!(refused(&["play", "--level", "10"]).contains("a whole number from 1 to 9"));
    let said = refused(&["play", "--ponder"]);
    assert!(said.contains("is now `tensai --ponder`"), "{said}");
}

#[test]
fn a_game_is_recorded_turn_by_turn() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "3 1\n0 0\nu\n5 2\nq\n";
    let words = ["play", "--level", "1", "--seed", "3"];
    let named = [&words[..], &["--record", "new/game.json"]].concat();
    let text = said(folder.path(), &named, lines);
    assert!(text.ends_with("> record: new/game.json\n"), "{text}");
    let checked = said(folder.path(), &["record", "check", "new/game.json"], "");
    assert!(checked.contains("you - level 1: cut short after 2 turns"), "{checked}");
    let record = std::fs::read(folder.path().join("new/game.json")).unwrap();
    let record: serde_json::Value = serde_json::from_slice(&record).unwrap();
    let answers = [0, 1].map(|turn| &record["turns"][turn]["answers"][0]);
    assert_eq!(answers, ["3 1", "5 2"], "the turn that was taken back is gone");
    let again = refused(folder.path(), &named, lines);
    assert!(again.contains("it exists already and is not overwritten"), "{again}");

    let lost = said(folder.path(), &words, &"0 0\n".repeat(40));
    let record = lost.lines().last().unwrap().rsplit_once("record: ").unwrap().1;
    assert!(record.starts_with("games/") && record.ends_with("-human.json"), "{record}");
    let checked = said(folder.path(), &["record", "check", record], "");
    assert!(checked.contains("level 1 wins, danger line"), "{checked}");
    // Games that began in the same second, whatever second that is.
    let now = std::time::SystemTime::now();
    let stamp = |second| {
        let date = humantime::format_rfc3339_seconds(now + Duration::from_secs(second));
        date.to_string().replace(':', "")
    };
    let others: Vec<_> = (0..60)
        .map(|second| folder.path().join(format!("games/{}-human.json", stamp(second))))
        .collect();
    others.iter().for_each(|other| std::fs::write(other, "another game").unwrap());
    let twin = said(folder.path(), &words, "3 1\nu\n5 2\nq\n");
    let record = twin.lines().last().unwrap().rsplit_once("record: ").unwrap().1;
    assert!(record.ends_with("-human-2.json"), "{record}");
    let checked = said(folder.path(), &["record", "check", record], "");
    assert!(checked.contains("cut short after 1 turn"), "{checked}");
    for other in others {
        assert_eq!(std::fs::read_to_string(other).unwrap(), "another game");
    }
    let nowhere = [&words[..], &["--record", "/dev/null"]].concat();
    assert!(refused(folder.path(), &nowhere, "").contains("expected a regular file"));
    said(folder.path(), &[&words[..], &["--record", "none.json"]].concat(), "q\n");
    assert!(!folder.path().join("none.json").exists(), "no turn was played");
}
