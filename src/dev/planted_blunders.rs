//! Planted blunders: how often a review names the turn in which a strong game was spoiled.
//!
//! One action of a recorded game is replaced by a blunder of a known kind. The engine plays both
//! sides from there. A review then searches all turns of the player again, and orders them by their
//! loss. The rank of the planted turn shows whether the review finds the cause of a lost game.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;

use serde::Serialize;

use super::{as_number, as_text};
use crate::analysis::playouts::{BothEngines, ComparedTurn};
use crate::analysis::{
    self, Moment, MoveReview, RecordedGame, TurnCost, best_attack, costs, observation, review,
    to_play_out, worst_first,
};
use crate::board::Field;
use crate::game::{Action, Cells, Chain, OJAMA_ROW, Pack, Placement, Seat, State};
use crate::search::{Ojama, Probability, SearchControl};
use crate::util::parallel::shared_out;

/// The kind of a planted blunder.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BlunderKind {
    /// The drop that ruins the own chain most.
    RuinedChain,
    /// An attack with a chain of 4 to 8 while a longer one can be built.
    EarlyAttack,
    /// A drop in place of a major attack, while a row of ojama is due or on its way.
    LateAttack,
    /// The drop on the tallest column, while a row of ojama is due.
    WrongColumn,
}

impl BlunderKind {
    /// All kinds.
    pub const ALL: [Self; 4] =
        [Self::RuinedChain, Self::EarlyAttack, Self::LateAttack, Self::WrongColumn];

    /// Minimum loss of a planted blunder of this kind: the discounted ojama of the player's best
    /// attack after the recorded action, minus after the blunder, by a beam search. Chosen by hand:
    /// three rows for a lost chain, one row for a late attack or a wrong column, whose cost comes
    /// later.
    const fn least(self) -> Ojama {
        match self {
            Self::RuinedChain | Self::EarlyAttack => Ojama(30.0),
            Self::LateAttack | Self::WrongColumn => Ojama(10.0),
        }
    }

    /// The name, as in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RuinedChain => "ruined_chain",
            Self::EarlyAttack => "early_attack",
            Self::LateAttack => "late_attack",
            Self::WrongColumn => "wrong_column",
        }
    }
}

/// A blunder in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct PlantedBlunder {
    /// The number of the game, from 1.
    pub game: usize,
    /// The kind.
    pub kind: BlunderKind,
    /// The player that blunders.
    #[serde(serialize_with = "as_number")]
    pub seat: Seat,
    /// The turn, 0 to 499.
    pub turn: usize,
    /// The action of the recorded game.
    #[serde(serialize_with = "as_text")]
    pub replaced: Action,
    /// The blunder.
    #[serde(serialize_with = "as_text")]
    pub action: Action,
}

/// A planted blunder after the review of its game.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct ReviewedBlunder {
    /// The blunder.
    #[serde(flatten)]
    pub planted: PlantedBlunder,
    /// The loss of the planted action by the review.
    pub lost: Ojama,
    /// The win probability that the planted action loses by the review, 0 to 1.
    pub lost_chance: Probability,
    /// The win probability before the blunder by the review, 0 to 1.
    pub before: Probability,
    /// The rank of the planted turn among all turns of the player by what they cost, from 1.
    pub rank: usize,
    /// The turns of the player that were reviewed.
    pub turns: usize,
    /// Whether playouts confirm the blunder, compared with the review's best action.
    pub is_confirmed: bool,
}

/// The divisor of the review's drops that gives the drops with which each action is weighed when a
/// blunder is chosen. Experiment A-18.
const PART_OF_CHOICE: u64 = 40;

/// The first and last turn of a blunder. Before the first, nothing is built that could be lost.
const TURNS: std::ops::RangeInclusive<usize> = 4..=30;

/// The least chain of the attack that a late attack gives up.
const MAJOR: Chain = Chain(10);

/// The chains of an early attack.
const EARLY: std::ops::RangeInclusive<Chain> = Chain(4)..=Chain(8);

