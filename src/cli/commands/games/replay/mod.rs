//! `tensai replay`: shows games that were played, and searches their turns again.

mod args;
mod from;
mod list;
mod review;
mod search_turn;
mod source;

pub use self::args::ReplayArgs;
pub use self::source::{GameList, GameSource};
use crate::cli::commands::output::print;
use crate::cli::error::CliError;

/// Runs the command.
pub fn run(args: &ReplayArgs) -> Result<(), CliError> {
    let searches = args.turn.is_some() || args.from.is_some() || args.blunders;
    if let Some(option) = args.search.given().filter(|_| !searches) {
        let what = format!("{option} needs --turn, --from or --blunders");
        return Err(CliError::Arguments(what));
    }
    let source = GameSource::read(&args.file, &args.packs)?;
    match (args.turn, args.from) {
        (Some(turn), _) if args.situation => {
            search_turn::situation(args, &source.game(args.game)?, turn)
        }
        (Some(turn), _) => search_turn::run(args, &source.game(args.game)?, turn),
        (_, Some(turn)) => from::run(args, &source.game(args.game)?, turn),
        _ if args.blunders => review::run(args, &source.game(args.game)?),
        _ if args.report.json => list::json(&source, args.game),
        _ => print(&list::text(&source, args)?),
    }
}
