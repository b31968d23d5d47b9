//! `tensai record` as a process, with games that were played for it.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::official::write_official;
use crate::run::{names, ok_in as said, refused_in as refused, run_in};
use crate::{checked, running};
use serde_json::Value;
use tensai::game::{Cells, Fault, Packs, Seat, State};
use tensai::protocol::{InputMessage, Reader};
use tensai::record::{Record, RecordError};

const OFFICIAL: &str = include_str!("../data/official_20190510_1814.json");

/// This program with the given arguments, as a word of a command line.
fn tensai(arguments: &str) -> String {
    format!("{} {arguments}", running::tensai())
}

fn shell(script: &str) -> String {
    format!("sh -c {}", shlex::try_quote(script).unwrap())
}

/// Plays games, with their records in the subfolder of that name. Returns the records.
fn play(folder: &Path, name: &str, bots: [&str; 2], more: &[&str]) -> Vec<PathBuf> {
    let arguments = ["match", "--a", bots[0], "--b", bots[1], "--records", name];
    said(folder, &[&arguments, more].concat());
    let records = crate::run::records(&folder.join(name)).into_iter();
    records.map(|path| path.strip_prefix(folder).unwrap().to_owned()).collect()
}

/// Plays a game against a bot that has half a second and does not answer.
fn play_silent(folder: &Path, bot: &str, silent: &str) -> Vec<PathBuf> {
    let [bot, silent] = [bot, silent].map(|command| format!("cmd={command}"));
    let engines = ["--engine", &bot, "--engine", &silent, "time=500ms"];
    said(folder, &[&["match", "--seed", "4", "--records", "silent"], &engines[..]].concat());
    vec![PathBuf::from("silent/0001.json")]
}

fn read(folder: &Path, path: &Path) -> Record {
    Record::read(&folder.join(path)).unwrap()
}

fn answers(record: &Record, seat: usize) -> Vec<&str> {
    record.turns.iter().map(|turn| &*turn.answers[seat]).collect()
}

/// Returns the answers of a bot to an input, without its name.
fn replay(arguments: &[&str], input: &str) -> Vec<String> {
    let text = checked::said(Path::new("."), arguments, input);
    text.lines().skip(1).map(str::to_owned).collect()
}

/// The states that an input contains, in the order of seats.
fn states(input: &str, seat: Seat) -> Vec<State<Cells>> {
    let mut reader = Reader::new(input.as_bytes());
    assert!(matches!(reader.next_message().unwrap(), InputMessage::Packs(_)));
    let mut states = Vec::new();
    while let InputMessage::Turn(observation) = reader.next_message().unwrap() {
        let mut state = observation.state;
        state.players.rotate_right(seat.index());
        states.push(state);
    }
    states
}

#[test]
fn a_bot_answers_its_recorded_input_as_it_did_in_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bots = [&["--threads", "1", "--nodes", "5000"][..], &["--engine", "random", "--seed", "6"]];
    let commands = bots.map(|arguments| tensai(&arguments.join(" ")));
    let more = ["--seed", "1", "--games", "2"];
    // The second game, because a bot that plays at random takes its game for the first by itself.
    let game = &play(folder, "played", commands.each_ref().map(|c| &**c), &more)[1];
    let record = read(folder, game);
    let game = game.to_str().unwrap();
    for (seat, bot) in Seat::BOTH.into_iter().zip(bots) {
        let number = seat.index().to_string();
        let input = said(folder, &["record", "input", game, "--seat", &number]);
        // A bot that plays at random depends on its seat and on the number of the game, which its
        // input does not tell.
        let seated = ["--seat", &number, "--game-number", "2"];
        let bot = if bot.contains(&"random") { &[bot, &seated].concat() } else { bot };
        assert_eq!(replay(bot, &input), answers(&record, seat.index()), "seat {number}");
        // Every state of the game but the last, in which no bot was asked.
        let played = record.replay().unwrap();
        let after = played.iter().map(|turn| turn.after);
        let mut expected: Vec<_> = [State::new()].into_iter().chain(after).collect();
        expected.pop();
        assert_eq!(states(&input, seat), expected, "seat {number}");
        said(folder, &["record", "input", game, "--seat", &number, "-o", &number]);
        assert_eq!(std::fs::read_to_string(folder.join(&number)).unwrap(), input);
    }
    let again = refused(folder, &["record", "input", game, "--seat", "0", "-o", "1"]);
    assert_eq!(again, "tensai: 1: cannot write: it exists already and is not overwritten");
    let seat = run_in(folder, &["record", "input", game, "--seat", "2"]);
    assert_eq!(seat.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&seat.stderr).contains("expected 0 or 1"));
}

