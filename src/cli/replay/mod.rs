//! `tensai replay`: games that were played, and thinking about them again.

mod from;
mod list;
mod review;
mod search_turn;
mod source;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use self::source::Source;
use super::record::seat;
use super::search_args::{Coloring, Thinking, some_time};
use super::{CliError, print};
use crate::foreign_text::shown;
use crate::game::Seat;

/// What is looked at, and how.
#[derive(Args, Debug)]
pub struct ReplayArgs {
    /// A game's record; a file of the official client's, NAME.json, with the packs of its games in
    /// NAME.1.pack and so on beside it; or what a bot received on standard input, with one game or
    /// several: then answers are inferred from what came of them.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The game of a file with several, from 1 [default: all, where each is only listed].
    #[arg(long, value_name = "N")]
    game: Option<NonZeroUsize>,

    /// A file with the packs of a game of an official replay; once for each game, in their order.
    #[arg(long, value_name = "FILE")]
    packs: Vec<PathBuf>,

    /// Draw this turn (0 to 499, as in the protocol), tell what was played, and think about it again: with what the player had
    /// then, or with --time or --nodes. Values are in ojama.
    #[arg(long, value_name = "T", group = "what")]
    turn: Option<usize>,

    /// Play on from this turn (0 to 499): this program in the seat, --against in the other. Both bots are sent
    /// the turns before too, off the clock; what they answer to those is ignored.
    #[arg(long, value_name = "T", group = "what")]
    from: Option<usize>,

    /// Think about every turn of the seat (default: the loser's) again, with --nodes, and list
    /// those in which value was lost, worst first.
    #[arg(long, group = "what")]
    blunders: bool,

    /// Whose turns are thought about or played: 0 is the first player, 1 the second. Of what a bot
    /// received, 0 is that bot [default: 0].
    #[arg(long, value_name = "0|1", value_parser = seat, requires = "what")]
    seat: Option<Seat>,

    /// Also draw each chain step by step; what vanishes next has a * before it.
    #[arg(long, requires = "turn")]
    steps: bool,

    /// Time for this decision; with --from, of each player for the turns to come [default: what
    /// the players had left].
    #[arg(long, value_name = "TIME", value_parser = some_time, conflicts_with_all = ["nodes", "blunders"], requires = "what")]
    time: Option<Duration>,

    #[command(flatten)]
    thinking: Thinking,

    /// The command of the other bot, with --from. Where --nodes is given, the bot is told it in
    /// TENSAI_NODES, and no clock runs.
    #[arg(long, value_name = "COMMAND", default_value = "tensai", requires = "from")]
    against: String,

    /// A new file for the record of the game that is played on, with --from.
    #[arg(short, long, value_name = "FILE", requires = "from")]
    output: Option<PathBuf>,

    #[command(flatten)]
    colouring: Coloring,
}

impl ReplayArgs {
    /// Whether a signal may end it at any moment.
    pub const fn ends_at_once(&self) -> bool {
        self.from.is_none() && !self.blunders
    }
}

/// Does it.
pub fn run(args: &ReplayArgs) -> Result<(), CliError> {
    let source = Source::read(&args.file, &args.packs)?;
    match (args.turn, args.from) {
        (Some(turn), _) => search_turn::run(args, &source.game(args.game)?, turn),
        (_, Some(turn)) => from::run(args, &source.game(args.game)?, turn),
        _ if args.blunders => review::run(args, &source.game(args.game)?),
        _ => print(&list::text(&source, args.game)?),
    }
}

/// What is wrong with the file, said of it.
fn wrong(args: &ReplayArgs, what: impl std::fmt::Display) -> CliError {
    CliError::Refused(format!("{}: {what}", shown(&args.file)))
}
