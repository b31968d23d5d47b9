//! The process that supervises a bot, so that no process of the bot outlives its game.
//!
//! A bot may fork, ignore the end of its input, leave its process group, or hang; its referee may
//! be killed. So the referee starts no bot itself: it starts this program once more as a *keeper*,
//! a process of its own group, which
//!
//! 1. becomes the subreaper of the bot's processes: they are handed to it when their parents die,
//!    so that none can escape;
//! 2. starts the bot, by way of a third start of this program that pins itself to the bot's cores,
//!    makes a group of its own, asks to be killed when the keeper dies, and becomes the bot;
//! 3. waits until the bot's input is closed, which the death of a referee also causes; gives the
//!    bot a moment to end, kills every remaining process, and reports.
//!
//! The bot's streams are the referee's pipes: the keeper does not read or write them. A keeper that
//! is itself killed, by its bot for instance, takes the bot's first process with it. The other
//! processes are handed to the referee, which is a subreaper too: it kills them, and the bot has
//! lost by a crash. Any child of the referee that is no keeper is such a process, so that no other
//! game loses a process.
//!
//! Limits: keeper, referee and bots belong to one user. A bot that kills the referee and its own
//! keeper at the same time leaves its processes to the system, one that kills the keeper of its
//! opponent makes the opponent lose, and a process that has become another user's (setuid) cannot
//! be killed. To be safe from that, run the whole match as a separate user or in a container.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sched::{CpuSet, sched_setaffinity};
use nix::sys::prctl;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{SigSet, Signal, kill};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::time::TimeValLike as _;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, dup2_stderr, dup2_stdout, getppid, setpgid};
use serde::{Deserialize, Serialize};

use super::processes;
use crate::arena::connection::Ending;
use crate::arena::engine::PLAYING_VARIABLES;
use crate::duration::milliseconds;
use crate::foreign_text::shown;
use crate::record::Usage;

/// The variable that passes a [`Launch`] to a keeper, as JSON.
pub const LAUNCH: &str = "TENSAI_LAUNCH";

/// The keeper's name in lists of processes.
pub const KEEPER: &str = "arena-keeper";

/// Time that a bot of a match has to end by itself once its input is closed.
pub const PATIENCE: Duration = Duration::from_millis(250);

/// The longest wait for processes that were killed. The kernel needs some microseconds; a process
/// that cannot be killed, because it hangs in a driver, must not hold up a tournament.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);

/// The interval at which the threads of the bot's processes are counted.
const THREAD_COUNT_INTERVAL: Duration = Duration::from_secs(1);

/// The bot that a keeper starts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Launch {
    /// The bot's program. Its path may have any bytes, as the working folder may.
    #[serde(with = "path_bytes")]
    pub program: PathBuf,
    /// The program's arguments.
    pub arguments: Vec<String>,
    /// The working directory; the current directory if `None`.
    pub dir: Option<PathBuf>,
    /// Environment variables that are set for the bot.
    pub env: BTreeMap<String, String>,
    /// The cores that the bot is pinned to; all cores if empty.
    pub cores: Vec<usize>,
    /// Time that the bot has to end by itself once its input is closed.
    pub patience: Duration,
    /// The file to which the keeper writes two lines: the process id of the bot's first process
    /// when it has started, and an [`ExitReport`] as JSON when the bot has ended.
    pub report: PathBuf,
}

/// Writes a path as its bytes, because JSON has no other text for a path that is not UTF-8.
mod path_bytes {
    use std::ffi::OsString;
    use std::path::{Path, PathBuf};

    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        path.as_os_str().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
        OsString::deserialize(deserializer).map(PathBuf::from)
    }
}

/// The report of a keeper about a bot that has ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ExitReport {
    /// The wait status of the bot's first process; `None` if it had to be killed.
    pub status: Option<i32>,
    /// The number of processes that had to be killed.
    pub killed: usize,
    /// The resources that the bot used.
    pub usage: Usage,
}

impl ExitReport {
    /// How the bot's first process ended.
    pub fn ending(&self) -> Ending {
        self.status.map_or(Ending::Killed, |status| Ending::Ended(ExitStatus::from_raw(status)))
    }
}

/// Reads the [`Launch`] from the variable [`LAUNCH`].
fn launch() -> io::Result<Launch> {
    let text = std::env::var(LAUNCH)
        .map_err(|_| io::Error::other("only the arena starts this command"))?;
    Ok(serde_json::from_str(&text)?)
}

