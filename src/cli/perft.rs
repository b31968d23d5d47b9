//! `tensai perft`: all that one player can do, counted.

use std::path::PathBuf;

use clap::Args;

use super::{BACKENDS, CliError, backend, gauge, packs_file, print};
use crate::backend::{Backend, WithField};
use crate::foreign_text::shown;
use crate::game::{Cells, Field, Gauge, Packs, Player, TURNS};
use crate::input_file;
use crate::search::Rain;
use crate::tools::{self, Perft};

/// What is counted.
#[derive(Args, Debug)]
pub struct PerftArgs {
    /// Actions of a line. Four take seconds; five need gigabytes for the states.
    #[arg(long, value_name = "D")]
    depth: usize,

    /// A file with the field to begin with, drawn: a line a row from the top, `.` for empty, `#`
    /// for ojama [default: empty].
    #[arg(long, value_name = "FILE")]
    field: Option<PathBuf>,

    /// The plies at which a row of ojama falls, as a number whose lowest bit is the first ply; 0b
    /// and 0x are understood.
    #[arg(long, value_name = "MASK", default_value = "0", value_parser = mask)]
    rain: u64,

    /// The gauge to begin with.
    #[arg(long, value_name = "0..100", default_value = "0", value_parser = gauge)]
    gauge: Gauge,

    /// A file of packs [default: those of seed 0].
    #[arg(long, value_name = "FILE")]
    packs: Option<PathBuf>,

    /// The pack to begin with.
    #[arg(long, value_name = "0..499", default_value_t = 0)]
    turn: usize,

    /// How fields are simulated [default: the fastest that this processor can].
    #[arg(long, value_name = BACKENDS, value_parser = backend)]
    backend: Option<Backend>,
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

struct Count<'a> {
    player: Player<Cells>,
    packs: &'a Packs,
    args: &'a PerftArgs,
}

impl WithField for Count<'_> {
    type Output = Perft;

    fn run<F: Field>(self) -> Perft {
        let packs = self.packs.from_turn(self.args.turn);
        let rain = Rain::from_bits(self.args.rain);
        tools::perft::<F>(&self.player.convert(), packs, self.args.depth, rain)
    }
}

/// Counts and prints.
pub fn run(args: &PerftArgs) -> Result<(), CliError> {
    let packs = match &args.packs {
        Some(path) => packs_file(path)?,
        None => Packs::from_seed(0),
    };
    if args.turn.checked_add(args.depth).is_none_or(|end| end > TURNS) {
        let (depth, turn) = (args.depth, args.turn);
        return Err(CliError::Refused(format!("no {depth} packs are left from turn {turn} on")));
    }
    let field = match &args.field {
        Some(path) => {
            let name = shown(path);
            let unreadable =
                |source| CliError::Unreadable { path: shown(path).to_string(), source };
            let drawing = input_file::read_text(path, input_file::BY_HAND).map_err(unreadable)?;
            let field: Result<Cells, _> = drawing.parse();
            field.map_err(|error| CliError::Refused(format!("{name}: {error}")))?
        }
        None => Cells::EMPTY,
    };
    if field.is_over() {
        return Err(CliError::Refused("the field is above row 16 already".to_owned()));
    }
    let player = Player { field, gauge: args.gauge, ..Player::new() };
    let backend = args.backend.unwrap_or_else(Backend::detect);
    let perft = backend.with_field(Count { player, packs: &packs, args });
    let Perft { leaves, deaths, states, hash, chains } = perft;
    let mut text =
        format!("leaves  {leaves}\ndeaths  {deaths}\nstates  {states}\nhash    {hash:016x}\n");
    for (chain, count) in chains {
        text += &format!("chain {:2} {count}\n", chain.0);
    }
    print(&text)
}
