//! What the turns of a reviewed game cost: the one answer to where a game was lost.
//!
//! A review gives the loss of each action in ojama. The same ojama decide an open game and mean
//! nothing in one that is lost already. So turns are ordered and marked by the win probability
//! that they lose, and only equal ones by ojama. `replay blunders`, the page's review and
//! `dev blunders` all take order and marks from here. Experiments.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::MoveReview;
use super::playouts::PlayoutComparison;
use crate::engine::win_probability::logistic;
use crate::game::{Action, Cells, Seat, State};
use crate::search::{Ojama, Probability};

/// The mark of an action, by the win probability that it loses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReviewMark {
    /// A loss of at least [`ReviewMark::BLUNDER`].
    Blunder,
    /// A loss of at least [`ReviewMark::MISTAKE`].
    Mistake,
    /// A loss of at least [`ReviewMark::INACCURACY`].
    Inaccuracy,
    /// The best action, where every other one loses at least [`ReviewMark::MISTAKE`] by alpha-beta.
    Good,
    /// Any other action.
    #[serde(rename = "")]
    None,
}

impl ReviewMark {
    /// The three limits are those of lichess: 0.3, 0.2 and 0.1 of a scale that has twice the width
    /// of a probability. Experiment A-40.
    pub const BLUNDER: Probability = Probability(0.15);
    /// A tenth of a game.
    pub const MISTAKE: Probability = Probability(0.1);
    /// Smaller losses of win probability are not certain.
    pub const INACCURACY: Probability = Probability(0.05);

    /// The sign that stands for the mark beside an action, as in chess; empty for no mark.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Blunder => "??",
            Self::Mistake => "?",
            Self::Inaccuracy => "?!",
            Self::Good => "!",
            Self::None => "",
        }
    }
}

/// A reviewed turn, with what is known about its consequences.
#[derive(Clone, PartialEq, Debug)]
pub struct TurnCost {
    /// The review.
    pub review: MoveReview,
    /// The win probability before the player's next turn, if that is reviewed too; the result of
    /// the game, if it ended with this turn.
    pub after: Option<Probability>,
    /// The playouts with the played and with the best action, if there are any.
    pub playouts: Option<PlayoutComparison>,
}

/// The ojama that change the odds of winning by the factor e (2.7). It fits the paired differences
/// of playouts best. Experiment A-39.
const SCALE: Ojama = Ojama(15.0);

/// Ojama that count as no loss: two searches of one turn differ by as much. Experiment A-39.
const NOISE: Ojama = Ojama(3.0);

/// The win probabilities of the model that are nearest to 0 and 1: it does not tell smaller ones
/// apart.
const NEAREST: [f64; 2] = [0.003, 0.997];

/// The win probability below which a game is lost already: 0 % as it is printed.
const LOST: Probability = Probability(0.005);

/// Minimum loss or fall of the win probability at which both actions are played out.
const PLAYED_OUT: Probability = Probability(0.1);

/// The most turns of a review that are played out. A game of strong bots has fewer; in a game of weak
/// ones nearly every turn is costly, and its review would take minutes.
const MOST_PLAYED_OUT: usize = 10;

/// The loss of win probability below which an action is as good as the best one. It is the loss up
/// to which lichess accepts an answer to a mistake. Experiment A-40.
const EQUAL: Probability = Probability(0.035);

/// Minimum loss of win probability that is listed: 1 % as it is printed.
const LISTED: Probability = Probability(0.005);

/// The win probability that an action loses by giving up `ojama` in a game that is won with the
/// probability `before`: the odds change by a factor for each ojama. At most `before`.
pub(super) fn lost_of(before: Probability, ojama: Ojama) -> Probability {
    let beyond = (ojama.0 - NOISE.0).max(0.0);
    if beyond <= 0.0 {
        return Probability(0.0);
    }
    let [least, most] = NEAREST;
    let nearest = before.0.clamp(least, most);
    let odds = (nearest / (1.0 - nearest)).ln();
    Probability((nearest - logistic(odds - beyond / SCALE.0)).clamp(0.0, before.0))
}