/// Runs a keeper: starts the bot, waits for its end, and reports.
///
/// # Errors
/// The system refuses a call that the keeper needs. If this happens before the start of the bot,
/// the bot is not started.
pub fn keep() -> io::Result<()> {
    let launch = launch()?;
    // Opened at once: the file belongs to the referee, which may be killed.
    let mut report = File::options().write(true).open(&launch.report)?;
    // Processes are listed by the name of their main thread: `pkill tensai` shall not hit this one.
    prctl::set_name(c"arena-keeper")?;
    prctl::set_child_subreaper(true)?;
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGCHLD);
    signals.add(Signal::SIGTERM);
    signals.thread_block()?;
    let wakes = SignalFd::with_flags(&signals, SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC)?;
    let born = Instant::now();
    let bot = Command::new("/proc/self/exe").arg0(KEEPER).arg("become").spawn()?;
    let first = Pid::from_raw(bot.id().cast_signed());
    // Before this process closes its output: a referee that sees the end of the output can read the
    // line. A referee that has ended does not read it.
    let _ = writeln!(report, "{first}");
    let mut bot_processes = BotProcesses { first, status: None, threads: 1 };
    let supervised = bot_processes.supervise(&wakes, launch.patience, born);
    // If the system refuses to wait for the bot, the bot is killed, and the report is still
    // written.
    let killed = supervised.as_ref().copied().unwrap_or_else(|_| bot_processes.kill_remaining());
    let children = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu = children.user_time() + children.system_time();
    let whole = |number: i64| u64::try_from(number).unwrap_or(0);
    let usage = Usage {
        peak_kib: whole(children.max_rss()),
        cpu_ms: whole(cpu.num_milliseconds()),
        wall_ms: milliseconds(born.elapsed()),
        threads: bot_processes.threads,
    };
    let exit_report = ExitReport { status: bot_processes.status, killed, usage };
    // A referee that has ended does not read the report.
    let _ = writeln!(report, "{}", serde_json::to_string(&exit_report)?);
    supervised.map(|_| ())
}

/// The bot's processes, as their keeper sees them.
struct BotProcesses {
    /// The bot's first process.
    first: Pid,
    /// The wait status of `first`, if it ended by itself.
    status: Option<i32>,
    /// The greatest number of threads seen at a time.
    threads: u64,
}

impl BotProcesses {
    /// Waits for the end of the bot: until its last process has ended, or `patience` after its
    /// input is closed, or until SIGTERM. `born` is the start of the bot. Returns the number of
    /// processes that had to be killed.
    ///
    /// # Errors
    /// The system refuses a call. Processes of the bot may then be left.
    fn supervise(
        &mut self,
        wakes: &SignalFd,
        patience: Duration,
        born: Instant,
    ) -> io::Result<usize> {
        let input = io::stdin();
        // The bot's output ends when the bot has closed it: this process must not hold it open.
        let nowhere = File::options().write(true).open("/dev/null")?;
        dup2_stdout(&nowhere)?;
        dup2_stderr(&nowhere)?;

        let mut closed_at = None;
        let mut count_at = born;
        loop {
            if !self.reap() {
                return Ok(0);
            }
            let now = Instant::now();
            if now >= count_at {
                count_at = now + THREAD_COUNT_INTERVAL;
                self.count_threads();
            }
            let until = match closed_at {
                Some(closed) if now >= closed + patience => return Ok(self.kill_remaining()),
                Some(closed) => closed + patience,
                None => count_at,
            };
            let wait = (until - now).as_millis() + 1;
            let wait = PollTimeout::try_from(wait).unwrap_or(PollTimeout::ZERO);
            let mut events = vec![PollFd::new(wakes.as_fd(), PollFlags::POLLIN)];
            if closed_at.is_none() {
                // With no event requested, `poll` reports only that the last writer has closed the
                // pipe.
                events.push(PollFd::new(input.as_fd(), PollFlags::empty()));
            }
            match poll(&mut events, wait) {
                Ok(_) | Err(Errno::EINTR) => {}
                Err(error) => return Err(error.into()),
            }
            if events.get(1).is_some_and(|input| input.any() == Some(true)) {
                closed_at = Some(Instant::now());
                self.count_threads(); // the last one, and in a short game the only one
            }
            while let Ok(Some(signal)) = wakes.read_signal() {
                if signal.ssi_signo == Signal::SIGTERM as u32 {
                    closed_at = Instant::now().checked_sub(patience).or(Some(born));
                }
            }
        }
    }