/// `tee` keeps a bot's input: to the end of a game, to the turn of a fault, and without a turn.
#[test]
fn record_input_writes_the_input_that_was_sent() {
    let random = tensai("--engine random --seed 1");
    let seen = shell(&format!("tee seen | {random}"));
    let fish = shell(&format!("{random} | sed -u '4s/.*/fish/'"));
    for (opponent, turns) in [(&*random, None), (&fish, Some(2)), ("echo me", Some(0))] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let game = &play(folder, "played", [opponent, &seen], &["--seed", "3"])[0];
        let record = read(folder, game);
        assert_eq!(record.result.end.is_none(), turns.is_some(), "{opponent}");
        assert_eq!(record.turns.len(), turns.unwrap_or(record.turns.len()), "{opponent}");
        let input = said(folder, &["record", "input", game.to_str().unwrap(), "--seat", "1"]);
        let seen = std::fs::read_to_string(folder.join("seen")).unwrap();
        assert_eq!(input.lines().count(), seen.lines().count(), "{opponent}");
        for (number, (printed, seen)) in input.lines().zip(seen.lines()).enumerate() {
            // Times are recorded in microseconds, and milliseconds follow from their sum.
            const TURN: usize = 1 + 2 * (4 + 16 + 1);
            let time = number >= 1500 && [1, 22].contains(&((number - 1500) % TURN));
            if time {
                let [printed, seen] = [printed, seen].map(|line| line.parse::<u64>().unwrap());
                assert!(printed.abs_diff(seen) <= 1, "line {number}: {printed}, {seen}");
            } else {
                assert_eq!(printed, seen, "line {number}");
            }
        }
    }
}

