//! What the chance to win is judged by.

use super::measures::Measures;
use crate::board::{ChildBuffer, Field};
use crate::game::{Player, Stock};

/// What the measures of both players come to. The same of both players the other way round has all
/// signs changed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Features(pub(super) [f64; FEATURES]);

/// Features; the second half is the first once more, for the beginning of a game.
pub const FEATURES: usize = 2 * KINDS;

/// Kinds of features.
const KINDS: usize = BALANCES + 8;

/// Features of both curves.
const BALANCES: usize = WITHIN.len();

/// The turns within which both players' best chains are set against each other.
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
];

/// What begins the name of a feature for the beginning of a game.
const EARLY: &str = "early-";

/// A feature for the beginning of a game is the other one times e to the power of minus the turn
/// by this: what is true of turn 25 says little in turn 8. Without them the log-loss of turns 6 to
/// 10 was 0.721, more than that of a coin, and with them 0.692; 8 and 20 turns did as well (589
/// games, cross-validated, as all figures here and of the fit).
const OPENING: f64 = 12.0;

/// A balance counts by its hyperbolic tangent in this unit, in ojama: 20, 30, 60 and 90 were up to
/// 0.001 worse in log-loss. Differences of the logarithms of what each can send instead of balances
/// were 0.01 worse (320 games).
const SCALE: f64 = 40.0;

/// More ojama in a chain make no difference: 200 was 0.002 worse in log-loss, 100 0.003, 500 the
/// same.
const MOST_SENT: Stock = 300;

/// More ojama that wait make no difference: they fill a field from the ground.
const MOST_WAITING: Stock = 160;

/// A chain that decides most games, in ojama.
const DECISIVE: Stock = 45;

impl Features {
    /// The features of two players at the start of a turn, 0 to 499. Each curve holds the most
    /// ojama that a chain of that player can send in each of the coming turns, or up to it, under
    /// the rows that are due ([`Measures::of`]). Both are to come from searches of the same kind,
    /// as strong as can be: the weights are learned with beams of 200,000 drops, but tell winners
    /// better by curves of a million (log-loss 0.299 instead of 0.307, 66 games). With a million for
    /// the one and 200,000 for the other, the first had 0.02 to 0.03 too much.
    pub fn of(
        own: &Player<Field>,
        opponent: &Player<Field>,
        [own_curve, opponents_curve]: [&[Stock]; 2],
        turn: usize,
    ) -> Self {
        let mut room = ChildBuffer::new();
        let own = Measures::of(own, own_curve, &mut room);
        let opponent = Measures::of(opponent, opponents_curve, &mut room);
        Self::between(&own, &opponent, turn)
    }

    /// The features of two players that have been measured.
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
        let early = (-(turn as f64) / OPENING).exp();
        let mut features = [0.0; FEATURES];
        let kinds = WITHIN.map(balance).into_iter().chain(singles);
        for (index, value) in kinds.enumerate() {
            features[index] = value;
            features[KINDS + index] = early * value;
        }
        Self(features)
    }

    /// The features one by one, in the order of [`names`].
    pub const fn values(&self) -> &[f64; FEATURES] {
        &self.0
    }
}

/// The name of each feature.
pub fn names() -> [String; FEATURES] {
    std::array::from_fn(|index| match index.checked_sub(KINDS) {
        None => NAMES[index].to_owned(),
        Some(index) => format!("{EARLY}{}", NAMES[index]),
    })
}

/// Turns until so much can be sent; as many as the curve has if it cannot.
fn turns_to(player: &Measures, sent: Stock) -> usize {
    player.curve.iter().take_while(|&&most| most < sent).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::win_probability::TURNS_AHEAD;

    #[test]
    fn the_other_way_round_all_signs_change() {
        let own = Measures::from_parts([25, 30, 40, 3, 12, 9, 88, 20], [7; TURNS_AHEAD]);
        let opponent = Measures::from_parts([0, 50, 20, 13, 9, 11, 16, 90], [60; TURNS_AHEAD]);
        let Features(there) = Features::between(&own, &opponent, 11);
        let Features(back) = Features::between(&opponent, &own, 11);
        assert_eq!(there, back.map(|value| -value));
        assert!(there.iter().all(|&value| value != 0.0));
        let Features(nothing) = Features::between(&own, &own, 11);
        assert!(nothing.iter().all(|&value| value == 0.0));
    }

    #[test]
    fn the_beginning_fades() {
        let stock = |stock| Measures { stock, ..Measures::default() };
        let Features(values) = Features::between(&stock(50), &stock(0), 12);
        assert_eq!(names()[BALANCES], "stock");
        assert_eq!(names()[KINDS + BALANCES], "early-stock");
        assert!((values[BALANCES] - 1.0).abs() < 1e-9);
        assert!((values[KINDS + BALANCES] - (-1.0_f64).exp()).abs() < 1e-9);
    }

    #[test]
    fn a_curve_that_never_gets_there_takes_all_its_turns() {
        let mut player = Measures::default();
        assert_eq!(turns_to(&player, 45), TURNS_AHEAD);
        player.curve[3..].fill(60);
        assert_eq!(turns_to(&player, 45), 3);
    }
}