/// The win probability of a player that is `ahead` ojama ahead, if nothing else is known.
pub(super) fn chance_of(ahead: Ojama) -> Probability {
    Probability(logistic(ahead.0 / SCALE.0))
}

/// The result of a game for the player of `seat`, as a win probability: 1, 0.5 for a draw, or 0;
/// `None` if the game has not ended in the state `after` a turn.
pub fn result(after: &State<Cells>, seat: Seat) -> Option<Probability> {
    after.end().map(|(_, verdict)| Probability(verdict.score(seat)))
}

/// The turns of a player, in order, with what they cost before any playouts. `result` is that of
/// the game, if it ended with the last of them.
pub fn costs(reviews: Vec<MoveReview>, result: Option<Probability>) -> Vec<TurnCost> {
    let next = |index: usize, turn: usize| match reviews.get(index + 1) {
        Some(next) => (next.turn == turn + 1).then_some(next.chance).flatten(),
        None => result,
    };
    let after: Vec<Option<Probability>> =
        reviews.iter().enumerate().map(|(index, review)| next(index, review.turn)).collect();
    let both = reviews.into_iter().zip(after);
    both.map(|(review, after)| TurnCost { review, after, playouts: None }).collect()
}

/// The turns whose actions playouts are to compare, in order: the ten that may have cost most.
pub fn to_play_out(costs: &mut [TurnCost]) -> Vec<&mut TurnCost> {
    let mut costly: Vec<&mut TurnCost> =
        costs.iter_mut().filter(|cost| cost.needs_playouts()).collect();
    costly.sort_by(|a, b| b.may_cost().total_cmp(&a.may_cost()));
    costly.truncate(MOST_PLAYED_OUT);
    costly.sort_by_key(|cost| cost.review.turn);
    costly
}

/// The turns that cost something, the costliest first.
pub fn worst_first(costs: &[TurnCost]) -> Vec<&TurnCost> {
    let mut listed: Vec<&TurnCost> = costs.iter().filter(|cost| cost.is_listed()).collect();
    listed.sort_by(|a, b| a.order(b));
    listed
}

impl TurnCost {
    /// The win probability that the action lost against the best one, 0 to 1, and no more than the
    /// player had.
    ///
    /// It follows from the ojama and the win probability before the turn, as far as the win
    /// probability did fall until the next turn. Playouts decide where they are certain: those that
    /// confirm a loss raise it to the lower end of the interval of their difference, however far
    /// the win probability fell; those that refute it make it 0.
    pub fn lost(&self) -> Probability {
        let Probability(model) = self.modelled();
        let Probability(most) = self.before();
        let lost = match self.playouts {
            Some(compared) if compared.is_refuted => 0.0,
            Some(compared) if compared.is_confirmed => model.max(compared.difference.low),
            _ => self.fall().map_or(model, |fall| model.min(fall.max(0.0))),
        };
        Probability(lost.min(most))
    }

    /// The best action, if it is better than the one that was played: that one loses too much to be
    /// as good. Never an action that loses its own playouts.
    pub fn better(&self) -> Option<Action> {
        (self.lost() >= EQUAL).then_some(self.review.best)
    }

    /// The win probability before the turn: that of the model, where it gives one.
    pub(super) fn before(&self) -> Probability {
        self.review.chance.unwrap_or_else(|| self.review.chance_before())
    }

    /// The loss by the ojama and the win probability before the turn alone.
    fn modelled(&self) -> Probability {
        lost_of(self.review.chance_before(), self.review.lost())
    }

    /// The fall of the win probability from the turn to the next one; negative if it rose.
    fn fall(&self) -> Option<f64> {
        self.review.chance.zip(self.after).map(|(before, after)| before.0 - after.0)
    }

