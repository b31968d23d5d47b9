//! The features of the win probability.

use super::measures::Measures;
use crate::board::{ChildBuffer, Field};
use crate::game::{Player, Stock};
use crate::search::Payoff;

/// The features of a position for one player: from the measures of both players, and from the value
/// of that player's plan. Exchanging the players changes the sign of every feature but those of the
/// plan, because each player values its own plan.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Features(pub(super) [f64; FEATURES]);

/// The number of features. The second half repeats the first with a weight that fades after the
/// opening.
pub const FEATURES: usize = 2 * KINDS;

/// The number of kinds of features.
const KINDS: usize = BALANCES + 10;

/// The number of features from both curves.
const BALANCES: usize = WITHIN.len();

/// The turns within which the best chains of both players are compared.
const WITHIN: [usize; 6] = [2, 4, 6, 8, 10, 13];

/// The name of each kind; see [`Features::between`].
const NAMES: [&str; KINDS] = [
    "balance-2",
    "balance-4",
    "balance-6",
    "balance-8",
    "balance-10",
    "balance-13",
    "stock",
    "ojama",
    "blocks",
    "sealed",
    "tallest",
    "potential",
    "skill",
    "turns-to-45",
    "plan",
    "planned",
];

/// The place of the value of the plan among the kinds. The kind after it is 1 with a plan and 0
/// without one: a player overrates its own plan.
const PLAN: usize = KINDS - 2;

/// The prefix of the name of a feature for the opening.
const EARLY: &str = "early-";

/// The turns in which the factor of the features for the opening falls to 1 / e: a feature for the
/// opening is the plain feature times `exp(-turn / EARLY_TURNS)`. Weights that fit turn 25 say
/// little about turn 8. W-04.1.
const EARLY_TURNS: f64 = 12.0;

/// The unit of a balance, in ojama: the feature is the hyperbolic tangent of balance / `SCALE`.
/// W-04.2.
const SCALE: f64 = 40.0;

/// Ojama that a chain sends beyond this do not count. W-04.3.
const MOST_SENT: Stock = 300;

/// Ojama of a stock beyond this do not count in the feature `stock`: this number of ojama fills an
/// empty field. The balances count the whole stock.
const MOST_WAITING: Stock = 160;

/// The ojama of a chain that decides most games.
const DECISIVE: Stock = 45;

impl Features {
    /// Returns the features of two players at the start of `turn`, 0 to 499.
    ///
    /// Each curve holds the most ojama that a chain of that player can send up to each of the
    /// coming turns, under the rows that are due ([`Measures::of`]). Both curves must come from
    /// searches of the same kind and size, because the stronger search makes its player look
    /// better. The searches should be as strong as possible: the weights were fitted with 200,000
    /// drops, and predict better with more. W-03.
    pub fn of(
        own: &Player<Field>,
        opponent: &Player<Field>,
        [own_curve, opponents_curve]: [&[Stock]; 2],
        turn: usize,
    ) -> Self {
        let mut buffer = ChildBuffer::new();
        let own = Measures::of(own, own_curve, &mut buffer);
        let opponent = Measures::of(opponent, opponents_curve, &mut buffer);
        Self::between(&own, &opponent, turn)
    }

    /// Returns the features of two measured players at the start of `turn`, without a plan.
    pub fn between(own: &Measures, opponent: &Measures, turn: usize) -> Self {
        let difference = |of: fn(&Measures) -> f64| of(own) - of(opponent);
        let balance = |turns: usize| {
            let net = |player: &Measures| {
                player.curve[turns - 1].min(MOST_SENT) as f64 - player.stock as f64
            };
            ((net(own) - net(opponent)) / SCALE).tanh()
        };
        let singles = [
            difference(|player| player.stock.min(MOST_WAITING) as f64 / 50.0),
            difference(|player| player.ojama as f64 / 20.0),
            difference(|player| player.blocks as f64 / 20.0),
            difference(|player| player.sealed as f64 / 10.0),
            difference(|player| player.tallest as f64 / 4.0),
            difference(|player| player.potential as f64 / 5.0),
            difference(|player| player.gauge as f64 / 100.0 * (player.skill as f64).ln_1p()),
            difference(|player| turns_to(player, DECISIVE) as f64 / 5.0),
        ];
        let early = early(turn);
        let mut features = [0.0; FEATURES];
        let kinds = WITHIN.map(balance).into_iter().chain(singles);
        for (index, value) in kinds.enumerate() {
            features[index] = value;
            features[KINDS + index] = early * value;
        }
        Self(features)
    }

