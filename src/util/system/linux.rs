//! The functions of [`super`] on Linux.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use procfs::process::Process;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU, SIGXFSZ};
use signal_hook::flag;

/// The signals that stop a command. SIGHUP is left out if it is ignored at the start: a program
/// under `nohup` continues when its terminal is closed.
pub fn stop_signals() -> Vec<i32> {
    let mut signals = vec![SIGINT, SIGTERM];
    signals.extend(not_ignored(&[SIGHUP]));
    signals
}

/// The signals by which a terminal pauses a program (Ctrl-Z), unless they are ignored at the start.
pub fn pause_signals() -> Vec<i32> {
    not_ignored(&[SIGTSTP, SIGTTIN, SIGTTOU])
}

/// The `signals` that this process does not ignore.
fn not_ignored(signals: &[i32]) -> Vec<i32> {
    let status = Process::myself().and_then(|process| process.status());
    let ignored = status.map_or(0, |status| status.sigign);
    let is_ignored = |signal: i32| ignored >> (signal - 1) & 1 == 1;
    signals.iter().copied().filter(|&signal| !is_ignored(signal)).collect()
}

/// Makes a write fail that would exceed the file size limit of the process (`ulimit -f`), as on a
/// full disk. Before, the signal of such a write kills the process.
///
/// # Errors
/// The system does not let this process catch signals.
pub fn large_files_are_errors() -> io::Result<()> {
    flag::register(SIGXFSZ, Arc::default()).map(drop)
}

/// Writes the names of the files in `folder` to the disk.
///
/// # Errors
/// The file system reports an error. A file system that cannot do that is no error.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder)?.sync_all() {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        synced => synced,
    }
}

/// Opens the file by whose lock processes agree, which is made if it does not exist. A link is not
/// followed: others may have put it there.
///
/// # Errors
/// `path` is a link, or the file system reports an error.
pub fn open_lock(path: &Path) -> io::Result<File> {
    // Opening for reading and writing does not block on a file of any kind.
    let flags = OFlag::O_NOFOLLOW.bits();
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false).custom_flags(flags).open(path)
}

/// Opens a FIFO, device or pipe for writing; `None` if its reader has closed it and no other can
/// come. A FIFO that other processes can open by name (`is_named`) is waited for until it has a
/// reader.
///
/// # Errors
/// The file system reports an error.
pub fn open_stream(path: &Path, is_named: bool) -> io::Result<Option<File>> {
    let open = |flags: OFlag| {
        OpenOptions::new().write(true).custom_flags((flags | OFlag::O_NOCTTY).bits()).open(path)
    };
    // Opening a FIFO blocks until there is a reader, so the first attempt does not block.
    match open(OFlag::O_NONBLOCK) {
        Ok(stream) => {
            let flags = OFlag::from_bits_retain(fcntl(&stream, FcntlArg::F_GETFL)?);
            fcntl(&stream, FcntlArg::F_SETFL(flags - OFlag::O_NONBLOCK))?;
            Ok(Some(stream))
        }
        Err(error) if error.raw_os_error() == Some(Errno::ENXIO as i32) => {
            if !fs::metadata(path)?.file_type().is_fifo() {
                Err(error)
            } else if is_named {
                open(OFlag::empty()).map(Some)
            } else {
                Ok(None)
            }
        }
        Err(error) => Err(error),
    }
}

/// Lets others read the temporary files of `builder`, like any file; the default permissions are
/// for secrets.
pub fn readable_by_others(builder: &mut tempfile::Builder<'_, '_>) {
    builder.permissions(fs::Permissions::from_mode(0o666));
}

/// Lets only the owner read, change and enter a folder.
///
/// # Errors
/// The file system reports an error.
pub fn make_private(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}

/// Opens `url` in the browser of the desktop.
///
/// A process of its own starts the browser and ends: the browser is then no descendant of this
/// process, which as the referee of a match would end it with the processes of a bot, and Ctrl-C
/// does not reach it.
///
/// # Errors
/// No browser opens.
pub fn open_browser(url: &str) -> io::Result<()> {
    let helper = Command::new("/proc/self/exe")
        .args(["browse", url])
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    if helper.success() { Ok(()) } else { Err(io::Error::other("no program opens addresses")) }
}

/// Opens `url` in the browser of the desktop, which becomes a descendant of this process.
///
/// # Errors
/// No browser opens.
pub fn browse(url: &str) -> io::Result<()> {
    open::that_detached(url)
}