    /// The mark of the action.
    pub fn mark(&self) -> ReviewMark {
        let lost = self.lost();
        match () {
            () if self.review.played == self.review.best && self.review.is_only => ReviewMark::Good,
            () if lost >= ReviewMark::BLUNDER => ReviewMark::Blunder,
            () if lost >= ReviewMark::MISTAKE => ReviewMark::Mistake,
            () if lost >= ReviewMark::INACCURACY => ReviewMark::Inaccuracy,
            () => ReviewMark::None,
        }
    }

    /// Whether the game was lost before the turn, so that the action could lose nothing.
    pub fn was_lost_already(&self) -> bool {
        self.review.chance_before() < LOST && self.lost() < LOST
    }

    /// Whether playouts should compare both actions: another action was better, and either the win
    /// probability falls noticeably or the action loses a noticeable part of it.
    fn needs_playouts(&self) -> bool {
        self.review.played != self.review.best && self.may_cost() >= PLAYED_OUT.0
    }

    /// The win probability that the action may have cost: the loss by the model, or the fall until
    /// the next turn if that is more.
    fn may_cost(&self) -> f64 {
        let Probability(model) = self.modelled();
        self.fall().map_or(model, |fall| fall.max(model))
    }

    /// Whether the action lost win probability: 1 % or more as it is printed.
    pub fn lost_chance(&self) -> bool {
        self.lost() >= LISTED
    }

    /// Whether a list of losses has the turn: it lost an ojama, or win probability.
    fn is_listed(&self) -> bool {
        self.review.lost() >= MoveReview::LISTED || self.lost_chance()
    }

