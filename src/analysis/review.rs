//! Computes the loss of an answer against a better one.

use super::search_again::{Limits, attacks, think};
use crate::board::Field;
use crate::engine::{PlannerParameters, discounted_ojama};
use crate::game::{Action, Chain, Pack, Packs, Player, Seat, State};
use crate::protocol::Observation;
use crate::search::alpha_beta::{LOSS, RootMove, WIN};
use crate::search::{Ojama, OjamaTenths};

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
}

/// The value, ten rows, from which a game counts as decided: larger values make no difference.
/// Without this limit, turns of games that were lost long before would come first, because the
/// alpha-beta search counts thousands of ojama for a burial.
const DECIDED: OjamaTenths = OjamaTenths(1000);

/// The weight of a win or a loss within the alpha-beta search: more than the largest difference of
/// two values up to [`DECIDED`].
const GAME: OjamaTenths = OjamaTenths(3000);

/// The divisor of a decision's drops that gives the drops for the attacks after an action.
const PART_OF_ATTACKS: u64 = 4;

impl ActionValue {
    /// The alpha-beta search's value, limited for the computation of a loss.
    fn weight(&self) -> OjamaTenths {
        /// The plies of an alpha-beta search are far fewer.
        const PLIES: OjamaTenths = OjamaTenths(100);
        match self.alpha_beta {
            value if value >= WIN - PLIES => GAME,
            value if value <= LOSS + PLIES => -GAME,
            value => value.clamp(-DECIDED, DECIDED),
        }
    }
}

impl MoveReview {
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
        let alpha_beta = Ojama::from(self.best_value.weight() - self.played_value.weight());
        let plan = self.best_value.plan - self.played_value.plan;
        Ojama(alpha_beta.0.max(plan.0).max(0.0))
    }
}

/// Searches a turn with `nodes` drops, and compares the action `played` with the result.
///
/// # Panics
/// If `packs` has no pack for the turn.
pub fn review(observation: &Observation, packs: &Packs, played: Action, nodes: u64) -> MoveReview {
    let thought = think(observation, packs, Some(played), Limits::Nodes(nodes));
    let state: State<Field> = observation.state.convert();
    let ahead = packs.from_turn(state.turn);
    let best = thought.decision.action;
    let value = |action: Action| {
        let alpha_beta = alpha_beta_value(&thought.root_moves, action);
        let (chain, turn, plan) =
            best_attack(&state[Seat::First], ahead, action, nodes / PART_OF_ATTACKS);
        ActionValue { alpha_beta, chain, turn: state.turn + turn, plan }
    };
    let (played_value, mut best_value) = (value(played), value(best));
    // The plan of the decision is known to be possible, even if the second search did not find it.
    let report = &thought.decision.report;
    if let (Some(chain), Some(turn)) = (report.plan_chain, report.plan_turn)
        && report.plan.first() == Some(&best.to_string())
    {
        let discount = PlannerParameters::default().discount;
        let planned = discounted_ojama(Chain(chain), turn - state.turn, discount);
        if planned > best_value.plan {
            best_value = ActionValue { chain: Chain(chain), turn, plan: planned, ..best_value };
        }
    }
    MoveReview { turn: state.turn, played, best, played_value, best_value }
}

fn alpha_beta_value(root_moves: &[RootMove], action: Action) -> OjamaTenths {
    let found = root_moves.iter().find(|root_move| root_move.action == action);
    found.map_or(LOSS, |root_move| root_move.value)
}

/// The most valuable attack that an action sets off or leaves possible: its chain, the turns until
/// it, and its value.
fn best_attack(
    player: &Player<Field>,
    packs: &[Pack],
    action: Action,
    drops: u64,
) -> (Chain, usize, Ojama) {
    let PlannerParameters { depth, discount, shortest, .. } = PlannerParameters::default();
    let Some(step) = packs.first().and_then(|pack| player.step(pack, action).ok()) else {
        return (Chain(0), 0, Ojama(0.0));
    };
    if step.player.field.is_over() {
        return (Chain(0), 0, Ojama(0.0));
    }
    let later = attacks(&step.player, &packs[1..], depth - 1, drops);
    let later = later.iter().flatten().map(|attack| (attack.chain, attack.ply() + 1));
    let attacks = [(step.chain, 0)].into_iter().chain(later);
    let attacks = attacks.filter(|&(chain, _)| chain >= shortest);
    let valued = attacks.map(|(chain, ply)| (chain, ply, discounted_ojama(chain, ply, discount)));
    valued.max_by(|a, b| a.2.total_cmp(&b.2)).unwrap_or((Chain(0), 0, Ojama(0.0)))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

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
    fn the_decision_itself_loses_nothing() {
        let (observation, packs) = observation();
        let thought = think(&observation, &packs, None, Limits::Nodes(2000));
        let review_of_turn = review(&observation, &packs, thought.decision.action, 2000);
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
        let review_of_turn = review(&observation, &packs, "0 0".parse().unwrap(), 2000);
        assert!((review_of_turn.lost().0 - 200.0).abs() < 1e-9, "{review_of_turn:?}");
        assert!(review_of_turn.played_value.alpha_beta == LOSS);
    }
}
