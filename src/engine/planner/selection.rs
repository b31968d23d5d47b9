//! Stage 4: selects the plan to follow.

use super::decision_input::DecisionInput;
use super::parameters::{BudgetShares, PlanParameters, PlannerParameters};
use super::payoffs::Payoffs;
use super::plans::Plans;
use super::verify_attack;
use crate::engine::time_manager::TimeManager;
use crate::game::Placement;
use crate::search::Payoff;
use crate::search::exchange::Plan;

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
    pub fn new(
        position: &DecisionInput<'_>,
        plans: &Plans,
        mut payoffs: Payoffs,
        rule: &SelectionRule<'_>,
        time_manager: &mut TimeManager<'_>,
    ) -> Self {
        let mut plan = rule.select(&plans.own, &payoffs.values);
        let counterattacks = plan.and_then(|plan| {
            verify_attack::verify_again(position, &plans.own[plan], &rule.shares, time_manager)
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
