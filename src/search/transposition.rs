//! A transposition table keyed by finished hashes.

use fnv::FnvHashMap;

/// A map from 64-bit position keys to values, with a fixed greatest number of entries.
///
/// A full table takes no new key. Its memory is therefore bounded, and its answers do not depend on
/// a replacement order.
#[derive(Debug)]
pub struct TranspositionTable<V> {
    entries: FnvHashMap<u64, V>,
    most: usize,
}

/// Returns the key of a position: the hash `field`, the bits of `small`, which packs small numbers
/// in separate bits, and `net`, the difference of the stocks, spread over all bits.
pub fn key(field: u64, small: u64, net: i64) -> u64 {
    let net = (net as u64).wrapping_mul(0xd1b5_4a32_d192_ed03);
    let mixed = (small ^ net).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    field ^ mixed ^ mixed >> 29
}

impl<V: Copy> TranspositionTable<V> {
    /// An empty table for at most `most` positions.
    pub fn new(most: usize) -> Self {
        Self { entries: FnvHashMap::default(), most }
    }

    /// Returns the value stored for `key`.
    pub fn get(&self, key: u64) -> Option<V> {
        self.entries.get(&key).copied()
    }

    /// Stores `value` for `key`, unless the table is full and does not hold `key`.
    pub fn put(&mut self, key: u64, value: V) {
        if self.entries.len() < self.most || self.entries.contains_key(&key) {
            self.entries.insert(key, value);
        }
    }
}