#[test]
fn a_game_that_is_named_twice_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bots = [1, 2].map(|seed| tensai(&format!("--engine random --seed {seed}")));
    let games = play(folder, "g", bots.each_ref().map(String::as_str), &["--games", "2"]);
    let game = games[0].to_str().unwrap();
    std::fs::copy(folder.join(game), folder.join("copy.json")).unwrap();
    let output = run_in(folder, &["record", "page", game, "g", "copy.json", "-o", "page.html"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.starts_with("tensai: 2 records of games that were read before"), "{errors}");
    let output = run_in(folder, &["record", "check", "g", game, "copy.json"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.starts_with("tensai: 1 file is named twice, such as "), "{errors}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.ends_with("3 of 3 records are good\n"), "{said}");
}

/// Games with each kind of end: by the danger line, by an invalid answer, by time.
#[test]
fn games_of_the_official_client_are_imported() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let [a, b] = [1, 2].map(|seed| tensai(&format!("--engine random --seed {seed}")));
    let fish = shell(&format!("{a} | sed -u '5s/.*/fish/'"));
    let silent = shell("echo random; cat > /dev/null");
    let games = [
        play(folder, "danger", [&a, &b], &["--seed", "1", "--games", "2"]),
        play(folder, "fish", [&fish, &b], &["--seed", "3"]),
        play_silent(folder, &a, &silent),
        play(folder, "more", [&b, &a], &["--seed", "5"]),
    ]
    .concat();
    assert_eq!(games.len(), 5);
    let records: Vec<Record> = games.iter().map(|game| read(folder, game)).collect();
    let games: Vec<&str> = games.iter().map(|game| game.to_str().unwrap()).collect();
    write_official(folder, &games, "match/all.json");

    let printed = said(folder, &["record", "import", "match/all.json", "-o", "back"]);
    assert_eq!(printed.lines().count(), 5);
    for (game, (record, line)) in (1..).zip(records.iter().zip(printed.lines())) {
        let name = format!("back/all-{game}.json");
        let back = read(folder, Path::new(&name));
        // The players have one name in all games of a match: here those of the first game.
        assert_eq!(line, format!("{name}: random - random-2: {}", back.outcome()));
        assert_eq!(back.packs, record.packs);
        assert_eq!(back.packs_from, format!("all.{game}.pack"));
        let think = |record: &Record| -> Vec<[u64; 2]> {
            record.turns.iter().map(|turn| turn.think_us).collect()
        };
        assert_eq!(think(&back), think(record));
        for seat in [0, 1] {
            assert_eq!(answers(&back, seat), answers(record, seat));
            let fault = |record: &Record| -> Option<Fault> {
                Some(record.result.faults[seat].as_ref()?.fault)
            };
            assert_eq!(fault(&back), fault(record));
        }
        assert_eq!(back.result.verdict, record.result.verdict);
        assert_eq!(back.result.end, record.result.end);
        assert_eq!(back.result.scores, record.result.scores);
    }
    for (game, fault) in [(2, " invalid answer at turn "), (3, " out of time at turn ")] {
        assert!(printed.lines().nth(game).unwrap().contains(fault), "{printed}");
    }

    // An existing file is not overwritten.
    std::fs::remove_file(folder.join("back/all-1.json")).unwrap();
    let again = refused(folder, &["record", "import", "match/all.json", "-o", "back"]);
    assert!(again.starts_with("tensai: back/all-2.json: cannot write: it exists already"));
    assert_eq!(names(&folder.join("back")).len(), 4, "nothing is written in part");
}

#[test]
fn matches_without_their_packs_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("m.json"), OFFICIAL).unwrap();
    let import = |more: &[&str]| refused(folder, &[&["record", "import", "m.json"], more].concat());
    assert_eq!(
        import(&[]),
        "tensai: m.1.pack: no such file, and the packs of game 1 are needed: put them there, or \
         give the packs of all games with --packs"
    );
    for game in 1..=6 {
        let packs = Packs::from_seed(game).to_string();
        std::fs::write(folder.join(format!("{game}.pack")), &packs).unwrap();
        if game <= 2 {
            std::fs::write(folder.join(format!("m.{game}.pack")), &packs).unwrap();
        }
    }
    assert!(import(&[]).starts_with("tensai: m.3.pack: no such file, and the packs of game 3 "));
    let given: Vec<String> = (1..=6).map(|game| format!("--packs={game}.pack")).collect();
    let given: Vec<&str> = given.iter().map(|argument| &**argument).collect();
    assert_eq!(import(&given), "tensai: m.json: expected the packs of 5 games, found those of 6");
    assert_eq!(
        import(&given[..2]),
        "tensai: m.json: game 3 has answers, but no packs are given for it"
    );
    let other = "tensai: m.json: the packs are not those of this match, because its games end \
                 differently on them: game ";
    assert!(import(&given[..5]).starts_with(other));
    std::fs::write(folder.join("2.pack"), "1 2\n").unwrap();
    assert!(
        import(&given).starts_with("tensai: 2.pack: input line 2, pack 0: expected two numbers")
    );
    std::fs::write(folder.join("m.json"), OFFICIAL.replace("thinkTime1", "thinkTime2")).unwrap();
    assert_eq!(
        import(&given),
        "tensai: m.json: not an official replay: line 1: missing field `thinkTime1`"
    );
    std::fs::write(folder.join("m.json"), "{\n").unwrap();
    assert!(
        import(&given)
            .contains("m.json: not an official replay: expected JSON, found the end of the text")
    );
    let none = refused(folder, &["record", "import", "none.json"]);
    assert!(none.starts_with("tensai: none.json: cannot read: "), "{none}");
    assert!(!folder.join("games").exists(), "nothing is written");
}

