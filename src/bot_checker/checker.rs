//! Plays situations with a bot and collects its faults.

use std::time::Duration;

use serde::Serialize;

use super::dialogue::{CheckLimits, Dialogue, Halt, USUAL_PATIENCE};
use super::finding::{Finding, Severity};
use super::rules;
use crate::arena::process::{self, Bot};
use crate::arena::{EngineConfig, StartError};
use crate::game::Packs;
use crate::stop::Stop;

/// A situation in which bots fail.
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
}

/// The check was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckInterrupted;

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
    pub fn check(&mut self, situation: &BotSituation) -> Result<SituationResult, CheckInterrupted> {
        self.findings.clear();
        match (situation.play)(self) {
            Ok(()) => {}
            Err(Halt::Fault(finding)) => self.findings.push(finding),
            Err(Halt::Stopped) => return Err(CheckInterrupted),
        }
        let mut findings = std::mem::take(&mut self.findings);
        for finding in &mut findings {
            finding.severity = finding.severity.min(situation.severity);
        }
        Ok(SituationResult { situation: situation.name, about: situation.about, findings })
    }

    /// Starts the bot, which may take up to `patience` to end after the end of its input.
    pub(super) fn start(&mut self, patience: Duration) -> Result<Dialogue<'a>, Halt> {
        let bot = Bot::start_patient(self.engine, &[], patience)
            .map_err(|error| Halt::fault(None, error.to_string(), rules::RUNS))?;
        let mut dialogue = Dialogue::new(bot, self.limits.clone(), self.stop);
        let name = dialogue.introduction()?;
        self.name.get_or_insert(name);
        Ok(dialogue)
    }

    /// Starts the bot and sends it the packs.
    pub(super) fn begin(&mut self) -> Result<Dialogue<'a>, Halt> {
        let mut dialogue = self.start(USUAL_PATIENCE)?;
        dialogue.send_packs(&self.packs)?;
        Ok(dialogue)
    }
}
