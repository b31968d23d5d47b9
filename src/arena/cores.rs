//! Who runs on which processor core.

use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, PoisonError};

use nix::sched::{CpuSet, sched_getaffinity};
use nix::unistd::Pid;

/// The processor cores of this machine that games may be given.
///
/// Games take what they need and give it back: no two games share a core.
pub struct Cores {
    free: Mutex<Vec<usize>>,
    returned: Condvar,
    all: usize,
}

/// Cores taken, given back when this is dropped.
pub struct Taken<'a> {
    cores: Vec<usize>,
    of: &'a Cores,
}

impl Cores {
    /// The cores that this process may run on; none if the system does not say.
    pub fn of_this_machine() -> Self {
        let set = sched_getaffinity(Pid::from_raw(0));
        let cores: Vec<usize> = set.map_or_else(
            |_| Vec::new(),
            |set| (0..CpuSet::count()).filter(|&core| set.is_set(core).unwrap_or(false)).collect(),
        );
        Self::new(cores)
    }

    /// These cores.
    pub const fn new(cores: Vec<usize>) -> Self {
        let all = cores.len();
        Self { free: Mutex::new(cores), returned: Condvar::new(), all }
    }

    /// How many there are, taken or not.
    pub const fn count(&self) -> usize {
        self.all
    }

    /// Takes so many cores, and waits for them if need be. `None` if there are not so many at all.
    pub fn take(&self, wanted: NonZeroUsize) -> Option<Taken<'_>> {
        if wanted.get() > self.all {
            return None;
        }
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while free.len() < wanted.get() {
            free = self.returned.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
        let cores = free.drain(..wanted.get()).collect();
        Some(Taken { cores, of: self })
    }
}

impl Taken<'_> {
    /// Their numbers.
    pub fn numbers(&self) -> &[usize] {
        &self.cores
    }
}

impl Drop for Taken<'_> {
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

    #[test]
    fn this_machine_has_cores() {
        assert!(Cores::of_this_machine().count() > 0);
    }
}
