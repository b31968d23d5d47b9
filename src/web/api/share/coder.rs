//! Symbols of any probability as one large number, written in 64 characters.
//!
//! The number is a stack (asymmetric numeral systems without renormalisation): pushing a symbol of
//! weight `w` of a total `t` makes the number larger by the factor `t / w`, so that each symbol
//! costs its entropy and no bit is lost. Numbers have some thousand bits; a push and a pop are
//! linear in that.

use std::hash::Hasher as _;

use fnv::FnvHasher;

/// The characters of digits, as in base64 for URLs.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Values of the checksum: three characters.
const CHECKSUMS: u32 = 1 << 18;

/// A natural number of any size: digits of 32 bits, the least significant one first, without zeros
/// at the end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct BigNumber(Vec<u32>);

impl BigNumber {
    /// Divides by `divisor`, at least 1, and returns the remainder.
    fn divide(&mut self, divisor: u32) -> u32 {
        let mut rest = 0_u64;
        for digit in self.0.iter_mut().rev() {
            let value = rest << 32 | u64::from(*digit);
            *digit = (value / u64::from(divisor)) as u32;
            rest = value % u64::from(divisor);
        }
        self.trim();
        rest as u32
    }

    /// Multiplies by `factor` and adds `summand`.
    fn multiply(&mut self, factor: u32, summand: u32) {
        let mut carry = u64::from(summand);
        for digit in &mut self.0 {
            let value = u64::from(*digit) * u64::from(factor) + carry;
            *digit = value as u32;
            carry = value >> 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
        self.trim();
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    fn checksum(&self) -> u32 {
        let mut hasher = FnvHasher::default();
        self.0.iter().for_each(|&digit| hasher.write_u32(digit));
        let hash = hasher.finish();
        (hash ^ hash >> 32) as u32 % CHECKSUMS
    }
}

/// One direction of the format: a writer or a reader of symbols.
///
/// A function that takes a coder describes the format for both. It passes each symbol and gets it
/// back: a writer returns the symbol that it is given, a reader ignores that one and returns the
/// next one of the text.
pub trait Coder {
    /// Codes a symbol, an index of `weights`, whose sum is less than 2^32 and not 0.
    fn weighted(&mut self, symbol: usize, weights: &[u32]) -> usize;

    /// Codes a number below `limit`, at most 2^31; all numbers have the same probability.
    fn uniform(&mut self, number: u32, limit: u32) -> u32;

    /// Codes a number of at most `bits` bits, small ones in fewer bits.
    fn number(&mut self, number: u64, bits: u32) -> u64 {
        let length = self.uniform(u64::BITS - number.leading_zeros(), bits + 1);
        // The highest bit is 1.
        let low = length.saturating_sub(1);
        let mut coded = u64::from(length > 0);
        for at in (0..low).rev() {
            coded = coded << 1 | u64::from(self.uniform((number >> at) as u32 & 1, 2));
        }
        coded
    }
}

/// Collects the symbols of a text.
#[derive(Debug, Default)]
pub struct LinkWriter(Vec<[u32; 3]>);

impl LinkWriter {
    /// The text of the symbols.
    pub fn text(self) -> String {
        let mut number = BigNumber::default();
        // The last one pushed is the first one popped.
        for [start, weight, total] in self.0.into_iter().rev() {
            let rest = number.divide(weight);
            number.multiply(total, start + rest);
        }
        let checksum = number.checksum();
        number.multiply(CHECKSUMS, checksum);
        let mut text = String::new();
        while !number.0.is_empty() {
            let digit = number.divide(64);
            text.push(char::from(DIGITS[digit as usize]));
        }
        text
    }
}

impl Coder for LinkWriter {
    fn weighted(&mut self, symbol: usize, weights: &[u32]) -> usize {
        let start = weights[..symbol].iter().sum();
        self.0.push([start, weights[symbol], weights.iter().sum()]);
        symbol
    }

    fn uniform(&mut self, number: u32, limit: u32) -> u32 {
        self.0.push([number, 1, limit]);
        number
    }
}

/// Reads the symbols of a text.
#[derive(Debug)]
pub struct LinkReader(BigNumber);

impl LinkReader {
    /// A reader of `text`; `None` if the text has other characters, or not its checksum.
    pub fn new(text: &str) -> Option<Self> {
        let mut number = BigNumber::default();
        for c in text.bytes().rev() {
            let digit = DIGITS.iter().position(|&digit| digit == c)?;
            number.multiply(64, digit as u32);
        }
        // Zeros at the end are never written: a text has one form.
        if number == BigNumber::default() || text.ends_with(char::from(DIGITS[0])) {
            return None;
        }
        let checksum = number.divide(CHECKSUMS);
        (checksum == number.checksum()).then_some(Self(number))
    }

    /// Whether all symbols are read.
    pub fn is_at_end(&self) -> bool {
        self.0.0.is_empty()
    }
}

impl Coder for LinkReader {
    fn weighted(&mut self, _: usize, weights: &[u32]) -> usize {
        let mut rest = self.0.divide(weights.iter().sum());
        for (symbol, &weight) in weights.iter().enumerate() {
            if rest < weight {
                self.0.multiply(weight, rest);
                return symbol;
            }
            rest -= weight;
        }
        unreachable!("the rest is less than the sum of the weights")
    }

    fn uniform(&mut self, _: u32, limit: u32) -> u32 {
        self.0.divide(limit)
    }
}

/// Weights that follow the symbols so far.
#[derive(Clone, Debug)]
pub struct Adaptive<const N: usize>([u32; N]);

impl<const N: usize> Adaptive<N> {
    /// All symbols have the same weight at first.
    pub const fn new() -> Self {
        Self([2; N])
    }

    /// Codes a symbol.
    pub fn code(&mut self, coder: &mut impl Coder, symbol: usize) -> usize {
        let symbol = coder.weighted(symbol, &self.0);
        self.0[symbol] += 1;
        symbol
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn symbols_read_back(
            symbols in prop::collection::vec((0..5_usize, 0..1000_u32, any::<u64>()), 0..60),
        ) {
            fn code(coder: &mut impl Coder, symbols: &[(usize, u32, u64)]) -> Vec<(usize, u32, u64)> {
                let mut adaptive = Adaptive::<5>::new();
                let coded = symbols.iter().map(|&(symbol, number, large)| {
                    let symbol = adaptive.code(coder, symbol);
                    (symbol, coder.uniform(number, 1000), coder.number(large, 64))
                });
                coded.collect()
            }
            let mut writer = LinkWriter::default();
            prop_assert_eq!(&code(&mut writer, &symbols), &symbols);
            let text = writer.text();
            match LinkReader::new(&text) {
                None => prop_assert!(text.is_empty()),
                Some(mut reader) => {
                    let nothing = vec![(0, 0, 0); symbols.len()];
                    prop_assert_eq!(code(&mut reader, &nothing), symbols);
                    prop_assert!(reader.is_at_end());
                }
            }
        }
    }

    #[test]
    fn frequent_symbols_take_fewer_characters() {
        let length = |symbol: usize| {
            let (mut writer, mut adaptive) = (LinkWriter::default(), Adaptive::<10>::new());
            (0..160).for_each(|at| {
                adaptive.code(&mut writer, symbol * at % 10);
            });
            writer.text().len()
        };
        assert!(length(0) < 20 && length(7) > 80, "{} {}", length(0), length(7));
    }
}
