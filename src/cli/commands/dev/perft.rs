//! `tensai dev perft`: counts all lines of actions of one player.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;

use crate::analysis::Situation;
use crate::board::Backend;
use crate::cli::commands::arguments::{JsonFlag, backend, gauge};
use crate::cli::commands::bots::arena_error::ArenaError;
use crate::cli::commands::files::packs_file;
use crate::cli::commands::output::{print, print_json};
use crate::cli::error::CliError;
use crate::dev::{self, Perft};
use crate::game::{Cells, Gauge, Pack, Packs, Player, TURNS};
use crate::search::Rain;
use crate::util::input_file;
use crate::util::message;
use crate::util::system::stop::Stop;

/// Arguments of `tensai dev perft`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai dev perft --depth 3")]
pub struct PerftArgs {
    /// Number of actions in a line. Four take seconds; five need gigabytes for the states; more
    /// than 10^12 lines are refused.
    #[arg(long, value_name = "D")]
    depth: usize,

    /// A situation in TOML, as for `analyse`, with the field and gauge at the start in `[own]`. Its
    /// packs are used unless --packs is given; its stock is not, as --rain says which rows fall
    /// [default: the empty field].
    #[arg(long, value_name = "FILE")]
    field: Option<PathBuf>,

    /// The plies at which a row of ojama falls, as a number whose lowest bit is the first ply, in
    /// decimal, with 0b or with 0x.
    #[arg(long, value_name = "MASK", default_value = "0", value_parser = mask)]
    rain: u64,

    /// The gauge at the start [default: that in the file of the field, else 0].
    #[arg(long, value_name = "0..100", value_parser = gauge)]
    gauge: Option<Gauge>,

    /// A file of packs [default: those in the file of the field, else those of seed 0].
    #[arg(long, value_name = "FILE")]
    packs: Option<PathBuf>,

    /// Index of the first pack in --packs, or in the packs of seed 0.
    #[arg(long, value_name = "0..499", default_value_t = 0)]
    turn: usize,

    /// The backend that simulates drops [default: the fastest on this processor].
    #[arg(long, value_parser = backend())]
    backend: Option<Backend>,

    #[command(flatten)]
    output: JsonFlag,
}

/// The counts, as `--json` prints them.
#[derive(Serialize)]
struct PerftReport {
    /// Number of lines.
    leaves: u64,
    /// Number of lines that end above row 16.
    deaths: u64,
    /// Number of different states at the ends of the lines.
    states: u64,
    /// The hash, as in the text.
    hash: String,
    /// Number of actions by the rounds of their chains.
    chains: BTreeMap<u32, u64>,
}

/// Parses a number, in decimal, binary or hexadecimal.
fn mask(text: &str) -> Result<u64, String> {
    let (digits, radix) = match text.split_at_checked(2) {
        Some(("0b", digits)) => (digits, 2),
        Some(("0x", digits)) => (digits, 16),
        _ => (text, 10),
    };
    u64::from_str_radix(digits, radix)
        .map_err(|_| "expected a number such as 6 or 0b110".to_owned())
}

/// Maximum number of lines: about a day of counting at ten million lines a second.
const MOST: f64 = 1e12;

/// The position at the first ply.
struct PerftStart {
    /// The name of the position's file, for messages.
    name: String,
    player: Player<Cells>,
    /// The packs in the position's file; empty if the file has none.
    packs: Vec<Pack>,
}

/// Returns the packs from the first ply on: those of `--packs`, of the start, or of seed 0.
fn packs(args: &PerftArgs, start: &PerftStart) -> Result<Vec<Pack>, CliError> {
    let (depth, turn) = (args.depth, args.turn);
    if args.packs.is_none() && !start.packs.is_empty() {
        let (given, name) = (start.packs.len(), &start.name);
        if turn > 0 {
            let reason = format!("{name}: its first pack is the next one, so --turn needs --packs");
            return Err(CliError::Refused(reason));
        }
        if depth > given {
            let reason = format!(
                "{name}: packs: expected {depth} or more for --depth {depth}, found {given}; give \
                 others with --packs"
            );
            return Err(CliError::Refused(reason));
        }
        return Ok(start.packs.clone());
    }
    let packs = match &args.packs {
        Some(path) => packs_file(path)?,
        None => Packs::from_seed(0),
    };
    if turn.checked_add(depth).is_none_or(|end| end > TURNS) {
        let reason = format!(
            "--turn {turn} with --depth {depth}: expected a sum of at most {TURNS}, the packs of a \
             game"
        );
        return Err(CliError::Refused(reason));
    }
    Ok(packs.from_turn(turn).to_vec())
}

