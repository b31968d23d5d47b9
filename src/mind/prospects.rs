//! Which strikes a side may plan, and what a plan is worth in view of the opponent's.

use crate::game::Chain;
use crate::search::beam::{Answer, Strike};

/// Plans of a side that are thought about: each meets each of the opponent's.
const PLANS: usize = 5;

/// A turn later, a plan is so much less likely to be carried out. For choosing among plans and for
/// weighing the opponent's, not for their value.
const LATER: f64 = 0.9;

/// A balance, in ojama, that makes a game as good as decided: its value is the hyperbolic tangent
/// of the balance in this unit. A field that is 20 ojama worse is close to lost, but balances are
/// uncertain.
const SCALE: f64 = 50.0;

/// The strikes that a side may plan, soonest first: each sends more than any sooner one.
pub fn plans(answer: &Answer, shortest: Chain) -> Vec<Strike> {
    let mut plans: Vec<Strike> = Vec::new();
    let mut most = 0;
    for best in answer.strikes.iter().flatten().filter(|strike| strike.chain >= shortest) {
        let sent = best.chain.ojama().min(MOST);
        if sent > most {
            most = sent;
            plans.push(best.clone());
        }
    }
    let worth = |strike: &Strike| worth(strike.chain, strike.ply(), LATER);
    while plans.len() > PLANS {
        let by_worth = |&a: &usize, &b: &usize| worth(&plans[a]).total_cmp(&worth(&plans[b]));
        let least = (0..plans.len()).min_by(by_worth).unwrap_or(0);
        plans.remove(least);
    }
    plans
}

/// What a plan is worth, from -1 (lost) to 1 (won), by its balances against the opponent's plans:
/// their mean, by how likely each of those is, and by a part the worst of them.
pub fn value(balances: &[f64], opponents: &[Strike], fear: f64) -> f64 {
    let value = |balance: f64| (balance / SCALE).tanh();
    let weights = opponents.iter().map(|strike| worth(strike.chain, strike.ply(), LATER));
    let (mut sum, mut weight_of_all, mut worst) = (0.0, 0.0, 1.0_f64);
    for (&balance, weight) in balances.iter().zip(weights) {
        sum += weight * value(balance);
        weight_of_all += weight;
        worst = worst.min(value(balance));
    }
    if weight_of_all == 0.0 {
        return 0.0;
    }
    (1.0 - fear) * sum / weight_of_all + fear * worst
}

/// What a strike is worth, in ojama: what it sends, discounted by the turns until then.
pub fn worth(chain: Chain, ply: usize, discount: f64) -> f64 {
    chain.ojama().min(MOST) as f64 * discount.powi(ply as i32)
}

/// More than this hardly makes a difference: it fills the victim's field from the ground.
const MOST: u64 = 160;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Placement;

    fn strike(chain: u8, ply: usize) -> Strike {
        let path = Placement::all().take(ply + 1).collect();
        Strike { path, chain: Chain(chain), blocks_left: 0 }
    }

    fn answer(strikes: &[(u8, usize)]) -> Answer {
        let mut answer = Answer { strikes: vec![None; 16], ..Answer::default() };
        for &(chain, ply) in strikes {
            answer.strikes[ply] = Some(strike(chain, ply));
        }
        answer
    }

    fn told(plans: &[Strike]) -> Vec<(u8, usize)> {
        plans.iter().map(|plan| (plan.chain.0, plan.ply())).collect()
    }

    #[test]
    fn a_later_plan_must_send_more() {
        let found = answer(&[(5, 0), (9, 2), (8, 3), (9, 4), (12, 6)]);
        assert_eq!(told(&plans(&found, Chain(6))), [(9, 2), (12, 6)]);
    }

    #[test]
    fn the_plans_that_are_worth_least_are_not_thought_about() {
        let found = answer(&[(6, 0), (7, 1), (8, 2), (9, 3), (10, 4), (11, 5), (12, 6)]);
        let plans = told(&plans(&found, Chain(6)));
        assert_eq!(plans, [(8, 2), (9, 3), (10, 4), (11, 5), (12, 6)]);
    }

    #[test]
    fn the_worst_counts_beside_the_mean() {
        let opponents = [strike(12, 5), strike(12, 5)];
        assert_eq!(value(&[], &[], 0.5), 0.0);
        assert!((value(&[1e9, -1e9], &opponents, 0.0) - 0.0).abs() < 1e-9);
        assert!((value(&[1e9, -1e9], &opponents, 0.5) + 0.5).abs() < 1e-9);
        assert!((value(&[1e9, 1e9], &opponents, 0.5) - 1.0).abs() < 1e-9);
    }
}
