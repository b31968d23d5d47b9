//! Notes for people, which never make the bot wait.

use std::io::Write;
use std::panic;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use crate::message;

/// Lines written by a thread of their own.
///
/// A referee need not read a bot's standard error, and a pipe that nobody reads fills up after 64
/// KiB: a bot that wrote by itself would then stop for good. Here lines are dropped instead.
pub struct Log {
    lines: Option<Arc<SyncSender<String>>>,
    done: Receiver<()>,
}

impl Log {
    /// Lines that wait to be written, at most.
    const WAITING: usize = 256;

    /// How long the end of the log is waited for.
    const PATIENCE: Duration = Duration::from_millis(200);

    /// A log that writes to `output`.
    pub fn new(mut output: impl Write + Send + 'static) -> Self {
        let (lines, waiting) = mpsc::sync_channel::<String>(Self::WAITING);
        let (finished, done) = mpsc::channel::<()>();
        thread::spawn(move || {
            // A log that cannot be written is given up.
            while let Ok(line) = waiting.recv() {
                if writeln!(output, "{line}").and_then(|()| output.flush()).is_err() {
                    break;
                }
            }
            drop(finished);
        });
        Self { lines: Some(Arc::new(lines)), done }
    }

    /// Takes up what panics of this program say from now on, a line each: where nobody reads
    /// standard error they would wait for good.
    pub fn take_panics(&self) {
        let lines = self.lines.as_ref().map(Arc::downgrade).unwrap_or_default();
        panic::set_hook(Box::new(move |panic| {
            let said = panic.to_string().replace('\n', " ");
            match Weak::upgrade(&lines) {
                Some(lines) => drop(lines.try_send(said)),
                None => message::line_in_time(said),
            }
        }));
    }

    /// Adds a line, or drops it if too many wait.
    pub fn line(&self, line: String) {
        if let Some(lines) = &self.lines {
            let _ = lines.try_send(line);
        }
    }
}

impl Drop for Log {
    /// Gives what waits a moment to be written.
    fn drop(&mut self) {
        self.lines = None;
        let _ = self.done.recv_timeout(Self::PATIENCE);
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Mutex;
    use std::time::Instant;

    use super::*;

    /// A pipe: what was written, or one that blocks for good.
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
    fn nobody_waits_for_a_reader_that_never_reads() {
        let start = Instant::now();
        let log = Log::new(Pipe(None));
        (0..100_000).for_each(|line| log.line(line.to_string()));
        drop(log);
        assert!(start.elapsed() < Duration::from_secs(60), "it waited");
    }
}
