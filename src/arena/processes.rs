//! The processes that come from this one, as `/proc` lists them.

use procfs::process::{Stat, all_processes};

/// The numbers of all processes that come from this one: children, their children and so on.
///
/// They may end, and others may begin, while the list is made.
pub fn descendants() -> Vec<i32> {
    living().into_iter().map(|stat| stat.pid).collect()
}

/// How many threads these have together.
pub fn threads_of_descendants() -> u64 {
    living().iter().map(|stat| u64::try_from(stat.num_threads).unwrap_or(0)).sum()
}

/// The descendants that have not ended.
fn living() -> Vec<Stat> {
    let Ok(processes) = all_processes() else { return Vec::new() };
    let stats: Vec<Stat> = processes.flatten().filter_map(|process| process.stat().ok()).collect();
    let mut family = vec![std::process::id().cast_signed()];
    let mut found = 0;
    while let Some(&parent) = family.get(found) {
        family.extend(stats.iter().filter(|stat| stat.ppid == parent).map(|stat| stat.pid));
        found += 1;
    }
    let ended = |stat: &Stat| matches!(stat.state, 'Z' | 'X');
    stats.into_iter().filter(|stat| family[1..].contains(&stat.pid) && !ended(stat)).collect()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn grandchildren_are_found() {
        let mut child = Command::new("sh").args(["-c", "sleep 60 & echo; wait"]).spawn().unwrap();
        let since = std::time::Instant::now();
        while descendants().len() < 2 && since.elapsed().as_secs() < 20 {
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
