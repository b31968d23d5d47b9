//! The options of logs, which the commands that start bots have.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;

use super::match_::RUNNING;
use crate::arena::LogFolder;
use crate::cli::commands::format::shell_path;
use crate::cli::error::CliError;

/// The options of logs.
#[derive(Args, Deserialize, Clone, Debug, Default)]
#[serde(default, rename_all = "kebab-case")]
pub struct LogArgs {
    /// Write what each bot prints to standard error to files in this folder.
    ///
    /// Each start of a bot has a file of its own, such as 000012-1.log for game 12 and seat 1, which
    /// the record names. Of a longer log, the file has the first 8 MiB and the last 64 KiB. No file is
    /// overwritten.
    #[arg(long, value_name = "FOLDER", help_heading = RUNNING, hide_short_help = true)]
    pub logs: Option<PathBuf>,

    /// With --logs: also log what the bots are sent and answer, with times.
    ///
    /// A line has the seconds since the start of the bot, `>` for a line that it is sent, `<` for a
    /// line that it answers or `!` for a line on standard error, and the text.
    #[arg(long, help_heading = RUNNING, hide_short_help = true)]
    pub logs_protocol: bool,
}

impl LogArgs {
    /// Makes the folder of the logs, if one is given.
    ///
    /// # Errors
    /// The protocol is to be logged and no folder is given, or the folder cannot be used.
    pub fn open(&self) -> Result<Option<LogFolder>, CliError> {
        match &self.logs {
            None if self.logs_protocol => {
                let reason = "--logs-protocol: expected a folder too: add --logs FOLDER";
                Err(CliError::Refused(reason.to_owned()))
            }
            None => Ok(None),
            Some(path) => Ok(Some(LogFolder::open(path, self.logs_protocol)?)),
        }
    }

    /// These options on a command line, after a space.
    pub fn words(&self) -> String {
        let logs = |path: &PathBuf| format!(" --logs {}", shell_path(Path::new(path)));
        let protocol = if self.logs_protocol { " --logs-protocol" } else { "" };
        self.logs.as_ref().map(logs).unwrap_or_default() + protocol
    }
}
