//! `tensai dev bench beam`: the chains of beams as a function of time, and the race of two programs.

use std::fmt::Write as _;
use std::io;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;

use crate::board::Backend;
use crate::cli::commands::arguments::{backend, threads};
use crate::cli::commands::output::{print, print_beside};
use crate::cli::error::CliError;
use crate::dev::beam_bench::{
    self, BEAM_SETTINGS, BeamField, BeamRunner, Curves, Found, LEVELS, Local, MeanCurve, Program,
    RaceError, RatioInterval, Ratios,
};
use crate::record::{check_new, write_new};
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

    /// Simulated drops for the longest beam of each field.
    #[arg(long, value_name = "N", default_value = "1000000")]
    nodes: NonZeroU64,

    /// Run the beams of another version of this program too, in turns, and print how many times as
    /// fast this program finds chains of equal length; may be repeated.
    #[arg(long, value_name = "PROGRAM")]
    against: Vec<PathBuf>,

    /// Draw the chains of all programs by time as SVG, into a new file or, with -, on standard
    /// output; the report then goes to standard error.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

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
    if let Some(output) = &args.svg {
        check_new(output)?;
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
    let (names, found) = match (&args.against[..], args.beam_threads) {
        ([], None) => {
            let mut runner = Local::new(NonZeroUsize::MIN)?;
            let found = beam_bench::race(&mut [&mut runner], &fields, drops, rounds, progress)?;
            (vec!["this program".to_owned()], found)
        }
        ([], Some(threads)) => {
            let (mut many, mut one) = (Local::new(threads)?, Local::new(NonZeroUsize::MIN)?);
            let runners: &mut [&mut dyn BeamRunner] = &mut [&mut many, &mut one];
            let found = beam_bench::race(runners, &fields, drops, rounds, progress)?;
            (vec![counted(threads.get(), "thread"), counted(1, "thread")], found)
        }
        (others, _) => {
            let more: Vec<String> = args
                .backend
                .iter()
                .flat_map(|name| ["--backend".to_owned(), name.to_string()])
                .collect();
            let this = std::env::current_exe()?;
            let programs = std::iter::once(&this).chain(others);
            let started: Result<Vec<Program>, RaceError> =
                programs.map(|program| Program::start(program, &more)).collect();
            let mut started = started?;
            let mut runners: Vec<&mut dyn BeamRunner> =
                started.iter_mut().map(|program| program as &mut dyn BeamRunner).collect();
            let found = beam_bench::race(&mut runners, &fields, drops, rounds, progress)?;
            let others = others.iter().map(|program| shown(program).to_string());
            (std::iter::once("this program".to_owned()).chain(others).collect(), found)
        }
    };
    let report = text(backend, &fields, &names, &found, drops);
    let Some(output) = &args.svg else { return print(&report) };
    print_beside(output, &report)?;
    Ok(write_new([(output.clone(), picture(&fields, &names, &found))])?)
}

/// The results `found` of the programs `names`: the chains of each by setting and level, and for each
/// further program the ratio of its time to the first one's at chains of equal length.
fn text(
    backend: Backend,
    fields: &[BeamField],
    names: &[String],
    found: &[Vec<[Found; LEVELS]>],
    drops: u64,
) -> String {
    let count = fields.len();
    let mut text = format!("backend            {backend}\nfields             {count}\n");
    for (program, found) in names.iter().zip(found) {
        for (setting, indices) in BEAM_SETTINGS.iter().zip(beam_bench::by_setting(fields)) {
            let MeanCurve { seconds, chains } = MeanCurve::of(fields, found, &indices);
            let name = setting.name;
            // Writing to a string cannot fail, here and below.
            let _ = write!(text, "\n{program}, {name}: longest chain, mean, and up to turn\n");
            let _ = write!(text, "{:>10} {:>10} {:>6}  ", "drops", "ms", "mean");
            for turn in 1..=setting.depth {
                let _ = write!(text, " {turn:>4}");
            }
            for (level, drops) in beam_bench::levels(drops).into_iter().enumerate() {
                let drops = (drops / setting.divisor).max(1);
                let (milliseconds, mean) = (seconds[level] * 1e3, chains[level]);
                let _ = write!(text, "\n{drops:>10} {milliseconds:>10.3} {mean:>6.2}  ");
                for turn in 0..setting.depth {
                    let chains = indices.iter().map(|&at| f64::from(found[at][level].chains[turn]));
                    let mean = chains.sum::<f64>() / indices.len().max(1) as f64;
                    let _ = write!(text, " {mean:>4.1}");
                }
            }
            text.push('\n');
        }
    }
    let ([first, others @ ..], [program, names @ ..]) = (found, names) else { return text };
    for (other, name) in others.iter().zip(names) {
        let _ = writeln!(text, "\nspeed of {program} at equal chains, times that of {name} (95 %)");
        let Ratios { settings, all } = beam_bench::ratios(fields, first, other);
        let settings = BEAM_SETTINGS.iter().map(|setting| setting.name).zip(settings);
        for (setting, interval) in std::iter::once(("all", all)).chain(settings) {
            let _ = match interval {
                Some(RatioInterval { ratio, low, high }) => {
                    writeln!(text, "{setting:18} {ratio:.3} ({low:.3} to {high:.3})")
                }
                None => writeln!(text, "{setting:18} no length of chains in common"),
            };
        }
    }
    text
}

/// The picture of the results `found` of the programs `names`, without the folders of the programs.
fn picture(fields: &[BeamField], names: &[String], found: &[Vec<[Found; LEVELS]>]) -> String {
    let indices = beam_bench::by_setting(fields);
    let curves = |found: &Vec<[Found; LEVELS]>| -> Curves {
        indices.each_ref().map(|indices| MeanCurve::of(fields, found, indices))
    };
    let names = names.iter().map(|name| name.rsplit('/').next().unwrap_or(name));
    let programs: Vec<_> = names.zip(found.iter().map(curves)).collect();
    beam_bench::svg(&programs)
}
