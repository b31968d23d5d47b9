//! Whether to attack first: the test with the chains c1 to c4.

use super::line_value::OJAMA;
use crate::game::Chain;
use crate::search::OjamaHundredths;

/// A chain up to this length sends no row of ojama (y.s.: 7).
const TOO_SHORT: Chain = Chain(7);

/// Chains from this length on are discouraged where the opponent's counterattack is longer. Chains
/// of 3 and 4 serve against the opponent's skill (y.s.: 5).
const DISCOURAGED: Chain = Chain(5);

/// The four chains. `c3` and `c4` are searched only where the decision depends on them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Chains {
    /// Our longest chain now.
    pub c1: Chain,
    /// The opponent's longest chain now.
    pub c2: Chain,
    /// The opponent's longest chain within five turns, without an attack.
    pub c3: Option<Chain>,
    /// The opponent's longest chain within ten turns, under our attack.
    pub c4: Option<Chain>,
}

/// The result of the test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Advice {
    /// No advice.
    None,
    /// Attack: the value is added to first actions with a chain of length `c1`.
    Attack(OjamaHundredths),
    /// Do not attack: the value, which is negative, is added to first actions with a chain of five
    /// or more.
    Hold(OjamaHundredths),
}

impl Chains {
    /// Runs the test. `left_alone` finds `c3`, and `attacked` finds `c4`; `attacked` returns `None`
    /// if its time did not suffice for a result.
    pub fn test(
        c1: Chain,
        c2: Chain,
        left_alone: impl FnOnce() -> Chain,
        attacked: impl FnOnce() -> Option<Chain>,
    ) -> (Self, Advice) {
        let mut chains = Self { c1, c2, ..Self::default() };
        if c1 <= TOO_SHORT || c1 <= c2 {
            return (chains, Advice::None);
        }
        let c3 = left_alone();
        chains.c3 = Some(c3);
        // The opponent has no chain of this length: the search decides whether to wait.
        if c1 > c3 {
            return (chains, Advice::None);
        }
        chains.c4 = attacked();
        let Some(c4) = chains.c4 else { return (chains, Advice::None) };
        let value = OJAMA * (c1.ojama() as i64 - c4.ojama() as i64);
        let advice = match c1.cmp(&c4) {
            std::cmp::Ordering::Greater => Advice::Attack(value),
            std::cmp::Ordering::Equal => Advice::None,
            std::cmp::Ordering::Less => Advice::Hold(value),
        };
        (chains, advice)
    }
}

impl Advice {
    /// Returns the range of chains whose first actions are adjusted, and the value to add.
    pub fn adjustment(&self, c1: Chain) -> Option<(std::ops::RangeInclusive<u8>, OjamaHundredths)> {
        match *self {
            Self::None => None,
            Self::Attack(value) => Some((c1.0..=c1.0, value)),
            Self::Hold(value) => Some((DISCOURAGED.0..=u8::MAX, value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(c1: u8, c2: u8, c3: u8, c4: u8) -> (Advice, usize) {
        let mut asked = 0;
        let (chains, advice) = Chains::test(Chain(c1), Chain(c2), || Chain(c3), || Some(Chain(c4)));
        asked += usize::from(chains.c3.is_some()) + usize::from(chains.c4.is_some());
        (advice, asked)
    }

    #[test]
    fn the_advice_follows_from_the_four_chains() {
        assert_eq!(test(7, 0, 20, 0), (Advice::None, 0), "too short");
        assert_eq!(test(12, 12, 20, 0), (Advice::None, 0), "no longer than the opponent's chain");
        assert_eq!(test(12, 11, 11, 0), (Advice::None, 1), "the opponent has only shorter chains");
        // A chain of 12 sends 45 ojama, a chain of 9 sends 18, a chain of 13 sends 60.
        assert_eq!(test(12, 11, 12, 9), (Advice::Attack(OjamaHundredths(2700)), 2));
        assert_eq!(test(12, 11, 12, 12), (Advice::None, 2));
        assert_eq!(test(12, 11, 12, 13), (Advice::Hold(OjamaHundredths(-1500)), 2));
    }

    #[test]
    fn the_advice_adjusts_first_actions_by_their_chains() {
        let (chains, value) = Advice::Attack(OjamaHundredths(2700)).adjustment(Chain(12)).unwrap();
        assert!(chains.contains(&12) && !chains.contains(&11) && value == OjamaHundredths(2700));
        let (chains, value) = Advice::Hold(OjamaHundredths(-1500)).adjustment(Chain(12)).unwrap();
        assert!(chains.contains(&5) && chains.contains(&12) && !chains.contains(&4));
        assert_eq!(value, OjamaHundredths(-1500));
    }
}
