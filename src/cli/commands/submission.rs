//! The command of the submission: `tensai submit` makes and checks its zip.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::arena::submission::{
    CheckOptions, CheckStep, ContestRunner, ScriptRun, SubmissionKind, check, pack,
};
use crate::cli::commands::bots::match_::faults;
use crate::cli::commands::format::Stages;
use crate::cli::commands::output::{print, print_beside};
use crate::cli::error::CliError;
use crate::game::Seat;
use crate::record::{Destination, Record, plain};
use crate::util::duration;
use crate::util::message;
use crate::util::numbers::counted;
use crate::util::sanitize::shown;
use crate::util::system::stop::Stop;

/// The command of the submission.
#[derive(Subcommand, Debug)]
pub enum SubmissionCommand {
    /// Make the zip of the submission, or check one as the contest does.
    Submit(SubmitArgs),
}

/// Arguments of `tensai submit`.
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  tensai submit -o submit.zip\n  tensai submit --check submit.zip"
)]
pub struct SubmitArgs {
    /// The file for the zip.
    #[arg(short, long, value_name = "FILE", default_value = "submit.zip")]
    output: PathBuf,

    /// Make a zip whose compile.sh plays replays/input.txt and fails with the bot's log. The log
    /// then appears where the runner shows errors.
    #[arg(long, conflicts_with = "check")]
    selftest: bool,

    /// Check this zip as the contest's runner does: in a clean folder, without a network, on one
    /// core with 1 GB, and with a whole game against a bot that plays at random.
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    check: Option<PathBuf>,

    /// Time of each player for the game of the check.
    #[arg(long, value_name = "TIME", default_value = "180s", value_parser = duration::parse_limit)]
    #[arg(requires = "check")]
    time: Duration,

    /// Time limit for compile.sh in the check.
    #[arg(long, value_name = "TIME", default_value = "15m", value_parser = duration::parse_limit)]
    #[arg(requires = "check")]
    compile_time: Duration,

    /// The way in which compile.sh makes the bot in the check: auto, cargo or prebuilt [default:
    /// compile.sh chooses].
    #[arg(long, value_name = "WAY", requires = "check")]
    #[arg(value_parser = ["auto", "cargo", "prebuilt"])]
    compile: Option<String>,

    /// The seed of the packs in the check.
    #[arg(long, value_name = "SEED", default_value_t = 0, requires = "check")]
    seed: u64,
}

/// Makes a zip, or checks one.
pub fn run(SubmissionCommand::Submit(args): &SubmissionCommand) -> Result<(), CliError> {
    match &args.check {
        Some(zip) => look(zip, args),
        None => {
            // The files that were built so far are left for the next call.
            Stop::at_once()?;
            make(args)
        }
    }
}

fn make(args: &SubmitArgs) -> Result<(), CliError> {
    let kind = if args.selftest { SubmissionKind::SelfTest } else { SubmissionKind::Play };
    let stages = Stages::start();
    let packed = pack(&args.output, kind, |part| stages.begin(part));
    stages.end();
    let packed = packed?;
    if packed.is_dirty {
        message::line("tensai: uncommitted changes are not in the zip");
    }
    let mut text = format!(
        "{}: {} ({}), {}, commit {}, {}\n",
        shown(&args.output),
        counted(packed.size, "byte"),
        megabytes(packed.size),
        counted(packed.crates, "crate"),
        packed.commit,
        packed.compiler,
    );
    for (name, size) in &packed.binaries {
        text += &format!("  bin/{name}: {}\n", megabytes(*size));
    }
    if matches!(Destination::of(&args.output), Ok(Destination::File(_))) {
        text += &format!("check it: tensai submit --check {}\n", shown(&args.output));
    }
    print_beside(&args.output, &text)
}

fn look(zip: &Path, args: &SubmitArgs) -> Result<(), CliError> {
    let settings = CheckOptions {
        time: args.time,
        compile_time: args.compile_time,
        compile: args.compile.clone(),
        seed: args.seed,
    };
    let stop = Stop::on_signals()?;
    let runner = ContestRunner::new();
    let (mut largest, mut has_run) = (None, false);
    let checked = check(zip, &settings, &runner, &stop, |step| {
        largest = largest.max(largest_process(&step));
        let mut text = step_text(zip, &step);
        if !matches!(step, CheckStep::Unpacked { .. }) {
            has_run = true;
        } else {
            // Before this step, a file that is no submission is refused by one line.
            text = format!("runner: {}\n{text}", runner.describe());
            if std::io::stderr().is_terminal() {
                message::line("this takes up to a few minutes");
            }
        }
        // A failure to print is reported by the last line.
        let _ = print(&text);
    });
    // Without a process there is nothing to tell.
    if let Some(together) = runner.peak().filter(|_| has_run) {
        print(&memory_text(together, largest))?;
    }
    checked?;
    print(&format!("{}: good\n", shown(zip)))
}

/// The bytes of the largest process of a step; `None` if they are not known.
fn largest_process(step: &CheckStep) -> Option<u64> {
    let usage = match step {
        CheckStep::Unpacked { .. } => None,
        CheckStep::Compiled(ran) | CheckStep::SelfTested(ran) => ran.usage,
        CheckStep::Played(record) => record.players[Seat::First.index()].usage,
    };
    usage.map(|usage| usage.peak_kib * 1024)
}

/// Describes a step of the check.
fn step_text(zip: &Path, step: &CheckStep) -> String {
    match step {
        CheckStep::Unpacked { size, files } => {
            format!("{}: {}, {}\n", shown(zip), megabytes(*size), counted(files, "file"))
        }
        CheckStep::Compiled(ran) => script("compile.sh", ran),
        CheckStep::SelfTested(ran) => {
            script("compile.sh", ran)
                + "self-test: compile.sh printed the log and failed, as intended\n"
        }
        CheckStep::Played(record) => game(record),
    }
}

fn script(name: &str, ran: &ScriptRun) -> String {
    let usage = ran.usage.map_or_else(String::new, |usage| {
        format!(", {} in its largest process", megabytes(usage.peak_kib * 1024))
    });
    let lines: String = ran.lines.iter().map(|line| format!("  | {}\n", plain(line))).collect();
    format!("{name}: {:.1} s{usage}\n{lines}", ran.time.as_secs_f64())
}

fn game(record: &Record) -> String {
    let usage = record.players[0].usage.map_or_else(String::new, |usage| {
        let memory = megabytes(usage.peak_kib * 1024);
        format!(", {memory}, {}", counted(usage.threads, "thread"))
    });
    let used = record.used(Seat::First).as_secs_f64();
    let longest = record.turns.iter().map(|turn| turn.think_us[0]).max().unwrap_or(0) as f64 / 1e6;
    let mut text = format!(
        "run.sh: {}\n  {}, {used:.1} s used, at most {longest:.1} s a turn{usage}\n",
        record.outcome(),
        counted(record.turns.len(), "turn"),
    );
    for line in faults(record) {
        text += &format!("  {line}\n");
    }
    text
}

/// Describes the memory that was used, in bytes: of all processes `together`, as the control group
/// counts it, and of the `largest` one.
///
/// The group does not count pages of files that others had read before, such as those of the
/// system's libraries and of an unpacked binary. A process may therefore have more than the group.
fn memory_text(together: u64, largest: Option<u64>) -> String {
    let largest = largest.map_or_else(String::new, |largest| {
        format!(", {} in the largest process", megabytes(largest))
    });
    format!(
        "memory: at most {} in all processes without files that were cached before{largest}\n",
        megabytes(together)
    )
}

/// Formats a number of bytes in megabytes.
fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
