//! The attacks that a side may plan, and the value of each plan against the plans of the opponent.

use crate::game::{Chain, OJAMA_ROW};
use crate::search::beam::{Attack, BeamResult};
use crate::search::exchange::Plan;
use crate::search::{Ojama, Payoff, Probability, matrix};

/// Parameters of the choice of plans and of the opponent model.
///
/// The likelihood of an opponent plan is proportional to the ojama that the plan sends, to the
/// power `sent`, times `haste` for each turn until the attack, times `first` for the soonest plan
/// with a chain of at least `long`. The published bots wait for such a plan. The defaults of
/// `sent`, `haste` and `first` are a conditional logit of recorded games with four of these bots
/// (O-03.6, O-07).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OpponentParameters {
    /// Discounts of the own plans to compare: for each discount, the three plans with the most
    /// discounted ojama. The low discount adds soon plans, which may break the opponent's field or
    /// keep the opponent from attacking first.
    pub own_discounts: [f64; 2],
    /// Discount of the opponent's plans to compare, as `own_discounts`.
    pub opponent_discount: f64,
    /// The power of the ojama that a plan sends.
    pub sent: f64,
    /// The factor on the likelihood of a plan for each turn until it.
    pub haste: f64,
    /// The factor on the likelihood of the soonest plan with a chain of at least `long`.
    pub first: f64,
    /// See `first`.
    pub long: Chain,
    /// Probability that an opponent that follows its likeliest plan attacks one drop sooner.
    /// Experiments O-03 and O-04.4.
    pub ahead: f64,
    /// The unit of balances: a payoff is the hyperbolic tangent of balance / `payoff_scale`, so
    /// that a balance of `payoff_scale` has the payoff 0.76.
    pub payoff_scale: Ojama,
}

impl Default for OpponentParameters {
    fn default() -> Self {
        Self {
            own_discounts: [0.9, 0.7],
            opponent_discount: 0.75,
            sent: 2.32,
            haste: 0.48,
            first: 3.4,
            long: Chain(12),
            ahead: 0.35,
            payoff_scale: Ojama(50.0),
        }
    }
}

/// Number of own plans to compare for each discount.
const OWN_PLANS: usize = 3;

/// Number of the opponent's plans to compare.
const OPPONENTS_PLANS: usize = 5;

/// Turns within which nearly every attack of the opponent is known beforehand.
const KNOWN: usize = 3;

/// The attacks that a side may plan, soonest first: each sends more than any sooner one.
pub fn own_plans(
    found: &BeamResult,
    shortest: Chain,
    parameters: &OpponentParameters,
) -> Vec<Plan> {
    let rules = parameters.own_discounts.map(|discount| (OWN_PLANS, discount));
    chosen(undominated(found, shortest), &rules)
}

/// The attacks that an opponent may plan, soonest first. If `no_rows_due`, no row falls on the
/// opponent, and the likeliest attack is added a second time, one drop sooner.
///
/// The list includes the best attack of a later turn, even if an attack of this turn sends more:
/// the opponent may wait, and be attacked first. Without that plan, an opponent with a strong
/// attack was taken to attack at once, and no own attack seemed to be countered (O-08).
pub fn opponent_plans(
    found: &BeamResult,
    shortest: Chain,
    no_rows_due: bool,
    parameters: &OpponentParameters,
) -> Vec<Plan> {
    let discount = parameters.opponent_discount;
    let mut plans = chosen(undominated(found, shortest), &[(OPPONENTS_PLANS, discount)]);
    if let Some(later) = most_later(found, shortest, discount)
        && plans.iter().all(|plan| plan.attack != *later)
    {
        let place = plans.partition_point(|plan| plan.ply() <= later.ply());
        plans.insert(place, later.clone().into());
    }
    let likely = likelihoods(&plans, parameters);
    let likeliest = (0..plans.len()).max_by(|&a, &b| likely[a].total_cmp(&likely[b]));
    if let Some(likeliest) = likeliest.filter(|_| no_rows_due) {
        let plan = &plans[likeliest];
        let is_known = plans.iter().any(|other| other.ply() + 1 == plan.ply());
        if plan.ply() >= KNOWN && !is_known {
            plans.insert(likeliest, Plan { ahead: 1, ..plan.clone() });
        }
    }
    plans
}

