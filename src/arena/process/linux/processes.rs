//! The descendants of this process, as `/proc` lists them.

use std::collections::BTreeSet;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;
use procfs::process::{Process, Stat, StatFlags, all_processes};

/// The process ids of all descendants of this process: children, their children and so on.
///
/// Processes may end, and others may begin, while the list is made.
pub fn descendants() -> Vec<i32> {
    living().map(|stat| stat.pid).collect()
}

/// The process ids of the descendants that neither have ended nor are stopped.
pub fn running_descendants() -> Vec<i32> {
    living().filter(|stat| !is_stopped(stat)).map(|stat| stat.pid).collect()
}

/// Whether the process `pid` is stopped (SIGSTOP, or by a debugger).
pub fn is_process_stopped(pid: i32) -> bool {
    Process::new(pid).and_then(|process| process.stat()).is_ok_and(|stat| is_stopped(&stat))
}

/// Kills the descendants of the process `pid`, but not that process.
pub fn kill_descendants_of(pid: i32) {
    for stat in family_of(pid, &BTreeSet::new()) {
        // The process may have ended just now.
        let _ = kill(Pid::from_raw(stat.pid), Signal::SIGKILL);
    }
}

/// Whether this process is in a process group that nobody could let go on, were it stopped by the
/// terminal: no process of the group has a parent in another group of the session. The kernel
/// ignores such stops.
pub fn is_orphaned() -> bool {
    let stats = stats().unwrap_or_default();
    let of = |pid: i32| stats.iter().find(|stat| stat.pid == pid);
    let Some(own) = of(std::process::id().cast_signed()) else { return true };
    let cares = |parent: &Stat| parent.session == own.session && parent.pgrp != own.pgrp;
    let mut group = stats.iter().filter(|stat| stat.pgrp == own.pgrp && !has_ended(stat));
    !group.any(|member| of(member.ppid).is_some_and(cares))
}

/// The total number of threads of the descendants.
pub fn threads_of_descendants() -> u64 {
    living().map(|stat| u64::try_from(stat.num_threads).unwrap_or(0)).sum()
}

/// Kills all descendants of this process, and those that they start meanwhile, except for the
/// children in `spared` and their descendants. Waits for the ends of the processes for at most
/// `timeout`.
///
/// No other part of the program may wait for a child that is not in `spared`.
pub fn kill_all_but(spared: &BTreeSet<i32>, timeout: Duration) {
    let since = Instant::now();
    loop {
        let family = family(spared);
        for stat in &family {
            let pid = Pid::from_raw(stat.pid);
            // The process may have ended just now, or its parent has not waited for it.
            if has_ended(stat) {
                let _ = waitpid(pid, Some(WaitPidFlag::WNOHANG));
            } else {
                let _ = kill(pid, Signal::SIGKILL);
            }
        }
        if family.is_empty() || since.elapsed() >= timeout {
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// The state of the first process of a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstProcess {
    /// The process runs.
    Runs,
    /// The process has ended, or is about to end: the system closes the streams of a process before
    /// the process has ended.
    Ends,
    /// The process has ended, and its supervisor has its exit status.
    Gone,
}

/// The state of the first process of a bot, with the process id `first`, whose parent is the
/// process `supervisor`.
///
/// Once the supervisor has the exit status, the system may give the process id to a process of
/// another parent.
pub fn first_process(supervisor: i32, first: i32) -> FirstProcess {
    let Some(stats) = stats() else { return FirstProcess::Runs };
    let is_exiting =
        |stat: &Stat| stat.flags().is_ok_and(|flags| flags.contains(StatFlags::PF_EXITING));
    match stats.iter().find(|stat| stat.pid == first && stat.ppid == supervisor) {
        None => FirstProcess::Gone,
        Some(stat) if has_ended(stat) || is_exiting(stat) => FirstProcess::Ends,
        Some(_) => FirstProcess::Runs,
    }
}

/// All descendants that have not ended.
fn living() -> impl Iterator<Item = Stat> {
    family(&BTreeSet::new()).into_iter().filter(|stat| !has_ended(stat))
}

/// All descendants, except for the processes in `spared` and their descendants.
fn family(spared: &BTreeSet<i32>) -> Vec<Stat> {
    family_of(std::process::id().cast_signed(), spared)
}

/// All descendants of the process `pid`, except for the processes in `spared` and their
/// descendants.
fn family_of(pid: i32, spared: &BTreeSet<i32>) -> Vec<Stat> {
    let Some(stats) = stats() else { return Vec::new() };
    let mut family = vec![pid];
    let mut found = 0;
    while let Some(&parent) = family.get(found) {
        let children = stats.iter().filter(|stat| stat.ppid == parent).map(|stat| stat.pid);
        family.extend(children.filter(|child| !spared.contains(child)));
        found += 1;
    }
    stats.into_iter().filter(|stat| family[1..].contains(&stat.pid)).collect()
}

/// All processes; `None` if the system does not list them.
fn stats() -> Option<Vec<Stat>> {
    let processes = all_processes().ok()?;
    Some(processes.flatten().filter_map(|process| process.stat().ok()).collect())
}

fn has_ended(stat: &Stat) -> bool {
    matches!(stat.state, 'Z' | 'X')
}

fn is_stopped(stat: &Stat) -> bool {
    matches!(stat.state, 'T' | 't')
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn grandchildren_are_found() {
        let mut child = Command::new("sh").args(["-c", "sleep 60 & echo; wait"]).spawn().unwrap();
        let since = std::time::Instant::now();
        while descendants().len() < 2 && since.elapsed().as_secs() < 300 {
            std::thread::yield_now();
        }
        let found = descendants();
        assert!(found.contains(&child.id().cast_signed()), "{found:?}");
        for pid in found {
            let pid = nix::unistd::Pid::from_raw(pid);
            nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL).unwrap();
        }
        child.wait().unwrap();
    }
}
