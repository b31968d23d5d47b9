//! `tensai replay blunders`: searches every turn of a seat again, to find where value was lost.

use std::fmt::Write as _;
use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::Arc;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::GameArgs;
use crate::analysis::playouts::{
    ComparedTurn, MOST_PLAYOUTS, PLAYOUTS, PlayoutComparison, PlayoutDifference, PlayoutScore,
};
use crate::analysis::{
    self, Accuracy, ActionValue, Moment, MoveReview, RecordedGame, ReviewMark, TurnCost, accuracy,
    costs, review, to_play_out, worst_first,
};
use crate::cli::commands::arguments::{JsonFlag, seat};
use crate::cli::commands::format::{bar, value};
use crate::cli::commands::games::search_args::SearchArgs;
use crate::cli::commands::output::{print, print_json};
use crate::cli::commands::table;
use crate::cli::error::CliError;
use crate::game::{Action, Chain, Seat};
use crate::search::{Ojama, Probability};
use crate::util::numbers::counted;
use crate::util::parallel::shared_out;
use crate::util::system::stop::Stop;

/// Simulated drops for a decision, unless `--nodes` is given: about ten times the drops that the
/// bot has for a decision in a game of 10 s, and enough for an alpha-beta search of four plies.
const NODES: u64 = 20_000_000;

/// Arguments of `tensai replay blunders`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai replay blunders games/A/0001.json --nodes 100000")]
pub struct BlundersArgs {
    #[command(flatten)]
    game: GameArgs,

    /// The seat whose turns are searched: 0 is the first player, 1 the second; in the input of a
    /// bot, 0 is that bot [default: the loser's].
    #[arg(long, value_name = "0|1", value_parser = seat)]
    seat: Option<Seat>,

    /// Playouts of each of the two actions, the played and the best one, in a turn in which the win
    /// probability falls by 0.1 or more, or the action loses as much; 0 for none.
    #[arg(long, value_name = "0..1000", value_parser = playouts)]
    #[arg(default_value_t = PLAYOUTS.get())]
    playouts: usize,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    report: JsonFlag,
}

/// Parses a number of playouts.
fn playouts(text: &str) -> Result<usize, String> {
    let playouts = text.parse().ok().filter(|&playouts| playouts <= MOST_PLAYOUTS);
    playouts.ok_or_else(|| format!("expected a whole number from 0 to {MOST_PLAYOUTS}"))
}

/// Searches all turns of a seat and lists those in which value was lost.
pub fn run(args: &BlundersArgs) -> Result<(), CliError> {
    let game = &args.game.game()?;
    let seat = args.seat.or_else(|| game.loser()).unwrap_or(Seat::First);
    // The player did not decide the turns of an opening.
    let known =
        |moment: &&Moment| moment.state.turn >= game.opening && moment.answer(seat).is_some();
    let moments: Vec<&Moment> = game.moments.iter().filter(known).collect();
    if moments.is_empty() {
        return Err(args.game.invalid("no answer of the seat is known"));
    }
    let stop = Stop::on_signals()?;
    let nodes = args.search.nodes.map_or(NODES, NonZeroU64::get);
    args.search.start()?;
    let progress = ReviewProgress::new(moments.len());
    let mut reviews = Vec::with_capacity(moments.len());
    let mut searched = 0;
    for moment in &moments {
        if stop.is_asked() {
            break;
        }
        searched += 1;
        progress.turn(moment.state.turn);
        if let Some(played) = moment.answer(seat) {
            let observation = moment.observation(seat);
            let found = review(&observation, &game.packs, played, nodes, &Arc::default());
            reviews.push(found.expect("nothing stops the search"));
        }
    }
    drop(progress);
    let last = moments[..searched].last().and_then(|last| last.played(&game.packs));
    let mut costs = costs(reviews, last.and_then(|last| analysis::result(&last.after, seat)));
    let mut costly = if args.playouts > 0 { to_play_out(&mut costs) } else { Vec::new() };
    play_out(args, game, seat, &mut costly, &stop);
    let unfinished = if searched < moments.len() {
        Some(format!("{searched} of {} turns were searched", moments.len()))
    } else {
        let done = costly.iter().filter(|cost| cost.playouts.is_some()).count();
        let reason = format!("{done} of {} turns were played out", costly.len());
        stop.is_asked().then_some(reason)
    };
    let fall = ChanceFall::steepest(&costs);
    let accuracy = accuracy(&costs);
    let worst = worst_first(&costs);
    match args.report.json {
        true => print_json(&Review {
            seat: seat.index(),
            name: game.names[seat.index()].clone(),
            turns: searched,
            nodes,
            accuracy,
            moves: worst.iter().map(|cost| LostMove::of(cost)).collect(),
            fall,
        })?,
        false => {
            let head = head(game, seat, [searched as u64, nodes], worst.len(), accuracy);
            print(&(head + &text(game, seat, &worst, fall, table::width())))?;
        }
    }
    unfinished.map_or(Ok(()), |reason| Err(CliError::stopped(reason)))
}

