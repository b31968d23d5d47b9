//! The dialogue with a checked bot: what the checker sends, and when the bot may print.

use std::thread;
use std::time::Duration;

use super::checker::CheckInterrupted;
use super::finding::rules;
use super::finding::{Finding, Severity};
use crate::arena::process::Bot;
use crate::arena::{AnswerTime, BotEvent, Connection as _, Ending, PlayerClock, StartError};
use crate::game::{Action, Cells, Gauge, Packs, Seat, State};
use crate::protocol::{FORBIDDEN_IN_NAMES, writer};
use crate::util::sanitize::visible;
use crate::util::system::stop::Stop;

/// The most characters of a bot's line in a finding.
const SHOWN: usize = 60;

/// The limits that the checker holds a bot to.
#[derive(Clone, Debug)]
pub struct CheckLimits {
    /// The time of the bot for a game.
    pub game: Duration,
    /// Maximum time for a turn.
    pub turn: Duration,
    /// The time to print the name.
    pub start: Duration,
    /// Time by which the bot may exceed a limit: [`PlayerClock::answer_time`].
    pub grace: Duration,
}

/// Why a situation ends early.
#[derive(Debug)]
pub enum Halt {
    /// The bot has lost the game.
    Fault(Finding),
    /// The situation was not played to its end.
    Interrupted(CheckInterrupted),
}

/// The halt of a check that is stopped.
const STOPPED: Halt = Halt::Interrupted(CheckInterrupted::Stopped);

impl Halt {
    /// This halt as a fault against `rule`; the description begins with `place`, the place in the
    /// situation.
    pub fn broken(self, rule: &'static str, place: &str) -> Self {
        match self {
            Self::Fault(finding) => Self::Fault(Finding {
                reason: format!("{place}: {}", finding.reason),
                rule,
                ..finding
            }),
            Self::Interrupted(_) => self,
        }
    }

    /// A fault that breaks `rule` in `turn`.
    pub fn fault(turn: Option<usize>, reason: String, rule: &'static str) -> Self {
        Self::Fault(Finding { severity: Severity::Fault, turn, reason, rule, log: Vec::new() })
    }
}

/// How text is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delivery {
    /// At once.
    Whole,
    /// In pieces, with pauses in between, as over a slow connection.
    Pieces,
    /// At once, with `\r\n` at the end of each line.
    WindowsLines,
}

/// A dialogue with a running bot.
pub struct Dialogue<'a> {
    bot: Bot,
    limits: CheckLimits,
    stop: &'a Stop,
    delivery: Delivery,
    /// The turn that was sent last.
    turn: Option<usize>,
}

impl<'a> Dialogue<'a> {
    /// A dialogue with `bot`, which has just been started.
    pub const fn new(bot: Bot, limits: CheckLimits, stop: &'a Stop) -> Self {
        Self { bot, limits, stop, delivery: Delivery::Whole, turn: None }
    }

    /// Sends all further text by `delivery`.
    pub const fn deliver(&mut self, delivery: Delivery) {
        self.delivery = delivery;
    }

    /// Waits for the bot's name and returns it.
    pub fn introduction(&mut self) -> Result<String, Halt> {
        let limit = self.limits.start;
        match self.bot.listen(self.bot.now() + limit, self.stop) {
            BotEvent::Stopped => Err(STOPPED),
            BotEvent::Nothing => {
                let time = self.processor_time();
                let reason =
                    format!("printed no name within {limit:?}{time}; is the line flushed?");
                Err(self.fault(reason, rules::NAME))
            }
            BotEvent::Closed(_) => match self.bot.ending() {
                Ending::Refused(reason) => {
                    let command = self.bot.command().to_owned();
                    let refused = StartError::Machine { command, reason };
                    Err(Halt::Interrupted(CheckInterrupted::NotStarted(refused)))
                }
                ending => Err(self.fault(format!("printed no name: {ending}"), rules::NAME)),
            },
            BotEvent::Line(_, name) => match name.chars().find(|c| FORBIDDEN_IN_NAMES.contains(*c))
            {
                None => Ok(name),
                Some(c) => {
                    let reason = format!("printed the name {}, which has a `{c}`", quoted(&name));
                    Err(self.fault(reason, rules::NAME))
                }
            },
        }
    }

    /// Sends the packs of a game.
    pub fn send_packs(&mut self, packs: &Packs) -> Result<(), Halt> {
        self.turn = None;
        self.send(&packs.to_string())
    }

    /// Sends `text` without a check; for the part of a turn.
    pub fn send_raw(&mut self, text: &str) {
        self.bot.send(text.to_owned());
    }

    /// Waits for `time`, in which the bot may print nothing.
    pub fn pause(&mut self, time: Duration) -> Result<(), Halt> {
        match self.bot.listen(self.bot.now() + time, self.stop) {
            BotEvent::Nothing => Ok(()),
            BotEvent::Stopped => Err(STOPPED),
            BotEvent::Line(_, line) => Err(self.unasked(&line)),
            BotEvent::Closed(_) => {
                let reason = format!("gave up while it waited: {}", self.bot.ending());
                Err(self.fault(reason, rules::RUNS))
            }
        }
    }

