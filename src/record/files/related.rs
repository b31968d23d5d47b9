//! Writes files: related ones, all of them whole or none, and those that the program keeps in a
//! folder.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::output::{self, Destination, Durability, Readers, folder_of};
use crate::record::RecordError;
use crate::util::system;

/// Writes new files, each a path and its text: all of them or none. No existing file is
/// overwritten; missing folders are made. A stream ([`Destination`]) is written directly, after the
/// files.
///
/// # Errors
/// A file exists already, or the file system reports an error.
pub fn write_new(files: impl IntoIterator<Item = (PathBuf, String)>) -> Result<(), RecordError> {
    try_write_new(files.into_iter().map(Ok::<_, RecordError>))
}

/// Writes new files as [`write_new`] does; each item may be an error instead of a file.
///
/// # Errors
/// The first error among the items, or a file exists already, or the file system reports an error.
/// No file is written then.
pub fn try_write_new<E: From<RecordError>>(
    files: impl IntoIterator<Item = Result<(PathBuf, String), E>>,
) -> Result<(), E> {
    // Each target folder has one folder of drafts, so that a killed process leaves one folder
    // behind instead of a file for each draft. The drafts are dropped before their folders.
    let (mut drafts, mut folders) = (Vec::new(), BTreeMap::<PathBuf, tempfile::TempDir>::new());
    let mut streams = Vec::new();
    for file in files {
        let (path, text) = file?;
        let destination = destination(&path)?;
        if !destination.is_file() {
            streams.push((path, destination, text));
            continue;
        }
        check_new(&path)?;
        make_folder(&path, &path)?;
        let of_drafts = match folders.entry(folder_of(&path).to_owned()) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let made = tempfile::Builder::new().prefix(DRAFTS).tempdir_in(entry.key());
                entry.insert(made.map_err(RecordError::file(&path, "write"))?)
            }
        };
        let draft =
            output::draft_in(of_drafts.path(), text.as_bytes(), Durability::Fast, Readers::All);
        let draft = draft.map_err(RecordError::file(&path, "write"))?;
        drafts.push((path, draft));
    }
    let mut written = Vec::new();
    for (path, draft) in drafts {
        if let Err(refused) = draft.persist_noclobber(&path) {
            // A file that cannot be removed stays: the present error is more useful than that of
            // the removal.
            written.iter().for_each(|path: &PathBuf| drop(fs::remove_file(path)));
            let source = match refused.error.kind() {
                io::ErrorKind::AlreadyExists => exists(),
                _ => refused.error,
            };
            return Err(RecordError::file(&path, "write")(source).into());
        }
        written.push(path);
    }
    for (path, stream, text) in streams {
        stream.write(text.as_bytes()).map_err(RecordError::file(&path, "write"))?;
    }
    Ok(())
}

/// The prefix of the names of the folders of drafts.
const DRAFTS: &str = ".tensai-drafts-";

/// Checks that a new file may be written to `path`: no file exists there, or it is a stream.
///
/// # Errors
/// A file or a folder exists at `path`.
pub fn check_new(path: &Path) -> Result<(), RecordError> {
    match destination(path)?.is_file() && path.symlink_metadata().is_ok() {
        true => Err(RecordError::file(path, "write")(exists())),
        false => Ok(()),
    }
}

/// Writes a file, whole or not at all, and replaces an existing one; missing folders are made. A
/// link is followed, and a stream is written directly ([`Destination`]).
///
/// # Errors
/// The file system reports an error.
pub fn write_over(path: &Path, text: &str) -> Result<(), RecordError> {
    let destination = destination(path)?;
    if let Destination::File(file) = &destination {
        make_folder(path, file)?;
    }
    destination.write(text.as_bytes()).map_err(RecordError::file(path, "write"))
}

/// Writes a file whose name the user did not give, in a folder of the program, and replaces what has
/// that name: a link itself and not its target, since others may have put it there. Missing folders
/// are made. After a power cut the file is the former or the new one, whole.
///
/// # Errors
/// The file system reports an error.
pub fn replace_in_folder(path: &Path, text: &str, readers: Readers) -> Result<(), RecordError> {
    in_folder(path, text, readers, |draft| draft.persist(path).map_err(|refused| refused.error))
}

