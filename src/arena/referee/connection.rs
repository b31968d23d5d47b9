//! The referee's connection to a bot.

use std::fmt;
use std::process::ExitStatus;
use std::time::Instant;

use super::lines::ErrorLog;
use crate::record::Usage;
use crate::util::system::stop::Stop;

/// The result of waiting for a bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BotEvent {
    /// A line, read at the given instant.
    Line(Instant, String),
    /// No line came in time.
    Nothing,
    /// The bot has closed its output, at the given instant; it may have ended.
    Closed(Instant),
    /// The match is stopped.
    Stopped,
}

/// How a bot exited after closing its output ([`Connection::ending`]). `Display` writes the tail of
/// an error message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The bot still runs.
    ClosedOutput,
    /// The first process has ended by itself, with this status.
    Ended(ExitStatus),
    /// The arena has killed the first process.
    Killed,
    /// The process that supervises the bot has ended before the bot, with this status.
    SupervisorEnded(ExitStatus),
    /// The process that supervises the bot has given no report.
    NotReported,
    /// The bot was not started, because the machine lacks something: the reason.
    Refused(String),
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ClosedOutput => f.write_str("closed its output"),
            Self::Ended(status) => write!(f, "ended with {status}"),
            Self::Killed => f.write_str("was killed by the arena"),
            Self::SupervisorEnded(status) => {
                let end = if status.code().is_some() { "failed" } else { "was killed" };
                write!(f, "its supervisor {end} ({status})")
            }
            Self::Refused(reason) => write!(f, "the machine did not start it: {reason}"),
            Self::NotReported => f.write_str("its supervisor did not report"),
        }
    }
}

/// How the processes of a bot ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotExit {
    /// Whether the first process ended by itself; otherwise the arena killed it.
    pub ended_itself: bool,
    /// How the first process ended, in words, unless it ended with exit code 0.
    pub failure: Option<String>,
    /// The number of processes that the arena had to kill.
    pub killed: usize,
}

/// The referee's side of a bot: a process, or a script in tests.
pub trait Connection {
    /// The command that started the bot.
    fn command(&self) -> &str;

    /// The log of the bot's standard error.
    fn log(&self) -> &ErrorLog;

    /// The current instant, by the clock that dates the bot's lines.
    fn now(&self) -> Instant;

    /// Sends `text`. Never waits: a bot that has closed its input is noticed because it does not
    /// answer.
    fn send(&self, text: String);

    /// Returns a line that the bot has written without being asked, if there is one.
    fn unasked(&self) -> Option<String>;

    /// Waits for the next line, until the instant `until` or until `stop` is asked for.
    fn listen(&mut self, until: Instant, stop: &Stop) -> BotEvent;

    /// How the bot has ended, if it has ended or ends soon; otherwise [`Ending::ClosedOutput`].
    fn ending(&mut self) -> Ending;

    /// Closes the bot's input, by which it sees that the game is over.
    fn close_input(&mut self);

    /// Ends the bot with all its processes; the bot sees the end of its input first.
    fn end(&mut self);

    /// The resources that a bot which was ended has used, `None` if they are not known.
    fn usage(&mut self) -> Option<Usage>;
}
