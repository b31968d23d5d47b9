//! The race: programs that run the same beams, one after the other.

use std::io::{self, BufRead, BufReader, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};
use thiserror::Error;

use super::{BeamField, BeamTask, Found, LEVELS, levels};
use crate::util::sanitize::{quoted, shown};

/// The longest time that a program may take for one beam: more than any beam takes.
const TIMEOUT: Duration = Duration::from_secs(600);

/// The greatest time that a program may report for one beam, in seconds.
const MOST_SECONDS: f64 = 1e6;

/// Why a race has ended early.
#[derive(Debug, Error)]
pub enum RaceError {
    /// A program cannot be started.
    #[error("{program}: cannot be started: {source}", program = shown(program))]
    Start {
        /// The program.
        program: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A program ended before it answered.
    #[error(
        "{program}: ended without an answer to a beam; expected a `tensai` that has `dev bench beam`",
        program = shown(program)
    )]
    Ended {
        /// The program.
        program: PathBuf,
    },
    /// A program did not answer in time.
    #[error("{program}: no answer to a beam within {} s", timeout.as_secs(), program = shown(program))]
    Late {
        /// The program.
        program: PathBuf,
        /// The waiting time.
        timeout: Duration,
    },
    /// An answer of a program is not the result of a beam.
    #[error(
        "{program}: expected `seconds` and `chains` of {depth} turns as JSON, found {found}",
        program = shown(program)
    )]
    Answer {
        /// The program.
        program: PathBuf,
        /// The turns of the beam.
        depth: usize,
        /// The line that was read.
        found: String,
    },
    /// A beam of this program cannot be run.
    #[error("{0}")]
    Task(String),
}

/// A program that runs beams: this one, or a child process.
pub trait BeamRunner {
    /// Runs a beam.
    ///
    /// # Errors
    /// The beam cannot be run.
    fn run(&mut self, task: &BeamTask) -> Result<Found, RaceError>;
}

/// Beams of this process, on threads that keep their memory from beam to beam, as in a game.
#[derive(Debug)]
pub struct Local(ThreadPool);

impl Local {
    /// A runner with `threads` threads.
    ///
    /// # Errors
    /// A thread cannot be started.
    pub fn new(threads: NonZeroUsize) -> io::Result<Self> {
        let pool = ThreadPoolBuilder::new().num_threads(threads.get()).build();
        pool.map(Self).map_err(io::Error::other)
    }
}

impl BeamRunner for Local {
    fn run(&mut self, task: &BeamTask) -> Result<Found, RaceError> {
        self.0.install(|| task.run()).map_err(RaceError::Task)
    }
}

/// The words that let a program run the beams that its standard input asks for.
const WORDS: [&str; 4] = ["dev", "bench", "beam", "--serve"];

/// These words before version 0.3.
const OLD_WORDS: [&str; 3] = ["bench", "--beam", "--serve"];

/// A running `tensai dev bench beam --serve` of some version. Dropping it ends the process.
#[derive(Debug)]
pub struct Program {
    path: PathBuf,
    more: Vec<String>,
    /// Whether it may be a version before 0.3, which has refused [`WORDS`].
    may_be_old: bool,
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
    timeout: Duration,
}

impl Program {
    /// Starts `program` with the arguments `more` after `dev bench beam --serve`.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn start(program: &Path, more: &[String]) -> Result<Self, RaceError> {
        Self::start_with(program, &WORDS, more)
    }

    fn start_with(program: &Path, words: &[&str], more: &[String]) -> Result<Self, RaceError> {
        let path = program.to_owned();
        let mut command = Command::new(program);
        command.args(words).args(more);
        // Its standard error is untrusted text, and its end is reported anyway.
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child =
            command.spawn().map_err(|source| RaceError::Start { program: path.clone(), source })?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            unreachable!("both streams are pipes")
        };
        let (sender, answers) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let (more, may_be_old) = (more.to_owned(), words == WORDS);
        Ok(Self { path, more, may_be_old, child, input, answers, timeout: TIMEOUT })
    }

    /// Waits at most `timeout` for each beam.
    #[cfg(test)]
    fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }
}