/// Plays the turns of `costly` out with both actions, until `stop` is asked for. Leaves out turns
/// in which the opponent's action is unknown.
fn play_out(
    args: &BlundersArgs,
    game: &RecordedGame,
    seat: Seat,
    costly: &mut [&mut TurnCost],
    stop: &Stop,
) {
    let progress = ReviewProgress::new(costly.len());
    let threads = NonZeroUsize::new(rayon::current_num_threads()).unwrap_or(NonZeroUsize::MIN);
    let is_stopped = || stop.is_asked();
    for cost in costly {
        progress.turn(cost.review.turn);
        let Some(turn) = compared_turn(game, seat, &cost.review) else { continue };
        let points =
            shared_out(args.playouts, threads, &is_stopped, &|| {}, &|index| turn.points(index));
        let points: Option<Vec<[f64; 2]>> = points.into_iter().collect();
        let points = points.filter(|points| points.len() == args.playouts);
        cost.playouts = points.map(|points| PlayoutComparison::of(&points));
    }
}

/// The turn of `review` with the action that the opponent played; `None` if that is unknown.
fn compared_turn<'a>(
    game: &'a RecordedGame,
    seat: Seat,
    review: &MoveReview,
) -> Option<ComparedTurn<'a>> {
    let moment = game.moments.iter().find(|moment| moment.state.turn == review.turn)?;
    let reply = moment.answer(seat.other())?;
    Some(ComparedTurn::of(review, &moment.state, &game.packs, seat, reply))
}

/// The turns of a seat in which value was lost, as `--json` prints them.
#[derive(Serialize)]
struct Review {
    /// The seat, 0 or 1.
    seat: usize,
    /// The name of its player.
    name: String,
    /// Number of turns that were searched.
    turns: usize,
    /// Simulated drops for each turn.
    nodes: u64,
    /// How well the player played, in percent of perfect play.
    accuracy: Option<Accuracy>,
    /// The turns in which something was lost, the costliest first.
    moves: Vec<LostMove>,
    /// The turn after which the win probability fell most.
    fall: Option<ChanceFall>,
}

/// A fall of the player's win probability from one turn to the next.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
struct ChanceFall {
    /// The turn before the fall, 0 to 499.
    turn: usize,
    /// The win probability before that turn.
    before: Probability,
    /// The win probability before the next turn.
    after: Probability,
}

impl ChanceFall {
    /// The greatest fall of the win probability from one turn to the next; the first of equal
    /// ones. `None` if it never fell, or if it is unknown.
    fn steepest(costs: &[TurnCost]) -> Option<Self> {
        let falls = costs.iter().filter_map(|cost| {
            let (before, after) = cost.review.chance.zip(cost.after)?;
            (after < before).then_some(Self { turn: cost.review.turn, before, after })
        });
        let change = |fall: &Self| fall.after.0 - fall.before.0;
        falls.min_by(|a, b| change(a).total_cmp(&change(b)))
    }
}

/// A turn in which value was lost; values are in ojama.
#[derive(Serialize)]
struct LostMove {
    /// The turn, 0 to 499.
    turn: usize,
    /// The action that was played.
    played: String,
    /// The best action.
    best: String,
    /// The best action if it is better than the played one; `null` if that one is as good, or wins
    /// its playouts more often.
    better: Option<String>,
    /// The win probability that was lost, 0 to 1: the order of the list.
    lost_chance: Probability,
    /// The mark by this loss.
    mark: ReviewMark,
    /// The loss in ojama: the greater one of alpha-beta and plan.
    lost: f64,
    /// The value of the played and of the best action by alpha-beta.
    alpha_beta: [f64; 2],
    /// The value of the plans after the played and the best action.
    plan: [f64; 2],
    /// The win probability before the turn and before the next one; `null` where it is unknown.
    chance: [Option<Probability>; 2],
    /// The playouts of both actions; `null` where there are none.
    playouts: Option<PlayoutComparison>,
}