/// Reads the field at the start, and the packs of its file if there are any.
fn start(args: &PerftArgs) -> Result<PerftStart, CliError> {
    if let Some(path) = &args.field {
        let name = crate::util::sanitize::shown(path).to_string();
        let unreadable = |source| CliError::Unreadable { path: name.clone(), source };
        let text = input_file::read_text(path, input_file::BY_HAND).map_err(unreadable)?;
        let refused = |error| CliError::Refused(format!("{name}: {error}"));
        let situation: Situation = text.parse().map_err(refused)?;
        let Player { field, gauge, .. } = situation.given_players().map_err(refused)?[0];
        let player = Player { field, gauge, ..Player::new() };
        return Ok(PerftStart { name, player, packs: situation.packs });
    }
    Ok(PerftStart { name: String::new(), player: Player::new(), packs: Vec::new() })
}

/// Prints the progress of the count on standard error if that is a terminal, and checks for a
/// request to stop.
struct CountProgress {
    total: f64,
    is_shown: bool,
    shown: Option<Instant>,
    stop: Stop,
}

impl CountProgress {
    fn new(total: f64) -> Result<Self, CliError> {
        Ok(Self {
            total,
            is_shown: message::can_move_cursor(&io::stderr()),
            shown: None,
            stop: Stop::on_signals()?,
        })
    }

    fn look(&mut self, leaves: u64) -> ControlFlow<()> {
        const PAUSE: Duration = Duration::from_millis(500);
        if self.is_shown && self.shown.is_none_or(|shown| shown.elapsed() >= PAUSE) {
            let percent = 100.0 * leaves as f64 / self.total;
            message::status(format_args!(
                "{leaves} of about {:.0} lines, {percent:.1} %",
                self.total
            ));
            self.shown = Some(Instant::now());
        }
        if self.stop.is_asked() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

impl Drop for CountProgress {
    fn drop(&mut self) {
        if self.shown.is_some() {
            message::status("");
        }
    }
}

/// The error of a count that was stopped.
fn stopped(leaves: u64, total: f64) -> CliError {
    let counted_so_far = format!("{leaves} of about {total:.0} lines were counted");
    ArenaError::StoppedAfter(counted_so_far).into()
}

/// Counts and prints the lines.
pub fn run(args: &PerftArgs) -> Result<(), CliError> {
    let start = start(args)?;
    let packs = packs(args, &start)?;
    let gauge = args.gauge.unwrap_or(start.player.gauge);
    let player = Player { gauge, ..start.player };
    if player.field.is_over() {
        let reason = "own.field: expected at most 16 rows, found a block above the danger line";
        return Err(CliError::Refused(format!("{}: {reason}", start.name)));
    }
    let total = dev::estimated_leaves(gauge, args.depth);
    if total > MOST {
        let reason = format!(
            "--depth {}: about {total:.0e} lines would be counted, expected at most {MOST:.0e}",
            args.depth
        );
        return Err(CliError::Refused(reason));
    }
    let backend = Backend::choose(args.backend);
    let rain = Rain::from_bits(args.rain);
    let mut progress = CountProgress::new(total)?;
    let mut look = |leaves| progress.look(leaves);
    let start = player.convert();
    let perft = dev::perft_watched(backend, &start, &packs, args.depth, rain, &mut look);
    drop(progress);
    let (perft, is_whole) = match perft {
        ControlFlow::Continue(perft) => (perft, true),
        ControlFlow::Break(perft) => (perft, false),
    };
    let Perft { leaves, deaths, states, hash, chains } = perft;
    if !is_whole {
        return Err(stopped(leaves, total));
    }
    if args.output.json {
        let chains = chains.into_iter().map(|(chain, count)| (chain.0.into(), count)).collect();
        let hash = format!("{hash:016x}");
        return print_json(&PerftReport { leaves, deaths, states, hash, chains });
    }
    let mut text =
        format!("leaves  {leaves}\ndeaths  {deaths}\nstates  {states}\nhash    {hash:016x}\n");
    for (chain, count) in chains {
        text += &format!("chain {:2} {count}\n", chain.0);
    }
    print(&text)
}
