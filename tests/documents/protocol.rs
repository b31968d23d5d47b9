//! The examples of the protocol.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use tensai::game::{Action, Fault, Packs, Seat, State};
use tensai::protocol::{InputMessage, Observation, Reader, writer};
use tensai::record::{Limits, Record};

use crate::example::Example;
use crate::running::{STATE, run, tensai};

/// The input that the samples are from.
const INPUT: &str = include_str!("../../replays/input.txt");

/// Lines of the packs of a game.
const PACKS: usize = 1500;

/// Lines of a turn.
const TURN: usize = 43;

/// Checks an example; one that is not known fails.
pub fn check(example: &Example, all: &[Example]) {
    let (text, place) = (&*example.text, &*example.place());
    let bot = || &*all.iter().find(|example| example.name == "bot").expect("a bot").text;
    let turn = || &*all.iter().find(|example| example.name == "turn").expect("a turn").text;
    match &*example.name {
        "first-packs" => {
            assert!(packs().to_string().starts_with(text), "{place}");
            assert!(INPUT.starts_with(text), "{place}");
        }
        "last-pack" => {
            assert!(packs().to_string().ends_with(&("END\n".to_owned() + text)), "{place}")
        }
        "turn" => a_turn(text, place),
        "answers" => answers(example),
        "limits" => {
            let Limits { game_ms, turn_ms, grace_ms: 0 } = Limits::CONTEST else {
                panic!("{place}")
            };
            assert_eq!(text, format!("game  {game_ms} ms\nturn  {turn_ms} ms\n"), "{place}");
        }
        "ways-to-lose" => ways_to_lose(example),
        "info-line" => an_info_line(text, place),
        "bot" => assert!(text.lines().count() <= 15, "{place}: more than a dozen lines or so"),
        "bot-output" => the_bot_answers(bot(), turn(), text, place),
        "try" => commands(bot(), text, place),
        _ => panic!("{place}: no test knows it"),
    }
}

/// The first `count` lines of the input.
fn lines(first: usize, count: usize) -> String {
    INPUT.split_inclusive('\n').skip(first).take(count).collect()
}

fn packs() -> Packs {
    let Ok(InputMessage::Packs(packs)) = Reader::new(INPUT.as_bytes()).next_message() else {
        panic!("the input begins with packs")
    };
    packs
}

/// The sample is in the file, the reader reads it, and the writer writes it again.
fn a_turn(text: &str, place: &str) {
    let input = lines(0, PACKS) + text;
    let mut reader = Reader::new(input.as_bytes());
    assert_eq!(reader.next_message().unwrap(), InputMessage::Packs(packs()), "{place}");
    let InputMessage::Turn(observation) = reader.next_message().unwrap() else { panic!("{place}") };
    assert_eq!(reader.next_message().unwrap(), InputMessage::End, "{place}");
    let Observation { state, time_left } = *observation;
    assert_eq!(text, writer::turn(&state, Seat::First, time_left), "{place}");
    let [own, opponent] = state.players;
    let mirrored = State { turn: state.turn, players: [opponent, own] };
    let [left, right] = time_left;
    assert_eq!(text, writer::turn(&mirrored, Seat::Second, [right, left]), "{place}");
    assert_eq!(text, lines(PACKS + TURN * state.turn, TURN), "{place}");
}

fn answers(example: &Example) {
    for row in example.table() {
        let [answer, meaning] = row[..] else { panic!("{}: {row:?}", example.place()) };
        let expected = match answer.parse::<Action>() {
            Err(_) => "invalid".to_owned(),
            Ok(Action::Skill) => "use the skill".to_owned(),
            Ok(Action::Drop(placement)) => {
                let turned = ["not turned", "turned once", "turned twice", "turned three times"];
                let turned = turned[usize::from(placement.rotation.get())];
                format!("drop the pack at position {}, {turned}", placement.column.get())
            }
        };
        assert_eq!(meaning, expected, "{}: {answer}", example.place());
    }
}

