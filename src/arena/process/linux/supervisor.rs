//! The process that supervises a bot, so that no process of the bot outlives its game.
//!
//! A bot may fork, ignore the end of its input, leave its process group, or hang; its referee may
//! be killed. So the referee starts no bot itself: it starts this program once more as a
//! *supervisor*, a process of its own group, which
//!
//! 1. becomes the subreaper of the bot's processes: the system hands them to it when their parents
//!    die, so that none can escape;
//! 2. starts the bot, by way of a third start of this program that pins itself to the bot's cores,
//!    makes a session of its own, asks to be killed when the supervisor dies, and becomes the bot;
//! 3. waits until the bot's input or the referee's channel is closed (the death of the referee
//!    closes it too), gives the bot a moment to end, kills every remaining process, and reports.
//!
//! Referee and supervisor talk over a [`Channel`], the supervisor's standard input, in the messages
//! [`Order`] and [`Report`]. The bot's streams are the referee's pipes: the supervisor does not
//! read or write them. A supervisor that is itself killed, by its bot for instance, takes the bot's
//! first process with it. The system hands the other processes to the referee, which is a subreaper
//! too: it kills them, and the bot has lost by a crash. Any child of the referee that is not a
//! supervisor is such a process, so no other game loses one.
//!
//! Limits: supervisor, referee and bots belong to one user. No bot can read or write the memory or
//! the channels of referee and supervisors, unless it runs as root ([`hide`]). A bot that kills the
//! referee and its own supervisor at the same time leaves its processes to the system, one that
//! kills the supervisor of its opponent makes the opponent lose, and a process that has become
//! another user's (setuid) cannot be killed. `docs/security.md` says how to run bots as other
//! users.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus};
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
use nix::unistd::{Pid, dup2_stderr, dup2_stdin, dup2_stdout, getppid, setsid};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::channel::{Channel, Received};
use super::processes;
use super::program::OWN_FILE;
use crate::arena::engine::{OWN, PLAYING_VARIABLES};
use crate::arena::referee::Ending;
use crate::record::Usage;
use crate::util::duration::milliseconds;
use crate::util::sanitize::shown;

/// The supervisor's name in lists of processes.
pub const SUPERVISOR: &str = "bot-supervisor";

/// The longest wait for processes that were killed. The kernel needs some microseconds; a process
/// that cannot be killed, because it hangs in a driver, must not hold up a tournament.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);

/// The interval at which the threads of the bot's processes are counted.
const THREAD_COUNT_INTERVAL: Duration = Duration::from_secs(1);

/// A message of the referee to a supervisor.
#[derive(Debug, Serialize, Deserialize)]
pub enum Order {
    /// Start the bot. The bot's input, a stream, comes along.
    Start(Launch),
    /// Stop all processes of the bot until [`Self::Continue`]. The bot's time does not run.
    Pause,
    /// Let the processes go on that [`Self::Pause`] has stopped.
    Continue,
    /// End the bot at once.
    End,
}

/// A message of a supervisor to the referee.
#[derive(Debug, Serialize, Deserialize)]
pub enum Report {
    /// The bot's first process has this process id. It becomes the bot only after this message.
    Started(i32),
    /// The machine refused to start the bot.
    Refused(String),
    /// The bot has ended.
    Ended(ExitReport),
}

/// The bot that a supervisor starts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Launch {
    /// The path of the bot's program. It may have any bytes, which JSON has no text for.
    pub program: OsString,
    /// The program's arguments.
    pub arguments: Vec<String>,
    /// The working directory; the current directory if `None`.
    pub dir: Option<PathBuf>,
    /// Environment variables that are set for the bot.
    pub env: BTreeMap<String, String>,
    /// The cores that the bot is pinned to; all cores if empty.
    pub cores: Vec<usize>,
    /// Time that the bot has to end by itself once its input is closed.
    pub timeout: Duration,
}

/// The report of a supervisor about a bot that has ended.
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

