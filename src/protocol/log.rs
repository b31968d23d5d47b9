//! A log on standard error that never blocks the bot.

use std::io::Write;
use std::panic;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use crate::util::message;

/// A log with a thread of its own, which writes its lines.
///
/// A referee need not read a bot's standard error, and a pipe that no process reads is full after
/// 64 KiB: a bot that wrote to it directly would then block forever. This log drops lines instead.
pub struct Log {
    lines: Option<Arc<SyncSender<String>>>,
    done: Receiver<()>,
}

impl Log {
    /// The most lines that wait to be written.
    const WAITING: usize = 256;

    /// The longest wait for the last lines when the log is dropped.
    const TIMEOUT: Duration = Duration::from_millis(200);

    /// A log that writes to `output`.
    pub fn new(mut output: impl Write + Send + 'static) -> Self {
        let (lines, waiting) = mpsc::sync_channel::<String>(Self::WAITING);
        let (finished, done) = mpsc::channel::<()>();
        thread::spawn(move || {
            // In one piece, because other processes may write to the same standard error. The first
            // error ends the writing of the log.
            while let Ok(line) = waiting.recv() {
                let line = line + "\n";
                if output.write_all(line.as_bytes()).and_then(|()| output.flush()).is_err() {
                    break;
                }
            }
            drop(finished);
        });
        Self { lines: Some(Arc::new(lines)), done }
    }

    /// Sends the messages of panics to this log from now on, one line each. If no process reads
    /// standard error, the default hook would block forever.
    pub fn take_panics(&self) {
        let lines = self.lines.as_ref().map(Arc::downgrade).unwrap_or_default();
        panic::set_hook(Box::new(move |panic| {
            let text = panic.to_string().replace('\n', " ");
            match Weak::upgrade(&lines) {
                Some(lines) => drop(lines.try_send(text)),
                None => message::line_in_time(text),
            }
        }));
    }

    /// Adds a line, or drops it if `Self::WAITING` lines are waiting.
    pub fn line(&self, line: String) {
        if let Some(lines) = &self.lines {
            let _ = lines.try_send(line);
        }
    }
}

impl Drop for Log {
    /// Waits up to `Self::TIMEOUT` for the last lines to be written.
    fn drop(&mut self) {
        self.lines = None;
        let _ = self.done.recv_timeout(Self::TIMEOUT);
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Mutex;
    use std::time::Instant;

    use super::*;

    /// A pipe that stores the text, or blocks forever if it is `None`.
    #[derive(Clone)]
    struct Pipe(Option<Arc<Mutex<Vec<u8>>>>);

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match &self.0 {
                Some(written) => written.lock().unwrap().extend_from_slice(bytes),
                None => thread::sleep(Duration::from_secs(3600)),
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_are_written_in_order() {
        let written = Arc::default();
        let log = Log::new(Pipe(Some(Arc::clone(&written))));
        (1..=3).for_each(|line| log.line(line.to_string()));
        drop(log);
        assert_eq!(*written.lock().unwrap(), b"1\n2\n3\n");
    }

    #[test]
    fn a_panic_is_a_line() {
        let written = Arc::default();
        let log = Log::new(Pipe(Some(Arc::clone(&written))));
        log.take_panics();
        let panicked = panic::catch_unwind(|| panic!("as the test\nwants"));
        drop(log);
        let _ = panic::take_hook();
        assert!(panicked.is_err());
        let written = String::from_utf8(written.lock().unwrap().clone()).unwrap();
        assert!(written.lines().any(|line| line.ends_with(" as the test wants")), "{written}");
    }

    #[test]
    fn a_log_does_not_wait_for_a_reader_that_never_reads() {
        let start = Instant::now();
        let log = Log::new(Pipe(None));
        (0..100_000).for_each(|line| log.line(line.to_string()));
        drop(log);
        assert!(start.elapsed() < Duration::from_secs(60), "it waited");
    }
}