/// The height from which a column is tall.
const TALL: u8 = 9;

/// The turns that the engine plays on after the blunder. Experiment A-18.
const PLAYED_ON: usize = 25;

/// The divisor of the review's drops that gives the drops of a decision after the blunder. With far
/// fewer drops than the review's, these decisions contain worse blunders than the planted one.
/// Experiment A-18.
const PART_OF_DECISION: u64 = 2;

/// An own action, and the best attack that it leaves.
struct WeighedAction {
    action: Action,
    /// The chain that it sets off.
    chain: Chain,
    /// The discounted ojama of the best attack that the action sets off or leaves possible.
    discounted_ojama: Ojama,
    /// Whether it drops on the tallest column.
    is_on_tallest: bool,
}

/// Plants blunders in `games`: at most one of each kind in a game, each by the turn that allows the
/// worst one. The review takes `nodes` drops a turn, the choice of a blunder a part of them. Ends
/// early, with the first blunders, if `stop` returns true.
///
/// # Panics
/// If no thread can be started.
pub fn plant(
    games: &[RecordedGame],
    nodes: u64,
    threads: NonZeroUsize,
    stop: &(impl Fn() -> bool + Sync),
) -> Vec<PlantedBlunder> {
    let drops = nodes / PART_OF_CHOICE;
    let planted = shared_out(games.len(), threads, stop, &|| {}, &|index| {
        let mut weighed = Weighed::new();
        let kinds = BlunderKind::ALL.into_iter().zip(Seat::BOTH.into_iter().cycle());
        let of_kind = |(kind, seat): (BlunderKind, Seat)| {
            [seat, seat.other()]
                .into_iter()
                .find_map(|seat| plant_one(&games[index], index, kind, seat, drops, &mut weighed))
        };
        kinds.filter_map(of_kind).collect::<Vec<PlantedBlunder>>()
    });
    planted.into_iter().flatten().collect()
}

/// The weighed actions of a game by seat and turn, which the kinds of blunders share.
type Weighed = BTreeMap<(usize, usize), Vec<WeighedAction>>;

/// Plants a blunder in the turn that allows the worst one. Each action of a turn is weighed by
/// `drops` simulated drops.
fn plant_one(
    game: &RecordedGame,
    index: usize,
    kind: BlunderKind,
    seat: Seat,
    drops: u64,
    weighed: &mut Weighed,
) -> Option<PlantedBlunder> {
    let mut worst: Option<(Ojama, PlantedBlunder)> = None;
    for moment in &game.moments {
        let turn = moment.state.turn;
        let actions = Seat::BOTH.map(|seat| moment.answer(seat));
        let [Some(replaced), Some(reply)] = [actions[seat.index()], actions[seat.other().index()]]
        else {
            continue;
        };
        if !TURNS.contains(&turn) || turn < game.opening || moment.state.end().is_some() {
            continue;
        }
        let state: State<Field> = moment.observation(seat).state.convert();
        let packs = game.packs.from_turn(turn);
        let own_step = state[Seat::First].step(&packs[0], replaced);
        let opponents_step = state[Seat::Second].step(&packs[0], reply);
        let (Ok(own_step), Ok(opponents_step)) = (own_step, opponents_step) else { continue };
        let stock = state[Seat::First].stock;
        let is_rain_near = stock + opponents_step.sent() >= OJAMA_ROW;
        let is_possible = match kind {
            BlunderKind::RuinedChain | BlunderKind::EarlyAttack => own_step.chain < *EARLY.start(),
            BlunderKind::LateAttack => own_step.chain >= MAJOR && is_rain_near,
            BlunderKind::WrongColumn => {
                stock >= OJAMA_ROW && state[Seat::First].field.tallest() >= TALL
            }
        };
        if !is_possible {
            continue;
        }
        let weighed = weighed.entry((seat.index(), turn));
        let choices = weighed.or_insert_with(|| choices(&state, packs, drops));
        let Some(played) = choices.iter().find(|choice| choice.action == replaced) else {
            continue;
        };
        let Some(blunder) = kind.blunder(choices, played) else { continue };
        let lost = Ojama(played.discounted_ojama.0 - blunder.discounted_ojama.0);
        if lost >= kind.least() && worst.as_ref().is_none_or(|(most, _)| lost > *most) {
            let (action, game) = (blunder.action, index + 1);
            worst = Some((lost, PlantedBlunder { game, kind, seat, turn, replaced, action }));
        }
    }
    worst.map(|(_, planted)| planted)
}

