//! The scores of chains and explosions, and the ojama that they send.

/// The number of rounds in which blocks vanished in one turn of one player; 0 if none did.
///
/// An explosion itself is not a round. At most 95, as every round takes two of 190 cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Chain(pub u8);

/// The blocks that the skill blew up in one turn, fives included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Explosion(pub u8);

/// Ojama that wait to fall on a player, in rows of ten, one row a turn.
pub type Stock = u64;

impl Chain {
    /// The greatest number of rounds that the cells of a field allow.
    pub const MAX: usize = super::WIDTH * super::ROWS / 2;

    /// The score of the chain: the sum of floor(1.3^i) for i from 1 to the chain.
    pub const fn score(self) -> u64 {
        SCORES[self.0 as usize]
    }

    /// The ojama that the chain sends: half its score.
    pub const fn ojama(self) -> Stock {
        self.score() / 2
    }

    /// The amount by which the chain lowers the opponent's gauge: 12 + 2 x chain from a chain of
    /// three on.
    pub const fn drain(self) -> u8 {
        if self.0 >= 3 { 12 + 2 * self.0 } else { 0 }
    }
}

impl Explosion {
    /// The score of an explosion of b blocks: floor(25 x 2^(b/12)), 0 for none.
    pub const fn score(self) -> u64 {
        /// 2^(k/12) for k from 0 to 11.
        const ROOTS: [f64; 12] = [
            1.0,
            1.0594630943592953,
            1.122462048309373,
            1.189207115002721,
            1.2599210498948732,
            1.3348398541700344,
            std::f64::consts::SQRT_2,
            1.4983070768766815,
            1.5874010519681994,
            1.681792830507429,
            1.7817974362806785,
            1.8877486253633868,
        ];
        let blocks = self.0 as usize;
        if blocks == 0 {
            return 0;
        }
        ((25u64 << (blocks / 12)) as f64 * ROOTS[blocks % 12]) as u64
    }

    /// The ojama that the explosion sends: half its score.
    pub const fn ojama(self) -> Stock {
        self.score() / 2
    }
}

/// The score of a chain of each length.
static SCORES: [u64; Chain::MAX + 1] = {
    let mut scores = [0; Chain::MAX + 1];
    let (mut power, mut rounds) = (1.0_f64, 1);
    while rounds <= Chain::MAX {
        power *= 1.3;
        scores[rounds] = scores[rounds - 1] + power as u64;
        rounds += 1;
    }
    scores
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_match_the_examples_of_the_rule_text() {
        assert_eq!((Chain(3).score(), Chain(3).ojama()), (4, 2));
        assert_eq!((Explosion(5).score(), Explosion(5).ojama()), (33, 16));
        assert_eq!((Chain(5).score(), Chain(5).ojama()), (9, 4));
        let sent = [0, 1, 2, 3, 4, 6, 9, 13, 18, 25, 33, 45, 60, 79, 105, 138, 181, 237, 310, 405];
        assert_eq!(std::array::from_fn(|chain| Chain(chain as u8 + 1).ojama()), sent);
        assert_eq!([60, 80].map(|blocks| Explosion(blocks).ojama()), [400, 1269]);
        assert_eq!([2, 3, 10].map(|chain| Chain(chain).drain()), [0, 18, 32]);
    }

    /// 1.3^i is 13^i with the last i decimal digits cut, which needs no floating point.
    #[test]
    fn chain_scores_are_exact() {
        let mut digits = vec![1u64]; // of 13^i, the lowest first
        let mut sum = 0;
        for chain in 1..=Chain::MAX {
            let mut carry = 0;
            for digit in &mut digits {
                let product = *digit * 13 + carry;
                (*digit, carry) = (product % 10, product / 10);
            }
            while carry > 0 {
                digits.push(carry % 10);
                carry /= 10;
            }
            sum += digits[chain..].iter().rev().fold(0, |value, digit| value * 10 + digit);
            assert_eq!(Chain(chain as u8).score(), sum, "chain of {chain}");
        }
    }

    /// The score s is right where s^12 <= 25^12 x 2^b < (s + 1)^12, in whole numbers.
    #[test]
    fn explosion_scores_are_exact() {
        let twelfth = |base: u64| num_power(base, 12);
        for blocks in 1..=190u8 {
            let exact = shift(twelfth(25), blocks.into());
            let score = Explosion(blocks).score();
            assert!(twelfth(score) <= exact && exact < twelfth(score + 1), "{blocks} blocks");
        }
    }

    /// Whole numbers of 512 bits, the most significant word first, so that they compare.
    type Wide = [u64; 8];

    fn num_power(base: u64, exponent: u32) -> Wide {
        let mut power: Wide = [0, 0, 0, 0, 0, 0, 0, 1];
        for _ in 0..exponent {
            let mut carry = 0u128;
            for word in power.iter_mut().rev() {
                carry += u128::from(*word) * u128::from(base);
                (*word, carry) = (carry as u64, carry >> 64);
            }
        }
        power
    }

    fn shift(mut value: Wide, bits: u32) -> Wide {
        for _ in 0..bits {
            value =
                std::array::from_fn(|i| value[i] << 1 | value.get(i + 1).map_or(0, |w| w >> 63));
        }
        value
    }
}
