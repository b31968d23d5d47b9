//! Checks a submission as the contest's runner runs it.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use super::runner::not_started;
use super::work_folder::WorkFolder;
use super::{ContestRunner, SELFTEST, SubmissionError, archive};
use crate::arena::process::{Bot, EXIT_TIMEOUT};
use crate::arena::{
    BotEvent, Connection as _, Ending, EngineConfig, ErrorLog, Game, Interrupted, Order,
    SeatLimits, play,
};
use crate::game::{Fault, Packs, Seat, Verdict};
use crate::record::{Record, Usage, plain};
use crate::util::clock::game_time;
use crate::util::system::stop::Stop;

/// The options of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckOptions {
    /// Time of a player for the game.
    pub time: Duration,
    /// Time limit for `compile.sh`.
    pub compile_time: Duration,
    /// The value of `TENSAI_COMPILE` for `compile.sh`, if it is set.
    pub compile: Option<String>,
    /// The seed of the game's packs.
    pub seed: u64,
}

/// The run of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptRun {
    /// The time that it took.
    pub time: Duration,
    /// The resources that it used, if its supervisor could measure them.
    pub usage: Option<Usage>,
    /// The lines that it wrote.
    pub lines: Vec<String>,
}

/// A step of the check that is done.
pub enum CheckStep {
    /// The zip is unpacked: its bytes, and the files in it.
    Unpacked {
        /// Bytes of the zip.
        size: u64,
        /// Files in it.
        files: usize,
    },
    /// `compile.sh` was run, with or without success.
    Compiled(ScriptRun),
    /// `compile.sh` of a self-test was run and has printed the log. No game follows.
    SelfTested(ScriptRun),
    /// The game has ended.
    Played(Box<Record>),
}

/// Unpacks a submission in a clean folder, runs `compile.sh`, then `run.sh` for a whole game
/// against the bot that plays at random, all on `runner`. Calls `tell` after each step.
///
/// # Errors
/// The first failure.
pub fn check(
    zip: &Path,
    settings: &CheckOptions,
    runner: &ContestRunner,
    stop: &Stop,
    mut tell: impl FnMut(CheckStep),
) -> Result<(), SubmissionError> {
    let size = zip.metadata().map_err(SubmissionError::file(zip, "read"))?.len();
    let folder = WorkFolder::new()?;
    let names = archive::unpack(zip, folder.path())?;
    tell(CheckStep::Unpacked { size, files: names.len() });
    for script in ["compile.sh", "run.sh"] {
        if !names.iter().any(|name| name == script) {
            let reason = "is not there, at the top of the zip".to_owned();
            return Err(SubmissionError::Failed { file: script.to_owned(), reason });
        }
    }
    let (ran, failure) = compile(folder.path(), settings, runner, stop)?;
    if names.iter().any(|name| name == SELFTEST) {
        let is_there = |line: &String| line.contains("self-test: ended with exit code 0");
        if failure.is_some() && ran.lines.iter().any(is_there) {
            tell(CheckStep::SelfTested(ran));
            return Ok(());
        }
    }
    let first = failure.as_ref().map(|failure| first_error(failure, &ran.lines));
    tell(CheckStep::Compiled(ran));
    if let Some(reason) = first {
        return Err(SubmissionError::Failed { file: "compile.sh".to_owned(), reason });
    }
    let record = game(folder.path(), settings, runner, stop)?;
    let verdict = judge(&record);
    tell(CheckStep::Played(Box::new(record)));
    verdict
}

/// Maximum number of bytes that are kept of the output of `compile.sh`; an endless output is cut.
const MOST_OUTPUT: u64 = 4 << 20;

