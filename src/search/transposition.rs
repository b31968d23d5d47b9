//! The transposition table, which all exhaustive searches of an engine use, and the bounds in it.

use std::mem;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// The number of slots of an engine's table, as a power of two: 2^20 slots are 16 MB. A table of
/// twice the size finds no more, and one of half the size is no faster. Experiments C-03.3, D-06.
const BITS: u32 = 20;

/// Buckets of engines that have ended, for the tables of the next engines. A program that makes an
/// engine for each request otherwise frees and allocates 16 MB each time. The allocator of glibc
/// splits the freed blocks, and the memory of the process grows. Experiment.
static FREED: Mutex<Vec<Box<[Bucket]>>> = Mutex::new(Vec::new());

/// The most tables whose buckets are kept in [`FREED`].
const MOST_FREED: usize = 4;

/// The number of slots in which a key may be stored: the slots of a cache line. Experiment D-06.
const WAYS: usize = 4;

/// Hashes whole words with FNV-1: the key of a position. Zobrist keys are slower, because a chain
/// changes too many cells (y.s.).
pub fn fnv_1(words: impl IntoIterator<Item = u64>) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let hash = words.into_iter().fold(BASIS, |hash, word| hash.wrapping_mul(PRIME) ^ word);
    // The prime is so small that the high bits of a word do not reach the low bits: a last step
    // moves them down to the bits that select the bucket.
    let mixed = (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

/// The exact value of a position, or a bound on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The value.
    Exact(i64),
    /// The value is at least this.
    Lower(i64),
    /// The value is at most this.
    Upper(i64),
}

impl Bound {
    /// The bound that the result `value` of a fail-soft search between `alpha` and `beta` proves.
    pub const fn of(value: i64, alpha: i64, beta: i64) -> Self {
        if value >= beta {
            Self::Lower(value)
        } else if value <= alpha {
            Self::Upper(value)
        } else {
            Self::Exact(value)
        }
    }

    /// Returns the value with which a search between `alpha` and `beta` may end, if this bound
    /// suffices for that.
    pub const fn cutoff(self, alpha: i64, beta: i64) -> Option<i64> {
        match self {
            Self::Exact(value) => Some(value),
            Self::Lower(value) if value >= beta => Some(value),
            Self::Upper(value) if value <= alpha => Some(value),
            Self::Lower(_) | Self::Upper(_) => None,
        }
    }
}

/// A table of [`Bound`]s by key, of a fixed size, that all threads of a search read and write
/// without a lock.
///
/// A bucket of four slots fills a cache line. A new key takes the slot of an earlier search, else
/// the slot with the fewest plies left, the first of equals. With one thread, the content is
/// therefore deterministic.
///
/// An engine allocates its table once. [`Self::new_search`] forgets all values without writing to
/// the slots: the age of the search is part of each key.
pub struct TranspositionTable {
    buckets: Box<[Bucket]>,
    /// The number of searches so far.
    age: u64,
    hits: Hits,
}

/// The hits have a cache line of their own: the threads read the other fields all the time.
#[derive(Default)]
#[repr(align(64))]
struct Hits(AtomicU64);

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

/// The words of a key and its value. The threads write the two words of a slot one after the other,
/// so a slot can hold words of two writers. `check` is the key xored with `word`: for words of two
/// writers the key does not match.
#[derive(Default)]
struct Slot {
    check: AtomicU64,
    word: AtomicU64,
}

/// The word of a slot. From the lowest bit on: kind of bound (2 bits, 0 for an empty slot), age
/// (5 bits), plies left (5 bits), value (52 bits, signed).
#[derive(Clone, Copy)]
struct Word(u64);

impl Word {
    const AGE: u32 = 2;
    const PLIES: u32 = 7;
    const VALUE: u32 = 12;
    /// The ages and the plies that fit.
    const MASK: u64 = 0x1f;

    const fn new(bound: Bound, plies: usize, age: u64) -> Self {
        let (kind, value) = match bound {
            Bound::Exact(value) => (1, value),
            Bound::Lower(value) => (2, value),
            Bound::Upper(value) => (3, value),
        };
        let plies = if plies as u64 > Self::MASK { Self::MASK } else { plies as u64 };
        Self(
            kind | (age & Self::MASK) << Self::AGE
                | plies << Self::PLIES
                | (value as u64) << Self::VALUE,
        )
    }

    const fn bound(self) -> Option<Bound> {
        let value = self.0 as i64 >> Self::VALUE;
        match self.0 & 3 {
            0 => None,
            1 => Some(Bound::Exact(value)),
            2 => Some(Bound::Lower(value)),
            _ => Some(Bound::Upper(value)),
        }
    }

    /// The priority of keeping the word in a search of `age`: 0 for an empty slot and for a word of
    /// an earlier search, else 1 more than the plies left. Every 32nd search takes words of the
    /// search 32 before for its own; the table only keeps them longer than needed.
    const fn rank(self, age: u64) -> u64 {
        if self.0 & 3 == 0 || self.0 >> Self::AGE & Self::MASK != age & Self::MASK {
            return 0;
        }
        1 + (self.0 >> Self::PLIES & Self::MASK)
    }
}

