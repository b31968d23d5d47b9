//! A machine that stalls: the bot's process is stopped for a second, again and again, on one core,
//! in games of 10 s. It must not lose on time.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tensai::game::{Action, Cells, Packs, Seat, State};
use tensai::protocol::writer;

use crate::run::{play, tensai};

const SECOND: Duration = Duration::from_secs(1);

/// Stops a process for a second, `delay` from now.
fn stall(process: Pid, delay: Duration) {
    thread::sleep(delay);
    kill(process, Signal::SIGSTOP).unwrap();
    thread::sleep(SECOND);
    kill(process, Signal::SIGCONT).unwrap();
}

/// Starts the bot; what this thread starts from now on runs on the first of its cores only.
fn start_on_one_core(arguments: &[&str]) -> Child {
    let own = Pid::from_raw(0);
    let mine = sched_getaffinity(own).unwrap();
    let first = (0..CpuSet::count()).find(|&core| mine.is_set(core).unwrap()).unwrap();
    let mut one = CpuSet::new();
    one.set(first).unwrap();
    sched_setaffinity(own, &one).unwrap();
    Command::new(tensai())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// What a bot has left after each of its turns, in a game against itself: both do what it answers.
/// In the given turns it is stopped for a second, so long after it was asked.
fn play_stalled(game: Duration, turns: usize, stalls: &[(usize, Duration)]) -> Vec<Duration> {
    let mut bot = start_on_one_core(&["--threads", "1"]);
    let process = Pid::from_raw(bot.id().cast_signed());
    let mut input = bot.stdin.take().unwrap();
    let mut answers = BufReader::new(bot.stdout.take().unwrap()).lines();
    answers.next().unwrap().unwrap();
    let packs = Packs::from_seed(86);
    input.write_all(packs.to_string().as_bytes()).unwrap();
    let (mut state, mut left) = (State::<Cells>::new(), vec![game]);
    for turn in 0..turns {
        let before = left[turn];
        let text = writer::turn(&state, Seat::First, [before; 2]);
        let asked = Instant::now();
        input.write_all(text.as_bytes()).unwrap();
        if let Some(&(_, delay)) = stalls.iter().find(|stall| stall.0 == turn) {
            stall(process, delay);
        }
        let action: Action = answers.next().unwrap().unwrap().parse().unwrap();
        let used = asked.elapsed();
        assert!(used < before, "turn {turn}: {used:?} used, {before:?} were left");
        left.push(before - used);
        let after = state.play(packs.get(turn).unwrap(), [action; 2]).unwrap().after;
        state =
            if after.end().is_none() { after } else { State { turn: turn + 1, ..State::new() } };
    }
    drop(input);
    bot.wait().unwrap();
    left
}

/// In the first turn, where exchanges are decided, before the answer and after the question, and late
/// in the game; and in one in which there is hardly more than the reserve from the start.
#[test]
fn a_stall_of_a_second_costs_no_game() {
    let ms = Duration::from_millis;
    let often = [(0, ms(100)), (9, ms(250)), (20, ms(1)), (45, ms(30)), (100, ms(0))];
    for (game, turns, stalls) in [(ms(10_000), 120, &often[..]), (ms(1600), 25, &[(20, ms(0))])] {
        let left = play_stalled(game, turns, stalls);
        for (turn, _) in stalls {
            assert!(left[*turn] - left[turn + 1] >= SECOND, "turn {turn}");
        }
    }
}

#[test]
fn a_stalled_bot_wins_in_the_arena_on_one_core() {
    let name = format!("stalled-{}", std::process::id());
    let bot = format!("tensai --threads 1 --name {name}");
    let stalling = thread::spawn(move || {
        let mut stalls = 0;
        let since = Instant::now();
        while stalls < 3 && since.elapsed() < 30 * SECOND {
            thread::sleep(Duration::from_millis(400));
            let all = procfs::process::all_processes().unwrap().flatten();
            let mut named =
                all.filter(|process| process.cmdline().is_ok_and(|words| words.contains(&name)));
            if let Some(process) = named.next() {
                stall(Pid::from_raw(process.pid), Duration::ZERO);
                stalls += 1;
            }
        }
        stalls
    });
    let other = "tensai --threads 1 --nodes 2000";
    let (record, report) =
        play(&["--a", &bot, "--b", other, "--sequential", "--time", "10", "--seed", "86"]);
    assert_eq!(record.result.faults[0], None, "{report}");
    assert!(stalling.join().unwrap() > 0);
    let longest = record.turns.iter().map(|turn| turn.think_us[0]).max().unwrap();
    assert!(longest > 700_000, "the stalls counted: {longest} us");
}
