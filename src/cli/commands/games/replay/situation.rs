//! `tensai replay situation`: a turn as a situation.

use clap::Args;

use super::GameTurnArgs;
use crate::analysis::Situation;
use crate::cli::commands::output::print;
use crate::cli::error::CliError;

/// Arguments of `tensai replay situation`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai replay situation games/A/0001.json 20 > turn.toml")]
pub struct SituationArgs {
    #[command(flatten)]
    of: GameTurnArgs,
}

/// Prints a turn as a situation, in which the seat's player comes first.
pub fn run(args: &SituationArgs) -> Result<(), CliError> {
    let GameTurnArgs { turn, seat, .. } = args.of;
    let game = args.of.game()?;
    let moment = args.of.moment(&game)?;
    let nodes = game.nodes[seat.index()];
    let situation = Situation {
        time: Some(moment.left[seat.index()]).filter(|_| nodes.is_none()),
        nodes,
        ..Situation::of(&moment.state, seat, game.packs.from_turn(turn))
    };
    print(&situation.to_string())
}