impl Drop for TranspositionTable {
    fn drop(&mut self) {
        let mut freed = FREED.lock().unwrap_or_else(PoisonError::into_inner);
        if self.buckets.len() == (1 << BITS) / WAYS && freed.len() < MOST_FREED {
            freed.push(mem::take(&mut self.buckets));
        }
    }
}

impl Default for TranspositionTable {
    /// The table of an engine: 16 MB.
    fn default() -> Self {
        Self::new(BITS)
    }
}

impl TranspositionTable {
    /// The values that fit: at least this.
    pub const LEAST: i64 = -(1 << 51);
    /// The values that fit: at most this.
    pub const MOST: i64 = (1 << 51) - 1;

    /// Creates a table of 2^`bits` slots of 16 bytes, at least four.
    pub fn new(bits: u32) -> Self {
        let buckets = (1usize << bits).div_ceil(WAYS);
        Self::of_buckets(buckets)
    }

    /// Creates a table that stores nothing.
    #[cfg(test)]
    pub fn without_slots() -> Self {
        Self::of_buckets(0)
    }

    fn of_buckets(buckets: usize) -> Self {
        let freed = {
            let mut freed = FREED.lock().unwrap_or_else(PoisonError::into_inner);
            let index = freed.iter().position(|freed| freed.len() == buckets);
            index.map(|index| freed.swap_remove(index))
        };
        let buckets = match freed {
            Some(mut freed) => {
                freed.fill_with(Bucket::default);
                freed
            }
            None => (0..buckets).map(|_| Bucket::default()).collect(),
        };
        Self { buckets, age: 1, hits: Hits::default() }
    }

    /// Empties all slots. The slots that earlier searches have filled decide which slot a new key
    /// takes; without them, a search is that of a new table.
    pub fn clear(&mut self) {
        self.buckets.fill_with(Bucket::default);
        (self.age, self.hits) = (1, Hits::default());
    }

    /// Starts a new search: forgets all values and sets [`Self::hits`] to 0.
    pub fn new_search(&mut self) {
        self.age += 1;
        *self.hits.0.get_mut() = 0;
    }

