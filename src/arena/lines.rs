//! What a bot's process writes, line by line, without ever making it wait.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The longest line that is kept; what follows counts as further lines. No answer is so long.
const LONGEST: u64 = 1 << 16;

/// Calls `each` for every line until the stream ends, with the instant at which it was read.
pub fn each_line(stream: impl Read, mut each: impl FnMut(Instant, String)) {
    let mut stream = BufReader::new(stream);
    let mut line = Vec::new();
    while let Ok(1..) = stream.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
        each(Instant::now(), String::from_utf8_lossy(&line).trim_ascii().to_owned());
        line.clear();
    }
}

/// The standard error of a bot: its last lines, and what it says about its moves.
#[derive(Clone, Default)]
pub struct ErrorLog(Arc<Mutex<Said>>);

#[derive(Default)]
struct Said {
    last: VecDeque<String>,
    info: Vec<serde_json::Value>,
}

impl ErrorLog {
    /// Lines that are kept for the report of a fault.
    const KEPT: usize = 10;

    /// Takes a line.
    pub fn push(&self, line: String) {
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(json) = line.strip_prefix("info ")
            && let Ok(info) = serde_json::from_str(json)
        {
            said.info.push(info);
            return;
        }
        if said.last.len() == Self::KEPT {
            said.last.pop_front();
        }
        said.last.push_back(line);
    }

    /// The last lines.
    pub fn last_lines(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).last.iter().cloned().collect()
    }

    /// All that was said as `info`, in order.
    pub fn take_info(&self) -> Vec<serde_json::Value> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).info)
    }
}
