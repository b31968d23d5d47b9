//! The destination of a command's output: a file, or a stream.
//!
//! A path names one of three things:
//!
//! * standard output: `-`, `/dev/stdout`, or a link to that;
//! * a stream: a FIFO, a device, the pipe of a process substitution (`/dev/fd/63`). It is written
//!   directly. A FIFO without a reader blocks until a process opens it, as in shells. A pipe whose
//!   reader has closed it gets nothing; that is not an error;
//! * a file, existing or not. Links are followed, and the file at their end is replaced whole: the
//!   text is written to a file beside it, which is then renamed. The link stays.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::util::system;

/// The thing that a path for output names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Destination {
    /// This process's standard output.
    StandardOutput,
    /// A FIFO, a device, or a pipe that another process holds.
    Stream {
        /// A path by which the stream can be opened.
        path: PathBuf,
        /// Whether other processes can open it by name, so that a reader may still come.
        is_named: bool,
    },
    /// A file, existing or not; not a link.
    File(PathBuf),
}

/// Names of standard output.
const STANDARD_OUTPUT: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// The most links that are followed, as in the kernel.
const LINKS: usize = 40;

/// Who can read a new file, as far as the user's mask of permissions allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Readers {
    /// All users.
    All,
    /// The user alone: for files with the environment of bots, which may hold secrets.
    Owner,
}

/// When a written file is on the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Durability {
    /// At a time that the system chooses: for files that can be made again.
    Fast,
    /// Before the writing ends: after a power cut the file is the former or the new one, whole.
    Synced,
}

impl Destination {
    /// The destination that `path` names.
    ///
    /// # Errors
    /// The path is a folder or a circle of links, or the file system reports an error.
    pub fn of(path: &Path) -> io::Result<Self> {
        if path == Path::new("-") {
            return Ok(Self::StandardOutput);
        }
        let mut at = path.to_owned();
        for _ in 0..LINKS {
            if STANDARD_OUTPUT.iter().any(|name| at == Path::new(name)) {
                return Ok(Self::StandardOutput);
            }
            let found = match at.symlink_metadata() {
                // If a part of the path is a file, making the folder reports that.
                Err(missing)
                    if matches!(
                        missing.kind(),
                        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                    ) =>
                {
                    return Ok(Self::File(at));
                }
                found => found?.file_type(),
            };
            if found.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            } else if found.is_file() {
                return Ok(Self::File(at));
            } else if !found.is_symlink() {
                return Ok(Self::Stream { path: at, is_named: true });
            }
            let folder = at.parent().unwrap_or_else(|| Path::new(""));
            let target = folder.join(fs::read_link(&at)?);
            // A link in /proc leads to an open file, whose text (`pipe:[7]`) need not be a path.
            if target.symlink_metadata().is_err() && at.exists() {
                return Ok(Self::Stream { path: at, is_named: false });
            }
            at = target;
        }
        Err(io::Error::other("too many levels of links"))
    }

    /// Whether this is a file, existing or not.
    pub const fn is_file(&self) -> bool {
        matches!(self, Self::File(_))
    }

    /// Writes all bytes: a file is replaced whole or not at all, and its folder must exist. A
    /// closed reader is not an error.
    ///
    /// # Errors
    /// The file system reports an error.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::StandardOutput => standard_output(bytes),
            Self::Stream { path, is_named } => {
                system::open_stream(path, *is_named)?.map_or(Ok(()), |mut stream| {
                    ignore_broken_pipe(stream.write_all(bytes).and_then(|()| stream.flush()))
                })
            }
            Self::File(path) => {
                let folder = folder_of(path);
                let draft = draft_in(folder, bytes, Durability::Fast, Readers::All)?;
                draft.persist(path).map_err(|refused| refused.error)
            }
        }
    }
}

/// Whether `path` names standard output, where nothing else may be printed then.
pub fn is_standard_output(path: &Path) -> bool {
    matches!(Destination::of(path), Ok(Destination::StandardOutput))
}

/// Writes to standard output and flushes it.
///
/// # Errors
/// Standard output cannot be written. A closed reader is not an error.
pub fn standard_output(bytes: &[u8]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    ignore_broken_pipe(output.write_all(bytes).and_then(|()| output.flush()))
}

/// Ignores the error of a reader that has closed the pipe.
fn ignore_broken_pipe(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// A file with these bytes in `folder`; it is removed unless it is renamed. It is closed, because
/// there may be more drafts than a process may have open files.
pub fn draft_in(
    folder: &Path,
    bytes: &[u8],
    durability: Durability,
    readers: Readers,
) -> io::Result<tempfile::TempPath> {
    let mut file = new_draft(folder, readers)?;
    // Written to the file itself, whose errors do not contain the path of the draft.
    file.as_file_mut().write_all(bytes)?;
    if durability == Durability::Synced {
        file.as_file().sync_all()?;
    }
    Ok(file.into_temp_path())
}

/// An empty draft in `folder`, open for writing.
pub fn new_draft(folder: &Path, readers: Readers) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    if readers == Readers::All {
        system::readable_by_others(&mut builder);
    }
    builder.tempfile_in(folder).map_err(without_draft_path)
}

/// The error without the path of the draft, which would not help the user.
fn without_draft_path(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((reason, _)) => io::Error::new(error.kind(), reason.to_owned()),
        None => error,
    }
}

/// The folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or_else(|| Path::new("."))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed_to_their_targets() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("file"), "old").unwrap();
        for (name, target) in [
            ("link", "file"),
            ("further", "link"),
            ("dangling", "none"),
            ("circle", "circle"),
            ("out", "/dev/stdout"),
            ("null", "/dev/null"),
        ] {
            symlink(target, path(name)).unwrap();
        }
        let of = |name: &str| Destination::of(&path(name));
        assert_eq!(of("further").unwrap(), Destination::File(path("file")));
        assert_eq!(of("dangling").unwrap(), Destination::File(path("none")));
        assert_eq!(of("out").unwrap(), Destination::StandardOutput);
        assert_eq!(Destination::of(Path::new("-")).unwrap(), Destination::StandardOutput);
        let null = Destination::Stream { path: "/dev/null".into(), is_named: true };
        assert_eq!(of("null").unwrap(), null);
        assert!(of("circle").is_err());
        assert!(Destination::of(folder.path()).is_err());
        of("further").unwrap().write(b"new").unwrap();
        assert!(path("further").is_symlink() && path("link").is_symlink());
        assert_eq!(fs::read_to_string(path("file")).unwrap(), "new");
    }

    #[test]
    fn a_pipe_without_a_reader_is_no_error() {
        use std::os::fd::AsRawFd as _;
        let (reader, writer) = io::pipe().unwrap();
        let path = format!("/proc/self/fd/{}", writer.as_raw_fd());
        let pipe = Destination::of(Path::new(&path)).unwrap();
        assert_eq!(pipe, Destination::Stream { path: path.into(), is_named: false });
        pipe.write(b"text").unwrap();
        drop(reader);
        pipe.write(b"text").unwrap();
    }
}
