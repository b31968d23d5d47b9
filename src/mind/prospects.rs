//! Which strikes a side may plan, and what a plan is worth in view of the opponent's.

use crate::game::{Chain, OJAMA_ROW};
use crate::search::beam::{Answer, Strike};
use crate::search::matrix;

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
    likeliest(undominated(answer, shortest))
}

/// The strikes that an opponent may plan: its [`plans`], and the soonest that sends a row, however
/// little it is worth. One row may be all that a plan does not survive: at 180 s two games of two
/// were lost to a bot that strikes with 12 chains early and then with 8 or 9, which were left out.
pub fn threats(answer: &Answer, shortest: Chain) -> Vec<Strike> {
    let all = undominated(answer, shortest);
    let soonest = all.iter().find(|strike| strike.chain.ojama() >= OJAMA_ROW).cloned();
    let mut threats = likeliest(all);
    let is_sooner = |strike: &Strike| threats.iter().all(|threat| threat.ply() > strike.ply());
    if let Some(soonest) = soonest.filter(is_sooner) {
        threats.insert(0, soonest);
    }
    threats
}

fn undominated(answer: &Answer, shortest: Chain) -> Vec<Strike> {
    let mut plans: Vec<Strike> = Vec::new();
    let mut most = 0;
    for best in answer.strikes.iter().flatten().filter(|strike| strike.chain >= shortest) {
        let sent = best.chain.ojama().min(MOST);
        if sent > most {
            most = sent;
            plans.push(best.clone());
        }
    }
    plans
}

/// Of some plans those that are worth most.
fn likeliest(mut plans: Vec<Strike>) -> Vec<Strike> {
    let worth = |strike: &Strike| worth(strike.chain, strike.ply(), LATER);
    while plans.len() > PLANS {
        let by_worth = |&a: &usize, &b: &usize| worth(&plans[a]).total_cmp(&worth(&plans[b]));
        let least = (0..plans.len()).min_by(by_worth).unwrap_or(0);
        plans.remove(least);
    }
    plans
}

/// What plans are worth in view of the opponent's.
#[derive(Clone, PartialEq, Debug)]
pub struct Weighed {
    /// Of each own plan, from -1 (lost) to 1 (won).
    pub values: Vec<f64>,
    /// How often each side's plans are chosen, ours first, if nobody can do better by choosing
    /// otherwise: the solution of the matrix game ([`matrix`]), 0 to 1. Empty without a game.
    pub shares: [Vec<f64>; 2],
}

/// Weighs plans by their balances against the opponent's: by a part, `reason`, against the
/// opponent's choice in the solution of the game, and for the rest against its plans as they are
/// likely.
pub fn weigh(balances: &[Vec<f64>], opponents: &[Strike], reason: f64) -> Weighed {
    let payoffs = |row: &Vec<f64>| row.iter().map(|balance| (balance / SCALE).tanh()).collect();
    let payoffs: Vec<Vec<f64>> = balances.iter().map(payoffs).collect();
    let Some(solution) = matrix::solve(&payoffs) else {
        return Weighed { values: vec![0.0; balances.len()], shares: Default::default() };
    };
    let weights = opponents.iter().map(|strike| worth(strike.chain, strike.ply(), LATER));
    let of_all: f64 = weights.clone().sum();
    let mix: Vec<f64> = weights
        .zip(&solution.columns)
        .map(|(weight, chosen)| (1.0 - reason) * weight / of_all + reason * chosen)
        .collect();
    let value = |row: &Vec<f64>| row.iter().zip(&mix).map(|(payoff, part)| payoff * part).sum();
    let values = payoffs.iter().map(value).collect();
    Weighed { values, shares: [solution.rows, solution.columns] }
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
    fn an_opponents_soonest_row_is_a_threat_whatever_it_is_worth() {
        let found = answer(&[(7, 0), (8, 1), (10, 2), (12, 3), (13, 4), (14, 5), (15, 6), (16, 7)]);
        let likely = [(12, 3), (13, 4), (14, 5), (15, 6), (16, 7)];
        assert_eq!(told(&plans(&found, Chain(6))), likely);
        // Seven chains send nine.
        assert_eq!(told(&threats(&found, Chain(6))), [&[(8, 1)], &likely[..]].concat());
        let few = answer(&[(8, 1), (12, 3)]);
        assert_eq!(told(&threats(&few, Chain(6))), [(8, 1), (12, 3)]);
    }

    #[test]
    fn what_the_opponent_would_choose_counts_beside_what_is_likely() {
        let opponents = [strike(12, 5), strike(12, 5)];
        let balances = [vec![1e9, -1e9], vec![0.0, -1e9]];
        // It would choose the second, as likely as the first.
        let weighed = |reason| weigh(&balances, &opponents, reason);
        assert_eq!(weighed(0.0).values, [0.0, -0.5]);
        assert_eq!(weighed(1.0).values, [-1.0, -1.0]);
        assert_eq!(weighed(0.5).values, [-0.5, -0.75]);
        assert_eq!(weighed(0.5).shares, [[1.0, 0.0], [0.0, 1.0]]);
    }

    #[test]
    fn without_an_opponents_plan_all_are_equal() {
        let weighed = weigh(&[vec![], vec![]], &[], 0.5);
        assert_eq!(weighed, Weighed { values: vec![0.0; 2], shares: [vec![], vec![]] });
        assert_eq!(weigh(&[], &[strike(9, 1)], 0.5).values, [0.0; 0]);
    }
}
