//! `tensai dev perft`: counts all lines of actions of one player.

use clap::{Args, value_parser};

use crate::board::{Backend, Field};
use crate::cli::commands::arguments::backend;
use crate::cli::commands::output::print;
use crate::cli::error::CliError;
use crate::dev::{self, Perft};
use crate::game::{Packs, Player};
use crate::search::Rain;
use crate::util::system::stop::Stop;

/// Arguments of `tensai dev perft`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai dev perft --depth 3")]
pub struct PerftArgs {
    /// Number of actions in a line, from the empty field on, with the packs of seed 0. Four take
    /// seconds; five need gigabytes for the states.
    #[arg(long, value_name = "0..5", value_parser = value_parser!(u8).range(..=5))]
    depth: u8,

    /// The backend that simulates drops [default: the fastest on this processor].
    #[arg(long, value_parser = backend())]
    backend: Option<Backend>,
}

/// Counts and prints the lines.
pub fn run(args: &PerftArgs) -> Result<(), CliError> {
    Stop::at_once()?;
    let backend = Backend::choose(args.backend);
    let (player, packs) = (Player::<Field>::new(), Packs::from_seed(0));
    let counted =
        dev::perft(backend, &player, packs.from_turn(0), usize::from(args.depth), Rain::NONE);
    let Perft { leaves, deaths, states, hash, chains } = counted;
    let mut text =
        format!("leaves  {leaves}\ndeaths  {deaths}\nstates  {states}\nhash    {hash:016x}\n");
    for (chain, count) in chains {
        text += &format!("chain {:2} {count}\n", chain.0);
    }
    print(&text)
}
