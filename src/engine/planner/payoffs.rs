//! Stage 3: the payoff matrix, and the value of each own plan.

use super::decision_input::DecisionInput;
use super::parameters::PlannerParameters;
use super::plans::Plans;
use super::verify_attack;
use crate::board::Field;
use crate::engine::planner::opponent_model::{self, PlanValues, discounted_ojama};
use crate::engine::time_manager::TimeManager;
use crate::game::{Player, Seat};
use crate::search::exchange::{
    self, CurveMemory, Exchange, KnownCounterattacks, Outcome, Plan, Side,
};
use crate::search::{Ojama, Payoff, Probability};

/// Tie-break: payoff added to a plan's value for each ojama of its discounted attack.
const TIE_BREAK: f64 = 1e-3;

/// The payoff matrix: each own plan against each plan of the opponent.
pub(super) struct Payoffs {
    exchange: Exchange,
    rule: ValueRule,
    /// The value of each own plan, with the tie-break and the delay penalty.
    pub values: Vec<Payoff>,
    /// The shares of both sides' plans in the equilibrium, own side first.
    pub shares: [Vec<Probability>; 2],
}

/// The rule by which the value of a plan follows from its payoffs; see [`PlannerParameters`].
struct ValueRule {
    equilibrium_weight: f64,
    discount: f64,
    delay_penalty: Payoff,
    payoff_scale: Ojama,
}

impl Payoffs {
    /// Plays each own plan against each plan of the opponent. `curves` are those of the game's
    /// earlier exchanges.
    pub fn new(
        position: &DecisionInput<'_>,
        plans: &Plans,
        parameters: &PlannerParameters,
        curves: &mut CurveMemory,
        time_manager: &mut TimeManager<'_>,
    ) -> Self {
        let opponents_counterattacks =
            verify_attack::counterattacks(position, &plans.own, &parameters.shares, time_manager);
        let [own, opponent] = &position.state.players;
        let own = side(own, &plans.own, plans.own_counterattacks.clone());
        let opponent = side(opponent, &plans.opponent, opponents_counterattacks);
        let budget = time_manager.split(parameters.shares.exchanges);
        let exchange = exchange::search(&own, &opponent, position.packs, curves, &budget);
        let rule = ValueRule {
            equilibrium_weight: parameters.plans.equilibrium_weight,
            discount: parameters.plans.discount,
            // Delay costs nothing against an opponent that will soon have no time to search.
            delay_penalty: if position.is_pressed {
                Payoff(0.0)
            } else {
                parameters.plans.delay_penalty
            },
            payoff_scale: parameters.plans.opponent.payoff_scale,
        };
        let (values, shares) = rule.values(plans, &exchange);
        Self { exchange, rule, values, shares }
    }

    /// Adds the opponent's `counterattacks` to the payoffs, and computes the values again.
    pub fn add_counterattacks(&mut self, plans: &Plans, counterattacks: &KnownCounterattacks) {
        self.exchange.add_counterattacks(Seat::Second, counterattacks);
        (self.values, self.shares) = self.rule.values(plans, &self.exchange);
    }

    /// The outcomes, by own plan, then by the opponent's plan.
    pub fn outcomes(&self) -> &[Vec<Outcome>] {
        self.exchange.outcomes()
    }
}

impl ValueRule {
    /// Returns the values of the own plans, and the shares of both sides' plans in the equilibrium.
    fn values(&self, plans: &Plans, exchange: &Exchange) -> (Vec<Payoff>, [Vec<Probability>; 2]) {
        let weight = self.equilibrium_weight;
        let PlanValues { values, shares } = opponent_model::weigh(
            &exchange.balances(),
            &plans.likelihoods,
            weight,
            self.payoff_scale,
        );
        let value = |(plan, &value): (&Plan, &Payoff)| {
            // Among plans of equal value, prefer the stronger and sooner attack.
            let sent = discounted_ojama(plan.attack.chain, plan.ply(), self.discount);
            value + Payoff(TIE_BREAK * sent.0) - Payoff(self.delay_penalty.0 * plan.ply() as f64)
        };
        (plans.own.iter().zip(&values).map(value).collect(), shares)
    }
}

fn side<'a>(
    player: &Player<Field>,
    plans: &'a [Plan],
    known_counterattacks: Option<KnownCounterattacks>,
) -> Side<'a> {
    let Player { field, stock, gauge, .. } = *player;
    Side { field, stock, gauge, plans, known_counterattacks }
}
