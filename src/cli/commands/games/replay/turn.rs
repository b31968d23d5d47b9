//! `tensai replay turn`: draws a turn, shows the played answers, and searches the turn again.

use std::fmt::Write as _;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use super::GameTurnArgs;
use crate::analysis::render::{self, Colors};
use crate::analysis::{Moment, RecordedGame, SearchLimits, SearchedAgain, outlook, search_again};
use crate::cli::commands::arguments::JsonFlag;
use crate::cli::commands::color::colors;
use crate::cli::commands::format::{answers, attack_lines, chain, effect, value};
use crate::cli::commands::games::search_args::SearchArgs;
use crate::cli::commands::output::{print, print_json};
use crate::cli::error::CliError;
use crate::engine::Report;
use crate::game::{Action, Chain, OJAMA_ROW, Pack, Seat};
use crate::record::plain;
use crate::search::Ojama;
use crate::search::beam::Attack;
use crate::util::duration;
use crate::util::numbers::counted;

/// Packs that are drawn: the pack of the turn and those after it.
const AHEAD: usize = 6;

/// Number of the best candidates that are listed. The played and the chosen action are always
/// listed.
const LISTED: usize = 8;

/// Arguments of `tensai replay turn`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai replay turn games/A/0001.json 20 --seat 1")]
pub struct TurnArgs {
    #[command(flatten)]
    of: GameTurnArgs,

    /// Time for this decision [default: the time that the player had left, or its nodes].
    #[arg(long, value_name = "TIME", value_parser = duration::parse_limit, conflicts_with = "nodes")]
    time: Option<Duration>,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    report: JsonFlag,
}

/// Draws a turn and searches it again.
pub fn run(args: &TurnArgs) -> Result<(), CliError> {
    let GameTurnArgs { turn, seat, .. } = args.of;
    let game = &args.of.game()?;
    let moment = args.of.moment(game)?;
    let colors = colors();
    let show = Show { game, moment, colors };
    if !args.report.json {
        print(&(show.drawing() + &show.played()))?;
    }
    let limits = match (args.time, args.search.nodes, game.nodes[seat.index()]) {
        (Some(time), ..) => SearchLimits::Time(time),
        (None, Some(nodes), _) => SearchLimits::Nodes(nodes.get()),
        (None, None, nodes) => SearchLimits::Recorded {
            // As the bot was told: a player may have a time of its own.
            game: game.at(0).ok().map(|first| first.left[seat.index()]),
            turn: Duration::from_millis(game.limits.turn_ms),
            nodes,
        },
    };
    let played = moment.answer(seat);
    let observation = moment.observation(seat);
    args.search.start()?;
    let control = Arc::default();
    let thought = search_again(&observation, &game.packs, played, limits, &control);
    let thought = thought.expect("nothing stops the search");
    if args.report.json {
        let candidates = thought.root_moves.iter().map(|root_move| SearchedAction {
            action: root_move.action.to_string(),
            chain: root_move.chain.0.into(),
            value: Ojama::from(root_move.value).0,
        });
        return print_json(&SearchedTurn {
            turn,
            seat: seat.index(),
            played: moment.answers[seat.index()].iter().map(Action::to_string).collect(),
            chosen: thought.decision.action.to_string(),
            candidates: candidates.collect(),
            report: &thought.decision.report,
        });
    }
    let outlook = outlook(&observation, &game.packs, limits, &control);
    print(&show.thought(seat, &thought, &outlook, args.search.nodes))
}

/// A turn that was searched again, as `--json` prints it.
#[derive(Serialize)]
struct SearchedTurn<'a> {
    /// The turn, 0 to 499.
    turn: usize,
    /// The seat, 0 or 1.
    seat: usize,
    /// The played answer, and others with its effect if it is inferred; empty if unknown.
    played: Vec<String>,
    /// The action that the search chooses.
    chosen: String,
    /// All actions by their value, best first.
    candidates: Vec<SearchedAction>,
    /// The data of the decision, as in the `info` line (docs/schemas/info.json).
    report: &'a Report,
}

/// An action and its value by alpha-beta.
#[derive(Serialize)]
struct SearchedAction {
    /// The action.
    action: String,
    /// Rounds of its chain.
    chain: u32,
    /// The value in ojama; an upper bound unless the action is the best, chosen or played one.
    value: f64,
}

/// A turn that is shown.
struct Show<'a> {
    game: &'a RecordedGame,
    moment: &'a Moment,
    colors: Colors,
}