/// A file that ends in the middle of a game.
#[test]
fn an_unfinished_match_is_reported_as_unfinished() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let [a, b] = [1, 2].map(|seed| tensai(&format!("--engine random --seed {seed}")));
    let games = play(folder, "played", [&a, &b], &["--seed", "1", "--games", "3"]);
    let first = read(folder, &games[0]).turns.len();
    let games: Vec<&str> = games.iter().map(|game| game.to_str().unwrap()).collect();
    write_official(folder, &games, "m.json");
    let path = folder.join("m.json");
    let mut replay: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let kept = first + 4;
    for (list, kept) in
        [("output0", 1 + kept), ("output1", 1 + kept), ("thinkTime0", kept), ("thinkTime1", kept)]
    {
        replay[list].as_array_mut().unwrap().truncate(kept);
    }
    std::fs::write(&path, replay.to_string()).unwrap();
    let printed = said(folder, &["record", "import", "m.json", "-o", "."]);
    let printed: Vec<&str> = printed.lines().collect();
    assert_eq!(printed[1], "./m-2.json: random - random-2: cut short after 4 turns");
    assert_eq!(printed[2], "2 of the match's 3 games were played");
    let shown = said(folder, &["replay", "m-2.json"]);
    assert!(shown.starts_with("random - random-2: cut short after 4 turns\n"), "{shown}");
    let checked = said(folder, &["record", "check", "m-1.json", "m-2.json"]);
    assert!(
        checked.ends_with(
            "m-2.json: random - random-2: cut short after 4 turns\n2 of 2 records are good\n"
        ),
        "{checked}"
    );
}

/// Writes the known games between strong bots as records to `folder`. Returns the known data and
/// the record's name of each game.
fn known_games(folder: &Path) -> Vec<(Value, String)> {
    let games = include_str!("../data/vectors.jsonl").lines().enumerate().map(|(number, line)| {
        let game: Value = serde_json::from_str(line).unwrap();
        let mut packs = game["packs"].as_array().unwrap().clone();
        packs.resize(500, serde_json::json!([[1, 2], [3, 4]]));
        let turns = game["turns"].as_array().unwrap();
        let played = turns.iter().map(
            |turn| serde_json::json!({ "answers": turn["action"], "think_us": [1500, 2_000_000] }),
        );
        let (verdict, end) = match game["winner"].as_i64() {
            None => ("draw".into(), Value::Null),
            Some(winner) => {
                let seat = ["first", "second"][usize::try_from(winner).unwrap()];
                (serde_json::json!({ "win": seat }), "danger-line".into())
            }
        };
        let scores = &turns.last().unwrap()["score"];
        let record = serde_json::json!({
            "format": "tensai game",
            "version": 1,
            "date": "",
            "packs_from": "",
            "packs": packs,
            "limits": { "game_ms": 180_000, "turn_ms": 20_000, "grace_ms": 0 },
            "players": [{ "name": "a", "command": "" }, { "name": "b", "command": "" }],
            "turns": played.collect::<Vec<_>>(),
            "result": { "verdict": verdict, "end": end, "scores": scores },
        });
        let name = format!("{number:02}.json");
        std::fs::write(folder.join(&name), record.to_string()).unwrap();
        (game, name)
    });
    games.collect()
}

