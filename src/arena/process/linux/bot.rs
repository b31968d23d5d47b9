//! The process of a bot, with which the referee talks over its standard streams.

use std::collections::BTreeSet;
use std::io::{self, PipeReader, PipeWriter, Read as _, Write as _};
use std::os::fd::{AsFd as _, AsRawFd as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::keeper::{ExitReport, KEEPER, LAUNCH, Launch, PATIENCE};
use super::processes::{self, FirstProcess};
use super::program;
use crate::arena::connection::{BotEvent, BotExit, Connection, Ending};
use crate::arena::engine::{EngineConfig, StartError};
use crate::arena::lines::{ErrorLog, each_line};
use crate::record::Usage;
use crate::stop::Stop;

/// The process ids of the running keepers, the only children that this process starts for a match.
/// The lock is held while a keeper is started, so that no keeper is taken for a process of a bot.
static KEEPERS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// Lines of a bot that wait to be read. A bot that has written more waits for the referee: it has
/// lost anyway, because an answer is one line.
const UNREAD: usize = 1024;

/// A running bot; dropping it ends all its processes.
///
/// Threads of their own read and write its streams, so that the bot cannot make the referee wait: a
/// bot that does not read its input, or that floods its output or its standard error, blocks only
/// itself. A keeper (`keeper.rs`) supervises the bot's processes.
pub struct Bot {
    keeper: Child,
    /// The exit status of the keeper, if it has ended.
    ended: Option<ExitStatus>,
    command: String,
    input: Option<Sender<String>>,
    answers: Receiver<(Instant, String)>,
    /// When the bot closed its output.
    closed: Arc<OnceLock<Instant>>,
    log: ErrorLog,
    report: Option<ReportPipe>,
    exit_report: Option<ExitReport>,
    /// The time that the keeper gives the bot to end by itself.
    patience: Duration,
}

impl Bot {
    /// Starts a bot on the given `cores`, on all cores if `cores` is empty.
    ///
    /// # Errors
    /// The command does not start.
    pub fn start(engine: &EngineConfig, cores: &[usize]) -> Result<Self, StartError> {
        Self::start_logged(engine, cores, ErrorLog::default())
    }

    /// As [`Self::start`]. The bot's standard error goes to `log`.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub fn start_logged(
        engine: &EngineConfig,
        cores: &[usize],
        log: ErrorLog,
    ) -> Result<Self, StartError> {
        Self::start_patient(engine, cores, PATIENCE, log)
    }

    /// As [`Self::start_logged`]. The bot may take up to `patience` to end by itself after the end of
    /// its input, before its processes are killed.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub fn start_patient(
        engine: &EngineConfig,
        cores: &[usize],
        patience: Duration,
        log: ErrorLog,
    ) -> Result<Self, StartError> {
        let (program, arguments) = program::command(engine)?;
        let failed = |source| StartError::Spawn { command: engine.cmd.clone(), source };
        let (reader, writer) = io::pipe().map_err(failed)?;
        let mut env = engine.env.clone();
        env.entry("TENSAI_THREADS".to_owned()).or_insert_with(|| engine.threads.to_string());
        if let Some(nodes) = engine.nodes {
            env.insert("TENSAI_NODES".to_owned(), nodes.to_string());
        }
        let launch = Launch {
            program,
            arguments,
            dir: engine.dir.clone(),
            env,
            cores: cores.to_vec(),
            patience,
            // The keeper can open the pipe by this name, since only standard streams can be
            // inherited.
            report: format!("/proc/{}/fd/{}", std::process::id(), writer.as_raw_fd()).into(),
        };
        let launch = serde_json::to_string(&launch).map_err(|error| failed(error.into()))?;
        // The system hands the orphans of a killed keeper to this process, which kills them.
        prctl::set_child_subreaper(true).map_err(|error| failed(error.into()))?;
        let mut keepers = KEEPERS.lock().unwrap_or_else(PoisonError::into_inner);
        // The file of the running program, even if another file has replaced it since.
        let mut keeper = Command::new("/proc/self/exe")
            .arg0(KEEPER)
            .arg("keep")
            .env(LAUNCH, launch)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        keepers.insert(keeper.id().cast_signed());
        drop(keepers);
        let (input, lines) = mpsc::channel::<String>();
        let (sender, answers) = mpsc::sync_channel(UNREAD);
        let closed = Arc::<OnceLock<Instant>>::default();
        if let Some(mut stdin) = keeper.stdin.take() {
            thread::spawn(move || {
                for text in lines {
                    if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                        return; // the bot has closed its input
                    }
                }
            });
        }
        if let Some(stdout) = keeper.stdout.take() {
            let closed = Arc::clone(&closed);
            thread::spawn(move || {
                each_line(stdout, |at, line| {
                    // Nobody receives the lines once the game is over.
                    let _ = sender.send((at, line));
                });
                // Before the end of `sender`, which the receiver notices.
                let _ = closed.set(Instant::now());
            });
        }
        if let Some(stderr) = keeper.stderr.take() {
            let log = log.clone();
            thread::spawn(move || {
                each_line(log.reading(stderr), |_, line| log.push(line));
                log.close();
            });
        }
        Ok(Self {
            keeper,
            ended: None,
            command: engine.cmd.clone(),
            input: Some(input),
            answers,
            closed,
            log,
            report: Some(ReportPipe { reader, writer, text: Vec::new() }),
            exit_report: None,
            patience,
        })
    }
}