impl BeamRunner for Program {
    fn run(&mut self, task: &BeamTask) -> Result<Found, RaceError> {
        let found = self.ask(task);
        if !(self.may_be_old && matches!(found, Err(RaceError::Ended { .. }))) {
            self.may_be_old = false;
            return found;
        }
        *self = Self::start_with(&self.path, &OLD_WORDS, &self.more)?;
        self.ask(task)
    }
}

impl Program {
    fn ask(&mut self, task: &BeamTask) -> Result<Found, RaceError> {
        let program = self.path.clone();
        let line = serde_json::to_string(task).expect("a task is JSON") + "\n";
        if self.input.write_all(line.as_bytes()).and_then(|()| self.input.flush()).is_err() {
            return Err(RaceError::Ended { program });
        }
        let timeout = self.timeout;
        let line = self.answers.recv_timeout(timeout).map_err(|error| match error {
            RecvTimeoutError::Timeout => RaceError::Late { program: program.clone(), timeout },
            RecvTimeoutError::Disconnected => RaceError::Ended { program: program.clone() },
        })?;
        let found = serde_json::from_str(&line).ok().filter(|found: &Found| {
            found.chains.len() == task.depth && (0.0..=MOST_SECONDS).contains(&found.seconds)
        });
        found.ok_or_else(|| RaceError::Answer { program, depth: task.depth, found: quoted(&line) })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // A process that has ended cannot be killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the beams that `input` asks for, a [`BeamTask`] a line, on one thread, and writes the
/// result of each as a line of JSON.
///
/// # Errors
/// A line is no task, a stream fails, or the thread cannot be started.
pub fn serve(input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let invalid = |error: String| io::Error::new(io::ErrorKind::InvalidData, error);
    let mut runner = Local::new(NonZeroUsize::MIN)?;
    for (line, number) in input.lines().zip(1..) {
        let place = |error: String| invalid(format!("standard input: line {number}: {error}"));
        let task: BeamTask = serde_json::from_str(&line?)
            .map_err(|error| place(format!("expected a beam as JSON: {error}")))?;
        let found = runner.run(&task).map_err(|error| place(error.to_string()))?;
        let found = serde_json::to_string(&found)?;
        writeln!(output, "{found}")?;
        output.flush()?;
    }
    Ok(())
}

/// Runs the beams of all `fields` at each level up to `drops` drops by each of `runners`, in turns:
/// after a runner has run a beam, the others run the same beam. Repeats this `rounds` times, and
/// keeps the shortest time of each beam. Calls `progress` after each field.
///
/// Returns the results of each runner, by field and level.
///
/// # Errors
/// A runner fails.
pub fn race(
    runners: &mut [&mut dyn BeamRunner],
    fields: &[BeamField],
    drops: u64,
    rounds: u32,
    mut progress: impl FnMut(),
) -> Result<Vec<Vec<[Found; LEVELS]>>, RaceError> {
    let none = || Found { seconds: f64::INFINITY, chains: Vec::new() };
    let empty = || vec![std::array::from_fn(|_| none()); fields.len()];
    let mut all: Vec<Vec<[Found; LEVELS]>> = runners.iter().map(|_| empty()).collect();
    for round in 0..rounds as usize {
        for (index, field) in fields.iter().enumerate() {
            for (level, drops) in levels(drops).into_iter().enumerate() {
                let task = field.task(drops);
                for turn in 0..runners.len() {
                    // Each runner is first in turn: the first one finds colder caches.
                    let runner = (turn + index + round) % runners.len();
                    let found = runners[runner].run(&task)?;
                    let best = &mut all[runner][index][level];
                    let seconds = best.seconds.min(found.seconds);
                    *best = Found { seconds, ..found };
                }
            }
            progress();
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::super::standing_set;
    use super::*;

    /// A runner with a fixed time.
    struct Fixed(Vec<f64>);

    impl BeamRunner for Fixed {
        fn run(&mut self, task: &BeamTask) -> Result<Found, RaceError> {
            let seconds = self.0.pop().ok_or_else(|| RaceError::Task("no more".to_owned()))?;
            Ok(Found { seconds, chains: vec![1; task.depth] })
        }
    }

    #[test]
    fn the_shortest_time_of_each_beam_counts() {
        let fields = &standing_set()[..1];
        let mut one = Fixed((1..=10).map(f64::from).collect());
        let mut other = Fixed((1..=10).rev().map(f64::from).collect());
        let mut fields_done = 0;
        let runners: &mut [&mut dyn BeamRunner] = &mut [&mut one, &mut other];
        let found = race(runners, fields, 1000, 2, || fields_done += 1).unwrap();
        let seconds = |found: &[[Found; LEVELS]]| found[0].each_ref().map(|found| found.seconds);
        assert_eq!(seconds(&found[0]), [5.0, 4.0, 3.0, 2.0, 1.0]);
        assert_eq!(seconds(&found[1]), [1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(fields_done, 2);
        let error = race(&mut [&mut one], fields, 1000, 1, || ()).unwrap_err();
        assert_eq!(error.to_string(), "no more");
    }

    #[test]
    fn beams_on_two_threads_find_what_one_thread_finds() {
        let task = standing_set()[150].task(100_000);
        let found = [1, 2].map(|threads| {
            let mut runner = Local::new(NonZeroUsize::new(threads).unwrap()).unwrap();
            runner.run(&task).unwrap().chains
        });
        assert_eq!(found[0], found[1]);
    }

    #[test]
    fn a_server_runs_one_beam_for_each_line() {
        let task = standing_set()[200].task(2000);
        let line = serde_json::to_string(&task).unwrap() + "\n";
        let mut output = Vec::new();
        serve(line.repeat(2).as_bytes(), &mut output).unwrap();
        let answers: Vec<Found> = String::from_utf8(output)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(answers.len(), 2);
        assert_eq!(answers[0].chains, task.run().unwrap().chains);
        let wrong = line.clone() + &line.replace("\"turn\":8", "\"turn\":-8");
        let error = serve(wrong.as_bytes(), Vec::new()).unwrap_err().to_string();
        assert!(error.starts_with("standard input: line 2: expected a beam as JSON: "), "{error}");
    }

    /// Programs that are no `tensai`, or that end or hang after their start.
    #[cfg(unix)]
    #[test]
    fn a_program_that_misbehaves_is_named() {
        let task = &standing_set()[0].task(100);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        let run = |script: &str| {
            // Another process writes the file: a process that another test forks meanwhile would
            // keep it open, and an open file cannot be executed.
            let write = "printf '#!/bin/sh\\n%s\\n' \"$2\" > \"$1\" && chmod 755 \"$1\"";
            let mut shell = std::process::Command::new("sh");
            let shell = shell.args(["-c", write, "sh"]).arg(&path).arg(script);
            assert!(shell.status().unwrap().success());
            let mut program = Program::start(&path, &[]).unwrap();
            if script.contains("sleep") {
                program = program.with_timeout(Duration::from_millis(50));
            }
            let error = program.run(task).unwrap_err().to_string();
            error.strip_prefix(&path.display().to_string()).unwrap().to_owned()
        };
        let ended = ": ended without an answer to a beam; expected a `tensai` that has";
        assert!(run("exit 3").starts_with(ended));
        assert!(run("read line").starts_with(ended));
        let answer = ": expected `seconds` and `chains` of 16 turns as JSON, found `hello \\u{1b}`";
        assert_eq!(run("read line; printf 'hello \\033\\n'; cat"), answer);
        assert!(run("echo '{\"seconds\":1,\"chains\":[1]}'; cat").starts_with(": expected `sec"));
        let huge = serde_json::to_string(&Found { seconds: 2e6, chains: vec![1; 16] }).unwrap();
        assert!(run(&format!("echo '{huge}'; cat")).starts_with(": expected `sec"));
        assert_eq!(run("exec sleep 1000"), ": no answer to a beam within 0 s");
        let missing = Program::start(Path::new("/no/such/program"), &[]).unwrap_err().to_string();
        assert!(missing.starts_with("/no/such/program: cannot be started: "), "{missing}");
    }
}