impl LostMove {
    fn of(cost: &TurnCost) -> Self {
        let review = &cost.review;
        let values = [&review.played_value, &review.best_value];
        Self {
            turn: review.turn,
            played: review.played.to_string(),
            best: review.best.to_string(),
            better: cost.better().as_ref().map(Action::to_string),
            lost_chance: cost.lost(),
            mark: cost.mark(),
            lost: review.lost().0,
            alpha_beta: values.map(|value| Ojama::from(value.alpha_beta).0),
            plan: values.map(|value| value.plan.0),
            chance: [review.chance, cost.after],
            playouts: cost.playouts,
        }
    }
}

/// Formats the first line, on `[turns, nodes]`: turns that were searched and drops for each.
/// Something was lost in `lost` of them.
fn head(
    game: &RecordedGame,
    seat: Seat,
    [turns, nodes]: [u64; 2],
    lost: usize,
    accuracy: Option<Accuracy>,
) -> String {
    format!(
        "{} (player {}), {} with {} each: something was lost in {lost}, accuracy {}\n",
        game.names[seat.index()],
        seat.index(),
        counted(turns, "turn"),
        counted(nodes, "drop"),
        accuracy.map_or_else(|| "?".to_owned(), |Accuracy(percent)| format!("{percent:.0} %")),
    )
}

/// Formats the turns in which something was lost. The columns of a table that is wider than `width`
/// columns of text continue in a table below.
fn text(
    game: &RecordedGame,
    seat: Seat,
    worst: &[&TurnCost],
    fall: Option<ChanceFall>,
    width: Option<usize>,
) -> String {
    let mut text = answer_to_where(worst, fall);
    if worst.is_empty() {
        return text;
    }
    let (late, open): (Vec<&TurnCost>, Vec<&TurnCost>) =
        worst.iter().partition(|cost| cost.was_lost_already());
    let table = |costs: &[&TurnCost]| {
        let rows: Vec<Vec<String>> = costs.iter().map(|cost| row(game, seat, cost)).collect();
        table::continued(&COLUMNS, &rows, FIXED, width)
    };
    if !open.is_empty() {
        text += &format!("\n{}", table(&open));
    }
    if !late.is_empty() {
        text += &format!("\nthe game was lost before these turns:\n{}", table(&late));
    }
    text += &playout_lines(worst);
    text + "
lost: the win probability that the action lost against the best one, in percent:
      by the ojama and the win probability before the turn, as far as that fell,
      corrected by playouts that are certain
??    a blunder, from 15 %; ?, a mistake, from 10 %; ?!, an inaccuracy, from 5 %
best: the best action; = if the played one is as good, or wins its playouts more
      often
accuracy: of all turns, by the win probability that each lost
ojama: the greater loss of alpha-beta and plan; all values are in ojama
alpha-beta: the value after a few turns against the opponent's best play; a
      value beyond 100 (thousands for a field full of ojama) counts as decided,
      and the end of the game as 300
plan: the best attack after the action: its chain, its turn, and its ojama,
      reduced by the turns that it takes
win: the win probability before the turn and before the next one, in percent
"
}

/// The columns of a turn: the actions, their values by alpha-beta, their plans.
const COLUMNS: [&str; 12] = [
    "lost, %",
    "",
    "turn",
    "ojama",
    "win, %",
    "played",
    "best",
    "alpha-beta",
    "best",
    "plan",
    "best",
    "then the opponent",
];

/// The first columns, which tell a turn, its loss and its mark.
const FIXED: usize = 3;