/// As [`replace_in_folder`], but refuses to write if anything has that name, a link too.
///
/// # Errors
/// Something has that name, or the file system reports an error.
pub fn create_in_folder(path: &Path, text: &str, readers: Readers) -> Result<(), RecordError> {
    in_folder(path, text, readers, |draft| {
        draft.persist_noclobber(path).or_else(|refused| {
            if path.symlink_metadata().is_ok() {
                return Err(exists());
            }
            // A file system that has no such operation: a link that comes now is replaced.
            refused.path.persist(path).map_err(|refused| refused.error)
        })
    })
}

fn in_folder(
    path: &Path,
    text: &str,
    readers: Readers,
    name: impl FnOnce(tempfile::TempPath) -> io::Result<()>,
) -> Result<(), RecordError> {
    make_folder(path, path)?;
    let folder = folder_of(path);
    output::draft_in(folder, text.as_bytes(), Durability::Synced, readers)
        .and_then(name)
        .and_then(|()| system::sync_folder(folder))
        .map_err(RecordError::file(path, "write"))
}

pub(super) fn destination(path: &Path) -> Result<Destination, RecordError> {
    Destination::of(path).map_err(RecordError::file(path, "write"))
}

pub(super) fn exists() -> io::Error {
    io::Error::new(io::ErrorKind::AlreadyExists, "it exists already and is not overwritten")
}

/// Makes the folder of `file`; an error names `path`.
pub(super) fn make_folder(path: &Path, file: &Path) -> Result<(), RecordError> {
    fs::create_dir_all(folder_of(file)).map_err(RecordError::file(path, "create its folder"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_leaves_no_file_behind() {
        let folder = tempfile::tempdir().unwrap();
        let count = || fs::read_dir(folder.path()).unwrap().count();
        let files = || (0..10).map(|n| (folder.path().join(n.to_string()), "x".to_owned()));
        let failed = || RecordError::file(Path::new("x"), "write")(exists());
        for written in [0, 3, 9] {
            let stopped = files().enumerate().map(|(n, file)| match n < written {
                true => Ok(file),
                false => Err(failed()),
            });
            try_write_new(stopped).unwrap_err();
            assert_eq!(count(), 0, "stopped after {written} files");
        }
        let watched = files().enumerate().map(|(n, file)| {
            assert_eq!(count(), n.min(1), "drafts are in one folder");
            Ok::<_, RecordError>(file)
        });
        try_write_new(watched).unwrap();
        assert_eq!(count(), 10);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_link_in_a_folder_of_the_program_is_never_followed() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("secret"), "mine").unwrap();
        for (name, target) in [("link", "secret"), ("dangling", "none"), ("null", "/dev/null")] {
            symlink(target, path(name)).unwrap();
            let refused = create_in_folder(&path(name), "x", Readers::All).unwrap_err().to_string();
            assert!(refused.ends_with("it exists already and is not overwritten"), "{refused}");
            assert!(path(name).is_symlink(), "{name}");
            replace_in_folder(&path(name), "x", Readers::Owner).unwrap();
            assert!(!path(name).is_symlink(), "{name}");
            assert_eq!(fs::read_to_string(path(name)).unwrap(), "x");
            let mode = path(name).metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{name}");
        }
        assert_eq!(fs::read_to_string(path("secret")).unwrap(), "mine");
        assert!(!path("none").exists());
        create_in_folder(&path("new/file"), "x", Readers::All).unwrap();
        let count = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(count, 5, "no draft is left");
    }

    #[test]
    fn all_files_are_written_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let names = || {
            let entries = fs::read_dir(folder.path()).unwrap();
            let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        let file = |name: &str| (path(name), format!("{name}\n"));
        write_new([file("a"), file("b")]).unwrap();
        assert_eq!(names(), ["a", "b"]);
        assert_eq!(fs::read_to_string(path("b")).unwrap(), "b\n");
        let refused = write_new([file("c"), file("b")]).unwrap_err().to_string();
        assert!(refused.ends_with("b: cannot write: it exists already and is not overwritten"));
        assert_eq!(names(), ["a", "b"], "no draft is left either");
        write_new([file("c"), file("d"), file("c")]).unwrap_err();
        assert_eq!(names(), ["a", "b"], "the files that were written first are removed");
        write_over(&path("b"), "new").unwrap();
        assert_eq!(fs::read_to_string(path("b")).unwrap(), "new");
        assert_eq!(names(), ["a", "b"]);
        assert!(write_new([file("a/c")]).unwrap_err().to_string().contains("create its folder"));
    }
}
