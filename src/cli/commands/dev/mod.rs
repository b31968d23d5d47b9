//! Commands for those who develop tensai.

mod bench;
mod blunders;
mod completions;
mod decisions;
mod learn;
mod page;
mod perft;
mod recorded_games;
mod work;

use clap::Subcommand;

use crate::cli::error::CliError;
use crate::util::system::stop::Stop;

/// The end of the help of `tensai dev`.
const EXAMPLE: &str = "Example:
  tensai dev bench --passes 100
  tensai dev completions bash \\
      > ~/.local/share/bash-completion/completions/tensai";

/// The subcommands of `tensai dev`.
#[derive(Subcommand, Debug)]
#[command(after_help = EXAMPLE)]
pub enum DevCommand {
    /// Measure the simulator's speed; the signature is the same for every backend.
    Bench(bench::BenchArgs),
    /// Compare the engine's decisions with those at many times the nodes.
    ///
    /// How many agree, and how many ojama the others lose. Each decision is searched without the
    /// turns before it.
    Decisions(decisions::DecisionsArgs),
    /// Plant blunders in recorded games, and count those that a review ranks first.
    ///
    /// There are four kinds of blunders. The engine plays each game on after the blunder, and a review
    /// of all turns of the player orders them by their loss, as `replay blunders` does.
    Blunders(blunders::BlundersArgs),
    /// Count all lines of actions of one player within a few turns.
    Perft(perft::PerftArgs),
    /// Learn the win probability and the weights of the beam, and measure both.
    #[command(subcommand)]
    Learn(learn::LearnCommand),
    /// Print the completions of a shell for this program.
    Completions(completions::CompletionsArgs),
    /// Write the manual pages of all commands.
    Man(completions::ManArgs),
    /// Write the page on which games are played and analysed without a server.
    Page(page::PageArgs),
}

/// Runs `command`. `command_line` makes the whole command line.
pub fn run(command: &DevCommand, command_line: fn() -> clap::Command) -> Result<(), CliError> {
    if matches!(command, DevCommand::Completions(_) | DevCommand::Man(_) | DevCommand::Page(_)) {
        Stop::at_once()?;
    }
    match command {
        DevCommand::Bench(args) => bench::run(args),
        DevCommand::Decisions(args) => decisions::run(args),
        DevCommand::Blunders(args) => blunders::run(args),
        DevCommand::Perft(args) => perft::run(args),
        DevCommand::Learn(command) => learn::run(command),
        DevCommand::Completions(args) => completions::completions(args, command_line()),
        DevCommand::Man(args) => completions::man(args, command_line()),
        DevCommand::Page(args) => page::run(args),
    }
}