    /// The order of turns by what they cost, the costliest first: by win probability, then by
    /// ojama, then by turn.
    fn order(&self, other: &Self) -> Ordering {
        let by_chance = other.lost().0.total_cmp(&self.lost().0);
        let by_ojama = other.review.lost().total_cmp(&self.review.lost());
        by_chance.then(by_ojama).then(self.review.turn.cmp(&other.review.turn))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::ActionValue;
    use super::super::playouts::PlayoutComparison;
    use super::*;
    use crate::game::Chain;
    use crate::search::OjamaTenths;
    use crate::search::alpha_beta::LOSS;

    /// A turn with this win probability before and after it, in which a plan loses `ojama`.
    pub(in super::super) fn cost(turn: usize, before: f64, after: f64, ojama: f64) -> TurnCost {
        let [played, best] = ["0 0", "1 0"].map(|text| text.parse().unwrap());
        let value = |plan| ActionValue {
            alpha_beta: OjamaTenths(0),
            chain: Chain(9),
            turn,
            plan: Ojama(plan),
        };
        let review = MoveReview {
            turn,
            played,
            best,
            played_value: value(0.0),
            best_value: value(ojama),
            line: Vec::new(),
            is_only: false,
            chance: Some(Probability(before)),
        };
        TurnCost { review, after: Some(Probability(after)), playouts: None }
    }

    fn turns(costs: &[TurnCost]) -> Vec<usize> {
        worst_first(costs).iter().map(|cost| cost.review.turn).collect()
    }

    #[test]
    fn a_turn_of_a_lost_game_is_never_the_first() {
        let costs =
            [cost(10, 0.5, 0.4, 8.0), cost(20, 0.0, 0.0, 120.0), cost(21, 0.01, 0.0, 300.0)];
        assert_eq!(turns(&costs), [10, 21, 20]);
        assert!(costs[1].was_lost_already() && !costs[0].was_lost_already());
        assert!(costs[1..].iter().all(|cost| cost.mark() == ReviewMark::None));
    }

    #[test]
    fn a_game_that_is_proven_lost_has_nothing_to_lose() {
        let mut proven = cost(30, 0.6, 0.5, 60.0);
        proven.review.best_value.alpha_beta = LOSS;
        assert!(proven.was_lost_already());
        assert_eq!((proven.lost(), proven.mark()), (Probability(0.0), ReviewMark::None));
        assert_eq!(turns(&[proven, cost(5, 0.5, 0.3, 6.0)]), [5, 30]);
    }

    #[test]
    fn ojama_decide_between_equal_losses_of_win_probability() {
        let costs = [cost(3, 0.0, 0.0, 20.0), cost(4, 0.0, 0.0, 40.0), cost(5, 0.5, 0.1, 0.5)];
        assert_eq!(turns(&costs), [4, 3]);
    }

    #[test]
    fn marks_follow_the_loss_of_win_probability() {
        let mark = |before, ojama| cost(9, before, 0.0, ojama).mark();
        assert_eq!(mark(0.5, 13.0), ReviewMark::Blunder);
        assert_eq!(mark(0.5, 10.0), ReviewMark::Mistake);
        assert_eq!(mark(0.5, 7.0), ReviewMark::Inaccuracy);
        assert_eq!(mark(0.5, 3.0), ReviewMark::None);
        assert_eq!(mark(0.01, 40.0), ReviewMark::None, "it was lost");
        assert_eq!(mark(0.99, 10.0), ReviewMark::None, "it is won still");
        assert_eq!(mark(0.99, 80.0), ReviewMark::Blunder, "it was won");
    }

    #[test]
    fn nothing_is_marked_where_the_win_probability_does_not_fall() {
        for after in [0.7, 0.8, 1.0] {
            let kept = cost(9, 0.7, after, 40.0);
            assert_eq!((kept.lost(), kept.mark()), (Probability(0.0), ReviewMark::None));
            assert_eq!(kept.better(), None, "{after}");
        }
        let mut unknown = cost(9, 0.7, 0.0, 40.0);
        unknown.after = None;
        assert_eq!(unknown.mark(), ReviewMark::Blunder, "the ojama alone tell");
        // A won game that is won by a slower action.
        let mut won = cost(9, 1.0, 1.0, 0.0);
        won.review.best_value.alpha_beta = crate::search::alpha_beta::WIN;
        assert!(won.review.lost() >= Ojama(100.0));
        assert_eq!(won.mark(), ReviewMark::None);
    }

    #[test]
    fn a_fall_is_marked_as_far_as_a_better_action_would_have_saved_it() {
        let mark = |after, ojama| cost(9, 0.45, after, ojama).mark();
        assert_eq!(mark(0.16, 40.0), ReviewMark::Blunder);
        assert_eq!(mark(0.38, 40.0), ReviewMark::Inaccuracy, "it fell by 7 %");
        assert_eq!(mark(0.16, 2.0), ReviewMark::None, "nothing was better");
    }

    #[test]
    fn an_action_is_better_if_it_saves_more_than_equal_ones_differ() {
        let best = cost(9, 0.5, 0.0, 9.0).review.best;
        assert_eq!(cost(9, 0.5, 0.0, 9.0).better(), Some(best));
        assert_eq!(cost(9, 0.5, 0.0, 5.0).better(), None, "3 % are as good");
        assert_eq!(cost(9, 0.5, 0.5, 40.0).better(), None, "the win probability did not fall");
    }

    #[test]
    fn the_end_of_the_game_tells_the_win_probability_after_its_last_turn() {
        let last = || vec![cost(40, 0.9, 0.0, 90.0).review];
        let [won, cut] = [Some(Probability(1.0)), None].map(|result| costs(last(), result));
        assert_eq!((won[0].after, won[0].mark()), (Some(Probability(1.0)), ReviewMark::None));
        assert_eq!((cut[0].after, cut[0].mark()), (None, ReviewMark::Blunder));
        let mut state = State::<Cells>::new();
        assert_eq!(result(&state, Seat::First), None);
        state.players[1].field = "3.........\n".repeat(18).parse().unwrap();
        assert_eq!(Seat::BOTH.map(|seat| result(&state, seat).unwrap().0), [1.0, 0.0]);
    }

    /// The loss grows with the ojama and never exceeds what there was to lose.
    #[test]
    fn a_loss_is_between_0_and_the_win_probability() {
        for before in (0..=100).map(|percent| f64::from(percent) / 100.0) {
            let lost = [0.0, 3.0, 4.0, 10.0, 50.0, 600.0]
                .map(|ojama| lost_of(Probability(before), Ojama(ojama)).0);
            assert!(lost.is_sorted() && lost[0] == 0.0 && lost[5] <= before, "{lost:?}");
        }
    }

    #[test]
    fn playouts_confirm_raise_and_refute_a_loss() {
        let with = |points: [f64; 2], before| {
            let others = [[0.0, 0.0], [1.0, 1.0]];
            let points: Vec<[f64; 2]> =
                others.iter().copied().chain([points; 30]).collect::<Vec<_>>();
            let mut cost = cost(12, before, 0.2, 9.0);
            cost.playouts = Some(PlayoutComparison::of(&points));
            cost
        };
        let refuted = with([1.0, 0.0], 0.5);
        assert_eq!((refuted.lost(), refuted.mark()), (Probability(0.0), ReviewMark::None));
        let confirmed = with([0.0, 1.0], 0.95);
        let low = confirmed.playouts.unwrap().difference.low;
        assert!(low > 0.8 && confirmed.lost() == Probability(low), "{confirmed:?}");
        assert_eq!(with([0.0, 1.0], 0.5).lost(), Probability(0.5), "no more than there was");
        assert_eq!(confirmed.mark(), ReviewMark::Blunder);
        let equal = with([1.0, 1.0], 0.5);
        assert_eq!(equal.lost(), cost(12, 0.5, 0.2, 9.0).lost(), "not certain");
        assert_eq!(refuted.better(), None, "it loses its own playouts");
        let poor = with([0.0, 1.0], 0.04);
        assert_eq!((poor.lost(), poor.mark()), (Probability(0.04), ReviewMark::None), "all it had");
        assert_eq!(turns(&[refuted, cost(13, 0.5, 0.5, 5.0), confirmed.clone()])[0], 12);
    }

    #[test]
    fn a_fall_or_a_loss_of_a_tenth_is_played_out() {
        assert!(cost(8, 0.45, 0.16, 0.0).needs_playouts(), "a fall without a loss in ojama");
        assert!(cost(8, 0.5, 0.5, 20.0).needs_playouts(), "a loss without a fall");
        assert!(!cost(8, 0.5, 0.45, 4.0).needs_playouts());
        assert!(!cost(8, 0.01, 0.0, 90.0).needs_playouts(), "the game is lost");
        let mut best = cost(8, 0.45, 0.16, 0.0);
        best.review.best = best.review.played;
        assert!(!best.needs_playouts(), "the best action lost nothing");
    }

    #[test]
    fn only_the_costliest_turns_of_a_game_of_weak_bots_are_played_out() {
        let mut costs: Vec<TurnCost> =
            (0..30).map(|turn| cost(turn, 0.5, 0.5, 20.0 + (turn % 15) as f64)).collect();
        let chosen: Vec<usize> =
            to_play_out(&mut costs).iter().map(|cost| cost.review.turn).collect();
        assert_eq!(chosen, [10, 11, 12, 13, 14, 25, 26, 27, 28, 29]);
    }

    #[test]
    fn the_next_turn_tells_the_win_probability_after_a_turn() {
        let reviews = [(4, 0.9), (6, 0.5), (7, 0.4)]
            .map(|(turn, chance)| cost(turn, chance, 0.0, 1.0).review);
        let after: Vec<_> = costs(reviews.into(), None).iter().map(|cost| cost.after).collect();
        assert_eq!(after, [None, Some(Probability(0.4)), None]);
    }
}
