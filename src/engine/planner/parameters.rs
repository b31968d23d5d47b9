//! The parameters of the planner.

use crate::engine::planner::opponent_model::OpponentParameters;
use crate::engine::time_manager::TimeParameters;
use crate::game::{Chain, OJAMA_ROW, Stock};
use crate::search::{Ojama, OjamaTenths, Payoff};

/// Minimum ojama of a major attack: three rows. The planner prepares for such an attack of the
/// opponent, and verifies one of its own before it makes it.
pub const MAJOR: Stock = 3 * OJAMA_ROW;

/// Parameters of [`Planner`](super::Planner).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlannerParameters {
    /// Depth of the own beam search, in turns; see [`Self::depth_at`].
    pub depth: usize,
    /// The plan's action is played unless another action is better by more than `margin`: the
    /// skill, a kill, or the prevention of a kill. The alpha-beta search sees at most four turns:
    /// with a smaller margin it makes attacks that the plan delays because of the counterattack.
    /// Experiments E-02.1, D-02, D-03, D-07, E-21.3.
    pub margin: OjamaTenths,
    /// Length of the opening in turns. In the opening, while no row is due, the plan uses no outer
    /// columns and no alpha-beta search runs. Experiment E-02.2.
    pub opening: usize,
    /// Minimum chain of a planned attack.
    pub shortest: Chain,
    /// The shares of a turn's budget.
    pub shares: BudgetShares,
    /// The time of a turn.
    pub time: TimeParameters,
    /// How plans are valued.
    pub plans: PlanParameters,
    /// The drops of a decision, simulated or expected in its time, below which it is quick.
    /// Experiments E-25 and E-28.
    pub quick_drops: f64,
    /// How plans are valued in a quick decision.
    pub quick_plans: PlanParameters,
    /// `depth` in a quick decision. Experiment B-29.
    pub quick_depth: usize,
}

/// Parameters of the choice and the value of plans.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlanParameters {
    /// Factor on an attack's ojama for each turn of delay, 0 to 1. Experiments E-01, E-14.1.
    pub discount: f64,
    /// Weight of the equilibrium in the mixture of the opponent's plans, 0 to 1; the rest is the
    /// weight of the likelihoods. Experiment E-12.
    pub equilibrium_weight: f64,
    /// The followed plan is kept unless another plan's value exceeds its value by at least
    /// `plan_hysteresis`. Values fluctuate from turn to turn because the results of the beams do.
    /// With too small a hysteresis the plan changes nearly every turn, each time to a later attack.
    /// Experiment E-06.
    pub plan_hysteresis: Payoff,
    /// Penalty on a plan's value for each turn of delay, because the opponent may find a stronger
    /// attack in the meantime. Experiments E-06, E-16.1.
    pub delay_penalty: Payoff,
    /// Minimum value at which a major attack of this turn is made before any other plan, if no row
    /// is due. The value of an attack now is more certain than that of a later one (E-23).
    pub in_hand: Payoff,
    /// The choice of plans, and the opponent model.
    pub opponent: OpponentParameters,
}

impl Default for PlanParameters {
    fn default() -> Self {
        Self {
            discount: 0.8,
            equilibrium_weight: 0.5,
            plan_hysteresis: Payoff(0.1),
            delay_penalty: Payoff(0.01),
            in_hand: Payoff(0.35),
            opponent: OpponentParameters::default(),
        }
    }
}

impl PlanParameters {
    /// The parameters of a quick decision, whose beams find shorter chains and whose exchanges see
    /// fewer counterattacks. Tuned by SPSA in self-play at 600,000 drops a decision. Experiment
    /// E-25.
    fn quick() -> Self {
        Self {
            discount: 0.98,
            equilibrium_weight: 0.415,
            plan_hysteresis: Payoff(0.04),
            delay_penalty: Payoff(0.0003),
            in_hand: Payoff(0.306),
            opponent: OpponentParameters {
                own_discounts: [0.784, 0.782],
                opponent_discount: 0.69,
                sent: 1.71,
                haste: 0.55,
                first: 4.75,
                ahead: 0.305,
                payoff_scale: Ojama(56.5),
                ..OpponentParameters::default()
            },
        }
    }
}

