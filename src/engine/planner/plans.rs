//! Stage 2: the plans of both sides that the payoff matrix compares.

use super::counter_plan;
use super::decision_input::DecisionInput;
use super::parameters::PlannerParameters;
use super::searches::BothSearches;
use crate::engine::planner::opponent_model;
use crate::engine::time_manager::TimeManager;
use crate::game::{OJAMA_ROW, Placement, Seat};
use crate::search::Probability;
use crate::search::beam::Attack;
use crate::search::exchange::{KnownCounterattacks, Plan};

/// The plans of both sides.
pub(super) struct Plans {
    /// The own attacks that may be planned, soonest first, then the followed plan and the
    /// counter-plan unless they are among them.
    pub own: Vec<Plan>,
    /// The attacks that the opponent may plan, soonest first.
    pub opponent: Vec<Plan>,
    /// The likelihood of each plan of the opponent; the sum is 1.
    pub likelihoods: Vec<Probability>,
    /// Our counterattacks to the opponent's soonest major attack, if the counter-plan has any.
    pub own_counterattacks: Option<KnownCounterattacks>,
}

impl Plans {
    /// Chooses the plans to compare among the attacks that `searches` found, and searches the
    /// counter-plan if no own row is due. `followed` are the remaining drops of the followed plan.
    pub fn new(
        position: &DecisionInput<'_>,
        searches: &BothSearches,
        followed: &[Placement],
        parameters: &PlannerParameters,
        time_manager: &mut TimeManager<'_>,
    ) -> Self {
        let [ours, theirs] = &searches.found;
        let is_dry = position.state[Seat::Second].stock < OJAMA_ROW;
        let mut own =
            opponent_model::own_plans(ours, parameters.shortest, &parameters.plans.opponent);
        let model = &parameters.plans.opponent;
        let opponent = opponent_model::opponent_plans(theirs, parameters.shortest, is_dry, model);
        let likelihoods = opponent_model::likelihoods(&opponent, model);
        let mut own_counterattacks = None;
        if position.state[Seat::First].stock < OJAMA_ROW {
            let shortest = parameters.shortest;
            add(&mut own, counter_plan::followed_attack(position, followed, shortest));
            let counter = counter_plan::counter_plan(position, &opponent, parameters, time_manager);
            if let Some((attack, counterattacks)) = counter {
                add(&mut own, Some(attack));
                own_counterattacks = Some(counterattacks);
            }
        }
        Self { own, opponent, likelihoods, own_counterattacks }
    }
}

/// Adds `attack` to `plans`, unless a plan has its path.
fn add(plans: &mut Vec<Plan>, attack: Option<Attack>) {
    if let Some(attack) = attack
        && plans.iter().all(|plan| plan.attack.path != attack.path)
    {
        plans.push(attack.into());
    }
}