impl Connection for Bot {
    fn command(&self) -> &str {
        &self.command
    }

    fn log(&self) -> &ErrorLog {
        &self.log
    }

    fn now(&self) -> Instant {
        Instant::now()
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

    /// Waits for the next line. A bot whose keeper is killed counts as closed from then on, even if
    /// its processes have written lines: they are killed.
    fn listen(&mut self, until: Instant, stop: &Stop) -> BotEvent {
        /// Time until a stop, or the death of a keeper, is noticed.
        const SLICE: Duration = Duration::from_millis(50);
        loop {
            if self.status().is_some_and(|status| !status.success()) {
                return self.closed();
            }
            let left = until.saturating_duration_since(Instant::now());
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
        let keeper = self.keeper.id().cast_signed();
        let first = self.report.as_mut().and_then(ReportPipe::first_process);
        let state = || {
            // A keeper that has not started the bot has not closed its output.
            first.map_or(FirstProcess::Runs, |first| processes::first_process(keeper, first))
        };
        let since = Instant::now();
        while !self.is_over_within(Duration::from_millis(5)) && since.elapsed() < AT_LAST {
            match state() {
                FirstProcess::Runs if since.elapsed() >= SOON => return Ending::ClosedOutput,
                FirstProcess::Runs => {}
                // A keeper that its bot has stopped (SIGSTOP) does not wait for its processes.
                FirstProcess::Ends => {
                    let _ = kill(Pid::from_raw(keeper), Signal::SIGCONT);
                }
                // The processes that the first one leaves behind would delay the keeper's report.
                FirstProcess::Gone => end_keeper(keeper),
            }
        }
        match (self.exit_report().map(ExitReport::ending), self.ended) {
            (Some(ending), _) => ending,
            (None, Some(status)) if !status.success() => Ending::KeeperEnded(status),
            (None, _) => Ending::NotReported,
        }
    }

    fn end(&mut self) -> Option<Usage> {
        /// Time that a keeper needs beyond the patience that it has with its bot.
        const REPORTS: Duration = Duration::from_millis(250);
        /// Longer than a keeper waits for the processes that it has killed.
        const KILL_TIMEOUT: Duration = Duration::from_secs(60);
        self.input = None;
        if !self.is_over_within(self.patience + REPORTS) {
            // Text that a bot does not read keeps its input open: the bot is ended anyway.
            end_keeper(self.keeper.id().cast_signed());
            if !self.is_over_within(KILL_TIMEOUT) {
                let _ = self.keeper.kill();
                let _ = self.keeper.wait();
                self.status();
            }
        }
        self.log.wait_for_end();
        self.exit_report().map(|report| report.usage)
    }
}

/// The pipe to which a keeper writes ([`Launch::report`]).
struct ReportPipe {
    reader: PipeReader,
    /// The end that the keeper opens.
    writer: PipeWriter,
    /// The text that was read.
    text: Vec<u8>,
}

impl ReportPipe {
    /// The process id of the bot's first process; `None` if the keeper has not written it yet.
    fn first_process(&mut self) -> Option<i32> {
        while !self.text.contains(&b'\n') {
            let mut events = [PollFd::new(self.reader.as_fd(), PollFlags::POLLIN)];
            if poll(&mut events, PollTimeout::ZERO) != Ok(1) {
                return None;
            }
            let mut buffer = [0; 64];
            let count = self.reader.read(&mut buffer).ok()?;
            self.text.extend(&buffer[..count]);
        }
        let line = self.text.split(|&byte| byte == b'\n').next()?;
        str::from_utf8(line).ok()?.parse().ok()
    }

    /// The report of a keeper that has ended, if it has written one.
    fn exit_report(self) -> Option<ExitReport> {
        let Self { mut reader, writer, mut text } = self;
        drop(writer); // the last one, so that the text ends
        reader.read_to_end(&mut text).ok()?;
        let report = text.split(|&byte| byte == b'\n').nth(1)?;
        serde_json::from_slice(report).ok()
    }
}

/// Makes a keeper end its bot, even if the bot has stopped the keeper (SIGSTOP).
fn end_keeper(pid: i32) {
    for signal in [Signal::SIGTERM, Signal::SIGCONT] {
        let _ = kill(Pid::from_raw(pid), signal);
    }
}

impl Bot {
    /// Ends the bot as [`Connection::end`] does, and returns how its processes ended; `None` if its
    /// keeper was killed.
    pub fn exit(&mut self) -> Option<BotExit> {
        self.end();
        let report = self.exit_report()?;
        let failure = (report.status != Some(0)).then(|| report.ending().to_string());
        Some(BotExit { ended_itself: report.status.is_some(), failure, killed: report.killed })
    }

    /// The event of a bot that has closed its output, or whose keeper was killed.
    fn closed(&self) -> BotEvent {
        BotEvent::Closed(*self.closed.get_or_init(Instant::now))
    }

    /// A line that a bot which has ended wrote before, if it was not read. Waits for the end of the
    /// bot's output, for a limited time, because a process that escaped might hold it open.
    pub fn unread(&self) -> Option<String> {
        const PATIENCE: Duration = Duration::from_secs(30);
        let (_, line) = self.answers.recv_timeout(PATIENCE).ok()?;
        self.log.answered(&line);
        Some(line)
    }

    /// Waits until all the bot's processes have ended, for at most `time`; returns whether they
    /// have.
    fn is_over_within(&mut self, time: Duration) -> bool {
        let since = Instant::now();
        let mut pause = Duration::from_micros(100);
        loop {
            // In this order: after a stall of the machine the status is read once more.
            let is_late = since.elapsed() >= time;
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

    /// Returns the exit status of the keeper, `None` while it runs. If the keeper was killed, the
    /// remaining processes of the bot are killed too.
    fn status(&mut self) -> Option<ExitStatus> {
        /// Longer than the kernel needs to end processes that are killed.
        const KILL_TIMEOUT: Duration = Duration::from_secs(5);
        if self.ended.is_none()
            && let Some(status) = self.keeper.try_wait().transpose()
        {
            // No other code can have waited for the keeper.
            let status = status.unwrap_or_default();
            self.ended = Some(status);
            let mut keepers = KEEPERS.lock().unwrap_or_else(PoisonError::into_inner);
            keepers.remove(&self.keeper.id().cast_signed());
            if !status.success() {
                processes::kill_all_but(&keepers, KILL_TIMEOUT);
            }
        }
        self.ended
    }

    /// The report of a keeper that has ended; `None` while it runs.
    fn exit_report(&mut self) -> Option<&ExitReport> {
        // The text ends with the keeper.
        self.ended?;
        if let Some(pipe) = self.report.take() {
            self.exit_report = pipe.exit_report();
        }
        self.exit_report.as_ref()
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        self.end();
    }
}