impl BlunderKind {
    /// The blunder of this kind among `choices`, in place of `played`; `None` if there is none.
    fn blunder<'a>(
        self,
        choices: &'a [WeighedAction],
        played: &WeighedAction,
    ) -> Option<&'a WeighedAction> {
        let others = choices.iter().filter(|choice| choice.action != played.action);
        let attacks = |choice: &&WeighedAction| EARLY.contains(&choice.chain);
        let waits = |choice: &&WeighedAction| choice.chain < *EARLY.start();
        let by_ojama = |a: &&WeighedAction, b: &&WeighedAction| {
            a.discounted_ojama.total_cmp(&b.discounted_ojama)
        };
        match self {
            Self::RuinedChain => others.filter(waits).min_by(by_ojama),
            Self::EarlyAttack => others.filter(attacks).max_by_key(|choice| choice.chain),
            Self::LateAttack => others.filter(waits).max_by(by_ojama),
            Self::WrongColumn => {
                others.filter(waits).filter(|choice| choice.is_on_tallest).min_by(by_ojama)
            }
        }
    }
}

/// The effort for the review of a planted blunder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReviewEffort {
    /// The drops of the review for each turn.
    pub nodes: u64,
    /// The playouts with each of two actions, in the turns that a review plays out and in the
    /// planted one.
    pub playouts: NonZeroUsize,
}

/// Reviews each of `planted`, blunders in `games`: the engine plays the game on, a review searches
/// all turns of the player again, and playouts compare the blunder with the best action. `on_done`
/// is called after each blunder. Ends early, with the first blunders, if `stop` returns true.
///
/// # Panics
/// If no thread can be started, or a blunder is not one of these games.
pub fn review_planted(
    games: &[RecordedGame],
    planted: &[PlantedBlunder],
    effort: ReviewEffort,
    threads: NonZeroUsize,
    stop: &(impl Fn() -> bool + Sync),
    on_done: &(impl Fn() + Sync),
) -> Vec<ReviewedBlunder> {
    shared_out(planted.len(), threads, stop, on_done, &|index| {
        let planted = planted[index];
        review_one(&games[planted.game - 1], planted, effort)
    })
}

fn review_one(
    game: &RecordedGame,
    planted: PlantedBlunder,
    effort: ReviewEffort,
) -> ReviewedBlunder {
    let ReviewEffort { nodes, playouts } = effort;
    let turns = turns_with(game, planted, nodes / PART_OF_DECISION);
    let control = Arc::new(SearchControl::default());
    let seat = planted.seat;
    let reviewed = turns.iter().map(|PlayedTurn { state, actions }| {
        let (observation, action) = (observation(*state, seat), actions[seat.index()]);
        review(&observation, &game.packs, action, nodes, &control).expect("nobody stops the search")
    });
    let reviews: Vec<MoveReview> = reviewed.collect();
    let result = turns.last().and_then(|PlayedTurn { state, actions }| {
        let after = state.play(game.packs.get(state.turn)?, *actions).ok()?.after;
        analysis::result(&after, seat)
    });
    let mut costs = costs(reviews, result);
    let play_out = |cost: &mut TurnCost| {
        let mut turns = turns.iter();
        let played = turns.find(|played| played.state.turn == cost.review.turn);
        let PlayedTurn { state, actions } = played.expect("each review is of one of the turns");
        let reply = actions[seat.other().index()];
        let compared = ComparedTurn::of(&cost.review, state, &game.packs, seat, reply);
        cost.playouts = compared.compare(playouts, &|| false);
    };
    to_play_out(&mut costs).into_iter().for_each(play_out);
    costs
        .iter_mut()
        .filter(|cost| cost.review.turn == planted.turn && cost.playouts.is_none())
        .for_each(play_out);
    let is_planted = |cost: &&TurnCost| cost.review.turn == planted.turn;
    let at = costs.iter().find(is_planted).expect("the planted turn is reviewed");
    let worst = worst_first(&costs);
    ReviewedBlunder {
        planted,
        lost: at.review.lost(),
        lost_chance: at.lost(),
        before: at.review.chance_before(),
        // A turn that is not listed comes after all that are.
        rank: 1 + worst.iter().position(is_planted).unwrap_or(worst.len()),
        turns: costs.len(),
        is_confirmed: at.playouts.is_some_and(|compared| compared.is_confirmed),
    }
}

