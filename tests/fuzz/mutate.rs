//! Changes to inputs: of bytes, of words, of lines.

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Numbers and texts at the limits of readers.
const ODD: [&str; 24] = [
    "0",
    "-0",
    "-1",
    "1",
    "9",
    "10",
    "11",
    "255",
    "256",
    "499",
    "500",
    "65536",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "1000000000000000000",
    "1e400",
    "0.1",
    "NaN",
    "\u{0}",
    "\u{1b}[31m",
    "\u{85}",
    "\u{feff}",
];

/// The longest input that mutations make, in bytes.
const LONGEST: usize = 1 << 15;

/// Mutates inputs; deterministic for a seed.
pub struct Mutator {
    rng: Xoshiro256PlusPlus,
    words: &'static [&'static str],
}

impl Mutator {
    /// With words to insert.
    pub fn new(seed: u64, words: &'static [&'static str]) -> Self {
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(seed), words }
    }

    /// Returns a random index below `count`, which must not be 0.
    pub fn pick(&mut self, count: usize) -> usize {
        self.rng.random_range(0..count)
    }

    /// The input with one to six changes; `other` is one that parts may be taken from.
    pub fn change(&mut self, input: &[u8], other: &[u8]) -> Vec<u8> {
        let mut data = input.to_vec();
        for _ in 0..=self.pick(6) {
            self.one(&mut data, other);
            data.truncate(LONGEST);
        }
        data
    }

    fn one(&mut self, data: &mut Vec<u8>, other: &[u8]) {
        match self.pick(14) {
            0 if !data.is_empty() => {
                let at = self.pick(data.len());
                data[at] ^= 1 << self.pick(8);
            }
            1 if !data.is_empty() => {
                let at = self.pick(data.len());
                data[at] = self.pick(256) as u8;
            }
            2 => {
                let at = self.pick(data.len() + 1);
                data.truncate(at);
            }
            3 | 4 => {
                let word = self.word();
                let at = self.pick(data.len() + 1);
                data.splice(at..at, word.bytes());
            }
            5 | 6 => {
                let range = self.token(data);
                let word = self.word();
                data.splice(range, word.bytes());
            }
            7 => {
                let range = self.token(data);
                let token = self.token(other);
                data.splice(range, other[token].iter().copied());
            }
            8 => {
                // The later one first, so that the earlier one stays where it is.
                let (a, b) = (self.token(data), self.token(data));
                let (first, second) = if a.start <= b.start { (a, b) } else { (b, a) };
                if first.end <= second.start {
                    let [one, two] = [data[first.clone()].to_vec(), data[second.clone()].to_vec()];
                    data.splice(second, one);
                    data.splice(first, two);
                }
            }
            9 => {
                let range = self.range(data.len());
                data.drain(range);
            }
            10 => {
                let range = self.range(data.len());
                let part = data[range.clone()].repeat(1 << self.pick(5));
                data.splice(range.end..range.end, part);
            }
            11 => {
                let range = self.line(data);
                data.drain(range);
            }
            12 => {
                let (from, to) = (self.line(data), self.line(data));
                let line = data[from].to_vec();
                data.splice(to.start..to.start, line);
            }
            _ => {
                let range = self.range(other.len());
                let at = self.pick(data.len() + 1);
                data.splice(at..at, other[range].iter().copied());
            }
        }
    }

    fn word(&mut self) -> String {
        let count = self.words.len();
        match self.pick(count + ODD.len() + 1) {
            index if index < count => self.words[index].to_owned(),
            index if index < count + ODD.len() => ODD[index - count].to_owned(),
            _ => self.rng.random::<u64>().to_string(),
        }
    }

    /// Up to a few dozen bytes anywhere, rarely more.
    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.pick(length + 1);
        let most = if self.pick(8) == 0 { length } else { 40 };
        start..length.min(start + self.pick(most + 1))
    }

    /// A run of letters and digits, or a single other byte.
    fn token(&mut self, data: &[u8]) -> std::ops::Range<usize> {
        if data.is_empty() {
            return 0..0;
        }
        let at = self.pick(data.len());
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
        let before = data[..at].iter().rev().take_while(|byte| is_part(byte)).count();
        let after = data[at..].iter().take_while(|byte| is_part(byte)).count();
        if after == 0 { at..at + 1 } else { at - before..at + after }
    }

    /// A line with its end.
    fn line(&mut self, data: &[u8]) -> std::ops::Range<usize> {
        let at = self.pick(data.len() + 1);
        let start = data[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let end = data[start..].iter().position(|&byte| byte == b'\n');
        start..end.map_or(data.len(), |end| start + end + 1)
    }
}

/// The input grown to a size by one of its parts: itself, its middle line, or some bytes of its
/// middle.
pub fn grown(input: &[u8], size: usize) -> Vec<Vec<u8>> {
    let middle = input.len() / 2;
    let before = input[..middle].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let after = input[middle..].iter().position(|&byte| byte == b'\n');
    let after = after.map_or(input.len(), |end| middle + end + 1);
    let parts = [0..input.len(), before..after, middle..input.len().min(middle + 12)];
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    let grown = parts.map(|part| {
        let times = size / part.len() + 1;
        [&input[..part.end], &input[part.clone()].repeat(times), &input[part.end..]].concat()
    });
    grown.collect()
}

/// The smallest failing input that some hundred tries find.
pub fn minimised(input: &[u8], fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    const TRIES: usize = 2000;
    let mut smallest = input.to_vec();
    let mut tries = 0;
    let mut length = smallest.len().div_ceil(2);
    while length > 0 {
        let (mut at, before) = (0, smallest.len());
        while at < smallest.len() && tries < TRIES {
            let end = smallest.len().min(at + length);
            let shorter = [&smallest[..at], &smallest[end..]].concat();
            tries += 1;
            if fails(&shorter) {
                smallest = shorter;
            } else {
                at = end;
            }
        }
        if smallest.len() == before || length > 1 {
            length /= 2;
        }
    }
    smallest
}
