//! A bot's process.

use std::io::{self, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::lines::{ErrorLog, each_line};

/// A command that is no bot.
#[derive(Debug, Error)]
pub enum StartError {
    /// The command cannot be split into words, or has none.
    #[error("`{0}` is not a command: a quote is open, or nothing is there")]
    Words(String),
    /// The process cannot be started.
    #[error("`{command}` does not start: {source}")]
    Spawn {
        /// The command.
        command: String,
        /// Why.
        source: io::Error,
    },
}

/// A bot that plays: a process that is ended when this is dropped.
///
/// Its streams are read and written on threads of their own, so that neither side can make the
/// other wait: a bot that does not read, or that floods its standard error, harms nobody.
pub struct Bot {
    child: Child,
    command: String,
    input: Option<Sender<String>>,
    answers: Receiver<(Instant, String)>,
    log: ErrorLog,
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
}

impl Bot {
    /// Starts a bot from a command line, split into words as a shell would (without a shell).
    ///
    /// # Errors
    /// A command that is empty or does not start.
    pub fn start(command: &str) -> Result<Self, StartError> {
        let words = shlex::split(command).unwrap_or_default();
        let [program, arguments @ ..] = &words[..] else {
            return Err(StartError::Words(command.to_owned()));
        };
        let spawned = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child =
            spawned.map_err(|source| StartError::Spawn { command: command.to_owned(), source })?;
        let log = ErrorLog::default();
        let (input, lines) = mpsc::channel::<String>();
        let (sender, answers) = mpsc::channel();
        if let Some(mut stdin) = child.stdin.take() {
            thread::spawn(move || {
                for text in lines {
                    if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                        return; // the bot has closed its input: it will not answer either
                    }
                }
            });
        }
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || {
                each_line(stdout, |at, line| {
                    // Nobody listens any more once the game is over.
                    let _ = sender.send((at, line));
                });
            });
        }
        if let Some(stderr) = child.stderr.take() {
            let log = log.clone();
            thread::spawn(move || each_line(stderr, |_, line| log.push(line)));
        }
        Ok(Self { child, command: command.to_owned(), input: Some(input), answers, log })
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
    pub fn listen(&self, until: Instant) -> Heard {
        let left = until.saturating_duration_since(Instant::now());
        match self.answers.recv_timeout(left) {
            Ok((at, line)) => Heard::Line(at, line),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::Closed,
        }
    }

    /// How its process has ended, in words, if it has or does so soon.
    pub fn ending(&mut self) -> String {
        /// A process that closes its output is about to end, as a rule.
        const SOON: Duration = Duration::from_millis(200);
        let since = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return format!("ended with {status}"),
                Ok(None) if since.elapsed() < SOON => thread::sleep(Duration::from_millis(5)),
                Ok(None) => return "closed its output".to_owned(),
                Err(error) => return format!("cannot be waited for: {error}"),
            }
        }
    }
}

impl Drop for Bot {
    /// Ends the bot: it is told by the end of its input, and killed if it does not care.
    fn drop(&mut self) {
        /// How long a bot may take to end by itself.
        const PATIENCE: Duration = Duration::from_millis(100);
        self.input = None;
        let since = Instant::now();
        while since.elapsed() < PATIENCE {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(2));
        }
        // It may have ended in between, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