    /// Collects all processes that have ended; returns false if none is left.
    fn reap(&mut self) -> bool {
        loop {
            match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::StillAlive) => return true,
                Ok(ended) if ended.pid() == Some(self.first) => {
                    self.status = match ended {
                        WaitStatus::Exited(_, code) => Some((code & 0xff) << 8),
                        WaitStatus::Signaled(_, signal, _) => Some(signal as i32),
                        _ => self.status,
                    };
                }
                Ok(_) | Err(Errno::EINTR) => {}
                Err(_) => return false,
            }
        }
    }

    /// Updates the greatest number of threads.
    fn count_threads(&mut self) {
        self.threads = self.threads.max(processes::threads_of_descendants());
    }

    /// Kills all remaining processes, and those that they start meanwhile. Returns their number.
    fn kill_remaining(&mut self) -> usize {
        let since = Instant::now();
        let status = self.status;
        let mut killed = std::collections::BTreeSet::new();
        while self.reap() && since.elapsed() < KILL_TIMEOUT {
            let mut left = processes::descendants();
            if left.is_empty() && self.status.is_none() {
                // The list of processes cannot be read: the negative id kills the group of `first`.
                left.push(-self.first.as_raw());
            }
            for pid in left {
                killed.insert(pid);
                // It may have ended just now.
                let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        self.status = status; // a kill by the arena is not the status of the bot
        killed.len()
    }
}

/// Becomes the bot: the process that a keeper starts turns into the bot's first process.
///
/// # Errors
/// The program cannot be run. On success this function does not return.
pub fn become_bot() -> io::Result<()> {
    let launch = launch()?;
    let keeper = getppid();
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    if getppid() != keeper {
        return Err(io::Error::other("the keeper is gone"));
    }
    setpgid(Pid::from_raw(0), Pid::from_raw(0))?;
    if !launch.cores.is_empty() {
        let mut set = CpuSet::new();
        for &core in &launch.cores {
            set.set(core)?;
        }
        sched_setaffinity(Pid::from_raw(0), &set)?;
    }
    // A started process inherits the blocked signals of the keeper; the bot has its own use for
    // them.
    SigSet::empty().thread_set_mask()?;
    let name = name_of(&launch);
    let failed = |what: String| {
        Err(io::Error::other(format!("{} does not start: {what}", Path::new(&name).display())))
    };
    if let Some(dir) = &launch.dir
        && let Err(error) = std::env::set_current_dir(dir)
    {
        return failed(format!("{}: cannot be entered: {error}", shown(dir)));
    }
    let mut bot = Command::new(&launch.program);
    bot.arg0(&name).args(&launch.arguments).env_remove(LAUNCH);
    for variable in PLAYING_VARIABLES {
        bot.env_remove(variable);
    }
    bot.envs(&launch.env);
    failed(bot.exec().to_string())
}

/// The bot's `argv[0]`: its path, or [`OWN`](crate::arena::OWN) if it is this program.
fn name_of(launch: &Launch) -> OsString {
    let own = launch.program.starts_with("/proc") && launch.program.ends_with("exe");
    if own { crate::arena::OWN.into() } else { Path::as_os_str(&launch.program).to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_follows_from_the_wait_status() {
        let ending = |status| {
            let usage = Usage::default();
            ExitReport { status, killed: 0, usage }.ending()
        };
        let is_success =
            |status: i32| matches!(ending(Some(status)), Ending::Ended(status) if status.success());
        assert!(is_success(0) && !is_success(3 << 8) && !is_success(11));
        assert_eq!(ending(None), Ending::Killed);
        let failed = ExitStatus::from_raw(1 << 8);
        for (ending, text) in [
            (ending(Some(0)), "ended with exit status: 0"),
            (ending(Some(11)), "ended with signal: 11 (SIGSEGV)"),
            (ending(None), "was killed by the arena"),
            (
                Ending::KeeperEnded(failed),
                "its keeper (the process that supervises it) failed (exit status: 1)",
            ),
        ] {
            assert_eq!(ending.to_string(), text);
        }
    }
}