/// In the first turns, the own beam search reaches at least the turn before this one. The plan of
/// turn 0 is an attack in turn 9 to 14. Experiment B-29.
const FIRST_HORIZON: usize = 15;

impl PlannerParameters {
    /// Returns the depth of the own beam search at `turn`, in turns: [`Self::depth`], or more in
    /// the first turns.
    ///
    /// Nearly all plans are attacks within twelve turns, for which a deeper search has fewer drops.
    /// Longer decisions show no gain from a search of twelve turns. Experiment B-29.
    pub fn depth_at(&self, turn: usize) -> usize {
        self.depth.max(FIRST_HORIZON.saturating_sub(turn))
    }

    /// Returns the parameters of a decision that simulates about `drops` drops: its plans are those
    /// of [`Self::quick_plans`] and its depth is [`Self::quick_depth`] if it is quick.
    pub const fn for_drops(&self, drops: f64) -> Self {
        if drops < self.quick_drops {
            Self { plans: self.quick_plans, depth: self.quick_depth, ..*self }
        } else {
            *self
        }
    }
}

/// Shares of a turn's budget, 0 to 1, chosen by hand and not by matches unless an experiment is
/// named. B-24 lowered `own_beam`, `opponents_beam`, `exchanges`, `counter_plan` and `verify` by 12
/// to 15 %. The alpha-beta search gets the rest of the budget; in a turn of the opening, in which
/// no alpha-beta search runs, the own beam gets it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BudgetShares {
    /// The own beam, except in a turn of the opening.
    pub own_beam: f64,
    /// The opponent's beam.
    pub opponents_beam: f64,
    /// Factor on `opponents_beam` if the opponent is short of time.
    pub short_of_time: f64,
    /// The exchanges.
    pub exchanges: f64,
    /// Each of the two beams of the counter-plan.
    pub counter_plan: f64,
    /// The counterattacks to the heaviest attack of this turn.
    pub verify: f64,
    /// Extra time to verify a chosen attack, as a factor on the turn's planned time. A game has
    /// only two or three major attacks and leaves much of its time unused. A factor four times as
    /// large changes nothing (E-15).
    pub verify_again: f64,
    /// The search for a win. It uses its share only if the rows that are due, an attack of this
    /// turn or a known attack of the next three turns bring the opponent near the danger line.
    pub mate: f64,
    /// The search for a survival path. It uses its share only if a row is due on us and the due
    /// rows bring us near the danger line.
    pub survival: f64,
}

impl Default for BudgetShares {
    fn default() -> Self {
        Self {
            own_beam: 0.26,
            opponents_beam: 0.145,
            short_of_time: 0.5,
            exchanges: 0.17,
            counter_plan: 0.0425,
            verify: 0.07,
            verify_again: 1.0,
            mate: 0.07,
            survival: 0.05,
        }
    }
}

impl BudgetShares {
    /// The share of both beams of the counter-plan.
    pub(super) fn counter_plans(&self) -> f64 {
        2.0 * self.counter_plan
    }

    /// The share of the own beam in a turn of the opening: 1 less the shares of the other searches
    /// of the plans.
    pub(super) fn opening_own_beam(&self) -> f64 {
        1.0 - self.opponents_beam - self.exchanges - self.counter_plans()
    }
}

impl Default for PlannerParameters {
    fn default() -> Self {
        let shortest = Chain(6);
        Self {
            depth: 16,
            margin: OjamaTenths(2000),
            opening: 8,
            shortest,
            shares: BudgetShares::default(),
            time: TimeParameters::default(),
            plans: PlanParameters::default(),
            quick_drops: 2.5e6,
            quick_plans: PlanParameters::quick(),
            quick_depth: 12,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_beam_of_a_quick_decision_reaches_turn_14_in_the_first_turns() {
        let default = PlannerParameters::default();
        let depths = |drops| {
            let parameters = default.for_drops(drops);
            [0, 1, 2, 3, 4, 499].map(|turn| parameters.depth_at(turn))
        };
        assert_eq!(depths(2.4e6), [15, 14, 13, 12, 12, 12]);
        assert_eq!(depths(2.5e6), [16; 6]);
    }
}
