//! The parameters of the planner by name, for tuning and for `--parameter`.

use super::parameters::{PlanParameters, PlannerParameters};
use crate::game::Chain;
use crate::search::{Ojama, OjamaTenths, Payoff};
use crate::util::sanitize::quoted;

#[cfg(all(test, feature = "arena"))]
mod tests;

/// A parameter of the planner that can be set by its name.
#[derive(Clone, Copy, Debug)]
pub struct Tunable {
    /// The name, in lower case with underscores.
    pub name: &'static str,
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
    /// Whether the values are whole numbers.
    pub is_whole: bool,
    /// A description of a line.
    pub about: &'static str,
    get: fn(&PlannerParameters) -> f64,
    set: fn(&mut PlannerParameters, f64),
}

impl Tunable {
    /// Returns the parameter's value in `parameters`.
    pub fn value(&self, parameters: &PlannerParameters) -> f64 {
        (self.get)(parameters)
    }

    /// Returns the default value.
    pub fn default_value(&self) -> f64 {
        self.value(&PlannerParameters::default())
    }
}

impl PlannerParameters {
    /// Sets a parameter from text such as `discount=0.75`, also for quick decisions.
    ///
    /// # Errors
    /// The name is unknown, or the value is no number, out of range, or not whole where the
    /// parameter is. The message names the parameter, the expected and the found value.
    pub fn set(&mut self, setting: &str) -> Result<(), String> {
        let Some((name, text)) = setting.split_once('=') else {
            return Err(format!("expected NAME=VALUE, found {}", quoted(setting)));
        };
        let Some(tunable) = TUNABLE.iter().find(|tunable| tunable.name == name) else {
            let known = "expected a name that --help-parameters lists";
            return Err(format!("{known}, found {}", quoted(name)));
        };
        let Tunable { min, max, is_whole, .. } = *tunable;
        let value = text.parse().ok().filter(|value| (min..=max).contains(value));
        let value = value.filter(|value: &f64| !is_whole || value.fract() == 0.0);
        let Some(value) = value else {
            let number = if is_whole { "a whole number" } else { "a number" };
            let found = quoted(text);
            return Err(format!("{name}: expected {number} from {min} to {max}, found {found}"));
        };
        (tunable.set)(self, value);
        Ok(())
    }

    /// Sets a parameter of the plans, for decisions of any number of drops.
    fn set_plans(&mut self, set: impl Fn(&mut PlanParameters)) {
        set(&mut self.plans);
        set(&mut self.quick_plans);
    }
}

const fn real(
    name: &'static str,
    min: f64,
    max: f64,
    about: &'static str,
    get: fn(&PlannerParameters) -> f64,
    set: fn(&mut PlannerParameters, f64),
) -> Tunable {
    Tunable { name, min, max, is_whole: false, about, get, set }
}

const fn whole(
    name: &'static str,
    min: f64,
    max: f64,
    about: &'static str,
    get: fn(&PlannerParameters) -> f64,
    set: fn(&mut PlannerParameters, f64),
) -> Tunable {
    Tunable { is_whole: true, ..real(name, min, max, about, get, set) }
}

