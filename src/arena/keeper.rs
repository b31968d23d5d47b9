//! The process that looks after a bot, so that nothing of the bot outlives its game.
//!
//! A bot may fork, ignore the end of its input, leave its process group, or hang; its referee may
//! be killed. So the referee starts no bot itself: it starts this program once more as a *keeper*,
//! a process of its own group, which
//!
//! 1. becomes the one to whom the processes of the bot fall when their parents die (Linux calls it
//!    a subreaper), so that none can slip away;
//! 2. starts the bot, by way of a third start of this program that pins itself to the bot's cores,
//!    makes a group of its own, asks to be killed when the keeper dies, and becomes the bot;
//! 3. waits until the bot's input is closed, which is what the death of a referee looks like too;
//!    gives the bot a moment to end, kills every process that is left, and reports.
//!
//! The bot's streams are the referee's pipes: nothing stands between the two while they talk.
//! A keeper that is itself killed, by its bot for instance, takes the bot's first process with it. The
//! others fall to the referee, which is a subreaper too: it kills them, and the bot has lost by a
//! crash. Any child of the referee that is no keeper is such a process, so that games that run at the
//! same time lose none of theirs.
//!
//! Limits: keeper, referee and bots belong to one user. A bot that kills the referee and its own
//! keeper at the same time leaves its processes to the system, one that kills the keeper of its
//! opponent makes the opponent lose, and a process that has become another user's (setuid) cannot be
//! killed. To be safe from that, run the whole match as a user or in a container of its own.

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
use crate::foreign_text::shown;
use crate::record::Usage;

/// The variable in which a keeper finds what to start: a [`Launch`] as JSON.
pub const LAUNCH: &str = "TENSAI_LAUNCH";

/// What a keeper calls itself in lists of processes.
pub const KEEPER: &str = "arena-keeper";

/// How long a bot may take to end by itself once its input is closed.
const PATIENCE: Duration = Duration::from_millis(250);

/// How long processes that were killed are waited for. The kernel needs some microseconds; one that
/// cannot be killed, as it hangs in a driver, must not hold up a tournament.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);

/// How often the bot's processes are looked at, to count their threads.
const GLANCE: Duration = Duration::from_secs(1);

/// What a keeper is to start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Launch {
    /// The bot's program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The folder that it runs in; the current one if none is given.
    pub dir: Option<PathBuf>,
    /// Variables that are set for it.
    pub env: BTreeMap<String, String>,
    /// The cores that it is pinned to; all if empty.
    pub cores: Vec<usize>,
    /// Where the keeper's report goes.
    pub report: PathBuf,
}

/// What a keeper says when all is over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ExitReport {
    /// How the bot's first process ended, as `wait` tells it; none if it had to be killed.
    pub status: Option<i32>,
    /// Processes that had to be killed.
    pub killed: usize,
    /// What the bot has used.
    pub usage: Usage,
}

impl ExitReport {
    /// How the bot's first process ended, in words.
    pub fn ending(&self) -> String {
        self.status.map_or_else(
            || "was killed by the arena".to_owned(),
            |status| format!("ended with {}", ExitStatus::from_raw(status)),
        )
    }
}

/// Reads what to start from the variable [`LAUNCH`].
fn launch() -> io::Result<Launch> {
    let text = std::env::var(LAUNCH)
        .map_err(|_| io::Error::other("only `tensai match` starts this command"))?;
    Ok(serde_json::from_str(&text)?)
}

/// The keeper's whole life.
///
/// # Errors
/// The system refuses something that it needs; the bot is not started then.
pub fn keep() -> io::Result<()> {
    let launch = launch()?;
    // Opened at once: it belongs to the referee, who may be killed.
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
    let input = io::stdin();
    // The bot's output ends when the bot has closed it: this process must not hold it open.
    let nowhere = File::options().write(true).open("/dev/null")?;
    dup2_stdout(&nowhere)?;
    dup2_stderr(&nowhere)?;

    let mut watch = Watch { first, status: None, threads: 1 };
    let mut closed_at = None;
    let mut glance_at = born;
    let killed = loop {
        if !watch.reap() {
            break 0;
        }
        let now = Instant::now();
        if now >= glance_at {
            glance_at = now + GLANCE;
            watch.glance();
        }
        let until = match closed_at {
            Some(closed) if now >= closed + PATIENCE => break watch.kill_remaining(),
            Some(closed) => closed + PATIENCE,
            None => glance_at,
        };
        let wait = (until - now).as_millis() + 1;
        let wait = PollTimeout::try_from(wait).unwrap_or(PollTimeout::ZERO);
        let mut events = vec![PollFd::new(wakes.as_fd(), PollFlags::POLLIN)];
        if closed_at.is_none() {
            // With no event asked for, what is told is that the last writer is gone.
            events.push(PollFd::new(input.as_fd(), PollFlags::empty()));
        }
        match poll(&mut events, wait) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
        if events.get(1).is_some_and(|input| input.any() == Some(true)) {
            closed_at = Some(Instant::now());
            watch.glance(); // the last one, and in a short game the only one
        }
        while let Ok(Some(signal)) = wakes.read_signal() {
            if signal.ssi_signo == Signal::SIGTERM as u32 {
                closed_at = Instant::now().checked_sub(PATIENCE).or(Some(born));
            }
        }
    };
    let children = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu = children.user_time() + children.system_time();
    let whole = |number: i64| u64::try_from(number).unwrap_or(0);
    let usage = Usage {
        peak_kib: whole(children.max_rss()),
        cpu_ms: whole(cpu.num_milliseconds()),
        wall_ms: u64::try_from(born.elapsed().as_millis()).unwrap_or(u64::MAX),
        threads: watch.threads,
    };
    let exit_report = ExitReport { status: watch.status, killed, usage };
    // A referee that is gone does not read it.
    let _ = writeln!(report, "{}", serde_json::to_string(&exit_report)?);
    Ok(())
}

/// The bot's processes, as their keeper sees them.
struct Watch {
    /// The bot's first process.
    first: Pid,
    /// How that one ended, if it did by itself.
    status: Option<i32>,
    /// The most threads seen.
    threads: u64,
}

impl Watch {
    /// Takes note of all that have ended; false if none is left.
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

    /// Counts the threads.
    fn glance(&mut self) {
        self.threads = self.threads.max(processes::threads_of_descendants());
    }

    /// Kills all that are left, those too that they start meanwhile. How many it were.
    fn kill_remaining(&mut self) -> usize {
        let since = Instant::now();
        let status = self.status;
        let mut killed = std::collections::BTreeSet::new();
        while self.reap() && since.elapsed() < KILL_TIMEOUT {
            for pid in processes::descendants() {
                killed.insert(pid);
                // It may have ended just now.
                let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        self.status = status; // an end by the arena's hand says nothing about the bot
        killed.len()
    }
}

/// Becomes the bot: the process that a keeper starts ends up as the bot's first one.
///
/// # Errors
/// The program cannot be run. There is no return otherwise.
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
    // The signals that the keeper waits for are blocked in what it starts; the bot has its own use
    // for them.
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
    bot.arg0(&name).args(&launch.arguments).env_remove(LAUNCH).envs(&launch.env);
    failed(bot.exec().to_string())
}

/// What the bot is told that it is called: its path, or this program's name where it is that.
fn name_of(launch: &Launch) -> OsString {
    let own = launch.program.starts_with("/proc") && launch.program.ends_with("exe");
    if own { super::engine::OWN.into() } else { Path::as_os_str(&launch.program).to_owned() }
}
