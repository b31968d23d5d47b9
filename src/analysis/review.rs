//! Computes the loss of an answer against a better one.

use std::sync::Arc;

use super::costs::{ReviewMark, chance_of, lost_of};
use super::search_again::{SearchLimits, attacks, search_again};
use crate::board::Field;
use crate::engine::{self, PlannerParameters};
use crate::game::{Action, Chain, Pack, Packs, Placement, Player, Seat, State};
use crate::protocol::Observation;
use crate::search::alpha_beta::{LOSS, RootMove, WIN};
use crate::search::{Ojama, OjamaTenths, Probability, SearchControl};

/// The value of an action in a longer search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ActionValue {
    /// The value of the alpha-beta search.
    pub alpha_beta: OjamaTenths,
    /// The chain of the most valuable attack among the one that the action sets off and those that
    /// remain possible after it. 0 if there is none.
    pub chain: Chain,
    /// The turn of that attack.
    pub turn: usize,
    /// The ojama that this attack sends, discounted by the turns until it.
    pub plan: Ojama,
}

/// A turn that was searched again.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveReview {
    /// The turn.
    pub turn: usize,
    /// The action that was played.
    pub played: Action,
    /// The action that the engine would have played with more time; it may be the same.
    pub best: Action,
    /// The value of the played action.
    pub played_value: ActionValue,
    /// The value of the best action.
    pub best_value: ActionValue,
    /// The best action, and the drops after it that lead to the attack of `best_value`.
    pub line: Vec<Action>,
    /// Whether every action but the best loses a win probability of at least
    /// [`ReviewMark::MISTAKE`], by alpha-beta.
    pub is_only: bool,
    /// The win probability before the turn, if the search gives one.
    pub chance: Option<Probability>,
}

/// The most valuable attack that an action sets off or leaves possible.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BestAttack {
    /// The rounds of the chain; 0 if there is no attack.
    pub chain: Chain,
    /// The turns until the chain.
    pub ply: usize,
    /// The ojama that the attack sends, discounted by the turns until its chain.
    pub discounted_ojama: Ojama,
    /// The drops after the action; the last one sets off the chain.
    pub path: Vec<Placement>,
}

/// The value, ten rows, from which a game counts as decided: larger values make no difference.
/// Without this limit, turns of games that were lost long before would come first, because the
/// alpha-beta search counts thousands of ojama for a death by stock.
const DECIDED: OjamaTenths = OjamaTenths(1000);

/// The weight of a win or a loss within the alpha-beta search: more than the largest difference of
/// two values up to [`DECIDED`].
const GAME: OjamaTenths = OjamaTenths(3000);

/// The weight of a loss.
const LOST_GAME: OjamaTenths = OjamaTenths(-GAME.0);

/// The divisor of a decision's drops that gives the drops for the attacks after an action.
const PART_OF_ATTACKS: u64 = 4;

impl ActionValue {
    /// The alpha-beta search's value, limited for the computation of a loss.
    fn weight(&self) -> OjamaTenths {
        /// The plies of an alpha-beta search are far fewer.
        const PLIES: OjamaTenths = OjamaTenths(100);
        match self.alpha_beta {
            value if value >= WIN - PLIES => GAME,
            value if value <= LOSS + PLIES => LOST_GAME,
            value => value.clamp(-DECIDED, DECIDED),
        }
    }

    /// The ojama by which this value by alpha-beta exceeds another one, both limited.
    fn weight_over(&self, other: &Self) -> Ojama {
        Ojama::from(self.weight() - other.weight())
    }
}

impl MoveReview {
    /// The least loss that is listed: smaller differences occur between two searches of the same
    /// turn.
    pub const LISTED: Ojama = Ojama(1.0);

    /// Ojama that the played action loses against the best one: the larger of the loss within the
    /// plies of the alpha-beta search and the loss of the plan. 0 if the played action is as good.
    ///
    /// The alpha-beta search covers the next plies against an opponent, the plan covers the chain
    /// that was built. The engine weighs the two in the same way ([`PlannerParameters::margin`]),
    /// so they are not added up.
    pub fn lost(&self) -> Ojama {
        if self.played == self.best {
            return Ojama(0.0);
        }
        let alpha_beta = self.best_value.weight_over(&self.played_value);
        let plan = self.best_value.plan - self.played_value.plan;
        Ojama(alpha_beta.0.max(plan.0).max(0.0))
    }