/// Hides this process from others of the same user: they cannot read or write its memory, nor take
/// its file handles. Starting a program ends that, so each program does it for itself.
///
/// # Errors
/// The system refuses it.
pub fn hide() -> io::Result<()> {
    Ok(prctl::set_dumpable(false)?)
}

/// The channel to the process that has started this one, and the first message on it with its
/// stream.
fn first_message<T: DeserializeOwned>() -> io::Result<(Channel, T, OwnedFd)> {
    let channel = Channel::inherited()?;
    loop {
        let mut events = [PollFd::new(channel.as_fd(), PollFlags::POLLIN)];
        match poll(&mut events, PollTimeout::NONE) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
        match channel.receive() {
            Ok(Received::Message(message, Some(stream))) => return Ok((channel, message, stream)),
            Ok(Received::Nothing) => {}
            _ => return Err(io::Error::other("only the arena starts this command")),
        }
    }
}

/// Runs a supervisor: starts the bot, waits for its end, and reports.
///
/// # Errors
/// The system refuses a call that the supervisor needs. If this happens before the start of the
/// bot, the bot is not started.
pub fn supervise() -> io::Result<()> {
    hide()?;
    let (referee, order, input) = first_message::<Order>()?;
    let Order::Start(launch) = order else {
        return Err(io::Error::other("expected a bot to start"));
    };
    // Processes are listed by the name of their main thread: `pkill tensai` shall not hit this one.
    prctl::set_name(c"bot-supervisor")?;
    prctl::set_child_subreaper(true)?;
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGCHLD);
    signals.add(Signal::SIGTERM);
    signals.thread_block()?;
    let wakes = SignalFd::with_flags(&signals, SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC)?;
    let born = Instant::now();
    let (bot, exec_channel) = start(&launch, &input, &referee).inspect_err(|error| {
        // A referee that has ended does not read it.
        let _ = referee.send(&Report::Refused(error.to_string()), None);
    })?;
    let first = Pid::from_raw(bot.id().cast_signed());
    let mut bot_processes = BotProcesses {
        first,
        status: None,
        threads: 1,
        exec_channel: Some(exec_channel),
        stopped: None,
        paused: Duration::ZERO,
    };
    let supervised = bot_processes.wait_for_end(&wakes, &referee, &input, launch.timeout, born);
    // If the system refuses to wait for the bot, the bot is killed, and the report is still
    // written.
    let killed = supervised.as_ref().copied().unwrap_or_else(|_| bot_processes.kill_remaining());
    let children = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu = children.user_time() + children.system_time();
    let whole = |number: i64| u64::try_from(number).unwrap_or(0);
    bot_processes.go_on();
    let usage = Usage {
        peak_kib: whole(children.max_rss()),
        cpu_ms: whole(cpu.num_milliseconds()),
        wall_ms: milliseconds(born.elapsed().saturating_sub(bot_processes.paused)),
        threads: bot_processes.threads,
    };
    let exit_report = ExitReport { status: bot_processes.status, killed, usage };
    // A referee that has ended does not read the report.
    let _ = referee.send(&Report::Ended(exit_report), None);
    supervised.map(|_| ())
}

/// Starts the process that becomes the bot. Returns it with the channel to it, which closes when it
/// has become the bot.
fn start(launch: &Launch, input: &OwnedFd, referee: &Channel) -> io::Result<(Child, Channel)> {
    let (exec_channel, other) = Channel::pair()?;
    let bot =
        Command::new("/proc/self/exe").arg0(SUPERVISOR).arg("exec-bot").stdin(other).spawn()?;
    // In this order: from now on the bot can kill this supervisor.
    let _ = referee.send(&Report::Started(bot.id().cast_signed()), None);
    exec_channel.send(launch, Some(input.as_fd()))?;
    Ok((bot, exec_channel))
}

/// The bot's processes, as their supervisor sees them.
struct BotProcesses {
    /// The bot's first process.
    first: Pid,
    /// The wait status of `first`, if it ended by itself.
    status: Option<i32>,
    /// The greatest number of threads seen at a time.
    threads: u64,
    /// The channel to `first` until it has become the bot.
    exec_channel: Option<Channel>,
    /// Since when the bot is paused, and the processes that were stopped for it.
    stopped: Option<(Instant, BTreeSet<i32>)>,
    /// The length of all pauses that are over.
    paused: Duration,
}

