//! Reads the lines that a bot's process writes, and keeps those of its standard error.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::log_file::{LogFile, LoggedErrors};
use crate::record::JsonText;
use crate::util::clock::game_time;

/// The longest line in bytes; a longer line is split. No answer is that long.
const LONGEST: u64 = 1 << 16;

/// Calls `each` for every line until the stream ends, with the instant at which it was read, by the
/// clock of games.
pub fn each_line(stream: impl Read, mut each: impl FnMut(Instant, String)) {
    let mut stream = BufReader::new(stream);
    let mut line = Vec::new();
    while let Ok(1..) = stream.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
        each(game_time(), String::from_utf8_lossy(&line).trim_ascii().to_owned());
        line.clear();
    }
}

/// The standard error of a bot: its last lines, and its `info` lines.
#[derive(Clone, Default)]
pub struct ErrorLog(Arc<SharedLog>);

#[derive(Default)]
struct SharedLog {
    kept: Mutex<KeptLines>,
    ended: Condvar,
    /// The file that has the whole log.
    file: Option<LogFile>,
}

#[derive(Default)]
struct KeptLines {
    last: VecDeque<String>,
    info: Vec<JsonText>,
    /// Bytes of the lines of `info`.
    info_bytes: usize,
    is_over: bool,
}

impl ErrorLog {
    /// The number of lines kept for the report of a fault.
    const KEPT: usize = 10;

    /// Characters kept of each line.
    const WIDTH: usize = 400;

    /// The number of `info` lines that are kept: more than a game has turns, and limited so that a
    /// bot that floods its standard error does not fill the memory.
    const INFO: usize = 2000;

    /// Total bytes of the `info` lines that are kept, as texts.
    const INFO_BYTES: usize = 8 << 20;

    /// Levels of arrays and objects of an `info` value that is kept. A record adds four levels, and
    /// the JSON of a record is read back up to 127 levels.
    const INFO_LEVELS: usize = 64;

    /// A log that is also written to `file`.
    pub fn with_file(file: Option<LogFile>) -> Self {
        Self(Arc::new(SharedLog { file, ..SharedLog::default() }))
    }

    /// The file that has the whole log, if there is one.
    pub fn file(&self) -> Option<&LogFile> {
        self.0.file.as_ref()
    }

    /// The bot's standard error, of which all that is read is added to the file.
    pub fn reading<R: Read>(&self, stream: R) -> impl Read + use<R> {
        LoggedErrors { stream, file: self.0.file.clone() }
    }

    /// Adds text that the bot is sent to the file, if that has the protocol.
    pub fn sent(&self, text: &str) {
        if let Some(file) = self.file() {
            file.sent(text);
        }
    }

    /// Adds a line that the bot has answered to the file, if that has the protocol.
    pub fn answered(&self, line: &str) {
        if let Some(file) = self.file() {
            file.answered(line);
        }
    }

    fn kept(&self) -> MutexGuard<'_, KeptLines> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line.
    pub fn push(&self, line: String) {
        let info = line.strip_prefix("info ").and_then(JsonText::new);
        let info = info.filter(|info| info.levels() <= Self::INFO_LEVELS);
        let mut kept = self.kept();
        if let Some(info) = info {
            if kept.info.len() < Self::INFO && kept.info_bytes + line.len() <= Self::INFO_BYTES {
                kept.info_bytes += line.len();
                kept.info.push(info);
            }
            return;
        }
        if kept.last.len() == Self::KEPT {
            kept.last.pop_front();
        }
        kept.last.push_back(line.chars().take(Self::WIDTH).collect());
    }

    /// Marks the end of the stream.
    pub fn close(&self) {
        self.kept().is_over = true;
        self.0.ended.notify_all();
    }

    /// Waits until all lines of a bot that has ended have arrived. The wait is limited, because a
    /// process that escaped might hold the stream open.
    pub fn wait_for_end(&self) {
        const TIMEOUT: Duration = Duration::from_secs(30);
        let _ = self.0.ended.wait_timeout_while(self.kept(), TIMEOUT, |kept| !kept.is_over);
        if let Some(file) = &self.0.file {
            file.finish();
        }
    }

    /// The last lines.
    pub fn last_lines(&self) -> Vec<String> {
        self.kept().last.iter().cloned().collect()
    }

    /// Removes and returns all `info` lines, in order.
    pub fn take_info(&self) -> Vec<JsonText> {
        let mut kept = self.kept();
        kept.info_bytes = 0;
        std::mem::take(&mut kept.info)
    }
}

/// The turn that an `info` line is about: its field `turn`.
pub fn turn_of(info: &JsonText) -> Option<usize> {
    // The other fields are skipped: as values they would take many times the memory of their text.
    #[derive(Deserialize)]
    struct Named<'a> {
        #[serde(borrow)]
        turn: &'a RawValue,
    }
    // serde reads the fields from a list as well.
    let object = Some(info.text()).filter(|text| text.starts_with('{'))?;
    serde_json::from_str::<Named<'_>>(object).ok()?.turn.get().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_info_line_is_about_the_turn_that_it_names() {
        let turn = |json: &str| turn_of(&JsonText::new(json).unwrap());
        assert_eq!(turn("{\"value\":1,\"turn\":3}"), Some(3));
        for none in ["[3]", "{}", "{\"turn\":-1}", "{\"turn\":\"3\"}", "{\"turn\":3.5}"] {
            assert_eq!(turn(none), None, "{none}");
        }
    }

    /// A deeper value could be written into a record, and the record could not be read back.
    #[test]
    fn values_with_too_many_levels_are_not_kept_as_info() {
        let log = ErrorLog::default();
        let nested = |levels: usize| format!("info {}{}", "[".repeat(levels), "]".repeat(levels));
        [64, 65, 125].into_iter().for_each(|levels| log.push(nested(levels)));
        assert_eq!(log.take_info().len(), 1);
        assert_eq!(log.last_lines(), [nested(65), nested(125)]);
    }

    #[test]
    fn kept_info_lines_are_limited_in_bytes_and_number() {
        let log = ErrorLog::default();
        let long = format!("info [{}0]", "0,".repeat(30_000));
        (0..200).for_each(|_| log.push(long.clone()));
        assert_eq!(log.take_info().len(), ErrorLog::INFO_BYTES / long.len());
        (0..2_100).for_each(|_| log.push("info {}".to_owned()));
        assert_eq!(log.take_info().len(), ErrorLog::INFO);
    }
}
