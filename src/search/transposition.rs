//! A transposition table keyed by finished hashes.

use fnv::FnvHashMap;

/// What is known of positions, by 64-bit key, up to a fixed number of them.
///
/// A full table takes nothing new, so that its memory is bounded and what it answers does not
/// depend on an order of replacement.
#[derive(Debug)]
pub struct TranspositionTable<V> {
    entries: FnvHashMap<u64, V>,
    most: usize,
}

/// The key of a field with all else that tells positions apart: small numbers that share no bits, and
/// the difference of the stocks, which is spread over all of them.
pub fn key(field: u64, small: u64, net: i64) -> u64 {
    let net = (net as u64).wrapping_mul(0xd1b5_4a32_d192_ed03);
    let mixed = (small ^ net).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    field ^ mixed ^ mixed >> 29
}

impl<V: Copy> TranspositionTable<V> {
    /// A table of at most so many positions.
    pub fn new(most: usize) -> Self {
        Self { entries: FnvHashMap::default(), most }
    }

    /// What is known of a position.
    pub fn get(&self, key: u64) -> Option<V> {
        self.entries.get(&key).copied()
    }

    /// Keeps what is known of a position, if there is room.
    pub fn put(&mut self, key: u64, value: V) {
        if self.entries.len() < self.most || self.entries.contains_key(&key) {
            self.entries.insert(key, value);
        }
    }
}