impl BotProcesses {
    /// Waits for the end of the bot: until its last process has ended, or `timeout` after its
    /// `input` or the channel to the `referee` is closed, or until [`Order::End`] or SIGTERM. `born`
    /// is the start of the bot. Returns the number of processes that had to be killed.
    ///
    /// # Errors
    /// The system refuses a call. Processes of the bot may then be left.
    fn wait_for_end(
        &mut self,
        wakes: &SignalFd,
        referee: &Channel,
        input: &OwnedFd,
        timeout: Duration,
        born: Instant,
    ) -> io::Result<usize> {
        // The bot's output ends when the bot has closed it: this process must not hold it open.
        let nowhere = File::options().write(true).open("/dev/null")?;
        dup2_stdout(&nowhere)?;
        dup2_stderr(&nowhere)?;

        let mut closed_at = None;
        let mut count_at = born;
        let mut has_referee = true;
        loop {
            if !self.reap() {
                self.hear_refusal(referee);
                return Ok(0);
            }
            let now = Instant::now();
            if now >= count_at {
                count_at = now + THREAD_COUNT_INTERVAL;
                self.count_threads();
            }
            let until = match closed_at.filter(|_| self.stopped.is_none()) {
                Some(closed) if now >= closed + timeout => return Ok(self.kill_remaining()),
                Some(closed) => closed + timeout,
                None => count_at,
            };
            let wait = (until - now).as_millis() + 1;
            let wait = PollTimeout::try_from(wait).unwrap_or(PollTimeout::ZERO);
            let mut events = vec![PollFd::new(wakes.as_fd(), PollFlags::POLLIN)];
            if has_referee {
                events.push(PollFd::new(referee.as_fd(), PollFlags::POLLIN));
            }
            if closed_at.is_none() {
                // With no event requested, `poll` reports only that the last writer has closed the
                // pipe.
                events.push(PollFd::new(input.as_fd(), PollFlags::empty()));
            }
            if let Some(exec_channel) = &self.exec_channel {
                events.push(PollFd::new(exec_channel.as_fd(), PollFlags::POLLIN));
            }
            match poll(&mut events, wait) {
                Ok(_) | Err(Errno::EINTR) => {}
                Err(error) => return Err(error.into()),
            }
            let is_closed = closed_at.is_none() && {
                let input = if has_referee { &events[2] } else { &events[1] };
                input.any() == Some(true)
            };
            drop(events);
            if is_closed {
                closed_at = Some(Instant::now());
                self.count_threads(); // the last one, and in a short game the only one
            }
            self.hear_refusal(referee);
            let mut at_once = false;
            while has_referee {
                match referee.receive() {
                    Ok(Received::Nothing) => break,
                    Ok(Received::Message(Order::Pause, _)) => self.pause(),
                    Ok(Received::Message(Order::Continue, _)) => {
                        let pause = self.go_on();
                        closed_at = closed_at.map(|closed| closed + pause);
                    }
                    Ok(Received::Message(Order::Start(_) | Order::End, _)) => at_once = true,
                    // The referee has ended, and may have done so in a pause.
                    Ok(Received::Closed) | Err(_) => {
                        has_referee = false;
                        self.go_on();
                        closed_at.get_or_insert_with(Instant::now);
                    }
                }
            }
            while let Ok(Some(signal)) = wakes.read_signal() {
                at_once |= signal.ssi_signo == Signal::SIGTERM as u32;
            }
            if at_once {
                return Ok(self.kill_remaining());
            }
        }
    }

    /// Tells the referee that the machine refused to run the bot, if the first process says so.
    fn hear_refusal(&mut self, referee: &Channel) {
        let Some(exec_channel) = &self.exec_channel else { return };
        match exec_channel.receive::<String>() {
            Ok(Received::Nothing) => return,
            Ok(Received::Message(reason, _)) => drop(referee.send(&Report::Refused(reason), None)),
            Ok(Received::Closed) | Err(_) => {}
        }
        self.exec_channel = None;
    }

