//! The selection of the plan to follow: the payoff matrix gives each own plan a value, and the plan
//! of the highest value is followed. A good attack of this turn is not delayed.

use super::opponent_model::{self, PlanValues, discounted_ojama};
use super::parameters::{BudgetShares, PlanParameters, PlannerParameters};
use super::stages::{DecisionInput, Plans};
use super::verify_attack;
use crate::board::Field;
use crate::engine::time_manager::TimeManager;
use crate::game::{Placement, Player, Seat};
use crate::search::exchange::{
    self, CurveMemory, Exchange, KnownCounterattacks, Outcome, Plan, Side,
};
use crate::search::{Budget, Ojama, Payoff, Probability};

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
    pub fn search(
        input: &DecisionInput<'_>,
        plans: &Plans,
        parameters: &PlannerParameters,
        curves: &mut CurveMemory,
        time_manager: &mut TimeManager<'_>,
    ) -> Self {
        let exchange = exchange(input, plans, &parameters.shares, curves, time_manager);
        let rule = ValueRule {
            equilibrium_weight: parameters.plans.equilibrium_weight,
            discount: parameters.plans.discount,
            // Delay costs nothing against an opponent that will soon have no time to search.
            delay_penalty: if input.is_opponent_short_of_time {
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

/// Plays each own plan against each plan of the opponent, and verifies the heaviest attack of this
/// turn: at the same time if they can, else before.
fn exchange(
    input: &DecisionInput<'_>,
    plans: &Plans,
    shares: &BudgetShares,
    curves: &mut CurveMemory,
    time_manager: &mut TimeManager<'_>,
) -> Exchange {
    let [own, opponent] = &input.state.players;
    let own = side(own, &plans.own, plans.own_counterattacks.clone());
    let mut opponent = side(opponent, &plans.opponent, None);
    let sent = verify_attack::heaviest(&plans.own);
    let verify = |sent, budget: &Budget| verify_attack::search_counterattacks(input, sent, budget);
    if time_manager.runs_beside() {
        let beside = sent.map_or(0.0, |_| shares.verify);
        let budget = time_manager.split_beside(shares.exchanges, beside);
        let verify = || sent.map(|sent| verify(sent, &time_manager.beside().share(shares.verify)));
        return exchange::search_beside(&own, &opponent, input.packs, curves, &budget, verify);
    }
    let known = sent.map(|sent| verify(sent, &time_manager.share(shares.verify)));
    opponent.known_counterattacks = known;
    let budget = time_manager.split(shares.exchanges);
    exchange::search(&own, &opponent, input.packs, curves, &budget)
}

fn side<'a>(
    player: &Player<Field>,
    plans: &'a [Plan],
    known_counterattacks: Option<KnownCounterattacks>,
) -> Side<'a> {
    let Player { field, stock, gauge, .. } = *player;
    Side { field, stock, gauge, plans, known_counterattacks }
}

/// The selected plan.
pub(super) struct Selection {
    /// The index of the own plan to follow; `None` if there is no plan.
    pub plan: Option<usize>,
    /// The payoffs by which the plan was selected.
    pub payoffs: Payoffs,
}

impl Selection {
    /// Selects the own plan to follow by `rule`. If it is a major attack of this turn, verifies the
    /// attack with extra time, and selects again by the payoffs with the counterattacks found.
    pub fn choose(
        input: &DecisionInput<'_>,
        plans: &Plans,
        mut payoffs: Payoffs,
        rule: &SelectionRule<'_>,
        time_manager: &mut TimeManager<'_>,
    ) -> Self {
        let mut plan = rule.select(&plans.own, &payoffs.values);
        let counterattacks = plan.and_then(|plan| {
            verify_attack::verify_again(input, &plans.own[plan], &rule.shares, time_manager)
        });
        if let Some(counterattacks) = counterattacks {
            payoffs.add_counterattacks(plans, &counterattacks);
            plan = rule.select(&plans.own, &payoffs.values);
        }
        Self { plan, payoffs }
    }

    /// The value of the selected plan; `None` without a plan.
    pub fn value(&self) -> Option<Payoff> {
        self.plan.map(|plan| self.payoffs.values[plan])
    }
}

/// The inputs of the selection besides the plans and their values.
pub(super) struct SelectionRule<'a> {
    /// The remaining drops of the followed plan.
    pub followed: &'a [Placement],
    /// See [`PlanParameters::plan_hysteresis`].
    pub plan_hysteresis: Payoff,
    /// See [`PlanParameters::in_hand`].
    pub in_hand: Payoff,
    /// See [`BudgetShares::verify_again`].
    pub shares: BudgetShares,
    /// Whether at least one row is due on either side.
    pub is_rain_due: bool,
}

