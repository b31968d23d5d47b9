//! `tensai dev perft`: counts all lines of actions of one player.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;

use crate::analysis::Situation;
use crate::board::Backend;
use crate::cli::commands::arguments::{JsonFlag, backend};
use crate::cli::commands::output::{print, print_json};
use crate::cli::error::CliError;
use crate::dev::{self, Perft};
use crate::game::{Cells, Pack, Packs, Player};
use crate::search::Rain;
use crate::util::input_file;
use crate::util::message;
use crate::util::sanitize::shown;
use crate::util::system::stop::Stop;

/// Arguments of `tensai dev perft`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai dev perft --depth 3")]
pub struct PerftArgs {
    /// Number of actions in a line. Four take seconds; five need gigabytes for the states; more
    /// than 10^12 lines are refused.
    #[arg(long, value_name = "D")]
    depth: usize,

    /// A situation in TOML, as for `analyse`: the packs, and in `[own]` the field and the gauge at the
    /// start. Its stock is not used, as --rain says which rows fall [default: the empty field and the
    /// packs of seed 0].
    #[arg(long, value_name = "FILE")]
    field: Option<PathBuf>,

    /// The plies at which a row of ojama falls, as a number whose lowest bit is the first ply, in
    /// decimal, with 0b or with 0x.
    #[arg(long, value_name = "MASK", default_value = "0", value_parser = mask)]
    rain: u64,

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

/// The player at the first ply, and the packs from there on: those of `--field`, or the empty field and
/// the packs of seed 0.
fn start(args: &PerftArgs) -> Result<(Player<Cells>, Vec<Pack>), CliError> {
    let own_packs = || Packs::from_seed(0).from_turn(0).to_vec();
    let Some(path) = &args.field else { return Ok((Player::new(), own_packs())) };
    let refused = |error: &dyn Display| CliError::Refused(format!("{}: {error}", shown(path)));
    let text = input_file::read_text(path, input_file::BY_HAND);
    let text = text.map_err(CliError::unreadable(shown(path)))?;
    let situation: Situation = text.parse().map_err(|error| refused(&error))?;
    let players = situation.given_players().map_err(|error| refused(&error))?;
    let Player { field, gauge, .. } = players[0];
    if field.is_over() {
        let reason = "own.field: expected at most 16 rows, found a block above the danger line";
        return Err(refused(&reason));
    }
    let (depth, given) = (args.depth, situation.packs.len());
    if given > 0 && depth > given {
        let reason = format!("packs: expected {depth} or more for --depth {depth}, found {given}");
        return Err(refused(&reason));
    }
    let packs = if given == 0 { own_packs() } else { situation.packs };
    Ok((Player { field, gauge, ..Player::new() }, packs))
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

/// Counts and prints the lines.
pub fn run(args: &PerftArgs) -> Result<(), CliError> {
    let (player, packs) = start(args)?;
    let total = dev::estimated_leaves(player.gauge, args.depth);
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
    let perft = dev::perft_watched(backend, &player.convert(), &packs, args.depth, rain, &mut look);
    drop(progress);
    let (perft, is_whole) = match perft {
        ControlFlow::Continue(perft) => (perft, true),
        ControlFlow::Break(perft) => (perft, false),
    };
    let Perft { leaves, deaths, states, hash, chains } = perft;
    if !is_whole {
        let done = format!("{leaves} of about {total:.0} lines were counted");
        return Err(CliError::stopped(done));
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
