//! The private channel between the referee and a supervisor, and between a supervisor and the
//! process that becomes the bot.
//!
//! A channel is a pair of connected sockets. The process that is started inherits one end as its
//! standard input. Unlike a pipe, a socket cannot be opened by its name in `/proc`, so no bot can
//! write to it or keep it open. Each message arrives whole, and no call waits.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::cmsg_space;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags,
    SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recvmsg,
    sendmsg, socketpair,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The most bytes of a message: more than the kernel sends at once.
const MOST: usize = 1 << 18;

/// One end of a channel.
#[derive(Debug)]
pub struct Channel(OwnedFd);

/// What came out of a channel.
#[derive(Debug)]
pub enum Received<T> {
    /// A message, and the stream that was sent along.
    Message(T, Option<OwnedFd>),
    /// No message is there yet.
    Nothing,
    /// The other end is closed.
    Closed,
}

impl Channel {
    /// A new channel: this process's end, and the standard input of the process to start.
    ///
    /// # Errors
    /// The system has no further file handles.
    pub fn pair() -> io::Result<(Self, OwnedFd)> {
        let (kind, flags) = (SocketType::SEQPACKET, SocketFlags::CLOEXEC);
        let (own, other) = socketpair(AddressFamily::UNIX, kind, flags, None)?;
        Ok((Self(own), other))
    }

    /// The end that this process has inherited as its standard input. The standard input stays
    /// open.
    ///
    /// # Errors
    /// The system has no further file handles.
    pub fn inherited() -> io::Result<Self> {
        io::stdin().as_fd().try_clone_to_owned().map(Self)
    }

    /// Sends a message, and with it `stream`.
    ///
    /// # Errors
    /// The other end is closed or does not read, or the message is too long.
    pub fn send(&self, message: &impl Serialize, stream: Option<BorrowedFd<'_>>) -> io::Result<()> {
        let text = serde_json::to_vec(message)?;
        let streams = stream.as_slice();
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(1))];
        let mut along = SendAncillaryBuffer::new(&mut space);
        if !streams.is_empty() {
            along.push(SendAncillaryMessage::ScmRights(streams));
        }
        let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
        sendmsg(&self.0, &[IoSlice::new(&text)], &mut along, flags)?;
        Ok(())
    }

    /// Takes the next message.
    ///
    /// # Errors
    /// This is no channel, or the message is not of this kind.
    pub fn receive<T: DeserializeOwned>(&self) -> io::Result<Received<T>> {
        let mut text = vec![0; MOST];
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(1))];
        let mut along = RecvAncillaryBuffer::new(&mut space);
        let flags = RecvFlags::DONTWAIT | RecvFlags::CMSG_CLOEXEC;
        let received = loop {
            match recvmsg(&self.0, &mut [IoSliceMut::new(&mut text)], &mut along, flags) {
                Ok(received) => break received,
                // CONNRESET, once: the other end was closed with unread messages. Those that it has
                // sent can still be read.
                Err(rustix::io::Errno::INTR | rustix::io::Errno::CONNRESET) => {}
                Err(rustix::io::Errno::AGAIN) => return Ok(Received::Nothing),
                Err(error) => return Err(error.into()),
            }
        };
        let mut streams = along.drain().flat_map(|message| match message {
            RecvAncillaryMessage::ScmRights(streams) => streams.collect::<Vec<OwnedFd>>(),
            _ => Vec::new(),
        });
        let stream = streams.next();
        if received.bytes == 0 {
            return Ok(Received::Closed);
        }
        if received.flags.contains(ReturnFlags::TRUNC) {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(Received::Message(serde_json::from_slice(&text[..received.bytes])?, stream))
    }
}

impl AsFd for Channel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{Read as _, Write as _};
    use std::os::fd::AsRawFd as _;

    use super::*;

    #[test]
    fn messages_arrive_whole_with_their_streams_and_then_the_end() {
        let (own, other) = Channel::pair().unwrap();
        let other = Channel(other);
        assert!(matches!(other.receive::<String>(), Ok(Received::Nothing)));
        let (reader, mut writer) = io::pipe().unwrap();
        own.send(&"a".repeat(100_000), Some(reader.as_fd())).unwrap();
        own.send(&"b", None).unwrap();
        drop(reader);
        let Ok(Received::Message(text, Some(stream))) = other.receive::<String>() else { panic!() };
        assert_eq!(text.len(), 100_000);
        writer.write_all(b"x").unwrap();
        drop(writer);
        let mut read = String::new();
        File::from(stream).read_to_string(&mut read).unwrap();
        assert_eq!(read, "x");
        drop(own);
        let Ok(Received::Message(text, None)) = other.receive::<String>() else { panic!() };
        assert_eq!(text, "b");
        assert!(matches!(other.receive::<String>(), Ok(Received::Closed)));
        other.send(&"c", None).unwrap_err();
    }

    #[test]
    fn the_last_message_of_a_process_that_has_left_some_unread_arrives() {
        let (own, other) = Channel::pair().unwrap();
        let other = Channel(other);
        own.send(&"unread", None).unwrap();
        other.send(&"last", None).unwrap();
        drop(other);
        let Ok(Received::Message(text, None)) = own.receive::<String>() else { panic!() };
        assert_eq!(text, "last");
        assert!(matches!(own.receive::<String>(), Ok(Received::Closed)));
    }

    #[test]
    fn sending_to_a_process_that_does_not_read_fails_and_does_not_wait() {
        let (own, _other) = Channel::pair().unwrap();
        while own.send(&"a".repeat(10_000), None).is_ok() {}
        own.send(&"a".repeat(MOST), None).unwrap_err();
    }

    #[test]
    fn a_channel_cannot_be_opened_by_its_name() {
        let (own, _other) = Channel::pair().unwrap();
        let name = format!("/proc/self/fd/{}", own.0.as_raw_fd());
        File::options().write(true).open(&name).unwrap_err();
        File::open(&name).unwrap_err();
    }
}
