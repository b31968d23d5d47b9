//! Files of what a bot writes to standard error and, if asked for, of all lines that it gets and
//! answers.
//!
//! A [`LogFolder`] has one file for each start of a bot. The file has the bytes of standard error as
//! they came. With the protocol, each line is one of the log: the seconds since the start, a mark
//! (`>` sent to the bot, `<` answered by it, `!` written to standard error), and the text.
//!
//! A file is new: no file is overwritten, no link is followed. Its size is limited: of a longer log,
//! the file has the beginning and the end.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::arena::match_::FolderError;
use crate::arena::process::OpenFolder;
use crate::record::RecordError;

/// Bytes of a log that its file has from the beginning on.
const HEAD: usize = 8 << 20;

/// Bytes of the end of a longer log that its file has too. They are in memory until the bot ends.
const TAIL: usize = 64 << 10;

/// The longest line of standard error in a log of the protocol, in bytes; a longer line is split.
const LONGEST: usize = 1 << 16;

/// A folder of logs.
#[derive(Debug)]
pub struct LogFolder {
    path: PathBuf,
    /// Held open: a link that takes the folder's name is not followed.
    folder: OpenFolder,
    with_protocol: bool,
    failure: Arc<Mutex<Option<FolderError>>>,
}

impl LogFolder {
    /// Makes the folder unless it exists. With `with_protocol`, the logs also have the lines that
    /// the bots are sent and answer.
    ///
    /// # Errors
    /// The file system reports an error.
    pub fn open(path: &Path, with_protocol: bool) -> Result<Self, FolderError> {
        let failed = |verb| RecordError::file(path, verb);
        fs::create_dir_all(path).map_err(failed("create"))?;
        let folder = OpenFolder::open(path).map_err(failed("read"))?;
        Ok(Self { path: path.to_owned(), folder, with_protocol, failure: Arc::default() })
    }

    /// Makes the log of a bot in the seat `seat` of a game. The names of the files sort by the
    /// numbers of the games, up to 999,999.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn of_game(&self, game: usize, seat: usize) -> Result<LogFile, FolderError> {
        self.create(&format!("{game:06}-{seat}"))
    }

    /// Makes the log `STEM.log`. If there is one, for instance of a game that was stopped and begins
    /// again, the name is `STEM-2.log`, `STEM-3.log` and so on.
    ///
    /// # Errors
    /// The file system reports an error.
    pub fn create(&self, stem: &str) -> Result<LogFile, FolderError> {
        /// The most files of one stem.
        const MOST: usize = 10_000;
        let mut copy = 1;
        loop {
            let name = match copy {
                1 => format!("{stem}.log"),
                copy => format!("{stem}-{copy}.log"),
            };
            let path = self.path.join(&name);
            match File::create_new(self.folder.path().join(&name)) {
                Ok(file) => {
                    let failure = Arc::clone(&self.failure);
                    return Ok(LogFile::new(file, path, self.with_protocol, HEAD, failure));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && copy < MOST => {
                    copy += 1;
                }
                Err(source) => return Err(RecordError::file(&path, "create")(source).into()),
            }
        }
    }

    /// Checks that all logs so far could be written.
    ///
    /// # Errors
    /// The file system has reported an error since the last check.
    pub fn check(&self) -> Result<(), FolderError> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }
}

/// The log of a bot. Its clones write to the same file.
#[derive(Clone, Debug)]
pub struct LogFile {
    path: PathBuf,
    /// The start, if the log has the protocol.
    start: Option<Instant>,
    written: Arc<Mutex<Written>>,
}

/// The state of a log's file.
#[derive(Debug)]
struct Written {
    path: PathBuf,
    file: File,
    /// Bytes that still fit into the head.
    room: usize,
    /// The bytes after the head.
    tail: VecDeque<u8>,
    /// Whether bytes were dropped from the beginning of the tail.
    is_cut: bool,
    /// The beginning of a line of standard error, in a log of the protocol.
    line: Vec<u8>,
    is_over: bool,
    /// Whether a write has failed; nothing is written after it.
    has_failed: bool,
    /// The first error of the folder's logs, for [`LogFolder::check`].
    failure: Arc<Mutex<Option<FolderError>>>,
}

