//! A transposition table keyed by finished hashes.

use fnv::FnvHashMap;

/// What is known of positions, by 64-bit key, up to a fixed number of them.
///
/// A full table takes nothing new, so that its memory is bounded and what it answers does not
/// depend on an order of replacement.
#[derive(Debug)]
pub struct Table<V> {
    entries: FnvHashMap<u64, V>,
    most: usize,
}

impl<V: Copy> Table<V> {
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