/// Runs `compile.sh`. Returns its run, and the failure if there was one.
fn compile(
    folder: &Path,
    settings: &CheckOptions,
    runner: &ContestRunner,
    stop: &Stop,
) -> Result<(ScriptRun, Option<String>), SubmissionError> {
    let home = WorkFolder::new()?;
    let output = home.path().join("output");
    let engine = runner.engine("./compile.sh", folder, Some(&output));
    let mut engine = engine.map_err(not_started("compile.sh"))?;
    if let Some(compile) = &settings.compile {
        engine.env.insert("TENSAI_COMPILE".to_owned(), compile.clone());
    }
    // The caches in cargo's default home are not available on the runner.
    for (name, value) in [("CARGO_HOME", home.path()), ("CARGO_TARGET_DIR", Path::new("target"))] {
        engine.env.insert(name.to_owned(), value.display().to_string());
    }
    let start = game_time();
    let cores: Vec<usize> = runner.core.into_iter().collect();
    let bot = Bot::start(&engine, &cores, EXIT_TIMEOUT, ErrorLog::default());
    let mut bot = bot.map_err(not_started("compile.sh"))?;
    let until = start + settings.compile_time;
    let (mut lines, mut bytes) = (Vec::new(), 0);
    let failure = loop {
        match bot.listen(until, stop) {
            BotEvent::Line(..) if bytes > MOST_OUTPUT => {}
            BotEvent::Line(_, line) => {
                bytes += line.len() as u64 + 1;
                lines.push(line);
            }
            // The script may have redirected its standard error, and still run.
            BotEvent::Closed(_) if bot.ending() != Ending::ClosedOutput => break None,
            BotEvent::Closed(_) if stop.is_asked() => return Err(SubmissionError::Stopped),
            BotEvent::Closed(_) if game_time() < until => {}
            BotEvent::Closed(_) | BotEvent::Nothing => {
                break Some(format!("not done within {:?}", settings.compile_time));
            }
            BotEvent::Stopped => return Err(SubmissionError::Stopped),
        }
    };
    let ending = bot.ending();
    bot.end();
    let usage = bot.usage();
    let is_success = matches!(ending, Ending::Ended(status) if status.success());
    let failure = failure.or_else(|| (!is_success).then(|| ending.to_string()));
    let output = File::open(&output).and_then(|file| {
        let mut bytes = Vec::new();
        file.take(MOST_OUTPUT).read_to_end(&mut bytes).map(|_| bytes)
    });
    let output = output.unwrap_or_default();
    let output = String::from_utf8_lossy(&output);
    let failure = failure.or_else(|| {
        let line = output.lines().next()?;
        Some(format!(
            "wrote `{}` to standard output, which the runner takes for answers",
            plain(line)
        ))
    });
    lines.extend(output.lines().map(str::to_owned));
    Ok((ScriptRun { time: game_time() - start, usage, lines }, failure))
}

/// Describes the failure of a script, with the first line that looks like an error, or else the
/// last one.
fn first_error(failure: &str, lines: &[String]) -> String {
    let words =
        ["error", "not found", "cannot", "No such", "Permission denied", "Killed", "does not"];
    let tells = |line: &&String| words.iter().any(|word| line.contains(word));
    match lines.iter().find(tells).or_else(|| lines.last()) {
        Some(line) => format!("{failure}: {}", plain(line)),
        None => failure.to_owned(),
    }
}

/// Plays the game of the check.
fn game(
    folder: &Path,
    settings: &CheckOptions,
    runner: &ContestRunner,
    stop: &Stop,
) -> Result<Record, SubmissionError> {
    let submission = runner.engine("./run.sh", folder, None).map_err(not_started("run.sh"))?;
    let random = EngineConfig::new("random", "tensai --engine random");
    let cores: Vec<usize> = runner.core.into_iter().collect();
    let start = |engine: &EngineConfig, cores: &[usize]| {
        let bot = Bot::start(engine, cores, EXIT_TIMEOUT, ErrorLog::default());
        bot.map_err(not_started("run.sh"))
    };
    let bots = [start(&submission, &cores)?, start(&random, &[])?];
    let limits = |engine: &EngineConfig, cores: &[usize]| SeatLimits {
        engine: engine.name.clone(),
        time: settings.time,
        start_time: Duration::from_secs(60),
        nodes: None,
        cores: cores.to_vec(),
    };
    let game = Game {
        number: 1,
        packs: Packs::from_seed(settings.seed),
        packs_from: format!("seed {}", settings.seed),
        time: settings.time,
        turn_time: Duration::from_secs(20),
        grace: Duration::from_millis(100),
        order: Order::Together,
        earlier: Vec::new(),
        opening: 0,
        adjudicate: false,
        seats: [limits(&submission, &cores), limits(&random, &[])],
    };
    play(bots, &game, stop, &mut ()).map_err(|error| match error {
        Interrupted::Stopped => SubmissionError::Stopped,
        Interrupted::NotStarted(error) => not_started("run.sh")(error),
    })
}

/// Checks that the game was played to its end and won.
fn judge(record: &Record) -> Result<(), SubmissionError> {
    let failed = |reason| Err(SubmissionError::Failed { file: "run.sh".to_owned(), reason });
    if let Some(fault) = &record.result.faults[Seat::First.index()] {
        let reason = format!(
            "{} at turn {}: {}",
            fault.fault.name(),
            record.turns.len(),
            plain(&fault.reason)
        );
        let mut words = fault.last_words.iter().filter(|line| !line.starts_with("run.sh: "));
        let last = (fault.fault != Fault::OutOfTime).then(|| words.next_back()).flatten();
        return failed(last.map_or(reason.clone(), |last| format!("{reason}: {}", plain(last))));
    }
    if record.result.verdict != Verdict::Win(Seat::First) {
        return failed(format!("{}; the opponent plays at random", record.outcome()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_is_reported() {
        let owned = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
        let lines = owned(&["Compiling", "error: no", "error: more", "last"]);
        assert_eq!(first_error("ended with 1", &lines), "ended with 1: error: no");
        assert_eq!(first_error("ended with 1", &owned(&["a", "b"])), "ended with 1: b");
        assert_eq!(first_error("ended with 1", &[]), "ended with 1");
    }
}
