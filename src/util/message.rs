//! Messages for users on standard error.
//!
//! This module writes each message of the program, as one whole line in which untrusted text is
//! [visible]. A message that it cannot write is lost without an error, so that the results of a
//! match do not depend on the reader of its progress. clippy denies `eprintln!`, because
//! `eprintln!` would panic instead.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write as _};
use std::panic;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::util::sanitize::visible;

/// The maximum characters of a message, more than any message without a long untrusted text has.
const LONGEST: usize = 4000;

/// The maximum time that [`line_in_time`] waits.
const TIMEOUT: Duration = Duration::from_secs(1);

/// Writes `message` as one line to standard error. Ignores a failure.
pub fn line(message: impl Display) {
    let line = format!("{}\n", visible(&message.to_string(), LONGEST));
    let _ = io::stderr().lock().write_all(line.as_bytes());
}

/// Shows a progress message on a terminal, in place of the previous one. An empty `message` clears
/// the line.
pub fn status(message: impl Display) {
    let line = format!("\r{}\x1b[K", visible(&message.to_string(), LONGEST));
    let _ = io::stderr().lock().write_all(line.as_bytes());
}

/// Whether `stream` is a terminal on which a drawing may move the cursor. A terminal whose `TERM`
/// is `dumb` has no codes for that.
pub fn can_move_cursor(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// As [`line()`], but gives up after 1 s: a bot must end even if its standard error is a full pipe
/// that is not read.
pub fn line_in_time(message: impl Display) {
    let message = message.to_string();
    let (written, done) = mpsc::channel::<()>();
    thread::spawn(move || {
        line(message);
        drop(written);
    });
    let _ = done.recv_timeout(TIMEOUT);
}

/// Makes later panics write one line ([`line()`]). If `RUST_BACKTRACE` is set and not 0, Rust's own
/// message stays.
pub fn take_panics() {
    if std::env::var_os("RUST_BACKTRACE").is_some_and(|asked| asked != "0") {
        return;
    }
    panic::set_hook(Box::new(|panic| {
        line(format_args!("tensai: {}", panic.to_string().replace('\n', " ")));
    }));
}