/// All parameters that can be set by name. The ranges are the values that the
/// searches accept. A tuning should search narrower ranges.
#[rustfmt::skip]
pub const TUNABLE: &[Tunable] = &[
    whole("depth", 8.0, 20.0, "Depth of the own beam, in turns",
        |p| p.depth as f64, |p, value| (p.depth, p.quick_depth) = (value as usize, value as usize)),
    real("discount", 0.3, 1.0, "Factor on the ojama of an attack for each turn until it",
        |p| p.plans.discount, |p, value| p.set_plans(|plans| plans.discount = value)),
    whole("margin", 0.0, 20000.0,
        "Tenths of an ojama by which an action must be better than the plan's",
        |p| p.margin.0 as f64, |p, value| p.margin = OjamaTenths(value as _)),
    whole("opening", 0.0, 20.0, "Turns of the opening",
        |p| p.opening as f64, |p, value| p.opening = value as usize),
    whole("shortest", 3.0, 12.0, "Shortest chain of a planned attack",
        |p| f64::from(p.shortest.0), |p, value| p.shortest = Chain(value as u8)),
    real("equilibrium_weight", 0.0, 1.0, "Weight of the equilibrium in the mixture of the opponent's plans",
        |p| p.plans.equilibrium_weight,
        |p, value| p.set_plans(|plans| plans.equilibrium_weight = value)),
    real("plan_hysteresis", 0.0, 1.0,
        "Value by which another plan must be better than the followed one",
        |p| p.plans.plan_hysteresis.0,
        |p, value| p.set_plans(|plans| plans.plan_hysteresis = Payoff(value))),
    real("delay_penalty", 0.0, 0.2, "Penalty on a plan's value for each turn of delay",
        |p| p.plans.delay_penalty.0,
        |p, value| p.set_plans(|plans| plans.delay_penalty = Payoff(value))),
    real("in_hand", -1.0, 1.0, "Least value at which a major attack of this turn is made",
        |p| p.plans.in_hand.0, |p, value| p.set_plans(|plans| plans.in_hand = Payoff(value))),
    real("own_beam", 0.05, 0.6, "Share of the budget: the own beam",
        |p| p.shares.own_beam, |p, value| p.shares.own_beam = value),
    real("opponents_beam", 0.02, 0.3, "Share of the budget: the opponent's beam",
        |p| p.shares.opponents_beam, |p, value| p.shares.opponents_beam = value),
    real("pressed_beam", 0.1, 1.0, "Factor on opponents_beam if the opponent is short of time",
        |p| p.shares.short_of_time, |p, value| p.shares.short_of_time = value),
    real("exchanges", 0.02, 0.35, "Share of the budget: the exchanges",
        |p| p.shares.exchanges, |p, value| p.shares.exchanges = value),
    real("counter_plan", 0.01, 0.1, "Share of the budget: each of the two beams of the counter-plan",
        |p| p.shares.counter_plan, |p, value| p.shares.counter_plan = value),
    real("verify", 0.01, 0.2, "Share of the budget: counterattacks to the heaviest attack of this turn",
        |p| p.shares.verify, |p, value| p.shares.verify = value),
    real("verify_again", 0.0, 4.0, "Extra time to verify a chosen attack, in planned times of the turn",
        |p| p.shares.verify_again, |p, value| p.shares.verify_again = value),
    real("mate", 0.0, 0.2, "Share of the budget: the search of a win",
        |p| p.shares.mate, |p, value| p.shares.mate = value),
    real("survival", 0.0, 0.2, "Share of the budget: the search of a survival path",
        |p| p.shares.survival, |p, value| p.shares.survival = value),
    real("own_discount_late", 0.3, 1.0, "Discount of the own plans to compare, late ones",
        |p| p.plans.opponent.own_discounts[0],
        |p, value| p.set_plans(|plans| plans.opponent.own_discounts[0] = value)),
    real("own_discount_soon", 0.3, 1.0, "Discount of the own plans to compare, soon ones",
        |p| p.plans.opponent.own_discounts[1],
        |p, value| p.set_plans(|plans| plans.opponent.own_discounts[1] = value)),
    real("opponent_discount", 0.3, 1.0, "Discount of the opponent's plans to compare",
        |p| p.plans.opponent.opponent_discount,
        |p, value| p.set_plans(|plans| plans.opponent.opponent_discount = value)),
    real("likelihood_sent", 0.0, 6.0, "Opponent model: power of the ojama that a plan sends",
        |p| p.plans.opponent.sent, |p, value| p.set_plans(|plans| plans.opponent.sent = value)),
    real("likelihood_haste", 0.05, 1.0, "Opponent model: factor for each turn until the attack",
        |p| p.plans.opponent.haste, |p, value| p.set_plans(|plans| plans.opponent.haste = value)),
    real("likelihood_first", 0.1, 20.0, "Opponent model: factor for the soonest long plan",
        |p| p.plans.opponent.first, |p, value| p.set_plans(|plans| plans.opponent.first = value)),
    whole("likelihood_long", 8.0, 18.0, "Opponent model: least chain of a long plan",
        |p| f64::from(p.plans.opponent.long.0),
        |p, value| p.set_plans(|plans| plans.opponent.long = Chain(value as u8))),
    real("likelihood_ahead", 0.0, 0.95, "Opponent model: probability of an attack one drop sooner",
        |p| p.plans.opponent.ahead, |p, value| p.set_plans(|plans| plans.opponent.ahead = value)),
    real("payoff_scale", 5.0, 500.0, "Balance in ojama whose payoff is tanh(1)",
        |p| p.plans.opponent.payoff_scale.0,
        |p, value| p.set_plans(|plans| plans.opponent.payoff_scale = Ojama(value))),
    real("quick_drops", 0.0, 1e9, "Drops of a decision below which it is quick",
        |p| p.quick_drops, |p, value| p.quick_drops = value),
    real("time_weight_0", 0.1, 60.0, "Weight of turn 0 in the game's time",
        |p| p.time.weights[0], |p, value| p.time.weights[0] = value),
    real("time_weight_1", 0.1, 60.0, "Weight of turn 1 in the game's time",
        |p| p.time.weights[1], |p, value| p.time.weights[1] = value),
    real("time_weight_2", 0.1, 60.0, "Weight of turn 2 in the game's time",
        |p| p.time.weights[2], |p, value| p.time.weights[2] = value),
    real("time_weight_3", 0.1, 60.0, "Weight of turn 3 in the game's time",
        |p| p.time.weights[3], |p, value| p.time.weights[3] = value),
    real("time_weight_5", 0.1, 60.0, "Weight of turn 5 in the game's time",
        |p| p.time.weights[4], |p, value| p.time.weights[4] = value),
    real("time_weight_8", 0.1, 60.0, "Weight of turn 8 in the game's time",
        |p| p.time.weights[5], |p, value| p.time.weights[5] = value),
    real("time_weight_9", 0.1, 60.0, "Weight of turn 9 in the game's time",
        |p| p.time.weights[6], |p, value| p.time.weights[6] = value),
    real("time_weight_20", 0.1, 60.0, "Weight of turn 20 in the game's time",
        |p| p.time.weights[7], |p, value| p.time.weights[7] = value),
    real("time_weight_30", 0.1, 60.0, "Weight of turn 30 in the game's time",
        |p| p.time.weights[8], |p, value| p.time.weights[8] = value),
    real("time_weight_45", 0.1, 60.0, "Weight of turn 45 in the game's time",
        |p| p.time.weights[9], |p, value| p.time.weights[9] = value),
    real("time_decay", 0.5, 0.999, "Factor on the weight of a turn after turn 45",
        |p| p.time.decay, |p, value| p.time.decay = value),
    real("time_most", 0.5, 4.0, "Most time of a turn, in its shares",
        |p| p.time.most_shares, |p, value| p.time.most_shares = value),
    real("time_calm", 0.1, 1.0, "Factor on the share of a calm turn",
        |p| p.time.calm, |p, value| p.time.calm = value),
    whole("time_pressed", 2.0, 100.0, "Ratio of times left from which the opponent is short of time",
        |p| f64::from(p.time.short_of_time), |p, value| p.time.short_of_time = value as u32),
];
