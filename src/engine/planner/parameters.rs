//! The parameters of the planner.

use crate::game::Chain;
use crate::search::{OjamaTenths, Payoff};

/// Parameters of [`Planner`](super::Planner).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlannerParameters {
    /// Depth of the own beam search, in turns.
    pub depth: usize,
    /// Factor on an attack's ojama for each turn of delay, 0 to 1. Experiments E-01, E-14.1.
    pub discount: f64,
    /// The plan's action is played unless another action is better by more than `margin`: the
    /// skill, a kill, or the prevention of a kill. The alpha-beta search sees at most four turns:
    /// with a smaller margin it makes attacks that the plan delays because of the answer.
    /// Experiments E-02.1, D-02, D-03, E-21.3.
    pub margin: OjamaTenths,
    /// Length of the opening in turns. In the opening, while no row is due, the plan uses no outer
    /// columns and no alpha-beta search runs. Experiment E-02.2.
    pub opening: usize,
    /// Minimum chain of a planned attack.
    pub shortest: Chain,
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
}

impl Default for PlannerParameters {
    fn default() -> Self {
        let shortest = Chain(6);
        Self {
            depth: 16,
            discount: 0.8,
            margin: OjamaTenths(2000),
            opening: 8,
            shortest,
            equilibrium_weight: 0.5,
            plan_hysteresis: Payoff(0.1),
            delay_penalty: Payoff(0.01),
        }
    }
}
