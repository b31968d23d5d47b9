//! Messages for people, on standard error.
//!
//! Every message of the program is written here: one whole line, in which foreign text is
//! [visible]. A message that cannot be written is lost and costs nothing else: the results of a match
//! do not depend on who reads its progress. `eprintln!` would end the program instead, which is why
//! clippy denies it.

use std::fmt::Display;
use std::io::{self, Write as _};
use std::panic;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::foreign_text::visible;

/// Characters of a message: far more than any has that does not quote foreign text as a whole.
const LONGEST: usize = 4000;

/// How long [`line_in_time`] waits.
const PATIENCE: Duration = Duration::from_secs(1);

/// Writes a line to standard error, whole. A failure is ignored.
pub fn line(message: impl Display) {
    let line = format!("{}\n", visible(&message.to_string(), LONGEST));
    let _ = io::stderr().lock().write_all(line.as_bytes());
}

/// Shows how far something is, on a terminal: in place of what was shown so before. Empty, it leaves
/// the terminal's line free.
pub fn status(message: impl Display) {
    let line = format!("\r{}\x1b[K", visible(&message.to_string(), LONGEST));
    let _ = io::stderr().lock().write_all(line.as_bytes());
}

/// As [`line()`], but gives up after a second: a bot must end even if nobody reads its standard
/// error and the pipe is full.
pub fn line_in_time(message: impl Display) {
    let message = message.to_string();
    let (written, done) = mpsc::channel::<()>();
    thread::spawn(move || {
        line(message);
        drop(written);
    });
    let _ = done.recv_timeout(PATIENCE);
}

/// Lets a panic be told as one such line from now on; as Rust does it if `RUST_BACKTRACE` asks for
/// more.
pub fn take_panics() {
    if std::env::var_os("RUST_BACKTRACE").is_some_and(|asked| asked != "0") {
        return;
    }
    panic::set_hook(Box::new(|panic| {
        line(format_args!("tensai: {}", panic.to_string().replace('\n', " ")));
    }));
}