/// The likelihood of each of an opponent's plans, soonest first. The sum is 1.
pub fn likelihoods(plans: &[Plan], parameters: &OpponentParameters) -> Vec<Probability> {
    let &OpponentParameters { sent: power, haste, first: bonus, long, ahead, .. } = parameters;
    let first = plans.iter().map(|plan| &plan.attack).find(|attack| attack.chain >= long);
    let weight = |plan: &Plan| {
        let attack = &plan.attack;
        let is_twin = |other: &&Plan| other.attack == *attack && other.ahead != plan.ahead;
        let part = match plans.iter().find(is_twin) {
            None => 1.0,
            Some(_) if plan.ahead > 0 => ahead,
            Some(_) => 1.0 - ahead,
        };
        let sent = attack.chain.ojama() as f64;
        let first = if Some(attack) == first { bonus } else { 1.0 };
        part * first * sent.powf(power) * haste.powi(attack.ply() as i32)
    };
    let of_all: f64 = plans.iter().map(weight).sum();
    plans.iter().map(|plan| Probability(weight(plan) / of_all)).collect()
}

/// The attacks that send more than any sooner one.
fn undominated(found: &BeamResult, shortest: Chain) -> Vec<Attack> {
    let mut plans: Vec<Attack> = Vec::new();
    let mut longest = Chain(0);
    for best in found.attacks.iter().flatten().filter(|attack| attack.chain >= shortest) {
        if best.chain > longest {
            longest = best.chain;
            plans.push(best.clone());
        }
    }
    plans
}

/// The attack after this turn that sends most ojama, multiplied by `discount` for each turn until
/// it.
fn most_later(found: &BeamResult, shortest: Chain, discount: f64) -> Option<&Attack> {
    let sent = |attack: &Attack| attack.chain.ojama() as f64 * discount.powi(attack.ply() as i32);
    let is_later = |attack: &&Attack| attack.ply() > 0 && attack.chain >= shortest;
    let later = found.attacks.iter().flatten().filter(is_later);
    later.max_by(|a, b| sent(a).total_cmp(&sent(b)))
}

/// Chooses, for each of `rules`, pairs of a number and a discount, that number of plans with the
/// most discounted ojama, and the soonest plan that sends a row, because a single row may defeat a
/// plan. Experiment O-01.
fn chosen(plans: Vec<Attack>, rules: &[(usize, f64)]) -> Vec<Plan> {
    let soonest = plans.iter().position(|attack| attack.chain.ojama() >= OJAMA_ROW);
    let mut is_chosen = vec![false; plans.len()];
    soonest.into_iter().for_each(|soonest| is_chosen[soonest] = true);
    for &(most, discount) in rules {
        let value =
            |&index: &usize| discounted_ojama(plans[index].chain, plans[index].ply(), discount);
        let mut order: Vec<usize> = (0..plans.len()).collect();
        // Of plans of equal value, the later ones.
        order.sort_by(|a, b| value(b).total_cmp(&value(a)).then(b.cmp(a)));
        order.iter().take(most).for_each(|&index| is_chosen[index] = true);
    }
    let chosen = plans.into_iter().zip(is_chosen).filter(|(_, is_chosen)| *is_chosen);
    chosen.map(|(plan, _)| plan.into()).collect()
}

/// The values of the own plans against the plans of the opponent.
#[derive(Clone, PartialEq, Debug)]
pub struct PlanValues {
    /// The expected payoff of each own plan.
    pub values: Vec<Payoff>,
    /// The probability of each plan in the equilibrium of the matrix game ([`matrix`]), own side
    /// first. Empty if one side has no plan.
    pub shares: [Vec<Probability>; 2],
}