impl LogFile {
    fn new(
        file: File,
        path: PathBuf,
        with_protocol: bool,
        head: usize,
        failure: Arc<Mutex<Option<FolderError>>>,
    ) -> Self {
        let written = Written {
            path: path.clone(),
            file,
            room: head,
            tail: VecDeque::new(),
            is_cut: false,
            line: Vec::new(),
            is_over: false,
            has_failed: false,
            failure,
        };
        let start = with_protocol.then(Instant::now);
        Self { path, start, written: Arc::new(Mutex::new(written)) }
    }

    /// The path as the user named the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds lines that the bot is sent.
    pub fn sent(&self, text: &str) {
        self.protocol('>', text);
    }

    /// Adds a line that the bot has answered.
    pub fn answered(&self, line: &str) {
        self.protocol('<', line);
    }

    fn protocol(&self, mark: char, text: &str) {
        let Some(start) = self.start else { return };
        let mut written = self.written();
        for line in text.lines() {
            written.add_line(start, mark, line.as_bytes());
        }
    }

    /// Adds bytes that the bot has written to standard error.
    fn errors(&self, bytes: &[u8]) {
        let mut written = self.written();
        let Some(start) = self.start else { return written.add(bytes) };
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            written.line.extend(part);
            if part.ends_with(b"\n") || written.line.len() >= LONGEST {
                written.end_line(start);
            }
        }
    }

    /// Writes what is left when the bot has ended. Later bytes are added only to a log that is not
    /// cut.
    pub fn finish(&self) {
        let mut written = self.written();
        if let Some(start) = self.start {
            written.end_line(start);
        }
        written.finish();
    }

    fn written(&self) -> MutexGuard<'_, Written> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Written {
    /// Adds a line of a log of the protocol.
    fn add_line(&mut self, start: Instant, mark: char, line: &[u8]) {
        let mut text = format!("{:9.3} {mark} ", start.elapsed().as_secs_f64()).into_bytes();
        text.extend(line);
        text.push(b'\n');
        self.add(&text);
    }

    /// Adds the line of standard error that was read so far, if there is one.
    fn end_line(&mut self, start: Instant) {
        if self.line.is_empty() {
            return;
        }
        let line = std::mem::take(&mut self.line);
        self.add_line(start, '!', line.strip_suffix(b"\n").unwrap_or(&line));
    }

    fn add(&mut self, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(self.room));
        self.room -= head.len();
        self.write(head);
        if rest.is_empty() || self.is_over {
            return;
        }
        self.tail.extend(rest);
        let Some(dropped @ 1..) = self.tail.len().checked_sub(TAIL) else { return };
        self.tail.drain(..dropped);
        if !self.is_cut {
            self.is_cut = true;
            // At once: the referee may be killed.
            self.write(b"\n[tensai: this log is cut here; after the game the last lines follow]\n");
        }
    }

    fn finish(&mut self) {
        if std::mem::replace(&mut self.is_over, true) {
            return;
        }
        let mut tail: Vec<u8> = std::mem::take(&mut self.tail).into();
        if self.is_cut {
            // The first line of the tail is the end of a line.
            let first = tail.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            tail.drain(..first);
        }
        self.write(&tail);
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.has_failed {
            return;
        }
        if let Err(source) = self.file.write_all(bytes) {
            self.has_failed = true;
            let error = RecordError::file(&self.path, "write")(source).into();
            self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }
}

/// A bot's standard error; what is read from it is added to a log.
pub struct LoggedErrors<R> {
    /// The stream.
    pub stream: R,
    /// The log, if there is one.
    pub file: Option<LogFile>,
}