    /// The win probability before the turn, as far as it can still be lost: 0 or 1 if alpha-beta
    /// proves the end of the game. Without a win probability, it follows from the value of the best
    /// action: ten rows or more behind is as good as lost.
    pub fn chance_before(&self) -> Probability {
        match self.best_value.weight() {
            GAME => Probability(1.0),
            LOST_GAME => Probability(0.0),
            value => self.chance.unwrap_or_else(|| chance_of(Ojama::from(value))),
        }
    }
}

/// Searches a turn with `nodes` drops, and compares the action `played` with the result; `None` if
/// `control` has stopped the search.
///
/// # Panics
/// If `packs` has no pack for the turn.
pub fn review(
    observation: &Observation,
    packs: &Packs,
    played: Action,
    nodes: u64,
    control: &Arc<SearchControl>,
) -> Option<MoveReview> {
    let thought =
        search_again(observation, packs, Some(played), SearchLimits::Nodes(nodes), control)?;
    let state: State<Field> = observation.state.convert();
    let ahead = packs.from_turn(state.turn);
    let best = thought.decision.action;
    let value = |action: Action| {
        let alpha_beta = alpha_beta_value(&thought.root_moves, action);
        let own = &state[Seat::First];
        let attack = best_attack(own, ahead, action, nodes / PART_OF_ATTACKS, control);
        let (chain, turn, plan) = (attack.chain, state.turn + attack.ply, attack.discounted_ojama);
        let path = Action::drops(&attack.path);
        (ActionValue { alpha_beta, chain, turn, plan }, [action].into_iter().chain(path).collect())
    };
    let (played_value, _): (_, Vec<Action>) = value(played);
    let (mut best_value, mut line) = value(best);
    // The plan of the decision is known to be possible, even if the second search did not find it.
    let report = &thought.decision.report;
    if let (Some(chain), Some(turn)) = (report.plan_chain, report.plan_turn)
        && report.plan.first() == Some(&best.to_string())
    {
        let discount = PlannerParameters::default().plans.discount;
        let planned = engine::discounted_ojama(Chain(chain), turn - state.turn, discount);
        if planned > best_value.plan {
            best_value = ActionValue { chain: Chain(chain), turn, plan: planned, ..best_value };
            line = report.plan.iter().filter_map(|action| action.parse().ok()).collect();
        }
    }
    let chance = report.chance;
    let mut review = MoveReview {
        turn: state.turn,
        played,
        best,
        played_value,
        best_value,
        line,
        is_only: false,
        chance,
    };
    let before = review.chance_before();
    let mut others = thought.root_moves.iter().filter(|root_move| root_move.action != best);
    review.is_only = thought.root_moves.len() > 1
        && others.all(|root_move| {
            let other = ActionValue { alpha_beta: root_move.value, ..played_value };
            lost_of(before, best_value.weight_over(&other)) >= ReviewMark::MISTAKE
        });
    (!control.is_stopped()).then_some(review)
}

fn alpha_beta_value(root_moves: &[RootMove], action: Action) -> OjamaTenths {
    let found = root_moves.iter().find(|root_move| root_move.action == action);
    found.map_or(LOSS, |root_move| root_move.value)
}