/// Plays a bot of one shell command against one that drops at random.
fn play(script: &str, time: &str) -> Record {
    let folder = tempfile::tempdir().unwrap();
    let command = format!("cmd=sh -c {}", shlex::try_quote(script).unwrap());
    let mut arguments = vec!["match", "--records", "games", "--engine", &command];
    arguments.extend((!time.is_empty()).then_some(time));
    arguments.extend(["--engine", "cmd=tensai --engine random", "--seed", "1"]);
    let output = run(folder.path(), &arguments, b"");
    // A bot that prints no name ends a match with 1.
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() || errors.contains(" has not started in 1 game"), "{errors}");
    Record::read(&folder.path().join("games/0001.json")).unwrap()
}

fn ways_to_lose(example: &Example) {
    for row in &example.table()[1..] {
        let [script, expected] = row[..] else { panic!("{}: {row:?}", example.place()) };
        // Only a bot that is to run out of time is in a hurry.
        let time = if expected == Fault::OutOfTime.name() { "time=1s" } else { "" };
        let record = play(script, time);
        let fault = record.result.faults[0].as_ref().map(|fault| fault.fault.name());
        assert_eq!(fault, Some(expected), "{}: {script}", example.place());
        assert_eq!(record.result.faults[1], None, "{}: {script}", example.place());
    }
}

fn an_info_line(text: &str, place: &str) {
    let line = text.trim_end();
    let script = format!(
        "echo me; head -n {} >/dev/null; echo {} >&2; echo 4 0",
        PACKS + TURN,
        shlex::try_quote(line).unwrap()
    );
    let record = play(&script, "");
    let json = line.strip_prefix("info ").map(|json| serde_json::from_str(json).unwrap());
    assert_eq!(record.turns[0].info[0], json, "{place}");
    assert!(json.is_some(), "{place}");
    assert_eq!(record.turns[0].answers[0], "4 0", "{place}");
}

/// Whether there is Python; says so if there is none.
fn has_python(place: &str) -> bool {
    let version = Command::new("python3").arg("--version").stdout(Stdio::null()).status();
    let has = version.is_ok_and(|status| status.success());
    if !has {
        let _ = writeln!(std::io::stderr(), "skipped: no python3, so {place} is not run");
    }
    has
}

/// The bot, run by itself, writes exactly this.
fn the_bot_answers(bot: &str, turn: &str, expected: &str, place: &str) {
    if !has_python(place) {
        return;
    }
    let mut running = Command::new("python3")
        .args(["-c", bot])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let input = lines(0, PACKS) + turn;
    running.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = running.wait_with_output().unwrap();
    assert!(output.status.success(), "{place}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{place}");
}

/// The commands play a game of the bot without a fault and feed it its input again.
fn commands(bot: &str, text: &str, place: &str) {
    if !has_python(place) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("bot.py"), bot).unwrap();
    std::fs::create_dir(path("bin")).unwrap();
    // The program, with limits of time that no machine is too busy for.
    let program = shlex::try_quote(&tensai()).unwrap().into_owned();
    let hours = "--time 1h --turn-time 10m --start-time 10m";
    let wrapper = format!(
        "#!/bin/sh\ncase $1 in match) set -- \"$@\" {hours};; esac\nexec {program} \"$@\"\n"
    );
    std::fs::write(path("bin/tensai"), wrapper).unwrap();
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(path("bin/tensai"), executable).unwrap();
    let others = std::env::var("PATH").unwrap();
    let output = Command::new("sh")
        .args(["-e", "-c", text])
        .env("PATH", format!("{}:{others}", path("bin").display()))
        .env("XDG_STATE_HOME", STATE)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{place}: {}", String::from_utf8_lossy(&output.stderr));
    let record = Record::read(Path::new(&path("try/0001.json"))).unwrap();
    assert_eq!(record.result.faults, [None, None], "{place}");
    assert_eq!(record.players[0].name, "lowest", "{place}");
    let played: String = record.turns.iter().map(|turn| turn.answers[0].clone() + "\n").collect();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.ends_with(&("lowest\n".to_owned() + &played)), "{place}: the same answers again");
}
