//! Playouts: the engine plays a position on for both sides, many times, with few drops a decision.
//!
//! They estimate the win probability of a position without the learned model, and show whether one
//! of two actions wins more often than the other.

use std::num::NonZeroUsize;

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;

use super::{MoveReview, observation};
use crate::engine::{
    BestSoFar, Decision, Engine as _, Planner, PlannerParameters, TimeLimits, TurnClock,
};
use crate::game::{Action, Cells, Packs, Seat, State, Verdict};
use crate::search::Probability;
use crate::util::clock::Instant;
use crate::util::interval::{SPREAD_95, wilson};

/// Default number of playouts of each action: enough to confirm a difference of about 0.1 in the
/// win probability. Experiment A-19.
pub const PLAYOUTS: NonZeroUsize = NonZeroUsize::new(128).expect("it is not 0");

/// The most playouts of an action that a review makes.
pub const MOST_PLAYOUTS: usize = 1000;

/// The fewest playouts that confirm or refute a blunder. If two actions are equally good, all of
/// five playouts favour a given one with a probability of up to 0.5^5, more than 1/40; all of six
/// playouts with up to 0.5^6, less than 1/40.
const LEAST_CERTAIN: usize = 6;

/// The most turns of a playout. Experiment E-27.
const TURNS: usize = 50;

/// Range from which the drops of each decision are chosen, so that playouts of one position differ.
/// Experiment E-27.
const DROPS: std::ops::Range<u64> = 3000..4500;

/// A new engine for each player, which decides by nodes.
pub(crate) struct BothEngines<'a> {
    packs: &'a Packs,
    engines: [Planner; 2],
}

impl<'a> BothEngines<'a> {
    /// Engines that have not seen the turns before of a game with `packs`.
    pub(crate) fn new(packs: &'a Packs) -> Self {
        let engines = [(); 2].map(|()| Planner::new(PlannerParameters::default()));
        Self { packs, engines }
    }

    /// Returns the decisions of both players before a turn, made with `nodes` drops each, at least
    /// one.
    pub(crate) fn decide(&mut self, state: &State<Cells>, nodes: [u64; 2]) -> [Decision; 2] {
        Seat::BOTH.map(|seat| {
            let observation = observation(*state, seat);
            let nodes = Some(nodes[seat.index()].max(1));
            let limits = TimeLimits { nodes, ..TimeLimits::default() };
            let clock = TurnClock::new(Instant::now(), observation.time_left[0], &limits);
            let engine = &mut self.engines[seat.index()];
            engine.decide(self.packs, &observation, &clock, &BestSoFar::default())
        })
    }
}

/// The results of the playouts of a position, from the view of one player.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlayoutScore {
    /// The mean of the points: 1 for a win, 0.5 for a draw. A playout that reaches the limit of
    /// turns counts the win probability before its last turn.
    pub chance: Probability,
    /// The lower end of the 95 % interval of `chance`.
    pub low: Probability,
    /// The upper end of the 95 % interval of `chance`.
    pub high: Probability,
}

/// The mean of paired differences.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlayoutDifference {
    /// The mean of the points with the best action, less those with the played one, -1 to 1.
    pub mean: f64,
    /// The lower end of the 95 % interval of `mean`.
    pub low: f64,
    /// The upper end of the 95 % interval of `mean`.
    pub high: f64,
}

/// The playouts of a turn: with the action that was played, and with the best one instead.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlayoutComparison {
    /// The playouts of each action.
    pub playouts: usize,
    /// The results after the played action.
    pub played: PlayoutScore,
    /// The results after the best action.
    pub best: PlayoutScore,
    /// The points that the best action gains. Both actions share the drops of each playout, so
    /// this interval is narrower than those of the two results suggest.
    pub difference: PlayoutDifference,
    /// Whether the best action scores more; chance alone confirms one of 40 equal actions. False
    /// with fewer than six playouts.
    pub is_confirmed: bool,
    /// Whether the played action scores more, with the same certainty.
    pub is_refuted: bool,
}

