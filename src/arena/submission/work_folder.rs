//! A folder for untrusted files, which can be removed whatever a program has made of them.

use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use super::SubmissionError;
use crate::util::message;
use crate::util::sanitize::shown;
use crate::util::system;

/// A new folder in the system's temporary folder that no other user can read. It is removed when
/// this value is dropped; if that fails, a message names it.
pub struct WorkFolder {
    /// The folder that only this user may enter.
    root: PathBuf,
    /// The folder in it for the files.
    files: PathBuf,
}

impl WorkFolder {
    /// Makes a folder.
    ///
    /// # Errors
    /// The system's temporary folder cannot be written.
    pub fn new() -> Result<Self, SubmissionError> {
        let made = tempfile::Builder::new().prefix("tensai-check-").tempdir();
        let private = made.and_then(|root| {
            system::make_private(root.path())?;
            fs::create_dir(root.path().join("files"))?;
            Ok(root.keep())
        });
        let root = private.map_err(SubmissionError::file(&std::env::temp_dir(), "write"))?;
        let files = root.join("files");
        Ok(Self { root, files })
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.files
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        if let Err(error) = remove(&self.root) {
            let path = shown(&self.root);
            message::line(format_args!("tensai: {path}: cannot remove: {error}"));
        }
    }
}

/// Removes a folder with all that it contains. Links are not followed.
///
/// [`fs::remove_dir_all`] holds a file handle for each level of folders, of which a submission may
/// have more than there are handles, and stops at a folder that its owner may not write to. Here
/// each folder is moved to the top before its content is looked at, so that neither the handles
/// nor the lengths of paths grow with the levels.
fn remove(root: &Path) -> io::Result<()> {
    let mut moved = 0_u64;
    loop {
        let tops = fs::read_dir(root)?.collect::<io::Result<Vec<_>>>()?;
        if tops.is_empty() {
            return fs::remove_dir(root);
        }
        for top in tops.iter().map(DirEntry::path) {
            system::make_private(&top)?;
            for entry in fs::read_dir(&top)? {
                let entry = entry?;
                if entry.file_type()?.is_dir() {
                    // A folder that its owner may not write to cannot be moved.
                    system::make_private(&entry.path())?;
                    moved += 1;
                    fs::rename(entry.path(), root.join(moved.to_string()))?;
                } else {
                    fs::remove_file(entry.path())?;
                }
            }
            fs::remove_dir(top)?;
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_folder_is_private_and_removed_with_all_that_a_script_leaves_in_it() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("kept"), "").unwrap();
        let folder = WorkFolder::new().unwrap();
        let path = folder.path().to_owned();
        let root = path.parent().unwrap().to_owned();
        assert_eq!(root.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        symlink(outside.path(), path.join("link")).unwrap();
        fs::create_dir_all(path.join("1/2/3")).unwrap();
        fs::write(path.join("1/2/file"), "").unwrap();
        for closed in ["1/2", "1"] {
            let none = PermissionsExt::from_mode(0o000);
            fs::set_permissions(path.join(closed), none).unwrap();
        }
        drop(folder);
        assert!(!root.exists());
        assert!(outside.path().join("kept").exists(), "a link is not followed");
    }
}