#[test]
fn known_games_are_valid_and_imported_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let games = known_games(folder);
    let names: Vec<&str> = games.iter().map(|(_, name)| &**name).collect();
    let checked = said(folder, &[&["record", "check"], &names[..]].concat());
    assert_eq!(checked.lines().last(), Some("45 of 45 records are good"));
    assert_eq!(checked.lines().count(), 46);
    let cut = checked.lines().filter(|line| line.contains(": cut short after 200 turns"));
    let whole = games.iter().filter(|(game, _)| !game["winner"].is_null());
    // Games with thinking times above the maximum of the format are left out.
    let whole = whole.filter(|(game, _)| game["turns"].as_array().unwrap().len() <= 90);
    let whole: Vec<&str> = whole.map(|(_, name)| &**name).collect();
    assert_eq!((cut.count(), whole.len()), (14, 7));
    write_official(folder, &whole, "m.json");
    said(folder, &["record", "import", "m.json"]);
    for (game, name) in (1..).zip(whole) {
        let mut back = read(folder, Path::new(&format!("games/m-{game}.json")));
        back.packs_from.clear();
        assert_eq!(back, read(folder, Path::new(name)));
    }
}

#[test]
fn a_game_is_shown_turn_by_turn() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // Chains of 14, and skills.
    for (game, name) in [0, 40].map(|number| known_games(folder).swap_remove(number)) {
        let shown = said(folder, &["replay", &name]);
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines[0].starts_with("a - b: b wins, danger line at turn "), "{shown}");
        assert!(lines[1].starts_with("player 0  a: score "), "{shown}");
        assert_eq!(lines[3], "limits    180s a game, 20s a turn");
        assert!(lines.iter().all(|line| line.len() <= 80), "{shown}");
        let start = lines.iter().position(|line| line.starts_with("turn  ans")).unwrap() + 1;
        let turns = game["turns"].as_array().unwrap();
        for ((number, turn), line) in turns.iter().enumerate().zip(&lines[start..]) {
            let expected = [0, 1].map(|seat| {
                let [chain, exploded, sent, stock, gauge] =
                    ["chain", "exploded", "sent", "stock", "gauge"]
                        .map(|field| turn[field][seat].as_u64().unwrap());
                let answer = turn["action"][seat].as_str().unwrap();
                let mut words = vec![answer.to_owned()];
                match (answer, chain) {
                    ("S", _) => words.push(format!("{exploded}+{chain}*")),
                    (_, 0) => {}
                    (_, 1..3) => words.push(chain.to_string()),
                    _ => words.push(format!("{chain}*")),
                }
                words.extend((sent > 0).then(|| sent.to_string()));
                words.extend([stock, gauge].map(|number| number.to_string()));
                words.push(["0.002", "2.000"][seat].to_owned());
                words.join(" ")
            });
            let words: Vec<&str> = line.split_whitespace().collect();
            assert_eq!(words.join(" "), format!("{number} {}", expected.join(" ")));
        }
        assert!(lines[start + turns.len()].starts_with("* attack: "), "{shown}");
    }
}

#[test]
fn a_fault_is_shown_with_last_words() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let random = tensai("--engine random --name 'odd one'");
    let odd = shell(&format!("echo bye >&2; {random} | sed -u '5s/.*/9 9/'"));
    let game = &play(folder, "played", [&odd, &random], &["--seed", "8"])[0];
    let shown = said(folder, &["replay", game.to_str().unwrap()]);
    let lines: Vec<&str> = shown.lines().rev().collect();
    assert_eq!(*lines.last().unwrap(), "sh - random: random wins, invalid answer at turn 3");
    assert!(lines[1].starts_with("   3  sh: invalid answer: answered `9 9`: expected "));
    assert_eq!(lines[0].trim(), "| bye");
}

