//! Reading a file that others have written: whole, and never more than such a file may have.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Bytes of a game record or of a match in the official client's format: a game of 500 turns with
/// all that two bots said has some megabytes.
pub const RECORD: u64 = 256 << 20;

/// Bytes of a table of positions: millions of them.
pub const POSITIONS: u64 = 1 << 30;

/// Bytes of what people write by hand (settings, fields, situations).
pub const BY_HAND: u64 = 1 << 20;

/// Reads a file of at most `most` bytes.
///
/// # Errors
/// The file system says no, or the file is larger; an endless one (`/dev/zero`) too.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_all(File::open(path)?, most)
}

/// Reads a regular file of at most `most` bytes. In a folder of files that others have made, a FIFO
/// would be waited for without an end.
///
/// # Errors
/// As [`read`]; and what is no regular file.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
    }
    read(path, most)
}

/// Reads a file of UTF-8 text of at most `most` bytes.
///
/// # Errors
/// As [`read`]; and bytes that are no UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let text = String::from_utf8(read(path, most)?);
    text.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
}

/// Reads a stream of at most `most` bytes to its end.
///
/// # Errors
/// It cannot be read, or has more.
pub fn read_all(stream: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let what = format!("it has more than {} MiB, the most for such a file", most >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_stream_is_refused() {
        let error = read_all(io::repeat(b'7'), BY_HAND).unwrap_err();
        assert_eq!(error.to_string(), "it has more than 1 MiB, the most for such a file");
        assert_eq!(read_all(&[b'7'; 8][..], 8).unwrap().len(), 8);
        assert!(read_all(&[b'7'; 9][..], 8).is_err());
    }
}