/// A turn, with the two actions of a player to compare and the opponent's action in this turn.
#[derive(Clone, Copy, Debug)]
pub struct ComparedTurn<'a> {
    /// The state before the turn.
    pub state: &'a State<Cells>,
    /// The packs of the game.
    pub packs: &'a Packs,
    /// The player.
    pub seat: Seat,
    /// The action that it played.
    pub played: Action,
    /// The action to compare with.
    pub best: Action,
    /// The action that the opponent played.
    pub reply: Action,
}

impl<'a> ComparedTurn<'a> {
    /// The turn of `review`, before which the game is in `state` and in which the opponent of
    /// `seat` played `reply`.
    pub const fn of(
        review: &MoveReview,
        state: &'a State<Cells>,
        packs: &'a Packs,
        seat: Seat,
        reply: Action,
    ) -> Self {
        Self { state, packs, seat, played: review.played, best: review.best, reply }
    }

    /// Plays the turn out `playouts` times with each of the two actions. `None` if `stop` returns
    /// true before the end, or an action is not legal.
    pub fn compare(
        &self,
        playouts: NonZeroUsize,
        stop: &dyn Fn() -> bool,
    ) -> Option<PlayoutComparison> {
        let points =
            (0..playouts.get()).map(|index| if stop() { None } else { self.points(index) });
        points.collect::<Option<Vec<[f64; 2]>>>().map(|points| PlayoutComparison::of(&points))
    }

    /// Plays the turn out once with each of the two actions. Returns the player's points, 0 to 1;
    /// `None` if an action is not legal. The decisions follow from `index`: with the same drops for
    /// both actions, chance has less influence on the difference.
    pub fn points(&self, index: usize) -> Option<[f64; 2]> {
        let after = [self.after(self.played)?, self.after(self.best)?];
        Some(after.map(|state| points(&state, self.packs, self.seat, index as u64)))
    }

    /// Returns the state after the turn with `action` of the player; `None` if it is not legal.
    fn after(&self, action: Action) -> Option<State<Cells>> {
        let mut actions = [action; 2];
        actions[self.seat.other().index()] = self.reply;
        Some(self.state.play(self.packs.get(self.state.turn)?, actions).ok()?.after)
    }
}

impl PlayoutComparison {
    /// Compares the points of playouts, at least one, with the played and with the best action.
    pub fn of(points: &[[f64; 2]]) -> Self {
        let number = points.len() as f64;
        let score = |action: usize| {
            let sum: f64 = points.iter().map(|points| points[action]).sum();
            PlayoutScore::of(sum / number, number)
        };
        let difference = PlayoutDifference::of(points);
        let is_certain = points.len() >= LEAST_CERTAIN;
        Self {
            playouts: points.len(),
            played: score(0),
            best: score(1),
            difference,
            is_confirmed: is_certain && difference.low > 0.0,
            is_refuted: is_certain && difference.high < 0.0,
        }
    }
}

impl PlayoutDifference {
    /// The difference of the points of playouts, at least one, with the played and with the best
    /// action.
    fn of(points: &[[f64; 2]]) -> Self {
        let number = points.len() as f64;
        let gains = points.iter().map(|[played, best]| best - played);
        let mean = gains.clone().sum::<f64>() / number;
        let squares = gains.map(|one| (one - mean).powi(2)).sum::<f64>();
        let reach = SPREAD_95 * (squares / (number - 1.0).max(1.0) / number).sqrt();
        Self { mean, low: (mean - reach).max(-1.0), high: (mean + reach).min(1.0) }
    }
}

impl PlayoutScore {
    /// The score of `number` playouts with the mean `points`.
    fn of(points: f64, number: f64) -> Self {
        let [low, high] = wilson(points, number).map(Probability);
        Self { chance: Probability(points), low, high }
    }
}