#[test]
fn the_time_of_a_turn_that_a_fault_ended_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let silent = shell("echo a; cat > /dev/null");
    let game = &play_silent(folder, &tensai("--engine random"), &silent)[0];
    let (record, game) = (read(folder, game), game.to_str().unwrap());
    let used = record.used(Seat::Second);
    assert!(used >= std::time::Duration::from_millis(500), "{used:?}");
    let printed = format!("player 1  sh: score 0, {:.1} s used", used.as_secs_f64());
    let shown = said(folder, &["replay", game]);
    assert!(shown.contains(&printed), "{printed}: {shown}");
    assert!(shown.contains("\nlimits 1  500ms a game, "), "{shown}");
}

#[test]
fn a_folder_of_a_match_is_checked_with_all_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let [a, b] = [1, 2].map(|seed| tensai(&format!("--engine random --seed {seed}")));
    let games = play(folder, "g", [&a, &b], &["--seed", "1", "--rounds", "20"]);
    assert_eq!(games.len(), 20);
    let checked = said(folder, &["record", "check", "g"]);
    assert_eq!(checked.lines().count(), 21, "{checked}");
    assert_eq!(checked.lines().last(), Some("20 of 20 records are good"));
    // The order of a shell for `g/*.json`.
    let files = names(&folder.join("g")).into_iter().map(|name| format!("g/{name}"));
    let files: Vec<String> = files.filter(|file| file.ends_with(".json")).collect();
    assert!(files.contains(&"g/match.json".to_owned()), "{files:?}");
    let files: Vec<&str> = files.iter().map(|file| &**file).collect();
    let checked = said(folder, &[&["record", "check"], &files[..]].concat());
    assert_eq!(checked.lines().last(), Some("20 of 20 records are good"));
}

#[test]
fn engines_keep_their_names_in_the_official_format() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let engines = ["--engine", "name=A", "cmd=tensai --engine random", "--engine", "name=B 2"];
    let more = ["cmd=tensai --engine random --seed 2", "--seed", "1", "--records", "g"];
    said(folder, &[&["match"], &engines[..], &more].concat());
    write_official(folder, &["g/0001.json"], "m.json");
    let printed = said(folder, &["record", "import", "m.json"]);
    assert!(printed.starts_with("games/m-1.json: A - B 2: "), "{printed}");
    let shown = said(folder, &["replay", "games/m-1.json"]);
    assert!(shown.starts_with("A - B 2: ") && shown.contains("\nplayer 0  A: score "), "{shown}");
    let rated = said(folder, &["stats", "ratings", "games/m-1.json"]);
    assert!(rated.contains(" A ") && rated.contains(" B 2 "), "{rated}");
}

