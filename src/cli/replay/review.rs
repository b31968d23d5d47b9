//! Searches every turn of a seat again, to find where value was lost.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::Arc;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::args::ReplayArgs;
use crate::analysis::playouts::{ComparedTurn, PlayoutComparison, PlayoutScore, to_be_played_out};
use crate::analysis::{ActionValue, Moment, MoveReview, RecordedGame, review};
use crate::cli::arena_error::ArenaError;
use crate::cli::error::CliError;
use crate::cli::format::{bar, value};
use crate::cli::output::{print, print_json};
use crate::game::{Action, Chain, Seat};
use crate::search::{Ojama, Probability};
use crate::shared_out::shared_out;
use crate::stop::Stop;
use crate::wording::counted;

/// Simulated drops for a decision, unless `--nodes` is given: about ten times the drops that the
/// bot has for a decision in a game of 10 s, and enough for an alpha-beta search of four plies.
const NODES: u64 = 20_000_000;

/// Searches all turns of a seat and lists those in which value was lost.
pub fn run(args: &ReplayArgs, game: &RecordedGame) -> Result<(), CliError> {
    let seat = args.seat.or_else(|| game.loser()).unwrap_or(Seat::First);
    // The player did not decide the turns of an opening.
    let known =
        |moment: &&Moment| moment.state.turn >= game.opening && moment.answer(seat).is_some();
    let moments: Vec<&Moment> = game.moments.iter().filter(known).collect();
    if moments.is_empty() {
        return Err(args.wrong("no answer of the seat is known"));
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
    let chances = Chances::of(&reviews);
    let costly: BTreeSet<usize> = to_be_played_out(&reviews).map(|review| review.turn).collect();
    reviews.retain(|review| review.lost() >= MoveReview::LISTED);
    reviews.sort_by(|a, b| b.lost().total_cmp(&a.lost()).then(a.turn.cmp(&b.turn)));
    let is_costly = |review: &&MoveReview| args.playouts > 0 && costly.contains(&review.turn);
    let costly: Vec<&MoveReview> = reviews.iter().filter(is_costly).collect();
    let comparisons = play_out(args, game, seat, &costly, &stop);
    let unfinished = if searched < moments.len() {
        Some(format!("{searched} of {} turns were searched", moments.len()))
    } else {
        let what = format!("{} of {} turns were played out", comparisons.len(), costly.len());
        stop.is_asked().then_some(what)
    };
    let lost = LostTurns { reviews, chances, comparisons };
    match args.report.json {
        true => print_json(&Review {
            seat: seat.index(),
            name: game.names[seat.index()].clone(),
            turns: searched,
            nodes,
            moves: lost.reviews.iter().map(|review| LostMove::of(review, &lost)).collect(),
            fall: lost.chances.steepest_fall(),
        })?,
        false => print(&text(game, seat, searched, nodes, &lost))?,
    }
    unfinished.map_or(Ok(()), |what| Err(ArenaError::StoppedAfter(what).into()))
}

/// Plays the turns of `reviews` out with both actions, until `stop` is asked for. Leaves out turns
/// in which the opponent's action is unknown.
fn play_out(
    args: &ReplayArgs,
    game: &RecordedGame,
    seat: Seat,
    reviews: &[&MoveReview],
    stop: &Stop,
) -> BTreeMap<usize, PlayoutComparison> {
    let progress = ReviewProgress::new(reviews.len());
    let threads = NonZeroUsize::new(rayon::current_num_threads()).unwrap_or(NonZeroUsize::MIN);
    let is_stopped = || stop.is_asked();
    let compare = |review: &&MoveReview| {
        progress.turn(review.turn);
        let turn = compared_turn(game, seat, review)?;
        let points =
            shared_out(args.playouts, threads, &is_stopped, &|| {}, &|index| turn.points(index));
        let points: Vec<[f64; 2]> = points.into_iter().collect::<Option<_>>()?;
        let is_whole = points.len() == args.playouts;
        is_whole.then(|| (review.turn, PlayoutComparison::of(&points)))
    };
    reviews.iter().filter_map(compare).collect()
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

/// The reviewed turns of a seat in which value was lost.
struct LostTurns {
    /// The turns, worst first.
    reviews: Vec<MoveReview>,
    /// The win probabilities of all reviewed turns.
    chances: Chances,
    /// The playouts by turn.
    comparisons: BTreeMap<usize, PlayoutComparison>,
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
    /// The turns in which value was lost, worst first.
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

/// The player's win probability before each reviewed turn, where it is known.
struct Chances(BTreeMap<usize, Probability>);

impl Chances {
    fn of(reviews: &[MoveReview]) -> Self {
        Self(reviews.iter().filter_map(|review| Some((review.turn, review.chance?))).collect())
    }

    /// Returns the win probability before `turn` and before the next turn.
    fn around(&self, turn: usize) -> [Option<Probability>; 2] {
        [turn, turn + 1].map(|turn| self.0.get(&turn).copied())
    }

    /// Returns the greatest fall of the win probability from one turn to the next; the first of
    /// equal ones. `None` if it never fell, or if it is unknown.
    fn steepest_fall(&self) -> Option<ChanceFall> {
        let falls = self.0.keys().filter_map(|&turn| {
            let [Some(before), Some(after)] = self.around(turn) else { return None };
            (after < before).then_some(ChanceFall { turn, before, after })
        });
        let change = |fall: &ChanceFall| fall.after.0 - fall.before.0;
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
    /// The greater loss of alpha-beta and plan.
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
    fn of(review: &MoveReview, lost: &LostTurns) -> Self {
        let values = [&review.played_value, &review.best_value];
        Self {
            turn: review.turn,
            played: review.played.to_string(),
            best: review.best.to_string(),
            lost: review.lost().0,
            alpha_beta: values.map(|value| Ojama::from(value.alpha_beta).0),
            plan: values.map(|value| value.plan.0),
            chance: lost.chances.around(review.turn),
            playouts: lost.comparisons.get(&review.turn).copied(),
        }
    }
}

fn text(game: &RecordedGame, seat: Seat, turns: usize, nodes: u64, lost: &LostTurns) -> String {
    let LostTurns { reviews, chances, comparisons } = lost;
    let name = &game.names[seat.index()];
    let mut text = format!(
        "{name} (player {}), {} with {} each: value lost in {}\n",
        seat.index(),
        counted(turns, "turn"),
        counted(nodes, "drop"),
        reviews.len()
    );
    let fall = fall(chances);
    if reviews.is_empty() {
        return text + &fall;
    }
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(
        text,
        "\n{:>7} {:>5}  {:<9} {:<7} {:<5} {:>11} {:>11}  {:<16} {:<16} then the opponent",
        "lost", "turn", "win, %", "played", "best", "alpha-beta", "best", "plan", "best"
    );
    for review in reviews {
        let MoveReview { turn, played, best, played_value, best_value, .. } = review;
        let _ = writeln!(
            text,
            "{:>7.1} {turn:>5}  {:<9} {:<7} {:<5} {:>11} {:>11}  {:<16} {:<16} {}",
            review.lost().0,
            chances.around(*turn).map(percent).join(", "),
            played.to_string(),
            best.to_string(),
            value(played_value.alpha_beta),
            value(best_value.alpha_beta),
            plan(played_value),
            plan(best_value),
            answer(game, seat.other(), *turn)
        );
    }
    text += &fall;
    text += &playouts(reviews, comparisons);
    text + "
values in ojama; lost: the greater loss of alpha-beta and plan
alpha-beta: the value after a few turns against the opponent's best play; a value beyond 100
      (thousands for a field full of ojama) counts as decided, and the end of the game as 300
plan: the best attack after the action: its chain, its turn, and its ojama, reduced by the turns
      that it takes
win: the win probability before the turn and before the next one, in percent
"
}

/// The turn in which the win probability fell most; empty if it fell in none.
fn fall(chances: &Chances) -> String {
    let Some(ChanceFall { turn, before, after }) = chances.steepest_fall() else {
        return String::new();
    };
    let [before, after] = [before, after].map(|chance| percent(Some(chance)));
    format!(
        "\nThe win probability fell most in turn {turn}: from {before} % to {after} % a turn later.\n"
    )
}

/// The playouts, a line for each turn; empty if there are none.
fn playouts(reviews: &[MoveReview], comparisons: &BTreeMap<usize, PlayoutComparison>) -> String {
    let Some(PlayoutComparison { playouts, .. }) = comparisons.values().next() else {
        return String::new();
    };
    let mut text = format!("\nPlayed out {} with each action:\n", counted(*playouts, "time"));
    for MoveReview { turn, played, best, .. } in reviews {
        let Some(compared) = comparisons.get(turn) else { continue };
        let [of_played, of_best] = [&compared.played, &compared.best].map(interval);
        let verdict = match compared {
            PlayoutComparison { is_confirmed: true, .. } => "a blunder",
            PlayoutComparison { is_refuted: true, .. } => "no blunder",
            _ => "not certain",
        };
        let _ = writeln!(
            text,
            "turn {turn}: {played} wins {of_played}, {best} wins {of_best}: {verdict}"
        );
    }
    text
}

/// Formats the result of playouts in whole percent, with its 95 % interval.
fn interval(score: &PlayoutScore) -> String {
    let [chance, low, high] =
        [score.chance, score.low, score.high].map(|chance| percent(Some(chance)));
    format!("{chance} % ({low} to {high})")
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
        let what = match (moment.answer(seat)?, step.chain) {
            (Action::Skill, chain) => format!("skill, {}+{}", step.explosion.0, chain.0),
            (_, Chain(..3)) => return None,
            (action, chain) => format!("{action}, chain of {}", chain.0),
        };
        Some(format!("turn {}: {what}, {} ojama", moment.state.turn, step.sent()))
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

    fn review(turn: usize, chance: Option<f64>) -> MoveReview {
        let action = "0 0".parse().unwrap();
        let (alpha_beta, plan) = (OjamaTenths::default(), Ojama::default());
        let value = ActionValue { alpha_beta, chain: Chain(0), turn, plan };
        MoveReview {
            turn,
            played: action,
            best: action,
            played_value: value,
            best_value: value,
            line: Vec::new(),
            is_only: false,
            chance: chance.map(Probability),
        }
    }

    #[test]
    fn the_steepest_fall_is_between_two_reviewed_turns() {
        let chances = [(4, Some(0.9)), (6, Some(0.5)), (7, Some(0.4)), (8, None), (9, Some(0.1))];
        let reviews = chances.map(|(turn, chance)| review(turn, chance));
        let chances = Chances::of(&reviews);
        let later =
            reviews.iter().map(|review| chances.around(review.turn)[1].map(|later| later.0));
        assert_eq!(later.collect::<Vec<_>>(), [None, Some(0.4), None, Some(0.1), None]);
        let (before, after) = (Probability(0.5), Probability(0.4));
        assert_eq!(chances.steepest_fall(), Some(ChanceFall { turn: 6, before, after }));
        let fall = |reviews| Chances::of(reviews).steepest_fall().map(|fall| fall.turn);
        assert_eq!(fall(&reviews[1..3]), Some(6));
        assert_eq!(fall(&reviews[..1]), None);
    }
}
