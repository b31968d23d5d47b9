//! `tensai replay`: shows games that were played, and searches their turns again.

mod blunders;
mod from;
mod listing;
mod situation;
mod source;
mod turn;

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand};

pub use self::source::{GameList, GameSource};
use crate::analysis::{Moment, RecordedGame};
use crate::cli::commands::arguments::seat;
use crate::cli::commands::output::print;
use crate::cli::error::CliError;
use crate::game::Seat;
use crate::util::sanitize::shown;
use crate::util::system::stop::Stop;

/// The end of the help of `tensai replay`.
const EXAMPLE: &str = "Example:
  tensai replay games/A/0001.json
  tensai replay blunders games/A/0001.json --nodes 100000

Turns are numbered from 0 to 499, seats 0 and 1, games from 1.";

/// Arguments of `tensai replay`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_help = EXAMPLE, override_usage = "tensai replay [OPTIONS] <GAME>\n       tensai replay <COMMAND>")]
pub struct ReplayArgs {
    #[command(flatten)]
    listed: Option<GameArgs>,

    #[command(subcommand)]
    command: Option<ReplayCommand>,
}

/// The subcommands of `tensai replay`.
#[derive(Subcommand, Debug)]
enum ReplayCommand {
    /// Draw a turn, show what was played, and search the turn again.
    ///
    /// The search has the time or nodes that the player had then, or --time or --nodes. Values are
    /// in ojama.
    Turn(turn::TurnArgs),
    /// Print a turn as a situation for `analyse`.
    Situation(situation::SituationArgs),
    /// List the turns of a player in which it lost something, worst first.
    ///
    /// Each turn is searched again, with --nodes. The order is by the win probability that an action
    /// lost against the best one, then by ojama.
    Blunders(blunders::BlundersArgs),
    /// Play on from a turn, this program in the seat, another bot in the other.
    ///
    /// Both bots are also sent the turns before it, without a clock; their answers to those are
    /// ignored. This program searches with one thread unless --threads is given.
    From(from::FromArgs),
}

/// A game of a file.
#[derive(Args, Debug)]
struct GameArgs {
    /// A game's record, a file of the official client, or the standard input of a bot.
    ///
    /// A file of the official client, NAME.json, has the packs of its games in NAME.1.pack and so
    /// on beside it. The standard input of a bot holds one or more games, from which the answers
    /// are inferred.
    #[arg(value_name = "GAME")]
    file: PathBuf,

    /// The game of a file with several, from 1 [default: all, if they are only listed].
    #[arg(long, value_name = "N")]
    game: Option<NonZeroUsize>,

    /// A file with the packs of a game of an official replay; repeat it for each game.
    #[arg(long, value_name = "FILE")]
    packs: Vec<PathBuf>,
}

/// A turn of a game, and a player.
#[derive(Args, Debug)]
struct GameTurnArgs {
    #[command(flatten)]
    game: GameArgs,

    /// The turn, 0 to 499.
    #[arg(value_name = "TURN")]
    turn: usize,

    /// The player's seat: 0 is the first player, 1 the second; in the input of a bot, 0 is that bot.
    #[arg(long, value_name = "0|1", value_parser = seat, default_value = "0")]
    seat: Seat,
}

impl GameArgs {
    /// Reads the games of the file.
    fn source(&self) -> Result<GameSource, CliError> {
        GameSource::read(&self.file, &self.packs)
    }

    /// Reads the game that is chosen.
    fn game(&self) -> Result<RecordedGame, CliError> {
        self.source()?.game(self.game)
    }

    /// An error about the file.
    fn invalid(&self, reason: impl Display) -> CliError {
        CliError::Refused(format!("{}: {reason}", shown(&self.file)))
    }
}

impl GameTurnArgs {
    /// Reads the game that is chosen.
    fn game(&self) -> Result<RecordedGame, CliError> {
        self.game.game()
    }

    /// The turn in `game`.
    fn moment<'a>(&self, game: &'a RecordedGame) -> Result<&'a Moment, CliError> {
        game.at(self.turn).map_err(|reason| self.game.invalid(reason))
    }
}

/// Runs the command.
pub fn run(args: &ReplayArgs) -> Result<(), CliError> {
    if !matches!(args.command, Some(ReplayCommand::Blunders(_) | ReplayCommand::From(_))) {
        Stop::at_once()?;
    }
    match (&args.command, &args.listed) {
        (Some(ReplayCommand::Turn(args)), _) => turn::run(args),
        (Some(ReplayCommand::Situation(args)), _) => situation::run(args),
        (Some(ReplayCommand::Blunders(args)), _) => blunders::run(args),
        (Some(ReplayCommand::From(args)), _) => from::run(args),
        (None, Some(listed)) => print(&listing::text(&listed.source()?, listed)?),
        (None, None) => unreachable!("clap asks for the game"),
    }
}
