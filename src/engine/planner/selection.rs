//! Which of the plans is followed.

use super::verify_attack;
use crate::game::Placement;
use crate::search::exchange::Plan;

/// A major attack of this turn that is worth so much is made, whatever else is planned, if nothing
/// waits to fall yet.
///
/// What an attack is worth now is known, of a later one it is hoped. Of 267 first attacks that were
/// thought worth 0.3 or more when they were made 256 were won; of 73 games in which kera was spared
/// one for something better 62. With this, all 37 in which one was made that would have been put
/// off (E-23).
const IN_HAND: f64 = 0.35;

/// How plans are chosen.
pub(super) struct Choice<'a> {
    /// What is left to drop of the plan that was followed, ...
    pub followed: &'a [Placement],
    /// ... which is kept unless another is better by so much.
    pub stick: f64,
    /// Whether something waits to fall, on whichever side.
    pub waits: bool,
}

impl Choice<'_> {
    /// The place of the plan to follow; `None` if there is none.
    pub fn of(&self, plans: &[Plan], values: &[f64]) -> Option<usize> {
        let by_value = |&a: &usize, &b: &usize| values[a].total_cmp(&values[b]).then(b.cmp(&a));
        let is_in_hand = |&plan: &usize| {
            !self.waits && values[plan] >= IN_HAND && verify_attack::major(&plans[plan]).is_some()
        };
        let in_hand = (0..plans.len()).filter(is_in_hand).max_by(by_value);
        if in_hand.is_some() {
            return in_hand;
        }
        let best = (0..plans.len()).max_by(by_value)?;
        let kept = plans.iter().position(|plan| plan.attack.path == self.followed);
        let kept = kept.filter(|&kept| values[best] - values[kept] < self.stick);
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

    fn choice<'a>(followed: &'a Plan, waits: bool) -> Choice<'a> {
        Choice { followed: &followed.attack.path, stick: 0.1, waits }
    }

    #[test]
    fn the_plan_that_is_followed_is_kept_unless_another_is_better_by_some() {
        let plans = [plan(11, 3), plan(14, 6), plan(15, 8)];
        let choice = choice(&plans[0], false);
        assert_eq!(choice.of(&plans, &[0.45, 0.5, 0.2]), Some(0));
        assert_eq!(choice.of(&plans, &[0.35, 0.5, 0.2]), Some(1));
        assert_eq!(choice.of(&plans[1..], &[0.5, 0.5]), Some(0), "of equals the sooner");
        assert_eq!(choice.of(&[], &[]), None);
    }

    #[test]
    fn a_good_attack_now_is_not_put_off() {
        let plans = [plan(13, 0), plan(15, 4)];
        let chosen = |waits, now| choice(&plans[1], waits).of(&plans, &[now, 0.9]);
        assert_eq!((chosen(false, 0.4), chosen(false, 0.3)), (Some(0), Some(1)));
        assert_eq!(chosen(true, 0.4), Some(1), "what is answered then is not so well known");
        let light = [plan(10, 0), plan(15, 4)];
        assert_eq!(choice(&plans[1], false).of(&light, &[0.4, 0.9]), Some(1));
    }
}