    /// Sets the value of the plan that the player follows at the start of `turn`: the planner's
    /// value, -1 (lost) to 1 (won). Values beyond this range, which a tie-break can cause, count as
    /// -1 and 1. W-05.
    #[must_use]
    pub fn with_plan(mut self, plan: Option<Payoff>, turn: usize) -> Self {
        let values = plan.map_or([0.0; 2], |Payoff(value)| [value.clamp(-1.0, 1.0), 1.0]);
        for (index, value) in (PLAN..).zip(values) {
            (self.0[index], self.0[KINDS + index]) = (value, early(turn) * value);
        }
        self
    }

    /// Returns the values of the features, in the order of [`names`].
    pub const fn values(&self) -> &[f64; FEATURES] {
        &self.0
    }
}

/// Returns the name of each feature.
pub fn names() -> [String; FEATURES] {
    std::array::from_fn(|index| match index.checked_sub(KINDS) {
        None => NAMES[index].to_owned(),
        Some(index) => format!("{EARLY}{}", NAMES[index]),
    })
}

/// Returns the factor of the features for the opening at `turn`.
fn early(turn: usize) -> f64 {
    (-(turn as f64) / EARLY_TURNS).exp()
}

/// Returns the turns until a chain sends at least `sent` ojama, or the length of the curve if none
/// does.
fn turns_to(player: &Measures, sent: Stock) -> usize {
    player.curve.iter().take_while(|&&most| most < sent).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::win_probability::TURNS_AHEAD;

    #[test]
    fn exchanging_the_players_changes_all_signs() {
        let own = Measures::from_parts([25, 30, 40, 3, 12, 9, 88, 20], [7; TURNS_AHEAD]);
        let opponent = Measures::from_parts([0, 50, 20, 13, 9, 11, 16, 90], [60; TURNS_AHEAD]);
        let Features(there) = Features::between(&own, &opponent, 11);
        let Features(back) = Features::between(&opponent, &own, 11);
        assert_eq!(there, back.map(|value| -value));
        let without_plan = |index: &usize| index % KINDS < PLAN;
        assert!((0..FEATURES).filter(without_plan).all(|index| there[index] != 0.0));
        let Features(nothing) = Features::between(&own, &own, 11);
        assert!(nothing.iter().all(|&value| value == 0.0));
    }

    #[test]
    fn features_for_the_opening_fade() {
        let stock = |stock| Measures { stock, ..Measures::default() };
        let Features(values) = Features::between(&stock(50), &stock(0), 12);
        assert_eq!(names()[BALANCES], "stock");
        assert_eq!(names()[KINDS + BALANCES], "early-stock");
        assert!((values[BALANCES] - 1.0).abs() < 1e-9);
        assert!((values[KINDS + BALANCES] - (-1.0_f64).exp()).abs() < 1e-9);
    }

    #[test]
    fn the_value_of_the_plan_is_limited() {
        let equal = Features::between(&Measures::default(), &Measures::default(), 12);
        let Features(values) = equal.with_plan(Some(Payoff(-1.2)), 12);
        assert_eq!((names()[PLAN].as_str(), values[PLAN]), ("plan", -1.0));
        assert!((values[KINDS + PLAN] + (-1.0_f64).exp()).abs() < 1e-9);
        assert_eq!((names()[PLAN + 1].as_str(), values[PLAN + 1]), ("planned", 1.0));
        assert_eq!(values.iter().filter(|&&value| value != 0.0).count(), 4);
        assert_eq!(equal.with_plan(None, 12), equal);
    }

    #[test]
    fn turns_to_a_missing_chain_is_the_length_of_the_curve() {
        let mut player = Measures::default();
        assert_eq!(turns_to(&player, 45), TURNS_AHEAD);
        player.curve[3..].fill(60);
        assert_eq!(turns_to(&player, 45), 3);
    }
}