/// The turn of the recorded game in which the blunder is planted.
fn moment_of(game: &RecordedGame, planted: PlantedBlunder) -> &Moment {
    let mut moments = game.moments.iter();
    let moment = moments.find(|moment| moment.state.turn == planted.turn);
    moment.expect("the blunder is a turn of the game")
}

/// The opponent's action in that turn.
fn reply_to(moment: &Moment, planted: PlantedBlunder) -> Action {
    moment.answer(planted.seat.other()).expect("a known answer")
}

/// A turn with the actions of both players, by seat.
struct PlayedTurn {
    state: State<Cells>,
    actions: [Action; 2],
}

/// The turns of the game with the blunder: those of the recorded game, the blunder, and the turns
/// that the engine plays on, with `nodes` drops a decision for both players.
fn turns_with(game: &RecordedGame, planted: PlantedBlunder, nodes: u64) -> Vec<PlayedTurn> {
    let PlantedBlunder { seat, turn, action, .. } = planted;
    let before = game.moments.iter().filter(|moment| moment.state.turn <= turn);
    let mut turns: Vec<PlayedTurn> = before
        .filter(|moment| moment.state.turn >= game.opening)
        .filter_map(|moment| {
            let actions = [moment.answer(Seat::First)?, moment.answer(Seat::Second)?];
            Some(PlayedTurn { state: moment.state, actions })
        })
        .collect();
    if let Some(last) = turns.last_mut() {
        last.actions[seat.index()] = action;
    }
    let moment = moment_of(game, planted);
    let mut actions = [action; 2];
    actions[seat.other().index()] = reply_to(moment, planted);
    let mut state: State<Cells> = moment.state;
    let mut engines = BothEngines::new(&game.packs);
    for _ in 0..PLAYED_ON {
        let Some(pack) = game.packs.get(state.turn) else { break };
        state = state.play(pack, actions).expect("both actions are legal").after;
        if state.end().is_some() || game.packs.get(state.turn).is_none() {
            break;
        }
        actions = engines.decide(&state, [nodes; 2]).map(|decision| decision.action);
        turns.push(PlayedTurn { state, actions });
    }
    turns
}

/// The drops of the first player that do not lose at once. Each is weighed by `drops` drops.
fn choices(state: &State<Field>, packs: &[Pack], drops: u64) -> Vec<WeighedAction> {
    let own = &state[Seat::First];
    let heights = own.field.heights();
    let tallest = (0..heights.len()).max_by_key(|&column| heights[column]).unwrap_or(0);
    let choice = |placement: Placement| {
        let action = Action::Drop(placement);
        let step = own.step(&packs[0], action).ok()?;
        if step.player.field.is_over() {
            return None;
        }
        let discounted_ojama =
            best_attack(own, packs, action, drops, &Arc::default()).discounted_ojama;
        let column = usize::from(placement.column.get());
        let is_on_tallest = column == tallest || column + 1 == tallest;
        Some(WeighedAction { action, chain: step.chain, discounted_ojama, is_on_tallest })
    };
    Placement::all().filter_map(choice).collect()
}
