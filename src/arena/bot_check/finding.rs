//! The faults of a bot, and the rules that they break.

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
    #[serde(rename = "what")]
    pub reason: String,
    /// The rule of the protocol.
    pub rule: &'static str,
    /// The last lines that the bot wrote to standard error.
    pub log: Vec<String>,
}

/// The rules of the protocol, as findings quote them. `docs/protocol.md` has them in full.
pub mod rules {
    /// The bot's process.
    pub const RUNS: &str = "the bot runs until its input ends";

    /// The name.
    pub const NAME: &str = "the bot first prints its name: one line, without any of \\ / : * ? \" < > |, \
        flushed before it reads its input";

    /// When the bot may print.
    pub const ASKED: &str = "the bot prints its name, then exactly one line a turn, after the second END \
        of that turn; other text goes to standard error";

    /// The form of an answer.
    pub const ANSWER: &str = "an answer is `POSITION ROTATION`, with a position of 0 to 8 and a rotation \
        of 0 to 3, or `S` for the skill";

    /// When the skill is allowed.
    pub const SKILL: &str = "`S` is valid only if the bot's gauge, the third number of its block in the \
        input, is 80 or more";

    /// The clock.
    pub const TIME: &str = "an answer has to come within the time left for the game, the first number of \
        the bot's block in the input, and within the limit of a turn; it has to be flushed";

    /// Another game in the same process.
    pub const SECOND_GAME: &str = "after a turn, a line of two numbers instead of one begins the packs of \
        another game";

    /// The ends of lines.
    pub const LINE_ENDS: &str =
        "the contest's lines end with \\n; a bot does well to accept \\r\\n too";

    /// The end of the input.
    pub const END: &str = "the end of the input ends the game: the bot prints nothing more and ends, after \
        a whole turn with exit code 0";

    /// The danger line.
    pub const DANGER_LINE: &str =
        "a player with a block in row 17 or above at the end of a turn has lost";
}
