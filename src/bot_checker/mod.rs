//! Plays a bot through situations in which bots fail, and reports its faults.
//!
//! * [`SITUATIONS`]: the situations, in the order in which they are played;
//! * [`BotChecker`]: starts the bot once or more for each situation;
//! * [`Finding`]: a fault or a remark, with the rule of the protocol that it is about.
//!
//! The checker is no referee: it sends states that no game leads to, such as a field that is full
//! in turn 60, and does not score the bot's play.

mod dialogue;
mod rules;
mod situations;

use std::time::Duration;

use serde::Serialize;

use self::dialogue::{Dialogue, Halt};
use crate::arena::process::{self, Bot};
use crate::arena::{EngineConfig, StartError};
use crate::game::Packs;
use crate::stop::Stop;

pub use situations::SITUATIONS;

/// The limits that the checker holds a bot to.
#[derive(Clone, Debug)]
pub struct CheckLimits {
    /// The time of the bot for a game.
    pub game: Duration,
    /// Maximum time for a turn.
    pub turn: Duration,
    /// The time to print the name.
    pub start: Duration,
    /// Time by which the bot may exceed a limit.
    pub grace: Duration,
}

/// The severity of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The behaviour loses no game by the contest's rules, but may lose one with another referee.
    Remark,
    /// The behaviour loses the game.
    Fault,
}

/// A fault of a bot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// The severity.
    pub severity: Severity,
    /// The turn of the fault, 0 to 499; `None` outside of turns.
    pub turn: Option<usize>,
    /// The behaviour of the bot. The bot's text in it is made visible and cut.
    pub what: String,
    /// The rule of the protocol.
    pub rule: &'static str,
    /// The last lines that the bot wrote to standard error.
    pub log: Vec<String>,
}

/// A situation in which bots fail.
pub struct Situation {
    /// A short name, unique, of lower-case letters, digits and hyphens.
    pub name: &'static str,
    /// The input of the situation, in one sentence.
    pub about: &'static str,
    /// The severity of a failure. [`Severity::Remark`] if the contest's rules leave it open whether
    /// a bot meets the situation.
    severity: Severity,
    play: fn(&mut BotChecker<'_>) -> Result<(), Halt>,
}

/// The result of a situation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Checked {
    /// [`Situation::name`].
    pub situation: &'static str,
    /// [`Situation::about`].
    pub about: &'static str,
    /// The faults and remarks; empty if the bot passes.
    pub findings: Vec<Finding>,
}

impl Checked {
    /// The severity of the worst finding; `None` without findings.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }
}

/// Checks one bot.
pub struct BotChecker<'a> {
    engine: &'a EngineConfig,
    limits: CheckLimits,
    packs: Packs,
    stop: &'a Stop,
    /// The findings of the present situation.
    findings: Vec<Finding>,
    name: Option<String>,
}

/// The check was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

impl<'a> BotChecker<'a> {
    /// A checker of `engine`, whose games have `packs`.
    ///
    /// # Errors
    /// The command of `engine` cannot be started.
    pub fn new(
        engine: &'a EngineConfig,
        limits: CheckLimits,
        packs: Packs,
        stop: &'a Stop,
    ) -> Result<Self, StartError> {
        process::command(engine)?;
        Ok(Self { engine, limits, packs, stop, findings: Vec::new(), name: None })
    }

    /// The name that the bot has printed, unchanged; `None` before it has printed one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Plays a situation.
    ///
    /// # Errors
    /// The check was stopped.
    pub fn check(&mut self, situation: &Situation) -> Result<Checked, Interrupted> {
        self.findings.clear();
        match (situation.play)(self) {
            Ok(()) => {}
            Err(Halt::Fault(finding)) => self.findings.push(finding),
            Err(Halt::Stopped) => return Err(Interrupted),
        }
        let mut findings = std::mem::take(&mut self.findings);
        for finding in &mut findings {
            finding.severity = finding.severity.min(situation.severity);
        }
        Ok(Checked { situation: situation.name, about: situation.about, findings })
    }

    /// Starts the bot, which may take up to `patience` to end after the end of its input.
    fn start(&mut self, patience: Duration) -> Result<Dialogue<'a>, Halt> {
        let bot = Bot::start_patient(self.engine, &[], patience)
            .map_err(|error| Halt::fault(None, error.to_string(), rules::RUNS))?;
        let mut dialogue = Dialogue::new(bot, self.limits.clone(), self.stop);
        let name = dialogue.introduction()?;
        self.name.get_or_insert(name);
        Ok(dialogue)
    }

    /// Starts the bot and sends it the packs.
    fn begin(&mut self) -> Result<Dialogue<'a>, Halt> {
        let mut dialogue = self.start(dialogue::USUAL_PATIENCE)?;
        dialogue.send_packs(&self.packs)?;
        Ok(dialogue)
    }
}
