//! Plays situations with a bot and collects its faults.

use std::time::Duration;

use serde::Serialize;

use super::dialogue::{CheckLimits, Dialogue, Halt};
use super::finding::rules;
use super::finding::{Finding, Severity};
use super::situations::SITUATIONS;
use crate::arena::process::{self, Bot, EXIT_TIMEOUT};
use crate::arena::{EngineConfig, ErrorLog, FolderError, LogFile, LogFolder, StartError};
use crate::game::{Packs, Seat};
use crate::util::system::stop::Stop;

/// A situation that a bot must handle.
pub struct BotSituation {
    /// A short name, unique, of lower-case letters, digits and hyphens.
    pub name: &'static str,
    /// The input of the situation, in one sentence.
    pub about: &'static str,
    /// The severity of a failure. [`Severity::Remark`] if the contest's rules leave it open whether
    /// a bot meets the situation.
    pub(super) severity: Severity,
    /// Plays the situation.
    pub(super) play: fn(&mut BotChecker<'_>) -> Result<(), Halt>,
}

/// The result of a situation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SituationResult {
    /// [`BotSituation::name`].
    pub situation: &'static str,
    /// [`BotSituation::about`].
    pub about: &'static str,
    /// The faults and remarks; empty if the bot passes.
    pub findings: Vec<Finding>,
    /// The files of the bot's logs, one for each start, if logs are written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub logs: Vec<String>,
}

impl SituationResult {
    /// The severity of the worst finding; `None` without findings.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }
}

/// Checks one bot.
pub struct BotChecker<'a> {
    engine: &'a EngineConfig,
    pub(super) limits: CheckLimits,
    pub(super) packs: Packs,
    stop: &'a Stop,
    /// The findings of the present situation.
    pub(super) findings: Vec<Finding>,
    name: Option<String>,
    /// The folder of the bot's logs, if there is one.
    logs: Option<&'a LogFolder>,
    /// The logs of the present situation.
    files: Vec<String>,
    /// The beginning of their names.
    stem: String,
    /// The number of starts of the bot.
    starts: usize,
    /// Whether the bot has failed to start.
    is_unable_to_start: bool,
}

/// The check ends before all is played.
#[derive(Debug)]
pub enum CheckInterrupted {
    /// The check was stopped.
    Stopped,
    /// A log cannot be written.
    Log(FolderError),
    /// The machine did not start the bot.
    NotStarted(StartError),
}

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
        Ok(Self {
            engine,
            limits,
            packs,
            stop,
            findings: Vec::new(),
            name: None,
            logs: None,
            files: Vec::new(),
            stem: String::new(),
            starts: 0,
            is_unable_to_start: false,
        })
    }

    /// This checker with a folder of logs: one for each start of the bot, named after the number and
    /// the name of the situation.
    #[must_use]
    pub fn with_logs(self, logs: Option<&'a LogFolder>) -> Self {
        Self { logs, ..self }
    }

    /// The name that the bot has printed, unchanged; `None` before it has printed one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether the bot has failed to start: it has printed no valid name. Then it would fail in each
    /// further situation.
    pub const fn is_unable_to_start(&self) -> bool {
        self.is_unable_to_start
    }

    /// Plays a situation.
    ///
    /// # Errors
    /// The check was stopped, a log cannot be written, or the machine did not start the bot.
    pub fn check(&mut self, situation: &BotSituation) -> Result<SituationResult, CheckInterrupted> {
        self.findings.clear();
        self.files.clear();
        let index = SITUATIONS.iter().position(|known| known.name == situation.name);
        self.stem = format!("{:02}-{}", index.map_or(0, |index| index + 1), situation.name);
        match (situation.play)(self) {
            Ok(()) => {}
            Err(Halt::Fault(finding)) => self.findings.push(finding),
            Err(Halt::Interrupted(why)) => return Err(why),
        }
        self.logs.map_or(Ok(()), LogFolder::check).map_err(CheckInterrupted::Log)?;
        let mut findings = std::mem::take(&mut self.findings);
        // Every situation needs a start.
        if !self.is_unable_to_start {
            for finding in &mut findings {
                finding.severity = finding.severity.min(situation.severity);
            }
        }
        let logs = std::mem::take(&mut self.files);
        Ok(SituationResult { situation: situation.name, about: situation.about, findings, logs })
    }

    /// Starts the bot, which may take up to `timeout` to end after the end of its input.
    pub(super) fn start(&mut self, timeout: Duration) -> Result<Dialogue<'a>, Halt> {
        self.starts += 1;
        let log = ErrorLog::with_file(
            self.log_file().map_err(|error| Halt::Interrupted(CheckInterrupted::Log(error)))?,
        );
        let engine = self.engine.clone().in_game(self.starts, self.starts, Seat::First);
        // If the bot starts, it is able to.
        self.is_unable_to_start = true;
        let bot = Bot::start(&engine, &[], timeout, log).map_err(|error| match error {
            StartError::Machine { .. } => Halt::Interrupted(CheckInterrupted::NotStarted(error)),
            error => Halt::fault(None, error.to_string(), rules::RUNS),
        })?;
        let mut dialogue = Dialogue::new(bot, self.limits.clone(), self.stop);
        let name = dialogue.introduction()?;
        self.is_unable_to_start = false;
        self.name.get_or_insert(name);
        Ok(dialogue)
    }

    /// Makes the log of the next start.
    fn log_file(&mut self) -> Result<Option<LogFile>, FolderError> {
        let Some(logs) = self.logs else { return Ok(None) };
        let file = logs.create(&self.stem)?;
        self.files.push(file.path().to_string_lossy().into_owned());
        Ok(Some(file))
    }

    /// Starts the bot and sends it the packs.
    pub(super) fn begin(&mut self) -> Result<Dialogue<'a>, Halt> {
        let mut dialogue = self.start(EXIT_TIMEOUT)?;
        dialogue.send_packs(&self.packs)?;
        Ok(dialogue)
    }
}