impl Show<'_> {
    fn pack(&self) -> &Pack {
        &self.packs()[0]
    }

    fn packs(&self) -> &[Pack] {
        self.game.packs.from_turn(self.moment.state.turn)
    }

    /// Draws both fields and the falling packs.
    fn drawing(&self) -> String {
        let Self { game, moment, colors, .. } = self;
        let mut text = format!("turn {}\n", moment.state.turn);
        let left = [0, 1]
            .map(|seat: usize| Some(moment.left[seat]).filter(|_| game.nodes[seat].is_none()));
        text += &render::state(&moment.state, None, &game.names, left, *colors);
        text += &render::packs("falls", self.packs().iter().take(AHEAD), *colors);
        for (player, name) in moment.state.players.iter().zip(&game.names) {
            if player.stock >= OJAMA_ROW {
                let _ = writeln!(text, "a row of ojama falls on {name} first");
            }
        }
        text
    }

    /// Describes the actions of both players and their effects.
    fn played(&self) -> String {
        let mut text = String::from("\nplayed\n");
        for seat in Seat::BOTH {
            let (name, answers) =
                (&self.game.names[seat.index()], &self.moment.answers[seat.index()]);
            let player = &self.moment.state[seat];
            let Some((&action, others)) = answers.split_first() else {
                let _ = writeln!(text, "  {name}: {}", self.unplayed(seat));
                continue;
            };
            let mut line = format!("  {name}: {action}");
            if !others.is_empty() {
                let others: Vec<String> = others.iter().map(Action::to_string).collect();
                let _ = write!(line, " (or {}, with the same effect)", others.join(", "));
            }
            if let Ok(step) = player.step(self.pack(), action) {
                line += &effect(&step);
            }
            if let Some(time) = self.moment.think[seat.index()] {
                let _ = write!(line, ", after {:.1} s", time.as_secs_f64());
            }
            let _ = writeln!(text, "{line}");
        }
        text
    }

    /// Describes a seat that played no action: its fault, if known, and the time that it took.
    fn unplayed(&self, seat: Seat) -> String {
        let mut line = match &self.moment.faults[seat.index()] {
            Some(fault) => format!("{}: {}", fault.fault.name(), plain(&fault.reason)),
            None => "unknown".to_owned(),
        };
        if let Some(time) = self.moment.think[seat.index()] {
            let _ = write!(line, ", after {:.1} s", time.as_secs_f64());
        }
        line
    }

    /// Formats the result of the search.
    fn thought(
        &self,
        seat: Seat,
        thought: &SearchedAgain,
        outlook: &[Vec<Option<Attack>>; 2],
        nodes: Option<NonZeroU64>,
    ) -> String {
        let turn = self.moment.state.turn;
        let report = &thought.decision.report;
        let [own, opponent] = [seat, seat.other()];
        let name = |seat: Seat| &self.game.names[seat.index()];
        let spent = match nodes.is_some() || self.game.nodes[seat.index()].is_some() {
            true => counted(report.nodes, "drop"),
            false => format!("{} in {} ms", counted(report.nodes, "drop"), report.time_ms),
        };
        let mut text = format!("\nsearched again for {}: {spent}\n", name(own));
        let _ = writeln!(
            text,
            "  it would play {} ({}); alpha-beta, {} deep:",
            thought.decision.action,
            report.source,
            counted(thought.plies, "ply")
        );
        text += &self.candidates(seat, thought);

        let plan: Vec<Action> = report.plan.iter().filter_map(|text| text.parse().ok()).collect();
        if let (Some(length), Some(at)) = (report.plan_chain, report.plan_turn) {
            let length = Chain(length);
            let _ = writeln!(text, "  plan: {} at turn {at}: {}", chain(length), answers(&plan));
        } else {
            text += "  plan: none\n";
        }
        for (side, attacks) in [own, opponent].into_iter().zip(outlook) {
            let whose = name(side);
            let _ = writeln!(text, "  the best chains of {whose}, under the rows due now:");
            let lines = attack_lines(attacks, turn);
            text += if lines.is_empty() { "    none of three or more\n" } else { &lines };
        }
        if let (Some(length), Some(at)) = (report.opponent_chain, report.opponent_turn) {
            let (name, length) = (name(opponent), chain(Chain(length)));
            let _ = writeln!(text, "  expected of {name}: {length} at turn {at}");
        } else {
            let _ = writeln!(text, "  expected of {}: no attack", name(opponent));
        }
        text
    }

    /// Lists the best candidates, with the played and the chosen action.
    fn candidates(&self, seat: Seat, thought: &SearchedAgain) -> String {
        let chosen = thought.decision.action;
        let played = &self.moment.answers[seat.index()];
        let best = thought.root_moves.first().map(|root_move| root_move.value);
        let mut text = String::from("    action  chain      value\n");
        for (rank, root_move) in thought.root_moves.iter().enumerate() {
            let is_chosen = root_move.action == chosen;
            let is_played = played.contains(&root_move.action);
            if rank >= LISTED && !is_chosen && !is_played {
                continue;
            }
            let marks = match (is_chosen, is_played) {
                (true, true) => "  chosen, played",
                (true, false) => "  chosen",
                (false, true) => "  played",
                (false, false) => "",
            };
            let is_exact = is_chosen
                || played.first() == Some(&root_move.action)
                || Some(root_move.value) == best && rank == 0;
            let bound = if is_exact { ' ' } else { '<' };
            let _ = writeln!(
                text,
                "    {:<6}{:>7}  {bound}{:>8}{marks}",
                root_move.action.to_string(),
                root_move.chain.0,
                value(root_move.value)
            );
        }
        text + "    (in ojama; <: at most, because another action is better)\n"
    }
}
