//! A table of positions that the threads of a search share, keyed by FNV-1.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Hashes whole words with FNV-1, as the seed hashes its fields. The seed found Zobrist keys
/// slower, because a chain changes too many cells.
pub fn fnv_1(words: impl IntoIterator<Item = u64>) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let hash = words.into_iter().fold(BASIS, |hash, word| hash.wrapping_mul(PRIME) ^ word);
    // The prime is so small that the high bits of a word do not reach the low bits: a last step
    // moves them down to the bits that select the slot.
    let mixed = (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

/// A table of values by key. A later value replaces an earlier one in its slot.
///
/// As in the seed, all threads write without a lock. A slot stores its key xored with its value, so
/// that the words of two writers do not match and are not found.
pub struct TranspositionTable {
    slots: Box<[[AtomicU64; 2]]>,
    /// Part of every key, so that a new search needs no cleared slots.
    age: u64,
    hits: AtomicU64,
}

impl TranspositionTable {
    /// Creates a table of 2^`bits` slots of 16 bytes.
    pub fn new(bits: u32) -> Self {
        let slots = (0..1usize << bits).map(|_| [AtomicU64::new(0), AtomicU64::new(0)]).collect();
        Self { slots, age: 1, hits: AtomicU64::new(0) }
    }

    /// Forgets all values.
    pub fn clear(&mut self) {
        self.age = self.age.wrapping_add(0x9e37_79b9_7f4a_7c15);
        *self.hits.get_mut() = 0;
    }

    /// Returns the value stored for `key`, if it has not been replaced.
    #[inline]
    pub fn get(&self, key: u64) -> Option<u64> {
        let key = key ^ self.age;
        let [stored, value] = self.slot(key);
        let value = value.load(Relaxed);
        let found = stored.load(Relaxed) ^ value == key;
        if found {
            self.hits.fetch_add(1, Relaxed);
        }
        found.then_some(value)
    }

    /// Stores `value` for `key`.
    #[inline]
    pub fn put(&self, key: u64, value: u64) {
        let key = key ^ self.age;
        let [stored, kept] = self.slot(key);
        stored.store(key ^ value, Relaxed);
        kept.store(value, Relaxed);
    }

    /// Returns whether `key` is absent, and stores it.
    #[inline]
    pub fn is_new(&self, key: u64) -> bool {
        let is_new = self.get(key).is_none();
        if is_new {
            self.put(key, 1);
        }
        is_new
    }

    /// Returns the number of values found since the table was cleared.
    pub fn hits(&self) -> u64 {
        self.hits.load(Relaxed)
    }

    fn slot(&self, key: u64) -> &[AtomicU64; 2] {
        &self.slots[key as usize & (self.slots.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_value_is_found_until_the_table_is_cleared() {
        let mut table = TranspositionTable::new(10);
        let keys: Vec<u64> = (0..100).map(|i| fnv_1([i, 7])).collect();
        keys.iter().for_each(|&key| table.put(key, key / 2));
        let found = keys.iter().filter(|&&key| table.get(key) == Some(key / 2)).count();
        assert!(found > 85, "{found}: few slots are taken twice");
        assert_eq!(table.hits(), found as u64);
        assert!(!table.is_new(keys[99]));
        table.clear();
        assert!(table.is_new(keys[99]) && !table.is_new(keys[99]));
    }

    #[test]
    fn similar_words_go_to_different_slots() {
        let slots: std::collections::HashSet<u64> =
            (0..1000u64).map(|i| fnv_1([i << 50, 3]) & 0xffff).collect();
        assert!(slots.len() > 950, "{}", slots.len());
    }
}