    /// Sends the turn of `state`, in which the bot is the first player, with the time left of both
    /// players, and waits for the answer. Counts the thinking time on the bot's clock.
    pub fn ask(
        &mut self,
        state: &State<Cells>,
        clocks: &mut [PlayerClock; 2],
    ) -> Result<Action, Halt> {
        if let Some(line) = self.bot.unasked() {
            return Err(self.unasked(&line));
        }
        self.turn = Some(state.turn);
        self.send(&writer::turn(state, Seat::First, clocks.map(|clock| clock.left())))?;
        let sent = self.bot.now();
        let clock = &mut clocks[Seat::First.index()];
        let AnswerTime { limit, allowed } = clock.answer_time(self.limits.turn, self.limits.grace);
        let until = sent + allowed;
        match self.bot.listen(until, self.stop) {
            BotEvent::Stopped => Err(STOPPED),
            BotEvent::Line(at, line) if at > until => {
                let reason = format!(
                    "answered {} after {:.1?}, {limit:.1?} were left",
                    quoted(&line),
                    at - sent
                );
                Err(self.fault(reason, rules::TIME))
            }
            BotEvent::Line(at, line) => {
                clock.count(at.saturating_duration_since(sent));
                self.action(&line, state.players[0].gauge)
            }
            BotEvent::Nothing if limit.is_zero() => {
                let reason = "used up its time for the game in the turns before".to_owned();
                Err(self.fault(reason, rules::TIME))
            }
            BotEvent::Nothing => {
                let time = self.processor_time();
                let reason =
                    format!("printed no answer within {limit:.1?}{time}; is the line flushed?");
                Err(self.fault(reason, rules::TIME))
            }
            BotEvent::Closed(_) => {
                let reason = format!("gave no answer: {}", self.bot.ending());
                Err(self.fault(reason, rules::RUNS))
            }
        }
    }

    /// Closes the bot's input, and returns the faults of the bot after that. If `is_whole`, the
    /// input is that of a whole game, and the bot should end with exit code 0; any other input is
    /// broken, and the exit code may say so.
    pub fn end_of_input(mut self, is_whole: bool, timeout: Duration) -> Vec<Finding> {
        let before = self.bot.unasked();
        let exit = self.bot.exit();
        let mut findings = Vec::new();
        let mut remark = |reason: String| {
            let (severity, turn, log) = (Severity::Remark, self.turn, self.bot.log().last_lines());
            findings.push(Finding { severity, turn, reason, rule: rules::END, log });
        };
        if let Some(line) = before.or_else(|| self.bot.unread()) {
            remark(format!("printed {} without being asked", quoted(&line)));
        }
        match exit {
            None => remark("killed the process that supervises it".to_owned()),
            Some(exit) if !exit.ended_itself => {
                remark(format!("still ran {timeout:?} after the end of its input"));
            }
            Some(exit) => {
                if let Some(failure) = exit.failure.filter(|_| is_whole) {
                    remark(format!("{failure} at the end of its input"));
                }
                if exit.killed > 0 {
                    remark("ended, and left processes behind that ran on".to_owned());
                }
            }
        }
        findings
    }

    /// Sends `text` as [`Self::deliver`] says. In pieces, the bot may print nothing before the last
    /// one.
    fn send(&mut self, text: &str) -> Result<(), Halt> {
        /// Maximum number of pieces into which a text is split.
        const PIECES: usize = 50;
        /// The pause after a piece.
        const PAUSE: Duration = Duration::from_millis(2);
        match self.delivery {
            Delivery::Whole => self.bot.send(text.to_owned()),
            Delivery::WindowsLines => self.bot.send(text.replace('\n', "\r\n")),
            Delivery::Pieces => {
                // Only ASCII is sent, so every byte is a character.
                let length = text.len().div_ceil(PIECES).max(1);
                let mut rest = text;
                while rest.len() > length {
                    let (piece, more) = rest.split_at(length);
                    self.bot.send(piece.to_owned());
                    thread::sleep(PAUSE);
                    rest = more;
                }
                if let Some(line) = self.bot.unasked() {
                    return Err(self.unasked(&line));
                }
                self.bot.send(rest.to_owned());
            }
        }
        Ok(())
    }

    /// Parses an answer of a bot whose gauge is `gauge`.
    fn action(&self, line: &str, gauge: Gauge) -> Result<Action, Halt> {
        match line.parse() {
            Err(_) => Err(self.fault(format!("answered {}", quoted(line)), rules::ANSWER)),
            Ok(Action::Skill) if !gauge.allows_skill() => {
                let reason = format!("answered `S` with a gauge of {}", gauge.get());
                Err(self.fault(reason, rules::SKILL))
            }
            Ok(action) => Ok(action),
        }
    }

    /// Ends the bot and says how much processor time it had since its start, as a part of a sentence.
    /// A bot that had none has printed nothing because the machine was busy.
    fn processor_time(&mut self) -> String {
        self.bot.end();
        self.bot.usage().map_or_else(String::new, |usage| {
            let seconds = usage.cpu_ms as f64 / 1000.0;
            format!(", with {seconds:.2} s of processor time since its start")
        })
    }

    fn unasked(&self, line: &str) -> Halt {
        self.fault(format!("printed {} before it was asked", quoted(line)), rules::ASKED)
    }

    fn fault(&self, reason: String, rule: &'static str) -> Halt {
        let log = self.bot.log().last_lines();
        Halt::Fault(Finding { severity: Severity::Fault, turn: self.turn, reason, rule, log })
    }
}

fn quoted(line: &str) -> String {
    format!("`{}`", visible(line, SHOWN))
}