    /// Returns the bound stored for `key` in this search, if it has not been replaced.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Bound> {
        let key = self.aged(key);
        for slot in &self.bucket(key)?.0 {
            let (check, word) = (slot.check.load(Relaxed), slot.word.load(Relaxed));
            if check ^ word == key {
                let found = Word(word).bound();
                if found.is_some() {
                    self.hits.0.fetch_add(1, Relaxed);
                }
                return found;
            }
        }
        None
    }

    /// Stores `bound` for `key`, with the number of plies that were searched for it. The bound's
    /// value is from [`Self::LEAST`] to [`Self::MOST`].
    #[inline]
    pub fn put(&self, key: u64, bound: Bound, plies: usize) {
        let key = self.aged(key);
        let Some(bucket) = self.bucket(key) else { return };
        let mut chosen = (u64::MAX, &bucket.0[0]);
        for slot in &bucket.0 {
            let (check, word) = (slot.check.load(Relaxed), slot.word.load(Relaxed));
            if check ^ word == key {
                chosen = (0, slot);
                break;
            }
            let rank = Word(word).rank(self.age);
            if rank < chosen.0 {
                chosen = (rank, slot);
            }
        }
        let (_, slot) = chosen;
        let word = Word::new(bound, plies, self.age).0;
        slot.check.store(key ^ word, Relaxed);
        slot.word.store(word, Relaxed);
    }

    /// Returns whether `key` is absent, and stores it, for searches that visit each position once.
    /// `plies` are the plies that are searched behind the position.
    #[inline]
    pub fn is_new(&self, key: u64, plies: usize) -> bool {
        let is_new = self.get(key).is_none();
        if is_new {
            self.put(key, Bound::Exact(0), plies);
        }
        is_new
    }

    /// Returns the number of bounds found since the search began.
    pub fn hits(&self) -> u64 {
        self.hits.0.load(Relaxed)
    }

    const fn aged(&self, key: u64) -> u64 {
        key ^ self.age.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn bucket(&self, key: u64) -> Option<&Bucket> {
        self.buckets.get(key as usize & self.buckets.len().wrapping_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn keys(count: u64) -> Vec<u64> {
        (0..count).map(|index| fnv_1([index, 7])).collect()
    }

    #[test]
    fn a_stored_bound_is_found_until_the_next_search() {
        let mut table = TranspositionTable::new(10);
        let keys = keys(100);
        let value = |key: u64| Bound::Lower((key >> 20) as i64);
        keys.iter().for_each(|&key| table.put(key, value(key), 1));
        assert!(keys.iter().all(|&key| table.get(key) == Some(value(key))));
        assert_eq!(table.hits(), 100);
        assert!(!table.is_new(keys[99], 0));
        table.new_search();
        assert_eq!(table.hits(), 0);
        assert!(table.is_new(keys[99], 0) && !table.is_new(keys[99], 0));
    }

    #[test]
    fn a_cleared_table_is_as_a_new_one() {
        let content = |table: &TranspositionTable| -> Vec<[u64; 2]> {
            let slots = table.buckets.iter().flat_map(|bucket| &bucket.0);
            slots.map(|slot| [slot.check.load(Relaxed), slot.word.load(Relaxed)]).collect()
        };
        let fill = |table: &TranspositionTable| {
            for (&key, plies) in keys(50).iter().zip((1..7).cycle()) {
                table.put(key, Bound::Exact(plies as i64), plies);
            }
        };
        let new = TranspositionTable::new(4);
        let mut cleared = TranspositionTable::new(4);
        fill(&cleared);
        cleared.new_search();
        cleared.clear();
        assert_eq!(content(&cleared), content(&new));
        fill(&new);
        fill(&cleared);
        assert_eq!(content(&cleared), content(&new));
    }

    #[test]
    fn a_table_in_the_memory_of_an_ended_one_is_empty() {
        let keys = keys(100);
        for _ in 0..3 {
            let table = TranspositionTable::default();
            assert!(keys.iter().all(|&key| table.get(key).is_none()));
            keys.iter().for_each(|&key| table.put(key, Bound::Exact(1), 1));
        }
        assert!(FREED.lock().unwrap().len() <= MOST_FREED);
    }

    #[test]
    fn every_bound_fits_in_a_slot() {
        let table = TranspositionTable::new(2);
        for value in [0, 1, -1, TranspositionTable::LEAST, TranspositionTable::MOST] {
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                for plies in [0, 4, 18, 1000] {
                    table.put(3, bound(value), plies);
                    assert_eq!(table.get(3), Some(bound(value)), "{plies}");
                }
            }
        }
    }

    #[test]
    fn a_full_bucket_replaces_the_slot_with_the_fewest_plies() {
        let mut table = TranspositionTable::new(2);
        let keys = keys(6);
        let found = |table: &TranspositionTable| -> Vec<bool> {
            keys.iter().map(|&key| table.get(key).is_some()).collect()
        };
        for (&key, plies) in keys.iter().zip([3, 1, 2, 1, 1]) {
            table.put(key, Bound::Exact(0), plies);
        }
        assert_eq!(found(&table), [true, false, true, true, true, false]);
        // A known key takes no second slot.
        table.put(keys[0], Bound::Exact(1), 0);
        table.put(keys[5], Bound::Exact(0), 1);
        assert_eq!(found(&table), [false, false, true, true, true, true]);
        // The slots of an earlier search are taken first, independent of their plies.
        table.new_search();
        keys[..4].iter().for_each(|&key| table.put(key, Bound::Exact(0), 0));
        assert_eq!(found(&table), [true, true, true, true, false, false]);
    }

    #[test]
    fn a_table_of_any_age_finds_only_its_own_bounds() {
        let mut table = TranspositionTable::new(4);
        for age in 0..100u64 {
            table.new_search();
            assert!(keys(8).iter().all(|&key| table.get(key).is_none()), "{age}");
            keys(8).iter().for_each(|&key| table.put(key, Bound::Upper(age as i64), 2));
            assert!(table.get(keys(8)[7]) == Some(Bound::Upper(age as i64)));
        }
    }

    /// Four threads write different values for the same keys.
    #[test]
    fn threads_find_only_bounds_that_one_of_them_stored() {
        let table = TranspositionTable::new(4);
        let keys = keys(64);
        let value = |key: u64, writer: i64| (key >> 20) as i64 * 4 + writer;
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let (table, keys) = (&table, &keys);
                scope.spawn(move || {
                    for &key in keys.iter().cycle().take(200_000) {
                        table.put(key, Bound::Exact(value(key, writer)), 1);
                        if let Some(found) = table.get(key) {
                            let whole = |writer| found == Bound::Exact(value(key, writer));
                            assert!((0..4).any(whole), "{found:?} of {key:x}");
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn similar_words_go_to_different_slots() {
        let slots: HashSet<u64> = (0..1000u64).map(|i| fnv_1([i << 50, 3]) & 0xffff).collect();
        assert!(slots.len() > 950, "{}", slots.len());
    }

    #[test]
    fn a_bound_ends_the_searches_that_it_decides() {
        assert_eq!(
            [2, 5, 8].map(|value| Bound::of(value, 2, 8)),
            [Bound::Upper(2), Bound::Exact(5), Bound::Lower(8)]
        );
        assert_eq!(Bound::Exact(5).cutoff(7, 9), Some(5));
        assert_eq!([4, 5].map(|alpha| Bound::Upper(5).cutoff(alpha, 9)), [None, Some(5)]);
        assert_eq!([5, 6].map(|beta| Bound::Lower(5).cutoff(0, beta)), [Some(5), None]);
    }
}
