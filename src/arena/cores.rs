//! Which game runs on which processor cores.
//!
//! Matches of one user on one machine share the cores by a file for each core, which the match that
//! has claimed the core has locked.
//!
//! A control group, such as that of a container, may have a quota of processor time that is smaller
//! than its cores. Then only as many cores count. Games are not pinned to them: the cores belong to
//! other containers too, and all of these would choose the same ones without seeing each other.

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
    quota: Option<CpuQuota>,
    /// Locked files, which tell other processes that the cores are claimed.
    _claims: Vec<File>,
}

/// A quota of processor time that is smaller than the cores on which this process may run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CpuQuota {
    /// The processor time, in cores.
    pub cores: f64,
    /// The number of cores on which this process may run.
    pub of: usize,
}

/// Cores that a game has taken; dropping this returns them.
pub struct TakenCores<'a> {
    cores: Vec<usize>,
    of: &'a Cores,
}

impl Cores {
    /// The cores on which this process may run, as many as its quota of processor time allows; none
    /// if the system does not list them.
    pub fn of_this_machine() -> Self {
        Self::within(process::usable_cores(), process::cpu_quota())
    }

    /// The given cores, without a claim.
    pub const fn new(cores: Vec<usize>) -> Self {
        Self::claimed(cores, None, Vec::new())
    }

    /// The given cores, of which a `quota` in cores allows only the whole ones.
    pub fn within(mut cores: Vec<usize>, quota: Option<f64>) -> Self {
        let of = cores.len();
        let quota = quota.map(|cores| CpuQuota { cores, of }).filter(|it| it.cores < of as f64);
        if let Some(quota) = quota {
            cores.truncate(quota.cores as usize);
        }
        Self::claimed(cores, quota, Vec::new())
    }

    const fn claimed(cores: Vec<usize>, quota: Option<CpuQuota>, claims: Vec<File>) -> Self {
        let all = cores.len();
        Self { free: Mutex::new(cores), returned: Condvar::new(), all, quota, _claims: claims }
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
        Ok(Self::claimed(cores, self.quota, claims))
    }

    /// The quota, if there is one. Games are not pinned then.
    pub const fn quota(&self) -> Option<CpuQuota> {
        self.quota
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
    /// The numbers of the cores to which a game is pinned; none if it is not pinned, because the
    /// cores are those of a quota.
    pub fn numbers(&self) -> &[usize] {
        if self.of.quota.is_some() { &[] } else { &self.cores }
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
    fn a_quota_limits_the_cores_and_pins_to_none() {
        let within = |quota| Cores::within(vec![0, 1, 2, 3], quota);
        let counts = [None, Some(4.0), Some(9.0), Some(2.0), Some(2.9), Some(0.25)];
        assert_eq!(counts.map(|quota| within(quota).count()), [4, 4, 4, 2, 2, 0]);
        assert_eq!(within(Some(4.0)).quota(), None, "the quota allows all cores");
        let cores = within(Some(2.5));
        assert_eq!(cores.quota(), Some(CpuQuota { cores: 2.5, of: 4 }));
        let two = NonZeroUsize::new(2).unwrap();
        assert_eq!(cores.take(two).unwrap().numbers(), [0_usize; 0]);
        assert!(within(Some(0.5)).take(NonZeroUsize::MIN).is_none());
    }

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
