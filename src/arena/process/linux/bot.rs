//! The process of a bot, with which the referee talks over its standard streams.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::prctl;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::channel::{Channel, Received};
use super::pause;
use super::processes::{self, FirstProcess};
use super::program;
use super::stream::{self, Alive, BotInput, BotOutput};
use super::supervisor::{ExitReport, Launch, Order, Report, SUPERVISOR, hide};
use crate::arena::engine::{EngineConfig, StartError};
use crate::arena::referee::{BotEvent, BotExit, Connection, Ending};
use crate::arena::referee::{ErrorLog, each_line};
use crate::record::Usage;
use crate::util::clock::{self, game_time};
use crate::util::system::stop::Stop;

/// The running supervisors by their process ids, and the channels to them. They are the only
/// children that this process starts for a match. The lock is held while a supervisor is started,
/// so that the referee takes no supervisor for a process of a bot.
static SUPERVISORS: Mutex<BTreeMap<i32, Arc<Channel>>> = Mutex::new(BTreeMap::new());

/// Stops all bots and their clocks while `meanwhile` runs.
pub fn pause_all(meanwhile: impl FnOnce()) {
    // No bot starts or ends meanwhile.
    let supervisors = SUPERVISORS.lock().unwrap_or_else(PoisonError::into_inner);
    let tell = |order: &Order| {
        for channel in supervisors.values() {
            // A supervisor that does not read is stopped itself.
            let _ = channel.send(order, None);
        }
    };
    clock::pause(|| {
        tell(&Order::Pause);
        meanwhile();
        tell(&Order::Continue);
    });
}

/// Lines of a bot that wait to be read. A bot that has written more waits for the referee: it has
/// lost anyway, because an answer is one line.
const UNREAD: usize = 1024;

/// A running bot; dropping it ends all its processes.
///
/// Threads of their own read and write its streams, so that the bot cannot make the referee wait: a
/// bot that does not read its input, or that floods its output or its standard error, blocks only
/// itself. A supervisor (`supervisor.rs`) supervises the bot's processes.
pub struct Bot {
    supervisor: Child,
    channel: Arc<Channel>,
    /// The exit status of the supervisor, if it has ended.
    ended: Option<ExitStatus>,
    command: String,
    input: Option<Sender<String>>,
    answers: Receiver<(Instant, String)>,
    /// When the bot closed its output.
    closed: Arc<OnceLock<Instant>>,
    log: ErrorLog,
    /// The end of the bot's streams, until its processes have ended.
    alive: Option<Alive>,
    /// The process id of the bot's first process, if its supervisor has started it.
    first: Option<i32>,
    /// Why the machine refused to start the bot, if it did.
    refused: Option<String>,
    exit_report: Option<ExitReport>,
    /// The time that the supervisor gives the bot to end by itself.
    timeout: Duration,
}

impl Bot {
    /// Starts a bot on the given `cores`, on all cores if `cores` is empty. Its standard error goes to
    /// `log`. It may take up to `timeout`, as a rule [`EXIT_TIMEOUT`](super::super::EXIT_TIMEOUT), to
    /// end by itself after the end of its input, before its processes are killed.
    ///
    /// # Errors
    /// The command does not start.
    pub fn start(
        engine: &EngineConfig,
        cores: &[usize],
        timeout: Duration,
        log: ErrorLog,
    ) -> Result<Self, StartError> {
        let (program, arguments) = program::command(engine)?;
        let mut env = engine.env.clone();
        env.entry("TENSAI_THREADS".to_owned()).or_insert_with(|| engine.threads.to_string());
        if let Some(nodes) = engine.nodes {
            env.insert("TENSAI_NODES".to_owned(), nodes.to_string());
        }
        let launch = Launch {
            program: program.into_os_string(),
            arguments,
            dir: engine.dir.clone(),
            env,
            cores: cores.to_vec(),
            timeout,
        };
        Self::launch(&engine.cmd, launch, log).map_err(|source| StartError::Machine {
            command: engine.cmd.clone(),
            reason: source.to_string(),
        })
    }