impl<'a> SelectionRule<'a> {
    /// The rule of `parameters`.
    pub const fn new(
        parameters: &PlannerParameters,
        followed: &'a [Placement],
        is_rain_due: bool,
    ) -> Self {
        let PlanParameters { plan_hysteresis, in_hand, .. } = parameters.plans;
        let shares = parameters.shares;
        Self { followed, plan_hysteresis, in_hand, shares, is_rain_due }
    }

    /// Returns the index of the plan to follow, or `None` if `plans` is empty.
    fn select(&self, plans: &[Plan], values: &[Payoff]) -> Option<usize> {
        let by_value = |&a: &usize, &b: &usize| values[a].total_cmp(&values[b]).then(b.cmp(&a));
        let is_in_hand = |&plan: &usize| {
            !self.is_rain_due
                && values[plan] >= self.in_hand
                && verify_attack::major(&plans[plan]).is_some()
        };
        let in_hand = (0..plans.len()).filter(is_in_hand).max_by(by_value);
        if in_hand.is_some() {
            return in_hand;
        }
        let best = (0..plans.len()).max_by(by_value)?;
        let kept = plans.iter().position(|plan| plan.attack.path == self.followed);
        let kept = kept.filter(|&kept| values[best] - values[kept] < self.plan_hysteresis);
        Some(kept.unwrap_or(best))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::beam::Attack;

    fn plan(chain: u8, ply: usize) -> Plan {
        Attack::some(chain, ply).into()
    }

    fn rule<'a>(followed: &'a Plan, is_rain_due: bool) -> SelectionRule<'a> {
        SelectionRule::new(&PlannerParameters::default(), &followed.attack.path, is_rain_due)
    }

    #[test]
    fn keeps_the_followed_plan_unless_another_is_better_by_the_hysteresis() {
        let plans = [plan(11, 3), plan(14, 6), plan(15, 8)];
        let rule = rule(&plans[0], false);
        assert_eq!(rule.select(&plans, &[0.45, 0.5, 0.2].map(Payoff)), Some(0));
        assert_eq!(rule.select(&plans, &[0.35, 0.5, 0.2].map(Payoff)), Some(1));
        assert_eq!(
            rule.select(&plans[1..], &[0.5, 0.5].map(Payoff)),
            Some(0),
            "of equals the sooner"
        );
        assert_eq!(rule.select(&[], &[]), None);
    }

    #[test]
    fn a_good_attack_now_is_not_put_off() {
        let plans = [plan(13, 0), plan(15, 4)];
        let chosen =
            |is_rain_due, now| rule(&plans[1], is_rain_due).select(&plans, &[now, 0.9].map(Payoff));
        assert_eq!((chosen(false, 0.4), chosen(false, 0.3)), (Some(0), Some(1)));
        assert_eq!(chosen(true, 0.4), Some(1), "a row is due");
        let light = [plan(10, 0), plan(15, 4)];
        assert_eq!(rule(&plans[1], false).select(&light, &[0.4, 0.9].map(Payoff)), Some(1));
    }
}
