//! The faults of a bot.

use serde::Serialize;

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
