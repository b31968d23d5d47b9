//! A bot's process, spoken to over its standard streams.

use std::io::{self, PipeReader, PipeWriter, Read as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::engine::{Engine, StartError};
use super::keeper::{KEEPER, LAUNCH, Launch, Obituary};
use super::lines::{ErrorLog, each_line};
use super::stop::Stop;

/// A bot that plays; all its processes are ended when this is dropped.
///
/// Its streams are read and written on threads of their own, so that neither side can make the
/// other wait: a bot that does not read, or that floods its standard error, harms nobody. Its
/// processes are looked after by a [keeper](super::keeper).
pub struct Bot {
    keeper: Child,
    command: String,
    input: Option<Sender<String>>,
    answers: Receiver<(Instant, String)>,
    log: ErrorLog,
    report: Option<(PipeReader, PipeWriter)>,
    obituary: Option<Obituary>,
}

/// What came of waiting for a bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Heard {
    /// A line, read at the given instant.
    Line(Instant, String),
    /// Nothing in time.
    Nothing,
    /// The bot has closed its output; it may have ended.
    Closed,
    /// The match is stopped.
    Stopped,
}

impl Bot {
    /// Starts a bot on the given cores; on all, if none is given.
    ///
    /// # Errors
    /// A command that does not start.
    pub fn start(engine: &Engine, cores: &[usize]) -> Result<Self, StartError> {
        let (program, arguments) = engine.command()?;
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
            // By this name the keeper can open what only standard streams could be handed down as.
            report: format!("/proc/{}/fd/{}", std::process::id(), writer.as_raw_fd()).into(),
        };
        let launch = serde_json::to_string(&launch).map_err(|error| failed(error.into()))?;
        // This program's own file, even if another one has taken its place since.
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
        let log = ErrorLog::default();
        let (input, lines) = mpsc::channel::<String>();
        let (sender, answers) = mpsc::channel();
        if let Some(mut stdin) = keeper.stdin.take() {
            thread::spawn(move || {
                for text in lines {
                    if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                        return; // all is over with the bot
                    }
                }
            });
        }
        if let Some(stdout) = keeper.stdout.take() {
            thread::spawn(move || {
                each_line(stdout, |at, line| {
                    // Nobody listens any more once the game is over.
                    let _ = sender.send((at, line));
                });
            });
        }
        if let Some(stderr) = keeper.stderr.take() {
            let log = log.clone();
            thread::spawn(move || {
                each_line(stderr, |_, line| log.push(line));
                log.close();
            });
        }
        Ok(Self {
            keeper,
            command: engine.cmd.clone(),
            input: Some(input),
            answers,
            log,
            report: Some((reader, writer)),
            obituary: None,
        })
    }

    /// The command that started it.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// What it has written on standard error.
    pub const fn log(&self) -> &ErrorLog {
        &self.log
    }

    /// Sends text. Never waits; a bot that has closed its input is noticed by its silence.
    pub fn send(&self, text: String) {
        if let Some(input) = &self.input {
            let _ = input.send(text);
        }
    }

    /// A line that is there already, without having been asked for.
    pub fn unasked(&self) -> Option<String> {
        self.answers.try_recv().ok().map(|(_, line)| line)
    }

    /// Waits for the next line.
    pub fn listen(&self, until: Instant, stop: &Stop) -> Heard {
        /// How soon a stop is noticed.
        const SLICE: Duration = Duration::from_millis(50);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.answers.recv_timeout(left.min(SLICE)) {
                Ok((at, line)) => return Heard::Line(at, line),
                Err(RecvTimeoutError::Disconnected) => return Heard::Closed,
                Err(RecvTimeoutError::Timeout) if stop.is_asked() => return Heard::Stopped,
                Err(RecvTimeoutError::Timeout) if left <= SLICE => return Heard::Nothing,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// How it has ended, in words, if it has or does so soon.
    pub fn ending(&mut self) -> String {
        /// A process that closes its output is about to end, as a rule.
        const SOON: Duration = Duration::from_millis(200);
        if self.is_over_within(SOON) {
            self.obituary().map_or_else(|| "its keeper was killed".to_owned(), Obituary::ending)
        } else {
            "closed its output".to_owned()
        }
    }

    /// Ends the bot with all its processes; it is told by the end of its input first. What is to
    /// be said about it, unless its keeper was killed.
    pub fn end(&mut self) -> Option<&Obituary> {
        /// Longer than a keeper waits for a bot to end by itself.
        const PATIENCE: Duration = Duration::from_millis(500);
        /// Longer than a keeper waits for what it has killed.
        const BURIAL: Duration = Duration::from_secs(8);
        self.input = None;
        if !self.is_over_within(PATIENCE) {
            // Text that a bot does not read keeps its input open: it is ended all the same.
            let keeper = Pid::from_raw(self.keeper.id().cast_signed());
            let _ = kill(keeper, Signal::SIGTERM);
            if !self.is_over_within(BURIAL) {
                let _ = self.keeper.kill();
                let _ = self.keeper.wait();
            }
        }
        self.log.wait_for_end();
        self.obituary()
    }

    /// Whether all the bot's processes end within a time.
    fn is_over_within(&mut self, time: Duration) -> bool {
        let since = Instant::now();
        let mut pause = Duration::from_micros(100);
        loop {
            if !matches!(self.keeper.try_wait(), Ok(None)) {
                return true;
            }
            if since.elapsed() >= time {
                return false;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        }
    }

    /// The report of a keeper that has ended.
    fn obituary(&mut self) -> Option<&Obituary> {
        if let Some((mut reader, writer)) = self.report.take() {
            drop(writer); // the last one, so that the text ends
            let mut text = String::new();
            if reader.read_to_string(&mut text).is_ok() {
                self.obituary = serde_json::from_str(&text).ok();
            }
        }
        self.obituary.as_ref()
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        self.end();
    }
}