#[test]
fn every_record_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let [a, b] = [1, 2].map(|seed| tensai(&format!("--engine random --seed {seed}")));
    let game = &play(folder, "played", [&a, &b], &["--seed", "1"])[0];
    let record: Value = serde_json::from_slice(&std::fs::read(folder.join(game)).unwrap()).unwrap();
    let write = |name: &str, change: &dyn Fn(&mut Value)| {
        let mut record = record.clone();
        change(&mut record);
        std::fs::write(folder.join(name), record.to_string()).unwrap();
    };
    let turns = record["turns"].as_array().unwrap().len();
    write("good", &|_| {});
    write("score", &|record| record["result"]["scores"][1] = 12345.into());
    write("verdict", &|record| record["result"]["verdict"] = "draw".into());
    write("end", &|record| drop(record["result"].as_object_mut().unwrap().remove("end")));
    write("skill", &|record| record["turns"][3]["answers"][1] = "S".into());
    write("turns", &|record| drop(record["turns"].as_array_mut().unwrap().pop()));
    write("fault", &|record| {
        let fault = serde_json::json!({ "fault": "invalid", "what": "?" });
        record["result"]["faults"] = serde_json::json!([fault, null]);
    });
    std::fs::write(folder.join("text"), "no game").unwrap();
    let mut files = vec!["score", "good", "verdict", "end", "skill", "turns", "fault", "text"];
    files.extend(["played/match.json", "none"]);
    let output = run_in(folder, &[&["record", "check"], &files[..]].concat());
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stdout).unwrap();
    let said: Vec<&str> = said.lines().collect();
    let [good, manifest, last] = said[..] else { panic!("{said:?}") };
    let end = format!("danger line at turn {}", turns - 1);
    assert!(good.starts_with("good: random - random-2: ") && good.ends_with(&end), "{good}");
    assert!(manifest.starts_with("played/match.json: not a game, but "), "{manifest}");
    assert_eq!(last, "1 of 9 records are good");
    let errors = String::from_utf8(output.stderr).unwrap();
    let errors: Vec<&str> = errors.lines().collect();
    let expected = [
        ("score: result, scores: expected [", ",12345]"),
        ("verdict: result, verdict: expected {\"win\":", "by the rules, found \"draw\""),
        ("end: result, end: expected \"danger-line\" by the rules, found null", ""),
        ("skill: not a game record: turn 3: player 1: the skill needs a gauge of 80, found ", ""),
        ("turns: result, ", ""),
        ("fault: result, faults: expected [null,null] by the rules, found [\"invalid\",null]", ""),
        ("text: not a game record: expected ", ""),
        ("none: cannot read: ", ""),
    ];
    assert_eq!(errors.len(), expected.len(), "{errors:?}");
    for (error, (start, end)) in errors.iter().zip(expected) {
        assert!(error.strip_prefix("tensai: ").unwrap().starts_with(start), "{error}");
        assert!(error.ends_with(end), "{error}");
    }
    assert!(matches!(Record::read(&folder.join("text")), Err(RecordError::Format { .. })));
}

#[test]
fn a_bad_record_has_exit_code_1_and_an_unreadable_one_2() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("text"), "no game").unwrap();
    // A match without its packs cannot be checked; with those of another one it is bad.
    std::fs::write(folder.join("alone.json"), OFFICIAL).unwrap();
    std::fs::write(folder.join("other.json"), OFFICIAL).unwrap();
    for game in 1..=5 {
        let packs = tensai::game::Packs::from_seed(game).to_string();
        std::fs::write(folder.join(format!("other.{game}.pack")), packs).unwrap();
    }
    std::fs::create_dir(folder.join("folder")).unwrap();
    std::fs::write(folder.join("folder/match.json"), "{}").unwrap();
    for (files, code) in [
        (&["text"][..], 1),
        (&["none"], 2),
        (&["none", "text"], 2),
        (&["alone.json"], 2),
        (&["other.json"], 1),
        (&["folder/match.json"], 1),
    ] {
        let output = run_in(folder, &[&["record", "check"], files].concat());
        assert_eq!(output.status.code(), Some(code), "{files:?}");
        let errors = String::from_utf8(output.stderr).unwrap();
        let place = files[0].split(['.', '/']).next().unwrap();
        assert!(errors.starts_with(&format!("tensai: {place}")), "{errors}");
    }
}

#[test]
fn the_turn_that_was_sent_belongs_to_the_input_though_a_name_is_blank() {
    let folder = tempfile::tempdir().unwrap();
    let silent = "sh -c 'echo; cat > /dev/null'";
    let game = ["--a", silent, "--b", "random", "--time", "500ms", "--seed", "1"];
    said(folder.path(), &[&["match", "--records", "games"][..], &game].concat());
    let input = said(folder.path(), &["record", "input", "games/0001.json", "--seat", "1"]);
    assert_eq!(input.lines().count(), 1500 + 43);
}

/// A reader that closes the pipe early, as `head` does, causes no error.
#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let random = tensai("--engine random");
    let game = &play(folder.path(), "played", [&random, &random], &["--seed", "1"])[0];
    let mut tool = running::program()
        .args(["record", "input", game.to_str().unwrap(), "--seat", "0"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(tool.stdout.take());
    let output = tool.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &[][..]));
}