    /// Stops all processes, and those that they start meanwhile, except for those that are stopped
    /// already.
    fn pause(&mut self) {
        let (_, stopped) =
            self.stopped.get_or_insert_with(|| (Instant::now(), BTreeSet::default()));
        let since = Instant::now();
        loop {
            let running = processes::running_descendants();
            if running.is_empty() || since.elapsed() >= KILL_TIMEOUT {
                return;
            }
            for pid in running {
                stopped.insert(pid);
                // It may have ended just now.
                let _ = kill(Pid::from_raw(pid), Signal::SIGSTOP);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Lets the processes go on that [`Self::pause`] has stopped. Returns the length of the pause.
    fn go_on(&mut self) -> Duration {
        let Some((since, stopped)) = self.stopped.take() else { return Duration::ZERO };
        for pid in processes::descendants() {
            if stopped.contains(&pid) {
                let _ = kill(Pid::from_raw(pid), Signal::SIGCONT);
            }
        }
        self.paused += since.elapsed();
        since.elapsed()
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
        let mut killed = BTreeSet::new();
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

/// Becomes the bot: the process that a supervisor starts turns into the bot's first process.
///
/// # Errors
/// The program cannot be run. On success this function does not return.
pub fn exec_bot() -> io::Result<()> {
    let (supervisor, launch, input) = first_message::<Launch>()?;
    let told = |error: io::Error| {
        // A supervisor that has ended does not read it.
        let _ = supervisor.send(&error.to_string(), None);
        error
    };
    prepare(&launch, &input).map_err(told)?;
    let name = name_of(&launch);
    let failed = |reason: String| {
        Err(io::Error::other(format!("{} does not start: {reason}", name.display())))
    };
    if let Some(dir) = &launch.dir
        && let Err(error) = std::env::set_current_dir(dir)
    {
        return failed(format!("{}: cannot be entered: {error}", shown(dir)));
    }
    let mut bot = Command::new(&launch.program);
    bot.arg0(&name).args(&launch.arguments);
    for variable in PLAYING_VARIABLES {
        bot.env_remove(variable);
    }
    bot.envs(&launch.env);
    let error = bot.exec();
    failed(if is_of_the_machine(&error) { told(error) } else { error }.to_string())
}

/// Makes this process what the bot is to be, all but its program. Every error is the machine's.
fn prepare(launch: &Launch, input: &OwnedFd) -> io::Result<()> {
    let supervisor = getppid();
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    if getppid() != supervisor {
        return Err(io::Error::other("the supervisor is gone"));
    }
    dup2_stdin(input)?;
    // A session without a terminal: `/dev/tty` is the user's.
    setsid()?;
    if !launch.cores.is_empty() {
        let mut set = CpuSet::new();
        for &core in &launch.cores {
            set.set(core)?;
        }
        sched_setaffinity(Pid::from_raw(0), &set)?;
    }
    // A started process inherits the blocked signals of the supervisor; the bot has its own use for
    // them.
    Ok(SigSet::empty().thread_set_mask()?)
}

/// Whether the system lacks processes, memory or file handles: then it is no fault of the bot that
/// its program does not run.
fn is_of_the_machine(error: &io::Error) -> bool {
    let lacks = [Errno::EAGAIN, Errno::ENOMEM, Errno::EMFILE, Errno::ENFILE];
    lacks.iter().any(|&lack| error.raw_os_error() == Some(lack as i32))
}

/// The bot's `argv[0]`: its path, or [`OWN`] if it is this program.
fn name_of(launch: &Launch) -> OsString {
    if launch.program == OWN_FILE { OWN.into() } else { launch.program.clone() }
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
            (Ending::SupervisorEnded(failed), "its supervisor failed (exit status: 1)"),
        ] {
            assert_eq!(ending.to_string(), text);
        }
    }
}