fn row(game: &RecordedGame, seat: Seat, cost: &TurnCost) -> Vec<String> {
    let MoveReview { turn, played, played_value, best_value, .. } = &cost.review;
    vec![
        format!("{:.1}", 100.0 * cost.lost().0),
        cost.mark().sign().to_owned(),
        turn.to_string(),
        format!("{:.1}", cost.review.lost().0),
        [cost.review.chance, cost.after].map(percent).join(", "),
        played.to_string(),
        cost.better().map_or_else(|| "=".to_owned(), |better| better.to_string()),
        value(played_value.alpha_beta),
        value(best_value.alpha_beta),
        plan(played_value),
        plan(best_value),
        answer(game, seat.other(), *turn),
    ]
}

/// Where the game was lost: the costliest turn, and what to make of the steepest fall of the win
/// probability if that is another turn.
fn answer_to_where(worst: &[&TurnCost], fall: Option<ChanceFall>) -> String {
    let first = worst.first().filter(|cost| cost.lost_chance());
    let mut text = match first {
        Some(cost) => {
            let (turn, lost) = (cost.review.turn, percent(Some(cost.lost())));
            format!("\nTurn {turn} cost most: {lost} % of win probability.\n")
        }
        None => "\nNo turn cost win probability.\n".to_owned(),
    };
    let costliest = first.map(|cost| cost.review.turn);
    if let Some(ChanceFall { turn, before, after }) = fall
        && Some(turn) != costliest
    {
        let [before, after] = [before, after].map(|chance| percent(Some(chance)));
        let cost = worst.iter().find(|cost| cost.review.turn == turn);
        let lost = percent(Some(cost.map_or(Probability(0.0), |cost| cost.lost())));
        let _ = writeln!(
            text,
            "The win probability fell most in turn {turn}, from {before} % to {after} %, but the best \
             action there would have saved {lost} %."
        );
    }
    text
}

/// The playouts, a line for each turn in the order of the list; empty if there are none.
fn playout_lines(worst: &[&TurnCost]) -> String {
    let compared = worst.iter().filter_map(|cost| Some((&cost.review, cost.playouts?)));
    let compared: Vec<(&MoveReview, PlayoutComparison)> = compared.collect();
    let Some((_, PlayoutComparison { playouts, .. })) = compared.first() else {
        return String::new();
    };
    let mut text = format!("\nPlayed out {} with each action:\n", counted(*playouts, "time"));
    for (MoveReview { turn, played, best, .. }, compared) in compared {
        let [of_played, of_best] = [&compared.played, &compared.best].map(score);
        let verdict = match compared {
            PlayoutComparison { is_confirmed: true, .. } => "a loss",
            PlayoutComparison { is_refuted: true, .. } => "no loss",
            PlayoutComparison { difference, .. } if difference.low == difference.high => {
                "no evidence"
            }
            _ => "not certain",
        };
        let _ = writeln!(
            text,
            "turn {turn}: {played} wins {of_played}, {best} {of_best}, difference {}: {verdict}",
            difference(&compared.difference)
        );
    }
    text
}

/// Formats the result of playouts in whole percent.
fn score(score: &PlayoutScore) -> String {
    format!("{} %", percent(Some(score.chance)))
}

/// Formats the paired difference of playouts in whole percent, with its 95 % interval.
fn difference(difference: &PlayoutDifference) -> String {
    let signed = |part: f64| match (100.0 * part).round() {
        // Without this, the sign of a small negative number would be left: -0.
        0.0 => "0".to_owned(),
        percent => format!("{percent:+.0}"),
    };
    let [mean, low, high] = [difference.mean, difference.low, difference.high].map(signed);
    format!("{mean} % ({low} to {high})")
}

/// Formats a probability in whole percent; `?` if it is unknown.
fn percent(chance: Option<Probability>) -> String {
    chance.map_or_else(|| "?".to_owned(), |chance| format!("{:.0}", 100.0 * chance.0))
}

fn plan(value: &ActionValue) -> String {
    match value.chain {
        Chain(0) => "none".to_owned(),
        chain => format!("{} at {} ({:.1})", chain.0, value.turn, value.plan.0),
    }
}

