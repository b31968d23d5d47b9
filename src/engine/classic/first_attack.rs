//! Whether to attack first: the test with the chains c1 to c4.

use super::evaluation::{OJAMA, Value};
use crate::game::Chain;

/// A longest chain up to this sends no row of ojama (seed: 7).
const TOO_SHORT: Chain = Chain(7);

/// Chains from this length on are discouraged where the opponent answers with more; three and four
/// serve against its skill (seed: 5).
const DISCOURAGED: Chain = Chain(5);

/// The four chains. `c3` and `c4` are asked for only where they decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Chains {
    /// Our longest chain now.
    pub c1: Chain,
    /// The opponent's now.
    pub c2: Chain,
    /// The opponent's longest within five turns, left alone.
    pub c3: Option<Chain>,
    /// The opponent's longest within ten turns, under our attack.
    pub c4: Option<Chain>,
}

/// What the test says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Advice {
    /// Nothing.
    None,
    /// Attack: first actions with a chain of c1 are worth so much more.
    Attack(Value),
    /// Do not attack: first actions with a chain of five and more are worth so much, which is
    /// negative, more.
    Hold(Value),
}

impl Chains {
    /// The test. `left_alone` finds c3, `attacked` finds c4; the latter is `None` if there was not
    /// enough time for it to say anything.
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
        // It has nothing to attack back with: the search decides whether to wait.
        if c1 > c3 {
            return (chains, Advice::None);
        }
        chains.c4 = attacked();
        let Some(c4) = chains.c4 else { return (chains, Advice::None) };
        let value = OJAMA * (c1.ojama() as Value - c4.ojama() as Value);
        let advice = match c1.cmp(&c4) {
            std::cmp::Ordering::Greater => Advice::Attack(value),
            std::cmp::Ordering::Equal => Advice::None,
            std::cmp::Ordering::Less => Advice::Hold(value),
        };
        (chains, advice)
    }
}

impl Advice {
    /// The first actions that it is about, by their chains, and what is added to their value.
    pub fn adjustment(&self, c1: Chain) -> Option<(std::ops::RangeInclusive<u8>, Value)> {
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
    fn the_seeds_cases() {
        assert_eq!(test(7, 0, 20, 0), (Advice::None, 0), "too short");
        assert_eq!(test(12, 12, 20, 0), (Advice::None, 0), "no better than the opponent's");
        assert_eq!(test(12, 11, 11, 0), (Advice::None, 1), "the opponent has nothing");
        // 12 send 45, 9 send 18, 13 send 60.
        assert_eq!(test(12, 11, 12, 9), (Advice::Attack(2700), 2));
        assert_eq!(test(12, 11, 12, 12), (Advice::None, 2));
        assert_eq!(test(12, 11, 12, 13), (Advice::Hold(-1500), 2));
    }

    #[test]
    fn whom_it_is_about() {
        let (chains, value) = Advice::Attack(2700).adjustment(Chain(12)).unwrap();
        assert!(chains.contains(&12) && !chains.contains(&11) && value == 2700);
        let (chains, value) = Advice::Hold(-1500).adjustment(Chain(12)).unwrap();
        assert!(chains.contains(&5) && chains.contains(&12) && !chains.contains(&4));
        assert_eq!(value, -1500);
    }
}
