//! Stage 3: the payoff matrix, and the value of each own plan.

use super::plans::Plans;
use super::{PlannerParameters, Position, verify_attack};
use crate::board::Field;
use crate::engine::opponent_model::{self, PlanValues, worth};
use crate::engine::time_manager::TimeManager;
use crate::game::{Player, Seat};
use crate::search::exchange::{self, Exchange, Found, Outcome, Plan, Side};

/// Share of a turn's budget for the exchanges. Chosen by hand, not by matches.
pub(super) const EXCHANGES: f64 = 0.2;

/// Tie-break: added to a plan's value for each ojama of its discounted attack.
const TIE: f64 = 1e-3;

/// The payoff matrix: each own plan against each plan of the opponent.
pub(super) struct Payoffs {
    exchange: Exchange,
    rule: ValueRule,
    /// The value of each own plan, about -1 (lost) to 1 (won), with the tie-break and the delay
    /// penalty.
    pub values: Vec<f64>,
    /// The shares of both sides' plans in the equilibrium, own side first.
    pub shares: [Vec<f64>; 2],
}

/// How the value of a plan follows from its payoffs; see [`PlannerParameters`].
struct ValueRule {
    equilibrium_weight: f64,
    discount: f64,
    delay_penalty: f64,
}

impl Payoffs {
    /// Plays each own plan against each plan of the opponent.
    pub fn new(
        position: &Position<'_>,
        plans: &Plans,
        parameters: &PlannerParameters,
        time_manager: &mut TimeManager<'_>,
    ) -> Self {
        let opponents_answers = verify_attack::answers(position, &plans.own, time_manager);
        let [own, opponent] = &position.state.players;
        let own = side(own, &plans.own, plans.own_answers.clone());
        let opponent = side(opponent, &plans.opponent, opponents_answers);
        let exchange = time_manager
            .divided(EXCHANGES, |budget| exchange::search(&own, &opponent, position.packs, budget));
        let rule = ValueRule {
            equilibrium_weight: parameters.reason,
            discount: parameters.discount,
            // Delay costs nothing against an opponent that will soon have no time to search.
            delay_penalty: if position.is_pressed { 0.0 } else { parameters.late },
        };
        let (values, shares) = rule.values(plans, &exchange);
        Self { exchange, rule, values, shares }
    }

    /// Adds the opponent's answers `found` to the payoffs, and computes the values again.
    pub fn learn(&mut self, plans: &Plans, found: &Found) {
        self.exchange.learn(Seat::Second, found);
        (self.values, self.shares) = self.rule.values(plans, &self.exchange);
    }

    /// The outcomes, by own plan, then by the opponent's plan.
    pub fn outcomes(&self) -> &[Vec<Outcome>] {
        self.exchange.outcomes()
    }
}

impl ValueRule {
    /// Returns the values of the own plans, and the shares of both sides' plans in the equilibrium.
    fn values(&self, plans: &Plans, exchange: &Exchange) -> (Vec<f64>, [Vec<f64>; 2]) {
        let weight = self.equilibrium_weight;
        let PlanValues { values, shares } =
            opponent_model::weigh(&exchange.balances(), &plans.likelihoods, weight);
        let value = |(plan, value): (&Plan, &f64)| {
            // Among plans of equal value, prefer the stronger and sooner attack.
            let worth = worth(plan.attack.chain, plan.ply(), self.discount);
            value + TIE * worth - self.delay_penalty * plan.ply() as f64
        };
        (plans.own.iter().zip(&values).map(value).collect(), shares)
    }
}

fn side<'a>(player: &Player<Field>, plans: &'a [Plan], found: Option<Found>) -> Side<'a> {
    Side { field: player.field, stock: player.stock, gauge: player.gauge, plans, found }
}