/// The most valuable attack that `action` sets off or leaves possible, as far as a beam search of
/// `drops` drops finds it; the default value if there is none.
pub fn best_attack(
    player: &Player<Field>,
    packs: &[Pack],
    action: Action,
    drops: u64,
    control: &Arc<SearchControl>,
) -> BestAttack {
    let PlannerParameters { depth, plans, shortest, .. } = PlannerParameters::default();
    let Some(step) = packs.first().and_then(|pack| player.step(pack, action).ok()) else {
        return BestAttack::default();
    };
    if step.player.field.is_over() {
        return BestAttack::default();
    }
    let attack = |chain, ply, path| {
        let discounted_ojama = engine::discounted_ojama(chain, ply, plans.discount);
        (chain >= shortest).then_some(BestAttack { chain, ply, discounted_ojama, path })
    };
    let later = attacks(&step.player, &packs[1..], depth - 1, drops, control);
    let later = later.into_iter().flatten();
    let later = later.filter_map(|found| attack(found.chain, found.ply() + 1, found.path));
    let attacks = attack(step.chain, 0, Vec::new()).into_iter().chain(later);
    attacks.max_by(|a, b| a.discounted_ojama.total_cmp(&b.discounted_ojama)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::costs::costs;
    use super::*;
    use crate::game::Cells;

    /// A chain of eight waits for the pack's 1; a drop that buries it loses the plan.
    fn observation() -> (Observation, Packs) {
        let mut state = State::<Cells>::new();
        state.players[0].field = "
            8.........
            7.........
            6.........
            5.........
            4.........
            3.........
            2.........
            9.........
            84........
            74........
            64........
            54........
            44........
            34........"
            .parse()
            .unwrap();
        state.turn = 20;
        (Observation { state, time_left: [Duration::from_secs(60); 2] }, Packs::from_seed(3))
    }

    #[test]
    fn the_action_of_the_decision_has_no_loss() {
        let (observation, packs) = observation();
        let control = Arc::default();
        let limits = SearchLimits::Nodes(2000);
        // On several threads, two searches may differ.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let thought =
            pool.install(|| search_again(&observation, &packs, None, limits, &control)).unwrap();
        let action = thought.decision.action;
        let reviewed = pool.install(|| review(&observation, &packs, action, 2000, &control));
        let review_of_turn = reviewed.unwrap();
        assert_eq!(review_of_turn.line[0], action);
        assert_eq!(review_of_turn.played, review_of_turn.best);
        assert!(review_of_turn.lost().0.abs() < f64::EPSILON);
    }

    #[test]
    fn a_loss_is_the_greater_of_alpha_beta_and_plan() {
        let value = |alpha_beta, plan| ActionValue {
            alpha_beta,
            chain: Chain(0),
            turn: 0,
            plan: Ojama(plan),
        };
        let tenths = |alpha_beta, plan| value(OjamaTenths(alpha_beta), plan);
        let lost = |played, best| {
            let [played_action, best_action] = ["0 0", "1 0"].map(|text| text.parse().unwrap());
            let (played_value, best_value) = (played, best);
            MoveReview {
                turn: 0,
                played: played_action,
                best: best_action,
                played_value,
                best_value,
                line: Vec::new(),
                is_only: false,
                chance: None,
            }
            .lost()
            .0
        };
        assert!((lost(tenths(0, 5.0), tenths(100, 7.0)) - 10.0).abs() < 1e-9);
        assert!((lost(tenths(100, 5.0), tenths(0, 17.0)) - 12.0).abs() < 1e-9);
        assert!(lost(tenths(100, 5.0), tenths(0, 4.0)).abs() < 1e-9);
        assert!((lost(tenths(0, 0.0), value(WIN, 0.0)) - 300.0).abs() < 1e-9);
        assert!((lost(value(LOSS, 0.0), value(WIN - OjamaTenths(3), 0.0)) - 600.0).abs() < 1e-9);
        let buried = lost(tenths(-100_000, 0.0), tenths(-1200, 0.0));
        assert!(buried.abs() < 1e-9, "the game was lost already");
    }

    #[test]
    fn a_drop_that_loses_at_once_is_the_worst() {
        let (mut observation, packs) = observation();
        let tower = "#.........\n".repeat(16);
        observation.state.players[0].field = tower.parse().unwrap();
        let action = "0 0".parse().unwrap();
        let review_of_turn = review(&observation, &packs, action, 2000, &Arc::default()).unwrap();
        assert!((review_of_turn.lost().0 - 200.0).abs() < 1e-9, "{review_of_turn:?}");
        assert!(review_of_turn.played_value.alpha_beta == LOSS);
        let cost = costs(vec![review_of_turn], None).remove(0);
        assert_eq!(cost.mark(), ReviewMark::Blunder, "{cost:?}");
    }
}