/// Describes the action of a seat in a turn and, if the action was no attack, the next attack of
/// the seat.
fn answer(game: &RecordedGame, seat: Seat, turn: usize) -> String {
    let later = game.moments.iter().filter(|moment| moment.state.turn >= turn);
    let attack = later.filter_map(|moment| {
        let played = moment.played(&game.packs)?;
        let step = &played.steps[seat.index()];
        let reason = match (moment.answer(seat)?, step.chain) {
            (Action::Skill, chain) => format!("skill, {}+{}", step.explosion.0, chain.0),
            (_, Chain(..3)) => return None,
            (action, chain) => format!("{action}, chain of {}", chain.0),
        };
        Some(format!("turn {}: {reason}, {} ojama", moment.state.turn, step.sent()))
    });
    attack.into_iter().next().unwrap_or_else(|| "no attack".to_owned())
}

/// Prints the progress on standard error if that is a terminal.
struct ReviewProgress(ProgressBar);

impl ReviewProgress {
    fn new(turns: usize) -> Self {
        let bar = bar(turns);
        if let Ok(style) = ProgressStyle::with_template("{msg}  {pos}/{len}  {elapsed}, {eta} left")
        {
            bar.set_style(style);
        }
        Self(bar)
    }

    fn turn(&self, turn: usize) {
        self.0.set_message(format!("turn {turn}"));
        self.0.inc(1);
    }
}

impl Drop for ReviewProgress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::OjamaTenths;

    /// A turn with this win probability, in which `lost` ojama were lost.
    fn review(turn: usize, chance: Option<f64>, lost: f64) -> MoveReview {
        let [played, best] = ["0 0", "1 0"].map(|text| text.parse().unwrap());
        let value = |plan| {
            let alpha_beta = OjamaTenths::default();
            ActionValue { alpha_beta, chain: Chain(0), turn, plan: Ojama(plan) }
        };
        MoveReview {
            turn,
            played,
            best,
            played_value: value(0.0),
            best_value: value(lost),
            line: Vec::new(),
            is_only: false,
            chance: chance.map(Probability),
        }
    }

    #[test]
    fn the_steepest_fall_is_between_two_reviewed_turns() {
        let chances = [(4, Some(0.9)), (6, Some(0.5)), (7, Some(0.4)), (8, None), (9, Some(0.1))];
        let reviews = chances.map(|(turn, chance)| review(turn, chance, 0.0));
        let fall = |reviews: &[MoveReview]| ChanceFall::steepest(&costs(reviews.to_vec(), None));
        let (before, after) = (Probability(0.5), Probability(0.4));
        assert_eq!(fall(&reviews), Some(ChanceFall { turn: 6, before, after }));
        assert_eq!(fall(&reviews[1..3]).map(|fall| fall.turn), Some(6));
        assert_eq!(fall(&reviews[..1]), None);
    }

    #[test]
    fn the_answer_is_the_first_row_and_explains_another_fall() {
        let reviews =
            [(4, 0.5, 20.0), (5, 0.45, 0.0), (6, 0.1, 0.0), (7, 0.001, 90.0), (8, 0.001, 0.0)]
                .map(|(turn, chance, lost)| review(turn, Some(chance), lost));
        let costs = costs(reviews.to_vec(), None);
        let said = answer_to_where(&worst_first(&costs), ChanceFall::steepest(&costs));
        assert_eq!(
            said,
            "\nTurn 4 cost most: 5 % of win probability.\nThe win probability fell most in turn 5, \
             from 45 % to 10 %, but the best action there would have saved 0 %.\n"
        );
        let even = super::costs(vec![review(4, Some(0.5), 2.0)], None);
        assert_eq!(answer_to_where(&worst_first(&even), None), "\nNo turn cost win probability.\n");
        let late = super::costs(reviews[3..].to_vec(), None);
        assert_eq!(worst_first(&late).len(), 1);
        assert_eq!(answer_to_where(&worst_first(&late), None), "\nNo turn cost win probability.\n");
    }

    #[test]
    fn the_printed_difference_is_the_one_of_the_verdict() {
        let points: Vec<[f64; 2]> = [[0.0, 1.0]; 9].into_iter().chain([[1.0, 1.0]; 27]).collect();
        let mut costs = costs(vec![review(4, Some(0.5), 20.0)], None);
        costs[0].playouts = Some(PlayoutComparison::of(&points));
        let said = playout_lines(&worst_first(&costs));
        let line = "turn 4: 0 0 wins 75 %, 1 0 100 %, difference +25 % (+11 to +39): a loss\n";
        assert_eq!(said, format!("\nPlayed out 36 times with each action:\n{line}"));
    }
}