    /// Starts a supervisor, which starts the bot. The command is for messages; the standard error
    /// of the bot goes to `log`.
    fn launch(command: &str, launch: Launch, log: ErrorLog) -> io::Result<Self> {
        hide()?;
        pause::watch()?;
        // The system hands the orphans of a killed supervisor to this process, which kills them.
        prctl::set_child_subreaper(true)?;
        let (input_end, input) = io::pipe()?;
        let (output, output_end) = io::pipe()?;
        let (errors, errors_end) = io::pipe()?;
        let (alive, over) = stream::alive()?;
        let input = BotInput::new(input, over.clone())?;
        let output = BotOutput::new(output, over.clone())?;
        let errors = BotOutput::new(errors, over)?;
        let (channel, other) = Channel::pair()?;
        let timeout = launch.timeout;
        channel.send(&Order::Start(launch), Some(input_end.as_fd()))?;
        let channel = Arc::new(channel);
        let mut supervisors = SUPERVISORS.lock().unwrap_or_else(PoisonError::into_inner);
        let supervisor = start_supervisor(other, output_end.into(), errors_end.into())?;
        supervisors.insert(supervisor.id().cast_signed(), Arc::clone(&channel));
        drop(supervisors);
        let (sender, lines) = mpsc::channel();
        let (kept, answers) = mpsc::sync_channel(UNREAD);
        let bot = Self {
            supervisor,
            channel,
            ended: None,
            command: command.to_owned(),
            input: Some(sender),
            answers,
            closed: Arc::default(),
            log,
            alive: Some(alive),
            first: None,
            refused: None,
            exit_report: None,
            timeout,
        };
        // If a thread cannot be started, dropping `bot` ends what is started.
        let writes = move || {
            let mut input = input;
            for text in lines {
                let text: String = text;
                if input.write_all(text.as_bytes()).is_err() {
                    return; // the bot has closed its input
                }
            }
        };
        let closed = Arc::clone(&bot.closed);
        let reads = move || {
            each_line(output, |at, line| {
                // Nobody receives the lines once the game is over.
                let _ = kept.send((at, line));
            });
            // Before the end of `kept`, which the receiver notices.
            let _ = closed.set(game_time());
        };
        let log = bot.log.clone();
        let logs = move || {
            each_line(log.reading(errors), |_, line| log.push(line));
            log.close();
        };
        let mut started = thread::Builder::new().spawn(writes);
        started = started.and_then(|_| thread::Builder::new().spawn(reads));
        started = started.and_then(|_| thread::Builder::new().spawn(logs));
        started.inspect_err(|_| bot.log.close())?;
        Ok(bot)
    }
}

/// Starts a supervisor of a bot with these output streams.
fn start_supervisor(channel: OwnedFd, output: Stdio, errors: Stdio) -> io::Result<Child> {
    // The file of the running program, even if another file has replaced it since.
    let mut supervisor = Command::new("/proc/self/exe");
    supervisor.arg0(SUPERVISOR).arg("supervise").process_group(0);
    supervisor.stdin(channel).stdout(output).stderr(errors).spawn()
}

impl Connection for Bot {
    fn command(&self) -> &str {
        &self.command
    }

    fn log(&self) -> &ErrorLog {
        &self.log
    }

    fn now(&self) -> Instant {
        game_time()
    }

    fn send(&self, text: String) {
        self.log.sent(&text); // before, so that it takes no time of the bot
        if let Some(input) = &self.input {
            let _ = input.send(text);
        }
    }

    fn unasked(&self) -> Option<String> {
        let (_, line) = self.answers.try_recv().ok()?;
        self.log.answered(&line);
        Some(line)
    }

