//! Which game runs on which processor cores.
//!
//! Matches of one user on one machine share the cores by a file for each core, which the match that
//! has claimed the core has locked.

use std::fs::File;
use std::io;
use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, PoisonError};

use super::process;

/// The processor cores of this machine that games can use.
///
/// A game takes the cores that it needs and returns them: no two games share a core.
pub struct Cores {
    free: Mutex<Vec<usize>>,
    returned: Condvar,
    all: usize,
    /// Locked files, which tell other processes that the cores are claimed.
    _claims: Vec<File>,
}

/// Cores that a game has taken; dropping this returns them.
pub struct TakenCores<'a> {
    cores: Vec<usize>,
    of: &'a Cores,
}

impl Cores {
    /// The cores on which this process may run; none if the system does not list them.
    pub fn of_this_machine() -> Self {
        Self::new(process::usable_cores())
    }

    /// The given cores, without a claim.
    pub const fn new(cores: Vec<usize>) -> Self {
        Self::claimed(cores, Vec::new())
    }

    const fn claimed(cores: Vec<usize>, claims: Vec<File>) -> Self {
        let all = cores.len();
        Self { free: Mutex::new(cores), returned: Condvar::new(), all, _claims: claims }
    }

    /// Claims at most `most` of these cores, only cores that no other process of the user has
    /// claimed, until the claim is dropped or this process ends.
    ///
    /// # Errors
    /// The folder of the claims cannot be made, or other users may write in it. The error contains
    /// the path.
    pub fn claim(&self, most: usize) -> io::Result<Self> {
        let (mut cores, mut claims) = (Vec::new(), Vec::new());
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        for &core in free.iter() {
            if cores.len() == most {
                break;
            }
            if let Some(claim) = process::claim_core(core)? {
                cores.push(core);
                claims.push(claim);
            }
        }
        Ok(Self::claimed(cores, claims))
    }

    /// The number of cores, taken or not.
    pub const fn count(&self) -> usize {
        self.all
    }

    /// Takes `wanted` cores, and waits until enough are free. Returns `None` if there are fewer
    /// than `wanted` cores in all.
    pub fn take(&self, wanted: NonZeroUsize) -> Option<TakenCores<'_>> {
        if wanted.get() > self.all {
            return None;
        }
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while free.len() < wanted.get() {
            free = self.returned.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
        let cores = free.drain(..wanted.get()).collect();
        Some(TakenCores { cores, of: self })
    }
}

impl TakenCores<'_> {
    /// The numbers of the cores.
    pub fn numbers(&self) -> &[usize] {
        &self.cores
    }
}

impl Drop for TakenCores<'_> {
    fn drop(&mut self) {
        let mut free = self.of.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.append(&mut self.cores);
        free.sort_unstable();
        self.of.returned.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_core_is_given_twice() {
        let cores = Cores::new(vec![3, 5, 8]);
        let two = NonZeroUsize::new(2).unwrap();
        assert!(cores.take(NonZeroUsize::new(4).unwrap()).is_none());
        let first = cores.take(two).unwrap();
        assert_eq!(first.numbers(), [3, 5]);
        let third = cores.take(NonZeroUsize::MIN).unwrap();
        assert_eq!(third.numbers(), [8]);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| cores.take(two).unwrap().numbers().to_vec());
            drop(first);
            assert_eq!(waiting.join().unwrap(), [3, 5]);
        });
    }
}
