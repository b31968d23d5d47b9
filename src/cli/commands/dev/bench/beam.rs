//! `tensai dev bench beam`: the chains of beams as a function of time, and the race of two programs.

use std::fmt::Write as _;
use std::io;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use crate::board::Backend;
use crate::cli::commands::arguments::{JsonFlag, backend, threads};
use crate::cli::commands::output::{print, print_json};
use crate::cli::error::CliError;
use crate::dev::beam_bench::{
    self, BEAM_SETTINGS, BeamField, BeamRunner, Found, LEVELS, Local, MeanCurve, Program,
    RaceError, RatioInterval,
};
use crate::util::message;
use crate::util::numbers::counted;
use crate::util::sanitize::shown;

/// Arguments of `tensai dev bench beam`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai dev bench beam --against ./old")]
pub struct BeamArgs {
    /// The backend that simulates drops [default: the fastest on this processor].
    #[arg(long, value_parser = backend())]
    backend: Option<Backend>,

    #[command(flatten)]
    report: JsonFlag,

    /// Simulated drops for the longest beam of each field.
    #[arg(long, value_name = "N", default_value = "1000000")]
    nodes: NonZeroU64,

    /// Run the beams of another version of this program too, in turns, and print how many times as
    /// fast this program finds chains of equal length.
    #[arg(long, value_name = "PROGRAM")]
    against: Option<PathBuf>,

    /// Run each beam on this many threads too, in turns with one thread, and print how many times
    /// as fast it is.
    #[arg(long, value_name = "N", value_parser = threads, conflicts_with = "against")]
    beam_threads: Option<NonZeroUsize>,

    /// Measure other fields than the standing set, drawn from this seed.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Repetitions of each beam; the shortest time of a beam counts.
    #[arg(long, value_name = "N", default_value = "1")]
    rounds: NonZeroU32,

    /// Run the beams that standard input asks for (for `--against`).
    #[arg(long, hide = true)]
    serve: bool,
}

/// The report that `--json` prints.
#[derive(Serialize)]
struct BeamBenchReport {
    /// The backend of this program; with `--backend` also that of the other program.
    backend: String,
    /// Number of fields.
    fields: usize,
    /// By program, this one first.
    programs: Vec<ProgramReport>,
    /// The ratio of the other program's time to this program's time at chains of equal length: of
    /// all settings, then by setting.
    ratios: Vec<RatioReport>,
}

/// The results of one program's beams.
#[derive(Serialize)]
struct ProgramReport {
    program: String,
    levels: Vec<LevelReport>,
}

/// The beams of one setting with one number of drops.
#[derive(Serialize)]
struct LevelReport {
    setting: &'static str,
    /// Simulated drops of a beam at most.
    drops: u64,
    /// Seconds of a beam, mean.
    seconds: f64,
    /// Longest chain up to each turn, mean over fields and turns.
    chains: f64,
    /// Longest chain up to each turn, mean over fields.
    by_turn: Vec<f64>,
}