    /// Waits for the next line. A bot whose supervisor is killed counts as closed from then on,
    /// even if its processes have written lines: they are killed.
    fn listen(&mut self, until: Instant, stop: &Stop) -> BotEvent {
        /// Time until a stop, or the death of a supervisor, is noticed.
        const SLICE: Duration = Duration::from_millis(50);
        loop {
            if self.status().is_some_and(|status| !status.success()) {
                return self.closed();
            }
            let left = until.saturating_duration_since(game_time());
            match self.answers.recv_timeout(left.min(SLICE)) {
                Ok((at, line)) => {
                    self.log.answered(&line);
                    return BotEvent::Line(at, line);
                }
                Err(RecvTimeoutError::Disconnected) => return self.closed(),
                Err(RecvTimeoutError::Timeout) if stop.is_asked() => return BotEvent::Stopped,
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return BotEvent::Nothing,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn ending(&mut self) -> Ending {
        /// As a rule, a process that closes its output ends within this time.
        const SOON: Duration = Duration::from_millis(200);
        /// A process that is about to end has ended by then, even on a busy machine.
        const AT_LAST: Duration = Duration::from_secs(60);
        let since = game_time();
        while !self.is_over_within(Duration::from_millis(5)) && since_then(since) < AT_LAST {
            // A supervisor that has not started the bot has not closed its output.
            match self.first_process() {
                FirstProcess::Runs if since_then(since) >= SOON => return Ending::ClosedOutput,
                FirstProcess::Runs => {}
                // A supervisor that its bot has stopped (SIGSTOP) does not wait for its processes.
                FirstProcess::Ends => drop(self.free_supervisor()),
                // The processes that the first one leaves behind would delay the supervisor's
                // report.
                FirstProcess::Gone => {
                    let _ = self.channel.send(&Order::End, None);
                    self.free_supervisor();
                }
            }
        }
        self.hear();
        if let Some(reason) = &self.refused {
            return Ending::Refused(reason.clone());
        }
        match (&self.exit_report, self.ended) {
            (Some(report), _) => report.ending(),
            (None, Some(status)) if self.first.is_none() => {
                Ending::Refused(format!("its supervisor: {status}"))
            }
            (None, Some(status)) if !status.success() => Ending::SupervisorEnded(status),
            (None, _) => Ending::NotReported,
        }
    }

    fn close_input(&mut self) {
        self.input = None;
    }

    fn end(&mut self) {
        /// Time that a supervisor needs beyond the timeout that it gives its bot.
        const REPORTS: Duration = Duration::from_millis(250);
        self.close_input();
        if !self.is_over_within(self.timeout + REPORTS) {
            // Text that a bot does not read keeps its input open: the bot is ended anyway.
            self.end_at_once();
        }
        // Whatever the bot wrote is in its pipes.
        self.alive = None;
        self.log.wait_for_end();
    }

    fn usage(&mut self) -> Option<Usage> {
        self.exit_report().map(|report| report.usage)
    }
}

impl Bot {
    /// Ends the bot as [`Connection::end`] does, and returns how its processes ended; `None` if its
    /// supervisor was killed.
    pub fn exit(&mut self) -> Option<BotExit> {
        self.end();
        let report = self.exit_report()?;
        let failure = (report.status != Some(0)).then(|| report.ending().to_string());
        Some(BotExit { ended_itself: report.status.is_some(), failure, killed: report.killed })
    }

    /// The event of a bot that has closed its output, or whose supervisor was killed.
    fn closed(&self) -> BotEvent {
        BotEvent::Closed(*self.closed.get_or_init(game_time))
    }

    /// A line that a bot which has ended wrote before, if it was not read. Waits for the end of the
    /// bot's output, for a limited time, because a process that escaped might hold it open.
    pub fn unread(&self) -> Option<String> {
        const TIMEOUT: Duration = Duration::from_secs(30);
        let (_, line) = self.answers.recv_timeout(TIMEOUT).ok()?;
        self.log.answered(&line);
        Some(line)
    }

    /// The state of the bot's first process.
    fn first_process(&mut self) -> FirstProcess {
        self.hear();
        let supervisor = self.supervisor.id().cast_signed();
        self.first.map_or(FirstProcess::Runs, |first| processes::first_process(supervisor, first))
    }

    /// Lets a supervisor go on that its bot has stopped (SIGSTOP), and kills the bot's processes,
    /// which would stop it again. Returns whether the supervisor was stopped.
    fn free_supervisor(&self) -> bool {
        let supervisor = self.supervisor.id().cast_signed();
        let is_stopped = processes::is_process_stopped(supervisor);
        if is_stopped {
            processes::kill_descendants_of(supervisor);
            let _ = kill(Pid::from_raw(supervisor), Signal::SIGCONT);
        }
        is_stopped
    }

    /// Makes the supervisor end its bot. A supervisor that is stopped again and again, by processes
    /// of others, or that does not end its bot, is killed.
    fn end_at_once(&mut self) {
        /// Longer than a supervisor waits for the processes that it has killed.
        const KILL_TIMEOUT: Duration = Duration::from_secs(60);
        /// The most times that a supervisor is freed. Its own bot stops it no more after the first
        /// one.
        const MOST_FREED: usize = 50;
        let _ = self.channel.send(&Order::End, None);
        let since = game_time();
        let mut freed = 0;
        while !self.is_over_within(Duration::from_millis(5)) {
            freed += usize::from(self.free_supervisor());
            if freed > MOST_FREED || since_then(since) >= KILL_TIMEOUT {
                let _ = self.supervisor.kill();
                self.ended = self.ended.or_else(|| self.supervisor.wait().ok());
                self.forget_supervisor();
            }
        }
    }

    /// Waits until all the bot's processes have ended, for at most `time`; returns whether they
    /// have.
    fn is_over_within(&mut self, time: Duration) -> bool {
        let since = game_time();
        let mut pause = Duration::from_micros(100);
        loop {
            // In this order: after a stall of the machine the status is read once more.
            let is_late = since_then(since) >= time;
            if self.status().is_some() {
                return true;
            }
            if is_late {
                return false;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        }
    }

    /// Returns the exit status of the supervisor, `None` while it runs. If the supervisor was
    /// killed, the remaining processes of the bot are killed too.
    fn status(&mut self) -> Option<ExitStatus> {
        if self.ended.is_none()
            && let Some(status) = self.supervisor.try_wait().transpose()
        {
            // No other code can have waited for the supervisor.
            self.ended = Some(status.unwrap_or_default());
            self.forget_supervisor();
        }
        self.ended
    }

    /// Kills the remaining processes of a bot whose supervisor has ended, if it was killed.
    fn forget_supervisor(&self) {
        /// Longer than the kernel needs to end processes that are killed.
        const KILL_TIMEOUT: Duration = Duration::from_secs(5);
        let mut supervisors = SUPERVISORS.lock().unwrap_or_else(PoisonError::into_inner);
        supervisors.remove(&self.supervisor.id().cast_signed());
        if self.ended.is_some_and(|status| !status.success()) {
            let spared = supervisors.keys().copied().collect::<BTreeSet<i32>>();
            processes::kill_all_but(&spared, KILL_TIMEOUT);
        }
    }

    /// Reads what the supervisor has reported, without waiting.
    fn hear(&mut self) {
        while let Ok(Received::Message(report, _)) = self.channel.receive() {
            match report {
                Report::Started(first) => self.first = Some(first),
                Report::Refused(reason) => self.refused = Some(reason),
                Report::Ended(report) => self.exit_report = Some(report),
            }
        }
    }

    /// The report of a supervisor that has ended; `None` while it runs.
    fn exit_report(&mut self) -> Option<&ExitReport> {
        self.ended?;
        self.hear();
        self.exit_report.as_ref()
    }
}

/// The time of games that has passed since the instant `begin`.
fn since_then(begin: Instant) -> Duration {
    game_time().saturating_duration_since(begin)
}

impl Drop for Bot {
    fn drop(&mut self) {
        self.end();
    }
}
