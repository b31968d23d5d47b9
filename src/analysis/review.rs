//! What an answer lost against a better one.

use super::search_again::{Limits, attacks, think};
use crate::board::Field;
use crate::engine::{PlannerParameters, worth};
use crate::game::{Action, Chain, Pack, Packs, Player, Seat, State};
use crate::protocol::Observation;
use crate::search::alpha_beta::{LOSS, Verdict, WIN};

/// An action, as longer thinking sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Value {
    /// What the alpha-beta search says, in tenths of an ojama.
    pub alpha_beta: i64,
    /// The attack that is worth most among the one that the action sets off and those that it
    /// leaves for later: its chain. 0 if there is none.
    pub chain: Chain,
    /// The turn of that attack.
    pub turn: usize,
    /// What it is worth to the engine, in ojama: what it sends, less the longer it takes.
    pub plan: f64,
}

/// A turn that was thought about again.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveReview {
    /// The turn.
    pub turn: usize,
    /// What was played.
    pub played: Action,
    /// What the engine would have played with more time; perhaps the same.
    pub best: Action,
    /// What was played is worth this.
    pub played_value: Value,
    /// The other one this.
    pub best_value: Value,
}

/// Beyond so many tenths of an ojama, ten rows, a game is as good as decided, and more makes no
/// difference: otherwise turns of games that were lost long before come first, as the alpha-beta counts
/// thousands of ojama for a burial.
const DECIDED: i64 = 1000;

/// A win or a loss within the alpha-beta counts as this many tenths of an
/// ojama: more than any value below [`DECIDED`] can differ by.
const GAME: i64 = 3000;

/// Drops for the attacks behind an action, as a part of a decision's.
const PART_OF_ATTACKS: u64 = 4;

impl Value {
    /// The alpha-beta search's value as it counts for what is lost, in tenths of an ojama.
    fn weight(&self) -> i64 {
        /// The plies of an alpha-beta search are far fewer.
        const PLIES: i64 = 100;
        match self.alpha_beta {
            value if value >= WIN - PLIES => GAME,
            value if value <= LOSS + PLIES => -GAME,
            value => value.clamp(-DECIDED, DECIDED),
        }
    }
}

impl MoveReview {
    /// Ojama that the played action loses against the best one: the larger of the loss within the plies
    /// of the alpha-beta search and the loss of the plan. 0 where the played action is as good.
    ///
    /// The one is what comes at once and against an opponent, the other what was built; the engine
    /// weighs them in the same way ([`PlannerParameters::margin`]), so that they are not added up.
    pub fn lost(&self) -> f64 {
        if self.played == self.best {
            return 0.0;
        }
        let alpha_beta = (self.best_value.weight() - self.played_value.weight()) as f64 / 10.0;
        let plan = self.best_value.plan - self.played_value.plan;
        alpha_beta.max(plan).max(0.0)
    }
}

/// Thinks about a turn with so many drops, and sets what was played against what it finds.
///
/// # Panics
/// If the packs have none for the turn.
pub fn review(observation: &Observation, packs: &Packs, played: Action, nodes: u64) -> MoveReview {
    let thought = think(observation, packs, Some(played), Limits::Nodes(nodes));
    let state: State<Field> = observation.state.convert();
    let ahead = packs.from_turn(state.turn);
    let best = thought.decision.action;
    let value = |action: Action| {
        let alpha_beta = alpha_beta_value(&thought.verdicts, action);
        let (chain, turn, plan) =
            promise(&state[Seat::First], ahead, action, nodes / PART_OF_ATTACKS);
        Value { alpha_beta, chain, turn: state.turn + turn, plan }
    };
    let (played_value, mut best_value) = (value(played), value(best));
    // What the decision meant to do is known to be possible, even if it was not found again.
    let report = &thought.decision.report;
    if let (Some(chain), Some(turn)) = (report.plan_chain, report.plan_turn)
        && report.plan.first() == Some(&best.to_string())
    {
        let planned = worth(Chain(chain), turn - state.turn, PlannerParameters::default().discount);
        if planned > best_value.plan {
            best_value = Value { chain: Chain(chain), turn, plan: planned, ..best_value };
        }
    }
    MoveReview { turn: state.turn, played, best, played_value, best_value }
}

fn alpha_beta_value(verdicts: &[Verdict], action: Action) -> i64 {
    let found = verdicts.iter().find(|verdict| verdict.action == action);
    found.map_or(LOSS, |verdict| verdict.value)
}

/// The attack worth most that an action sets off or leaves: its chain, the turns until it, and what
/// it is worth.
fn promise(
    player: &Player<Field>,
    packs: &[Pack],
    action: Action,
    drops: u64,
) -> (Chain, usize, f64) {
    let PlannerParameters { depth, discount, shortest, .. } = PlannerParameters::default();
    let Some(step) = packs.first().and_then(|pack| player.step(pack, action).ok()) else {
        return (Chain(0), 0, 0.0);
    };
    if step.player.field.is_over() {
        return (Chain(0), 0, 0.0);
    }
    let later = attacks(&step.player, &packs[1..], depth - 1, drops);
    let later = later.iter().flatten().map(|attack| (attack.chain, attack.ply() + 1));
    let attacks = [(step.chain, 0)].into_iter().chain(later);
    let attacks = attacks.filter(|&(chain, _)| chain >= shortest);
    let valued = attacks.map(|(chain, ply)| (chain, ply, worth(chain, ply, discount)));
    valued.max_by(|a, b| a.2.total_cmp(&b.2)).unwrap_or((Chain(0), 0, 0.0))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::game::Cells;

    /// A chain of eight waits for the pack's 1; whoever buries it loses the plan.
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
        let judgement = review(&observation, &packs, thought.decision.action, 2000);
        assert_eq!(judgement.played, judgement.best);
        assert!(judgement.lost().abs() < f64::EPSILON);
    }

    #[test]
    fn what_is_lost_is_the_greater_of_alpha_beta_and_plan() {
        let value = |alpha_beta, plan| Value { alpha_beta, chain: Chain(0), turn: 0, plan };
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
        };
        assert!((lost(value(0, 5.0), value(100, 7.0)) - 10.0).abs() < 1e-9);
        assert!((lost(value(100, 5.0), value(0, 17.0)) - 12.0).abs() < 1e-9);
        assert!(lost(value(100, 5.0), value(0, 4.0)).abs() < 1e-9);
        assert!((lost(value(0, 0.0), value(WIN, 0.0)) - 300.0).abs() < 1e-9);
        assert!((lost(value(LOSS, 0.0), value(WIN - 3, 0.0)) - 600.0).abs() < 1e-9);
        let buried = lost(value(-100_000, 0.0), value(-1200, 0.0));
        assert!(buried.abs() < 1e-9, "the game was lost already");
    }

    #[test]
    fn a_drop_that_loses_at_once_is_the_worst() {
        let (mut observation, packs) = observation();
        let tower = "#.........\n".repeat(16);
        observation.state.players[0].field = tower.parse().unwrap();
        let judgement = review(&observation, &packs, "0 0".parse().unwrap(), 2000);
        assert!((judgement.lost() - 200.0).abs() < 1e-9, "{judgement:?}");
        assert!(judgement.played_value.alpha_beta == LOSS);
    }
}