/// A ratio of times at equal chains with its interval of 95 %.
#[derive(Serialize)]
struct RatioReport {
    setting: &'static str,
    /// `null` if the programs have no length of chains in common.
    ratio: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

/// Simulated drops of each beam that builds a later field of `--seed`: few, so that the field is
/// like one of a game.
const DROPS_OF_DRAWN: u64 = 100_000;

impl From<RaceError> for CliError {
    fn from(error: RaceError) -> Self {
        Self::Refused(error.to_string())
    }
}

/// Measures, and prints the chains by time and the ratio of times.
pub fn run(args: &BeamArgs) -> Result<(), CliError> {
    let backend = Backend::choose(args.backend);
    if args.serve {
        return Ok(beam_bench::serve(io::stdin().lock(), io::stdout().lock())?);
    }
    let drops = args.nodes.get();
    let rounds = args.rounds.get();
    let fields = match args.seed {
        None => beam_bench::standing_set(),
        Some(seed) => beam_bench::drawn_set(seed, DROPS_OF_DRAWN),
    };
    let (mut done, all) = (0, fields.len() * rounds as usize);
    let can_move_cursor = message::can_move_cursor(&io::stderr());
    let progress = || {
        done += 1;
        if can_move_cursor {
            message::status(if done < all {
                format!("{done} of {all} fields")
            } else {
                String::new()
            });
        }
    };
    let (names, found) = match (&args.against, args.beam_threads) {
        (None, None) => {
            let mut runner = Local::new(NonZeroUsize::MIN)?;
            let found = beam_bench::race(&mut [&mut runner], &fields, drops, rounds, progress)?;
            (vec!["this program".to_owned()], found)
        }
        (None, Some(threads)) => {
            let (mut many, mut one) = (Local::new(threads)?, Local::new(NonZeroUsize::MIN)?);
            let runners: &mut [&mut dyn BeamRunner] = &mut [&mut many, &mut one];
            let found = beam_bench::race(runners, &fields, drops, rounds, progress)?;
            (vec![counted(threads.get(), "thread"), counted(1, "thread")], found)
        }
        (Some(other), _) => {
            let more: Vec<String> = args
                .backend
                .iter()
                .flat_map(|name| ["--backend".to_owned(), name.to_string()])
                .collect();
            let this = std::env::current_exe()?;
            let start = |program: &Path| Program::start(program, &more);
            let (mut first, mut second) = (start(&this)?, start(other)?);
            let runners: &mut [&mut dyn BeamRunner] = &mut [&mut first, &mut second];
            let found = beam_bench::race(runners, &fields, drops, rounds, progress)?;
            (vec!["this program".to_owned(), shown(other).to_string()], found)
        }
    };
    let report = report(backend, &fields, &names, &found, drops);
    if args.report.json { print_json(&report) } else { print(&text(&report)) }
}

/// The report of the results `found` of the programs `names`.
fn report(
    backend: Backend,
    fields: &[BeamField],
    names: &[String],
    found: &[Vec<[Found; LEVELS]>],
    drops: u64,
) -> BeamBenchReport {
    let programs = names.iter().zip(found).map(|(name, found)| ProgramReport {
        program: name.clone(),
        levels: levels(fields, found, drops),
    });
    let programs = programs.collect();
    let mut ratios = Vec::new();
    if let [first, second] = found {
        let found = beam_bench::ratios(fields, first, second);
        let ratio = |setting, interval: Option<RatioInterval>| RatioReport {
            setting,
            ratio: interval.map(|interval| interval.ratio),
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
        };
        ratios.push(ratio("all", found.all));
        let settings = BEAM_SETTINGS.iter().zip(found.settings);
        ratios.extend(settings.map(|(setting, interval)| ratio(setting.name, interval)));
    }
    BeamBenchReport { backend: backend.to_string(), fields: fields.len(), programs, ratios }
}

/// The figures of one program by setting and level.
fn levels(fields: &[BeamField], found: &[[Found; LEVELS]], drops: u64) -> Vec<LevelReport> {
    let mut reports = Vec::new();
    for setting in &BEAM_SETTINGS {
        let is_its = |&index: &usize| fields[index].setting == setting;
        let indices: Vec<usize> = (0..fields.len()).filter(is_its).collect();
        let MeanCurve { seconds, chains } = MeanCurve::of(fields, found, &indices);
        for (level, drops) in beam_bench::levels(drops).into_iter().enumerate() {
            let at = |turn: usize| {
                let chains =
                    indices.iter().map(|&index| f64::from(found[index][level].chains[turn]));
                chains.sum::<f64>() / indices.len().max(1) as f64
            };
            reports.push(LevelReport {
                setting: setting.name,
                drops: (drops / setting.divisor).max(1),
                seconds: seconds[level],
                chains: chains[level],
                by_turn: (0..setting.depth).map(at).collect(),
            });
        }
    }
    reports
}

/// The report as text.
fn text(report: &BeamBenchReport) -> String {
    let BeamBenchReport { backend, fields, programs, ratios } = report;
    let mut text = format!("backend            {backend}\nfields             {fields}\n");
    for ProgramReport { program, levels } in programs {
        let mut setting = "";
        for level in levels {
            if level.setting != setting {
                setting = level.setting;
                let _ =
                    write!(text, "\n{program}, {setting}: longest chain, mean, and up to turn\n");
                let _ = write!(text, "{:>10} {:>10} {:>6}  ", "drops", "ms", "mean");
                (1..=level.by_turn.len()).for_each(|turn| {
                    let _ = write!(text, " {turn:>4}");
                });
                text.push('\n');
            }
            let (drops, milliseconds) = (level.drops, level.seconds * 1e3);
            let _ = write!(text, "{drops:>10} {milliseconds:>10.3} {:>6.2}  ", level.chains);
            level.by_turn.iter().for_each(|chains| {
                let _ = write!(text, " {chains:>4.1}");
            });
            text.push('\n');
        }
    }
    if !ratios.is_empty() {
        let first = programs.first().map_or("", |report| &report.program);
        let _ = writeln!(text, "\nspeed of {first} at equal chains, times the other's (95 %)");
    }
    for RatioReport { setting, ratio, low, high } in ratios {
        let _ = match (ratio, low, high) {
            (Some(ratio), Some(low), Some(high)) => {
                writeln!(text, "{setting:18} {ratio:.3} ({low:.3} to {high:.3})")
            }
            _ => writeln!(text, "{setting:18} no length of chains in common"),
        };
    }
    text
}
