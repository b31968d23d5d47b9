//! The bot as a process: its input, its answers and its exit codes.

#[path = "running/bot.rs"]
mod bot;
mod running;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use tensai::game::{Action, Cells, Packs, Seat, State};
use tensai::protocol::{InputMessage, Reader, writer};

use self::bot::{Run, run};

/// Sixteen turns of the contest's own server, with blank lines at the end.
const LOG: &str = include_str!("data/official_16_turns.txt");

/// Lines of a turn: its number, and for each player four numbers, sixteen rows and `END`.
const TURN: usize = 1 + 2 * (4 + 16 + 1);

/// Drops of a decision: enough for a search, few enough for a test.
const NODES: &str = "20000";

impl Run {
    /// The lines on standard error that are not about moves.
    fn notes(&self) -> Vec<&str> {
        self.errors.lines().filter(|line| !line.starts_with("info ")).collect()
    }
}

fn play(input: &str) -> Run {
    run(&["--threads", "1", "--nodes", NODES], input.as_bytes())
}

/// The first lines of the log, up to the end of the given turn.
fn log_until(turn: usize) -> String {
    let lines: Vec<&str> = LOG.lines().collect();
    lines[..1500 + TURN * (turn + 1)].iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn answers_every_turn_of_the_official_log() {
    let played = play(LOG);
    assert_eq!(played.code, Some(0), "{}", played.errors);
    assert_eq!(played.answers[0], "tensai");
    assert_eq!(played.answers.len(), 1 + 16);
    assert!(played.answers[1..].iter().all(|answer| answer.parse::<Action>().is_ok()));
    // The answers differ from the actions of the recorded player, so the own field differs too.
    assert!(played.notes().iter().any(|note| note.contains("the input is used")));
    let infos = played.errors.lines().filter_map(|line| line.strip_prefix("info "));
    let turns: Vec<u64> = infos
        .map(|json| serde_json::from_str::<serde_json::Value>(json).unwrap())
        .map(|info| info["turn"].as_u64().unwrap())
        .collect();
    assert_eq!(turns, (0..16).collect::<Vec<u64>>());
}

#[test]
fn plays_the_same_moves_again_on_every_backend() {
    let first = play(LOG).answers;
    assert_eq!(play(LOG).answers, first);
    let portable = ["--threads", "1", "--nodes", NODES, "--backend", "portable"];
    assert_eq!(run(&portable, LOG.as_bytes()).answers, first);
    let crlf = LOG.replace('\n', "\r\n").replace(' ', " \t");
    assert_eq!(play(&crlf).answers, first, "CR LF and blanks change nothing");
}

/// They follow from the seed, the packs, the seat and the turn, on every machine.
#[test]
fn the_random_bot_plays_the_drops_of_its_seed_game_and_seat() {
    let drops = |more: &[&str]| {
        let arguments = [&["--engine", "random", "--seed", "1"], more].concat();
        let Run { code, answers, errors } = run(&arguments, LOG.as_bytes());
        assert_eq!(code, Some(0), "{errors}");
        answers[1..].join(",")
    };
    let pinned = "0 0,3 1,8 1,6 0,1 3,5 3,0 2,8 3,5 2,7 0,1 1,8 0,4 0,5 1,5 3,8 3";
    assert_eq!(drops(&[]), pinned);
    assert_eq!(drops(&["--turn", "9"]), pinned.split(',').nth(9).unwrap());
    assert_ne!(drops(&["--seat", "1"]), pinned);
}

#[test]
fn plays_several_games_of_one_input() {
    let game = log_until(2);
    let both = play(&(game.clone() + &game));
    assert_eq!(both.code, Some(0), "{}", both.errors);
    assert_eq!(both.answers.len(), 1 + 3 + 3);
    assert_eq!(both.answers[1..4], both.answers[4..7], "nothing is carried over");
}

#[test]
fn skipped_and_repeated_turns_are_answered_and_reported() {
    let lines: Vec<&str> = LOG.lines().collect();
    let turn = |turn: usize| lines[1500 + TURN * turn..1500 + TURN * (turn + 1)].join("\n") + "\n";
    let input = log_until(0) + &turn(5) + &turn(5) + &turn(3);
    let played = play(&input);
    assert_eq!(played.code, Some(0), "{}", played.errors);
    assert_eq!(played.answers.len(), 1 + 4);
    let notes = played.notes().join("\n");
    for note in ["turn 5 follows turn 0", "turn 5 follows turn 5", "turn 3 follows turn 5"] {
        assert!(notes.contains(note), "{notes}");
    }
}

/// Changes one line of the input (from 1): the bot answers the turns before it, and one line
/// describes the error.
#[test]
fn broken_input_ends_with_one_message_and_no_answer() {
    let broken = [
        // line, its new text, answers before it, message
        (1, "4 x", 0, "input line 1, pack 0: expected two numbers, 0 to 9, found `4 x`"),
        (2, "0 0", 0, "input line 2, pack 0: expected a pack of 3 or 4 blocks"),
        (3, "FIN", 0, "input line 3, pack 0: expected `END`, found `FIN`"),
        (1501, "-1", 0, "start of a turn: expected a turn number, 0 to 499, found `-1`"),
        (1501, "500", 0, "start of a turn: expected a turn number, 0 to 499, found `500`"),
        (1502, "soon", 0, "turn 0, own time left: expected milliseconds from 0, found `soon`"),
        (1506, "0 0 0", 0, "own field, row 1 from the top: expected 10 numbers"),
        (1506, "0 0 0 0 0 0 0 0 0 0 0", 0, "own field, row 1 from the top: expected 10 numbers"),
        (1506, "0 0 0 0 12 0 0 0 0 0", 0, "expected 10 numbers, 0 to 9 or 11"),
        (1506, "0 0 0 0 1 0 0 0 0 0", 0, "expected a block under every block"),
        (1522, "0 0 0 0 0 0 0 0 0 0", 0, "end of own field: expected `END`"),
        (1546, "1e9", 1, "turn 1, own ojama stock: expected a whole number from 0"),
        (1547, "101", 1, "turn 1, own gauge: expected a gauge, 0 to 100, found `101`"),
    ];
    for (line, text, answers, message) in broken {
        let mut lines: Vec<&str> = LOG.lines().collect();
        lines[line - 1] = text;
        let played = play(&(lines.join("\n") + "\n"));
        assert_eq!(played.code, Some(2), "line {line}: {}", played.errors);
        assert_eq!(played.answers.len(), 1 + answers, "line {line}");
        let notes = played.notes();
        let errors: Vec<&&str> = notes.iter().filter(|note| note.contains("expected")).collect();
        assert_eq!(errors.len(), 1, "line {line}: {notes:?}");
        assert!(errors[0].starts_with("tensai: input line "), "{notes:?}");
        assert!(errors[0].contains(message), "line {line}: {notes:?}");
    }
}

#[test]
fn the_input_may_end_only_before_a_turn() {
    assert_eq!(play(&log_until(1)).code, Some(0));
    let no_turn: String = LOG.lines().take(1500).map(|line| format!("{line}\n")).collect();
    assert_eq!((play(&no_turn).code, play(&no_turn).answers.len()), (Some(0), 1));
    for lines in [0, 2, 1499, 1501, 1510, 1538] {
        let cut: String = LOG.lines().take(lines).map(|line| format!("{line}\n")).collect();
        let played = play(&cut);
        assert_eq!((played.code, played.answers.len()), (Some(2), 1), "{lines} lines");
        assert!(played.errors.contains("found the end of the input"), "{}", played.errors);
    }
    let garbage = [LOG.as_bytes()[..10_000].to_vec(), vec![0xff, 0x00, 0xfe, b'\n']].concat();
    assert_eq!(run(&["--nodes", NODES], &garbage).code, Some(2));
}

#[test]
fn a_closed_output_ends_the_session() {
    let mut bot = Command::new(running::tensai())
        .args(["--nodes", NODES])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut name = [0; 7];
    let mut stdout = bot.stdout.take().unwrap();
    stdout.read_exact(&mut name).unwrap();
    drop(stdout);
    let mut stdin = bot.stdin.take().unwrap();
    drop(stdin.write_all(LOG.as_bytes()));
    drop(stdin);
    let output = bot.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
}

/// A referee that never reads standard error does not stop the bot: a pipe holds 64 KiB, and the
/// `info` lines of a whole game are several times as long.
#[test]
fn an_unread_standard_error_does_not_block_the_bot() {
    let turns: String = (0..500)
        .map(|turn| {
            let mut state = State::new();
            state.turn = turn;
            writer::turn(&state, Seat::First, [Duration::from_secs(180); 2])
        })
        .collect();
    let packs: String = LOG.lines().take(1500).map(|line| format!("{line}\n")).collect();
    let mut bot = Command::new(running::tensai())
        .args(["--threads", "1", "--nodes", "300"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = bot.stdin.take().unwrap();
    let input = packs + &turns;
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let mut answers = String::new();
    bot.stdout.take().unwrap().read_to_string(&mut answers).unwrap();
    assert_eq!(answers.lines().count(), 1 + 500);
    assert_eq!(bot.wait().unwrap().code(), Some(0));
    writer.join().unwrap();
}

/// Returns the drops that the bot has simulated before each of four turns, while it waited for the
/// turn for the given time.
fn pondered(more: &[&str], wait: Duration) -> Vec<Option<u64>> {
    let mut bot = Command::new(running::tensai())
        .env("TENSAI_THREADS", "1")
        .args(more)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = bot.stdin.take().unwrap();
    let mut answers = BufReader::new(bot.stdout.take().unwrap()).lines();
    answers.next().unwrap().unwrap();
    let packs = Packs::from_seed(3);
    input.write_all(packs.to_string().as_bytes()).unwrap();
    let mut state = State::<Cells>::new();
    for turn in 0..4 {
        let left = [Duration::from_secs(3); 2];
        input.write_all(writer::turn(&state, Seat::First, left).as_bytes()).unwrap();
        let action: Action = answers.next().unwrap().unwrap().parse().unwrap();
        state = state.play(packs.get(turn).unwrap(), [action; 2]).unwrap().after;
        std::thread::sleep(wait);
    }
    drop(input);
    let output = bot.wait_with_output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(!errors.contains("not as simulated"), "{errors}");
    let infos = errors.lines().filter_map(|line| line.strip_prefix("info "));
    let pondered = infos.map(|json| {
        let info: serde_json::Value = serde_json::from_str(json).unwrap();
        info["pondered"].as_u64()
    });
    pondered.collect()
}

/// The time for which a bot waits for a turn. On a busy machine the bot may have no time to ponder,
/// or answer late: the test then waits longer.
const WAITS: [Duration; 4] = [
    Duration::from_millis(100),
    Duration::from_secs(1),
    Duration::from_secs(10),
    Duration::from_secs(60),
];

/// With `--ponder`, the bot searches while it waits for a turn, and stops when the turn comes. It
/// does not ponder with `--ponder=never`, or under a node limit. Whether it ponders by default
/// depends on the other programs of the machine.
#[test]
fn the_bot_ponders_only_if_allowed_and_by_a_clock() {
    for more in [&["--ponder=never"][..], &["--nodes", "1000"], &["--ponder", "--nodes", "1000"]] {
        let pondered = pondered(more, WAITS[0]);
        assert!(pondered.iter().all(Option::is_none), "{more:?}: {pondered:?}");
    }
    let found = WAITS.into_iter().any(|wait| {
        let pondered = pondered(&["--ponder"], wait);
        assert_eq!(pondered[0], None, "nothing comes before");
        pondered[1..].iter().all(|drops| *drops > Some(1000))
    });
    assert!(found);
}

/// A bot that shares its cores with a busy program stops pondering for the rest of the game.
#[test]
fn the_bot_does_not_ponder_on_wanted_cores() {
    let cores = std::thread::available_parallelism().unwrap().get();
    let is_over = Arc::new(AtomicBool::new(false));
    for _ in 0..4 * cores {
        // Not in a scope, which would wait for these threads if the test fails.
        let is_over = Arc::clone(&is_over);
        std::thread::spawn(move || {
            while !is_over.load(Relaxed) {
                std::hint::spin_loop();
            }
        });
    }
    let stops = WAITS.into_iter().any(|wait| pondered(&["--ponder=auto"], wait)[3].is_none());
    is_over.store(true, Relaxed);
    assert!(stops);
}

#[test]
fn a_selected_turn_that_is_missing_is_an_error() {
    let two = [LOG, LOG].concat();
    let play = |input: &str, only: &[&str]| {
        let arguments = [&["--engine", "random", "--seed", "1"], only].concat();
        let Run { code, answers, errors } = run(&arguments, input.as_bytes());
        (code, answers.len(), errors.lines().filter(|l| !l.starts_with("info ")).count(), errors)
    };
    // The bot does not report turns that were passed over.
    let (code, answers, notes, errors) = play(&two, &["--game", "2", "--turn", "9"]);
    assert_eq!((code, answers, notes), (Some(0), 2, 0), "{errors}");
    for (only, what) in [
        (&["--turn", "16"][..], "turn 16"),
        (&["--game", "3"], "turn of game 3"),
        (&["--game", "3", "--turn", "9"], "turn 9 of game 3"),
    ] {
        let (code, answers, _, errors) = play(&two, only);
        assert_eq!((code, answers), (Some(2), 1), "{errors}");
        assert_eq!(errors, format!("tensai: the input has no {what}\n"));
    }
}

#[test]
fn wrong_arguments_are_refused() {
    for (arguments, message) in [
        (&["--threds", "1"][..], "'--threads'"),
        (&["--threads", "0"], "invalid value '0' for '--threads"),
        (&["--threads", "1025"], "expected a whole number from 1 to 1024"),
        (&["--nodes", "-1"], "invalid value '-1' for '--nodes"),
        (&["--name", "a/b"], "may not contain `/`"),
        (&["--reserve", "soon"], "expected a duration"),
        (&["--engine", "greedy", "--ponder"], "--ponder needs --engine planner"),
        (
            &["--engine", "greedy", "--parameter", "discount=1"],
            "--parameter needs --engine planner",
        ),
        (&["--engine", "greedy", "--nodes", "9"], "--nodes needs an --engine that searches"),
        (&["--engine", "random", "--ponder"], "--ponder needs --engine planner"),
        (&["--engine", "random", "--reserve", "1s"], "--reserve needs an --engine that searches"),
        (&["--engine", "random", "--engine", "greedy"], "cannot be used multiple times"),
        (&["bott"], "'bot'"),
    ] {
        let refused = run(arguments, b"");
        assert_eq!(refused.code, Some(2), "{arguments:?}");
        assert!(refused.errors.contains(message), "{arguments:?}: {}", refused.errors);
    }
}

#[test]
fn a_message_about_a_variable_names_it() {
    for (arguments, variable, value, message) in [
        (&[][..], "TENSAI_NODES", "many", "invalid value 'many' for 'TENSAI_NODES'"),
        (&["bot"], "TENSAI_THREADS", "0", "'0' for 'TENSAI_THREADS'"),
        (&[], "TENSAI_PONDER", "maybe", "'maybe' for 'TENSAI_PONDER'"),
        (&[], "TENSAI_TURN_TIME", "no", "'no' for 'TENSAI_TURN_TIME'"),
        (&["--nodes", "x"], "TENSAI_NODES", "many", "invalid value 'x' for '--nodes <N>'"),
        (&["--nodes=x"], "TENSAI_NODES", "many", "invalid value 'x' for '--nodes <N>'"),
    ] {
        let refused = running::program().args(arguments).env(variable, value).output().unwrap();
        let errors = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?} {variable}: {errors}");
        assert!(errors.contains(message), "{arguments:?} {variable}: {errors}");
    }
}

/// A variable that another bot of the same environment needs stops no bot and no other command.
#[test]
fn variables_without_an_effect_are_ignored() {
    let of_bot = [(&["--engine", "greedy"][..], LOG), (&["--engine", "random"], LOG)];
    let of_arena = [
        (&["--engine", "classic"][..], LOG),
        (&["play", "--no-record"], "q\n"),
        (&["packs", "generate", "--seed", "3"], ""),
    ];
    let of_arena = of_arena.into_iter().filter(|_| cfg!(feature = "arena"));
    for (arguments, input) in of_bot.into_iter().chain(of_arena) {
        let mut program = running::program()
            .args(arguments)
            .env("TENSAI_NODES", "1000")
            .env("TENSAI_PONDER", "always")
            .env("TENSAI_PARAMETERS", "discount=0.75")
            .env("TENSAI_THREADS", "1")
            .env("TENSAI_BACKEND", "portable")
            .env("TENSAI_TURN_TIME", "5s")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that refuses its arguments reads nothing.
        let _ = program.stdin.take().unwrap().write_all(input.as_bytes());
        let output = program.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    }
}

/// The variables that stand for options of the bot.
const VARIABLES: [&str; 8] = [
    "TENSAI_BACKEND",
    "TENSAI_GAME",
    "TENSAI_NODES",
    "TENSAI_PARAMETERS",
    "TENSAI_PONDER",
    "TENSAI_SEAT",
    "TENSAI_THREADS",
    "TENSAI_TURN_TIME",
];

#[test]
fn empty_variables_are_unset_and_wrong_ones_stop_the_bot_alone() {
    let run = |arguments: &[&str], value: &str| {
        let mut program = running::program();
        program.args(arguments).envs(VARIABLES.map(|name| (name, value)));
        program.stdin(Stdio::null()).output().unwrap()
    };
    for (arguments, value, stops) in [
        (&["--help-parameters"][..], "", false),
        (&["bot", "--help-parameters"], "", false),
        (&["--help-parameters"], "wrong", true),
        (&["bot", "--help-parameters"], "wrong", true),
        (&["bot", "--help"], "wrong", false),
        (&["--help"], "wrong", false),
        (&["help"], "wrong", false),
        (&["packs", "generate"], "wrong", false),
        (&["stats", "engines", "--help"], "wrong", false),
    ] {
        if !cfg!(feature = "arena") && ["packs", "stats"].contains(&arguments[0]) {
            continue;
        }
        let output = run(arguments, value);
        let errors = String::from_utf8_lossy(&output.stderr);
        let code = if stops { 2 } else { 0 };
        assert_eq!(output.status.code(), Some(code), "{arguments:?} {value}: {errors}");
        assert_eq!(errors.contains("TENSAI_"), stops, "{arguments:?} {value}: {errors}");
    }
    let help = String::from_utf8(run(&["bot", "--help"], "").stdout).unwrap();
    // That of the parameters is not in this help.
    let named = VARIABLES.iter().filter(|name| help.contains(&format!("[env: {name}=]")));
    assert_eq!(named.count(), VARIABLES.len() - 1, "{help}");
}

/// The reader gets the whole log, independent of the sizes of the reads.
#[test]
fn the_log_is_read_to_its_end() {
    for read in [1, 7, 4096, LOG.len()] {
        let mut reader = Reader::new(BufReader::with_capacity(read, LOG.as_bytes()));
        let mut count = 0;
        while reader.next_message().unwrap() != InputMessage::End {
            count += 1;
        }
        assert_eq!(count, 1 + 16, "{read} bytes at a time");
    }
}
