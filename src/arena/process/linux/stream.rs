//! The referee's ends of a bot's standard streams, which nobody can keep open.
//!
//! A process of another game may open a bot's pipes by their names in `/proc`, and would keep a
//! thread that reads or writes them waiting for ever. So these streams wait for the end of the bot
//! as well: once all its processes have ended, whatever they wrote is in the pipe, and the streams
//! wait for nothing more.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

/// A bot as its streams see it; they end once this is dropped.
#[derive(Debug)]
pub struct Alive {
    _end: UnixStream,
}

/// The end of a bot.
#[derive(Clone, Debug)]
pub struct Over(Arc<UnixStream>);

/// A bot that is alive, and its end.
///
/// # Errors
/// The system has no further file handles.
pub fn alive() -> io::Result<(Alive, Over)> {
    // Sockets, because they cannot be opened by their names either.
    let (end, other) = UnixStream::pair()?;
    Ok((Alive { _end: end }, Over(Arc::new(other))))
}

impl Over {
    /// Waits until `pipe` can be read or written, or the bot is over; returns whether it is over.
    fn or_ready(&self, pipe: BorrowedFd<'_>, event: PollFlags) -> io::Result<bool> {
        let mut events = [PollFd::new(pipe, event), PollFd::new(self.0.as_fd(), PollFlags::POLLIN)];
        match poll(&mut events, PollTimeout::NONE) {
            Ok(_) => Ok(events[1].any() == Some(true)),
            Err(Errno::EINTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

/// An output of a bot.
#[derive(Debug)]
pub struct BotOutput {
    pipe: PipeReader,
    over: Over,
    /// The most bytes that are still read, once the bot is over.
    rest: Option<usize>,
}

impl BotOutput {
    /// Reads `pipe` until its end, or until the bot is `over` and the pipe is empty.
    ///
    /// # Errors
    /// The system refuses a call.
    pub fn new(pipe: PipeReader, over: Over) -> io::Result<Self> {
        do_not_wait(pipe.as_fd())?;
        Ok(Self { pipe, over, rest: None })
    }
}

impl Read for BotOutput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.rest.is_none() && self.over.or_ready(self.pipe.as_fd(), PollFlags::POLLIN)? {
                // Another process may write without end.
                let capacity = fcntl(&self.pipe, FcntlArg::F_GETPIPE_SZ)?;
                self.rest = Some(usize::try_from(capacity).unwrap_or(0));
            }
            let most = self.rest.unwrap_or(usize::MAX).min(buffer.len());
            match self.pipe.read(&mut buffer[..most]) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if self.rest.is_some() {
                        return Ok(0);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => {
                    if let (Some(rest), Ok(count)) = (&mut self.rest, &read) {
                        *rest -= count;
                    }
                    return read;
                }
            }
        }
    }
}

/// The input of a bot.
#[derive(Debug)]
pub struct BotInput {
    pipe: PipeWriter,
    over: Over,
}

impl BotInput {
    /// Writes to `pipe`; fails once the bot is `over`.
    ///
    /// # Errors
    /// The system refuses a call.
    pub fn new(pipe: PipeWriter, over: Over) -> io::Result<Self> {
        do_not_wait(pipe.as_fd())?;
        Ok(Self { pipe, over })
    }
}

impl Write for BotInput {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        loop {
            match self.pipe.write(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if self.over.or_ready(self.pipe.as_fd(), PollFlags::POLLOUT)? {
                        return Err(io::ErrorKind::BrokenPipe.into());
                    }
                }
                written => return written,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Lets reads and writes of this end fail instead of waiting. The bot's end is not changed.
fn do_not_wait(pipe: BorrowedFd<'_>) -> io::Result<()> {
    let flags = OFlag::from_bits_retain(fcntl(pipe, FcntlArg::F_GETFL)?);
    fcntl(pipe, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn an_output_that_is_kept_open_ends_with_the_bot() {
        let (reader, mut kept) = io::pipe().unwrap();
        let (alive, over) = alive().unwrap();
        let mut output = BotOutput::new(reader, over).unwrap();
        kept.write_all(b"last words").unwrap();
        drop(alive);
        let mut text = String::new();
        output.read_to_string(&mut text).unwrap();
        assert_eq!(text, "last words");
    }

    #[test]
    fn an_output_that_is_flooded_ends_with_the_bot() {
        let (reader, mut kept) = io::pipe().unwrap();
        let (alive, over) = alive().unwrap();
        let mut output = BotOutput::new(reader, over).unwrap();
        drop(alive);
        let flood = thread::spawn(move || while kept.write_all(&[b'x'; 4096]).is_ok() {});
        let read = io::copy(&mut output, &mut io::sink()).unwrap();
        assert!(read <= 1 << 20, "{read}");
        drop(output);
        flood.join().unwrap();
    }

    #[test]
    fn an_input_that_is_kept_open_and_not_read_ends_with_the_bot() {
        let (_kept, writer) = io::pipe().unwrap();
        let (alive, over) = alive().unwrap();
        let mut input = BotInput::new(writer, over).unwrap();
        let writes = thread::spawn(move || input.write_all(&[b'x'; 2 << 20]));
        drop(alive);
        writes.join().unwrap().unwrap_err();
    }
}