/// Plays a position on until the game ends, or for [`TURNS`] turns, and returns the points of the
/// player of `seat`, 0 to 1. The drops of the decisions are chosen from `seed`.
fn points(state: &State<Cells>, packs: &Packs, seat: Seat, seed: u64) -> f64 {
    let random = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut engines = BothEngines::new(packs);
    let mut state = *state;
    let mut chance = None;
    for _ in 0..TURNS {
        let (None, Some(pack)) = (state.end(), packs.get(state.turn)) else { break };
        let decisions = engines.decide(&state, [(); 2].map(|()| random.random_range(DROPS)));
        chance = decisions[seat.index()].report.chance;
        let actions = decisions.map(|decision| decision.action);
        state = state.play(pack, actions).expect("the engine's actions are legal").after;
    }
    match state.end() {
        Some((_, Verdict::Win(winner))) => f64::from(u8::from(winner == seat)),
        Some((_, Verdict::Draw)) => 0.5,
        None => chance.map_or(0.5, |Probability(chance)| chance),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEW: NonZeroUsize = NonZeroUsize::new(8).unwrap();

    fn action(text: &str) -> Action {
        text.parse().unwrap()
    }

    /// The player of `seat` has a column at the danger line: `0 0` ends the game, `8 0` does not.
    /// The opponent has no time to win.
    #[test]
    fn a_drop_that_loses_at_once_is_confirmed_as_a_blunder() {
        let packs = &Packs::from_seed(1);
        for seat in Seat::BOTH {
            let mut state = State::new();
            state[seat].field = "3.........\n".repeat(16).parse().unwrap();
            state[seat.other()].stock = 300;
            let [played, best, reply] = ["0 0", "8 0", "4 0"].map(action);
            let turn = ComparedTurn { state: &state, packs, seat, played, best, reply };
            let compared = turn.compare(FEW, &|| false).unwrap();
            assert_eq!(compared.played.chance, Probability(0.0));
            assert!(
                compared.best.chance > Probability(0.0) && compared.is_confirmed,
                "{compared:?}"
            );
            assert!(compared.best.low <= compared.best.chance);
            assert!(compared.best.chance <= compared.best.high);
        }
    }

    #[test]
    fn playouts_are_repeatable_and_stop() {
        let (packs, state, seat) = (&Packs::from_seed(2), &State::new(), Seat::First);
        let [played, best, reply] = ["0 0", "5 1", "3 0"].map(action);
        let turn = ComparedTurn { state, packs, seat, played, best, reply };
        // On several threads, two searches of a decision divide their drops by chance.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let compare = |turn: ComparedTurn<'_>| pool.install(|| turn.compare(FEW, &|| false));
        let once = compare(turn);
        assert!(once.is_some());
        assert_eq!(once, compare(turn));
        assert_eq!(turn.compare(FEW, &|| true), None);
        assert_eq!(compare(ComparedTurn { best: Action::Skill, ..turn }), None);
    }

    #[test]
    fn a_gain_is_confirmed_by_enough_playouts() {
        let of = |pairs: &[([f64; 2], usize)]| {
            let points: Vec<[f64; 2]> =
                pairs.iter().flat_map(|(points, count)| vec![*points; *count]).collect();
            PlayoutComparison::of(&points)
        };
        let (win, draw, loss) = (1.0, 0.5, 0.0);
        let equal = of(&[([win, win], 5), ([loss, loss], 5), ([draw, draw], 2)]);
        assert_eq!((equal.played, equal.playouts), (equal.best, 12));
        assert!(!equal.is_confirmed && !equal.is_refuted, "no difference");
        assert!(!of(&[([loss, win], 1), ([win, win], 9)]).is_confirmed, "one of ten");
        let better = of(&[([loss, win], 5), ([win, win], 5)]);
        assert!(better.is_confirmed);
        let PlayoutDifference { mean, low, high } = better.difference;
        assert!((mean - 0.5).abs() < 1e-9 && 0.15 < low && low < 0.2, "{better:?}");
        assert!((high + low - 1.0).abs() < 1e-9, "the interval is paired: {better:?}");
        let worse = of(&[([win, loss], 5), ([win, win], 5)]);
        assert!(worse.is_refuted && !worse.is_confirmed);
        let score = of(&[([loss, win], 3), ([loss, draw], 1)]).best;
        assert!((score.chance.0 - 0.875).abs() < 1e-9, "{score:?}");
    }
}