/// Returns the values of the own plans. `balances` are their balances by own plan, then by the
/// opponent's plan.
///
/// The value of a plan is its expected payoff against a mixture of the opponent's plans:
/// `equilibrium_weight` (0 to 1) of their probabilities in the equilibrium, and the rest of the
/// [likelihoods] `likely`. `scale` is [`OpponentParameters::payoff_scale`].
pub fn weigh(
    balances: &[Vec<Ojama>],
    likely: &[Probability],
    equilibrium_weight: f64,
    scale: Ojama,
) -> PlanValues {
    let payoffs =
        |row: &Vec<Ojama>| row.iter().map(|balance| Payoff((balance.0 / scale.0).tanh())).collect();
    let payoffs: Vec<Vec<Payoff>> = balances.iter().map(payoffs).collect();
    let Some(solution) = matrix::solve(&payoffs) else {
        let values = vec![Payoff::default(); balances.len()];
        return PlanValues { values, shares: Default::default() };
    };
    let both = likely.iter().zip(&solution.columns);
    let mix: Vec<Probability> =
        both.map(|(likely, chosen)| likely.mix(*chosen, equilibrium_weight)).collect();
    let value =
        |row: &Vec<Payoff>| row.iter().zip(&mix).map(|(&payoff, &part)| payoff * part).sum();
    let values = payoffs.iter().map(value).collect();
    PlanValues { values, shares: [solution.rows, solution.columns] }
}

/// The discounted ojama of an attack: the ojama that `chain` sends, at most `MOST`, multiplied by
/// `discount` for each of the `ply` turns until it.
pub fn discounted_ojama(chain: Chain, ply: usize, discount: f64) -> Ojama {
    Ojama(chain.ojama().min(MOST) as f64 * discount.powi(ply as i32))
}

/// The ojama that fill an empty field: further ojama add no value. Plans that send more are
/// compared as well, because they may offset an attack.
const MOST: u64 = 160;

#[cfg(test)]
mod tests {
    use super::*;

    fn defaults() -> OpponentParameters {
        OpponentParameters::default()
    }

    fn beam_result(attacks: &[(u8, usize)]) -> BeamResult {
        let mut result = BeamResult { attacks: vec![None; 16], ..BeamResult::default() };
        for &(chain, ply) in attacks {
            result.attacks[ply] = Some(Attack::some(chain, ply));
        }
        result
    }

    fn plain(likelihoods: &[Probability]) -> Vec<f64> {
        likelihoods.iter().map(|likely| likely.0).collect()
    }

    fn pairs_of(plans: &[Plan]) -> Vec<(u8, usize)> {
        plans.iter().map(|plan| (plan.attack.chain.0, plan.ply())).collect()
    }

    #[test]
    fn a_later_plan_must_send_more() {
        let found = beam_result(&[(5, 0), (9, 2), (8, 3), (9, 4), (12, 6)]);
        assert_eq!(pairs_of(&own_plans(&found, Chain(6), &defaults())), [(9, 2), (12, 6)]);
    }

    #[test]
    fn the_plans_with_the_most_discounted_ojama_are_listed() {
        let found =
            beam_result(&[(6, 0), (7, 1), (9, 2), (10, 4), (11, 5), (12, 6), (13, 7), (14, 8)]);
        let own = [(7, 1), (9, 2), (10, 4), (12, 6), (13, 7), (14, 8)];
        assert_eq!(pairs_of(&own_plans(&found, Chain(6), &defaults())), own);
        let soon = [(9, 2), (10, 4), (12, 6), (13, 7), (14, 8)];
        assert_eq!(pairs_of(&opponent_plans(&found, Chain(6), false, &defaults())), soon);
    }

