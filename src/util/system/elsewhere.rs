//! The functions of [`super`] on systems other than Linux.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use signal_hook::consts::{SIGINT, SIGTERM};

/// The signals that stop a command.
pub fn stop_signals() -> Vec<i32> {
    vec![SIGINT, SIGTERM]
}

/// No signal pauses the program.
pub const fn pause_signals() -> Vec<i32> {
    Vec::new()
}

/// Does nothing: no limit of file sizes ends the process.
///
/// # Errors
/// None.
pub const fn large_files_are_errors() -> io::Result<()> {
    Ok(())
}

/// Does nothing: a folder cannot be opened to be written to the disk.
///
/// # Errors
/// None.
pub const fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// Opens the file by whose lock processes agree, which is made if it does not exist.
///
/// # Errors
/// The file system reports an error.
pub fn open_lock(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

/// Opens a stream for writing, and waits for its reader where the system does. Never `None`.
///
/// # Errors
/// The file system reports an error.
pub fn open_stream(path: &Path, _is_named: bool) -> io::Result<Option<File>> {
    OpenOptions::new().write(true).open(path).map(Some)
}

/// Does nothing: the system's permissions of new files apply.
pub const fn readable_by_others(_builder: &mut tempfile::Builder<'_, '_>) {}

/// Does nothing: the system's permissions of new folders apply.
///
/// # Errors
/// None.
pub const fn make_private(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// Opens `url` in the browser of the desktop.
///
/// # Errors
/// No browser opens.
pub fn open_browser(url: &str) -> io::Result<()> {
    browse(url)
}

/// As [`open_browser`].
///
/// # Errors
/// As [`open_browser`].
pub fn browse(url: &str) -> io::Result<()> {
    open::that_detached(url)
}
