//! The arguments of `tensai replay`.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::analysis::playouts::{MOST_PLAYOUTS, PLAYOUTS};
use crate::cli::commands::arguments::{JsonFlag, seat};
use crate::cli::commands::games::search_args::{SearchArgs, some_time};
use crate::cli::error::CliError;
use crate::game::Seat;
use crate::util::sanitize::shown;

/// Arguments of `tensai replay`.
///
/// clap ignores `requires` where another given option conflicts with the required one; hence the
/// options name the modes in which they have no effect as conflicts too.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai replay games/A/0001.json --turn 20 --seat 1\n\n\
                  Turns are numbered from 0 to 499, seats 0 and 1, games from 1.")]
pub struct ReplayArgs {
    /// A game's record, a file of the official client, or the standard input of a bot.
    ///
    /// A file of the official client, NAME.json, has the packs of its games in NAME.1.pack and so
    /// on beside it. The standard input of a bot holds one or more games, from which the answers
    /// are inferred.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The game of a file with several, from 1 [default: all, if they are only listed].
    #[arg(long, value_name = "N")]
    pub game: Option<NonZeroUsize>,

    /// A file with the packs of a game of an official replay; repeat it for each game.
    #[arg(long, value_name = "FILE")]
    pub packs: Vec<PathBuf>,

    /// Draw this turn (0 to 499), show what was played, and search the turn again.
    ///
    /// The search has the time or nodes that the player had then, or --time or --nodes. Values are
    /// in ojama.
    #[arg(long, value_name = "T", group = "what")]
    pub turn: Option<usize>,

    /// Play on from this turn (0 to 499): this program in the seat, --against in the other.
    ///
    /// Both bots are also sent the turns before it, without a clock; their answers to those are
    /// ignored. This program searches with one thread unless --threads is given.
    #[arg(long, value_name = "T", group = "what")]
    pub from: Option<usize>,

    /// List the turns of the seat (default: the loser's) in which it lost something, worst first.
    ///
    /// Each turn is searched again, with --nodes. The order is by the win probability that an action
    /// lost against the best one, then by ojama.
    #[arg(long, group = "what")]
    pub blunders: bool,

    /// Playouts of each of the two actions, the played and the best one, in a turn of --blunders in
    /// which the win probability falls by 0.1 or more, or the action loses as much; 0 for none.
    #[arg(long, value_name = "0..1000", value_parser = playouts)]
    #[arg(default_value_t = PLAYOUTS.get(), requires = "blunders")]
    #[arg(conflicts_with_all = ["turn", "from"])]
    pub playouts: usize,

    /// The seat whose turns are searched or played: 0 or 1 [default: 0; with --blunders the
    /// loser's].
    ///
    /// 0 is the first player, 1 the second. In the input of a bot, 0 is that bot.
    #[arg(long, value_name = "0|1", value_parser = seat, requires = "what")]
    pub seat: Option<Seat>,

    /// Also draw each chain step by step, with a * before the cells that vanish next.
    #[arg(long, requires = "turn", conflicts_with_all = ["json", "from", "blunders"])]
    pub steps: bool,

    /// Print the turn as a situation for `analyse` and `perft`, instead of searching it.
    ///
    /// The seat's player comes first.
    #[arg(long, requires = "turn", conflicts_with_all = [
        "steps", "time", "nodes", "threads", "backend", "json", "from", "blunders",
    ])]
    pub situation: bool,

    /// Time for this decision [default: the time that the players had left, or their nodes].
    ///
    /// With --from it is the time of each player for the remaining turns.
    #[arg(
        long,
        value_name = "TIME",
        value_parser = some_time,
        conflicts_with_all = ["nodes", "blunders"],
        requires = "what"
    )]
    pub time: Option<Duration>,

    #[command(flatten)]
    pub search: SearchArgs,

    /// The command of the other bot, with --from.
    ///
    /// With --nodes the bot gets the nodes in TENSAI_NODES, and no clock runs for it. Without
    /// --time, it gets the nodes that its player had, if any.
    #[arg(long, value_name = "COMMAND", default_value = "tensai", requires = "from")]
    #[arg(conflicts_with_all = ["turn", "blunders"])]
    pub against: String,

    /// A new file for the record of the game that --from plays.
    #[arg(short, long, value_name = "FILE", requires = "from")]
    #[arg(conflicts_with_all = ["turn", "blunders"])]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub report: JsonFlag,
}

/// Parses a number of playouts.
fn playouts(text: &str) -> Result<usize, String> {
    let playouts = text.parse().ok().filter(|&playouts| playouts <= MOST_PLAYOUTS);
    playouts.ok_or_else(|| format!("expected a whole number from 0 to {MOST_PLAYOUTS}"))
}

impl ReplayArgs {
    /// Whether a signal may end the command at any moment.
    pub const fn ends_at_once(&self) -> bool {
        self.from.is_none() && !self.blunders
    }
    /// An error about the file.
    pub fn wrong(&self, what: impl Display) -> CliError {
        CliError::Refused(format!("{}: {what}", shown(&self.file)))
    }
}