    #[test]
    fn the_soonest_plan_that_sends_a_row_is_listed() {
        let found =
            beam_result(&[(7, 0), (8, 1), (10, 2), (12, 3), (13, 4), (14, 5), (15, 6), (16, 7)]);
        let likely = [(12, 3), (13, 4), (14, 5), (15, 6), (16, 7)];
        // A chain of 7 sends 9 ojama, less than a row.
        assert_eq!(
            pairs_of(&opponent_plans(&found, Chain(6), false, &defaults())),
            [&[(8, 1)], &likely[..]].concat()
        );
        let few = beam_result(&[(8, 1), (12, 3)]);
        assert_eq!(
            pairs_of(&opponent_plans(&few, Chain(6), false, &defaults())),
            [(8, 1), (12, 3)]
        );
    }

    #[test]
    fn the_opponents_plans_include_a_later_attack() {
        let found = beam_result(&[(18, 0), (15, 2), (17, 3)]);
        assert_eq!(
            pairs_of(&opponent_plans(&found, Chain(6), false, &defaults())),
            [(18, 0), (17, 3)]
        );
        assert_eq!(
            pairs_of(&own_plans(&found, Chain(6), &defaults())),
            [(18, 0)],
            "own plans need no later attack"
        );
        let more = beam_result(&[(17, 0), (18, 1), (21, 5)]);
        assert_eq!(
            pairs_of(&opponent_plans(&more, Chain(6), false, &defaults())),
            [(17, 0), (18, 1), (21, 5)]
        );
    }

    #[test]
    fn the_likeliest_plan_may_come_a_turn_sooner() {
        let found = beam_result(&[(9, 2), (12, 4), (13, 8)]);
        let without_rows = opponent_plans(&found, Chain(6), true, &defaults());
        assert_eq!(pairs_of(&without_rows), [(9, 2), (12, 3), (12, 4), (13, 8)]);
        let likely = plain(&likelihoods(&without_rows, &defaults()));
        assert!((likely.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{likely:?}");
        assert!((likely[1] / likely[2] - defaults().ahead / (1.0 - defaults().ahead)).abs() < 1e-9);
        let alone =
            plain(&likelihoods(&opponent_plans(&found, Chain(6), false, &defaults()), &defaults()));
        assert!((likely[1] + likely[2] - alone[1]).abs() < 1e-9);
        assert!(alone[1] > alone[0] && alone[0] > alone[2], "{alone:?}");
        // The likeliest plan is too soon; an attack one turn sooner is known; there is no plan.
        for found in [&[(12, 2), (13, 8)][..], &[(9, 3), (12, 4)], &[]] {
            assert_eq!(
                pairs_of(&opponent_plans(&beam_result(found), Chain(6), true, &defaults())),
                found
            );
        }
    }

    #[test]
    fn values_mix_the_equilibrium_and_the_likelihoods() {
        let balances = [[1e9, -1e9], [0.0, -1e9]].map(|row| row.map(Ojama).to_vec());
        // In the equilibrium the opponent plays its second plan; both plans are equally likely.
        let weighed = |weight| weigh(&balances, &[Probability(0.5); 2], weight, Ojama(50.0));
        assert_eq!(weighed(0.0).values, [0.0, -0.5].map(Payoff));
        assert_eq!(weighed(1.0).values, [-1.0, -1.0].map(Payoff));
        assert_eq!(weighed(0.5).values, [-0.5, -0.75].map(Payoff));
        assert_eq!(weighed(0.5).shares, [[1.0, 0.0], [0.0, 1.0]].map(|side| side.map(Probability)));
    }

    #[test]
    fn without_a_plan_of_the_opponent_all_values_are_zero() {
        let weighed = weigh(&[vec![], vec![]], &[], 0.5, Ojama(50.0));
        assert_eq!(weighed, PlanValues { values: vec![Payoff(0.0); 2], shares: [vec![], vec![]] });
        assert_eq!(weigh(&[], &[Probability(1.0)], 0.5, Ojama(50.0)).values, []);
    }
}