impl<R: Read> Read for LoggedErrors<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        if let Some(file) = &self.file {
            file.errors(&buffer[..count]);
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(with_protocol: bool, head: usize) -> (tempfile::TempDir, LogFile) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        let file = File::create_new(&path).unwrap();
        (folder, LogFile::new(file, path, with_protocol, head, Arc::default()))
    }

    #[test]
    fn a_log_has_the_bytes_of_standard_error() {
        let (_folder, file) = log(false, HEAD);
        let text = b"  indented\n\x1b[31m\xff no line end";
        let mut errors = LoggedErrors { stream: &text[..], file: Some(file.clone()) };
        io::copy(&mut errors, &mut io::sink()).unwrap();
        file.sent("not in this log\n");
        file.finish();
        assert_eq!(fs::read(file.path()).unwrap(), text);
    }

    #[test]
    fn a_log_of_the_protocol_has_a_line_for_each_line() {
        let (_folder, file) = log(true, HEAD);
        file.sent("1\n2\n");
        file.errors(b"half ");
        file.answered("0 3");
        file.errors(b"a line\nno line end");
        file.finish();
        let text = fs::read_to_string(file.path()).unwrap();
        let lines: Vec<&str> = text.lines().map(|line| line.split_at(10).1).collect();
        assert_eq!(lines, ["> 1", "> 2", "< 0 3", "! half a line", "! no line end"]);
    }

    #[test]
    fn a_log_that_is_too_long_has_its_beginning_and_its_end() {
        let (_folder, file) = log(false, 10);
        file.errors(b"beginning\n");
        let numbers: String = (0..20_000).map(|number| format!("{number}\n")).collect();
        numbers.as_bytes().chunks(999).for_each(|bytes| file.errors(bytes));
        let beginning = "beginning\n\n[tensai: this log is cut here; after the game the last lines \
            follow]\n";
        assert_eq!(fs::read_to_string(file.path()).unwrap(), beginning);
        file.finish();
        file.errors(b"later");
        let text = fs::read_to_string(file.path()).unwrap();
        let end = text.strip_prefix(beginning).unwrap();
        assert!(numbers.ends_with(end) && end.len() > TAIL - 10 && end.len() <= TAIL, "{end}");
        assert!(numbers.contains(&format!("\n{end}")), "it begins with a whole line");
    }

    #[test]
    fn a_log_just_beyond_its_limit_is_not_cut() {
        let (_folder, file) = log(false, 10);
        let text = "0123456789abcdef\n".repeat(TAIL / 17);
        file.errors(text.as_bytes());
        file.finish();
        assert_eq!(fs::read_to_string(file.path()).unwrap(), text);
    }

    #[test]
    fn the_names_of_logs_sort_and_none_is_taken_twice() {
        let folder = tempfile::tempdir().unwrap();
        let logs = LogFolder::open(&folder.path().join("made/logs"), false).unwrap();
        let name = |game, seat| {
            let file = logs.of_game(game, seat).unwrap();
            file.path().file_name().unwrap().to_str().unwrap().to_owned()
        };
        let names = [name(2, 0), name(2, 1), name(2, 1), name(10, 0), name(12_345, 1)];
        assert_eq!(
            names,
            ["000002-0.log", "000002-1.log", "000002-1-2.log", "000010-0.log", "012345-1.log"]
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_log_is_not_written_through_a_link() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("secret"), "secret").unwrap();
        let logs = LogFolder::open(&path("logs"), false).unwrap();
        symlink("../secret", path("logs/000001-0.log")).unwrap();
        symlink("../none", path("logs/000001-0-2.log")).unwrap();
        let file = logs.of_game(1, 0).unwrap();
        file.errors(b"text");
        assert!(file.path().ends_with("logs/000001-0-3.log"));
        // The name of the folder leads elsewhere.
        fs::rename(path("logs"), path("moved")).unwrap();
        fs::create_dir(path("other")).unwrap();
        symlink("other", path("logs")).unwrap();
        logs.of_game(2, 0).unwrap();
        assert!(path("moved/000002-0.log").exists() && !path("other/000002-0.log").exists());
        assert_eq!(fs::read_to_string(path("secret")).unwrap(), "secret");
        assert!(!path("none").exists());
    }
}
