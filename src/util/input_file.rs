//! Reads untrusted files up to a maximum size.
//!
//! A reader of such a file takes at most a few times its size in memory, because the number of its
//! values is limited too.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The maximum bytes of a game record, or of a match in the official client's format. A game of 500
/// turns with the messages of two bots has some megabytes.
pub const RECORD: u64 = 256 << 20;

/// The maximum bytes of a file of positions, enough for millions of positions.
pub const POSITIONS: u64 = 1 << 30;

/// The maximum bytes of files written by hand (settings, situations).
pub const BY_HAND: u64 = 1 << 20;

/// The maximum values of JSON, in a file or a request: elements of lists and entries of objects,
/// without those in the `info` of a bot, which stays text. A game has some thousands; the path of a
/// long tuning, or a thousand games of a league for puzzles, have some hundred thousands.
pub const VALUES: usize = 1 << 20;

/// The maximum signs before values (`=.,[{`) and ends of lines of TOML, which people write: a match of
/// 1,000 engines with ten options each has 22,000. Each may take a kilobyte while it is parsed.
pub const VALUES_BY_HAND: usize = 40_000;

/// Reads a file of at most `most` bytes.
///
/// # Errors
/// Fails if the file cannot be read or is larger, as an endless file is (`/dev/zero`).
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_all(File::open(path)?, most)
}

/// Reads a regular file of at most `most` bytes. A FIFO in an untrusted folder is refused, because
/// reading it could wait forever.
///
/// # Errors
/// As [`read`]; also fails if the file is not a regular file.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    read(path, most)
}

/// Reads a file of UTF-8 text of at most `most` bytes.
///
/// # Errors
/// As [`read`]; also fails if the bytes are not UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let text = String::from_utf8(read(path, most)?);
    text.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
}

/// Reads a stream of at most `most` bytes to its end. Leaves out a byte order mark at its start.
///
/// # Errors
/// Fails if the stream cannot be read or has more bytes.
pub fn read_all(stream: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(most + 1).read_to_end(&mut bytes)?;
    check_length(bytes.len(), most)
        .map_err(|reason| io::Error::new(io::ErrorKind::FileTooLarge, reason))?;
    let mark = bytes.len() - without_byte_order_mark(&bytes).len();
    bytes.drain(..mark);
    Ok(bytes)
}

/// Checks that a text has at most `most` bytes.
///
/// # Errors
/// It has more.
pub fn check_length(length: usize, most: u64) -> Result<(), String> {
    match length as u64 > most {
        true => Err(format!("it is larger than {} MiB, the limit for such a file", most >> 20)),
        false => Ok(()),
    }
}

/// Returns `bytes` without the byte order mark that some programs on Windows write before UTF-8
/// text.
pub fn without_byte_order_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_stream_is_refused() {
        let error = read_all(io::repeat(b'7'), BY_HAND).unwrap_err();
        assert_eq!(error.to_string(), "it is larger than 1 MiB, the limit for such a file");
        assert_eq!(read_all(&[b'7'; 8][..], 8).unwrap().len(), 8);
        assert!(read_all(&[b'7'; 9][..], 8).is_err());
    }

    #[test]
    fn a_byte_order_mark_is_left_out() {
        assert_eq!(read_all(&b"\xef\xbb\xbf{}"[..], 8).unwrap(), b"{}");
        assert_eq!(read_all(&b"\xef\xbb{}"[..], 8).unwrap(), b"\xef\xbb{}");
    }
}
