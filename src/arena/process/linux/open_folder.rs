//! A folder that is held open, so that files in it can be written even if it is renamed.

use std::fs::{self, File, Metadata};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// An open folder.
#[derive(Debug)]
pub struct OpenFolder(File);

impl OpenFolder {
    /// Opens the folder at `path`.
    ///
    /// # Errors
    /// The file system reports an error.
    pub fn open(path: &Path) -> io::Result<Self> {
        File::open(path).map(Self)
    }

    /// A path of the folder that is valid as long as this value, even if the folder is renamed.
    pub fn path(&self) -> PathBuf {
        format!("/proc/self/fd/{}", self.0.as_raw_fd()).into()
    }

    /// Whether `path` leads to the open folder.
    pub fn is_at(&self, path: &Path) -> bool {
        let key = |metadata: Metadata| (metadata.dev(), metadata.ino());
        let own = self.0.metadata().map(key).ok();
        own.is_some() && own == path.metadata().map(key).ok()
    }

    /// The current path of the folder; `None` if it was deleted.
    pub fn moved_to(&self) -> Option<PathBuf> {
        fs::read_link(self.path()).ok().filter(|path| self.is_at(path))
    }
}
