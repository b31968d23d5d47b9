//! Zip archives. The same files give the same bytes.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Cursor, Read as _, Write as _};
use std::path::Path;

use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use super::SubmissionError;
use crate::record::{Destination, folder_of};
use crate::util::sanitize::shown;

/// The files of an archive: names with slashes, and bytes.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Maximum size in bytes of all files of an archive together: many times the size of a submission.
pub const LARGEST: u64 = 1 << 28;

/// Whether a file is executable: the scripts, and the binaries in `bin`.
fn is_run(name: &str) -> bool {
    name.starts_with("bin/") || (name.ends_with(".sh") && !name.contains('/'))
}

/// Writes an archive to the destination of `path` ([`Destination`]), and returns its size in bytes.
///
/// Names are sorted, times are the format's first day, and owners are not stored, so that the bytes
/// depend only on the files.
///
/// # Errors
/// The archive cannot be written.
pub fn write(path: &Path, files: &Files) -> Result<u64, SubmissionError> {
    let zip = |error: ZipError| SubmissionError::Refused(format!("{}: {error}", shown(path)));
    // Built in memory, because the destination may be a pipe, which cannot seek.
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(9))
            .last_modified_time(DateTime::default())
            .unix_permissions(if is_run(name) { 0o755 } else { 0o644 });
        writer.start_file(name.as_str(), options).map_err(zip)?;
        writer.write_all(bytes).map_err(SubmissionError::file(path, "write"))?;
    }
    let bytes = writer.finish().map_err(zip)?.into_inner();
    let written = Destination::of(path).and_then(|destination| destination.write(&bytes));
    written.map_err(SubmissionError::file(path, "write"))?;
    Ok(bytes.len() as u64)
}

/// Checks that the folder of the archive exists, and that `path` is not itself a folder.
///
/// # Errors
/// The archive cannot be written there.
pub fn check_place(path: &Path) -> Result<(), SubmissionError> {
    match Destination::of(path).map_err(SubmissionError::file(path, "write"))? {
        Destination::File(file) if !folder_of(&file).is_dir() => {
            Err(SubmissionError::file(path, "write")(io::ErrorKind::NotFound.into()))
        }
        _ => Ok(()),
    }
}

/// Unpacks an archive into a folder, and returns the names in it.
///
/// # Errors
/// The file is no archive, its files are larger than [`LARGEST`] together, a name leads outside the
/// folder, or a file cannot be read or written.
pub fn unpack(path: &Path, folder: &Path) -> Result<Vec<String>, SubmissionError> {
    unpack_at_most(LARGEST, path, folder)
}

/// Unpacks as [`unpack`] does, with a limit of `largest` bytes for all files together.
fn unpack_at_most(
    largest: u64,
    path: &Path,
    folder: &Path,
) -> Result<Vec<String>, SubmissionError> {
    let zip = |error: ZipError| SubmissionError::Refused(format!("{}: {error}", shown(path)));
    let file = File::open(path).map_err(SubmissionError::file(path, "read"))?;
    let mut archive = ZipArchive::new(file).map_err(|error| {
        let reason = "expected a zip, as `tensai submit` writes it";
        SubmissionError::Refused(format!("{}: {reason}: {error}", shown(path)))
    })?;
    // The sizes in the headers may be false, so the files are decompressed once to measure them.
    let mut left = largest;
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(zip)?;
        let mut entry = entry.take(left + 1);
        let size =
            io::copy(&mut entry, &mut io::sink()).map_err(SubmissionError::file(path, "read"))?;
        let rest = left.checked_sub(size);
        left = rest.ok_or_else(|| {
            let path = shown(path);
            let reason = format!("expected files of at most {largest} bytes together, found more");
            SubmissionError::Refused(format!("{path}: {reason}"))
        })?;
    }
    archive.extract(folder).map_err(zip)?;
    let names = archive.file_names().map(|name| Ok(name.map_err(zip)?.into_owned()));
    names.collect()
}

/// Adds all files below `folder` to `files`, under names that begin with `prefix`.
///
/// # Errors
/// A file or folder cannot be read, or a name is not UTF-8.
pub fn gather(folder: &Path, prefix: &str, files: &mut Files) -> Result<(), SubmissionError> {
    for entry in fs::read_dir(folder).map_err(SubmissionError::file(folder, "read"))? {
        let entry = entry.map_err(SubmissionError::file(folder, "read"))?;
        let path = entry.path();
        let name = entry.file_name().into_string().map_err(|_| {
            SubmissionError::Refused(format!("{}: the name is not UTF-8 text", shown(&path)))
        })?;
        let name = format!("{prefix}{name}");
        if path.is_dir() {
            gather(&path, &(name + "/"), files)?;
        } else {
            let bytes = fs::read(&path).map_err(SubmissionError::file(&path, "read"))?;
            files.insert(name, bytes);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn some_files() -> Files {
        let text = |name: &str| (name.to_owned(), format!("{name}\n").into_bytes());
        ["src/main.rs", "run.sh", "bin/tensai", "vendor/a/build.sh"].map(text).into()
    }

    #[test]
    fn the_same_files_give_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = ["a.zip", "b.zip"].map(|name| folder.path().join(name));
        let size = write(&first, &some_files()).unwrap();
        write(&second, &some_files()).unwrap();
        let bytes = fs::read(&first).unwrap();
        assert_eq!(bytes.len() as u64, size);
        assert_eq!(bytes, fs::read(&second).unwrap());
    }

    #[test]
    fn unpacking_gives_the_packed_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.zip");
        write(&path, &some_files()).unwrap();
        let inside = folder.path().join("inside");
        let names = unpack(&path, &inside).unwrap();
        assert_eq!(names, ["bin/tensai", "run.sh", "src/main.rs", "vendor/a/build.sh"]);
        let mut files = Files::new();
        gather(&inside, "", &mut files).unwrap();
        assert_eq!(files, some_files());
        let mode = |name| inside.join(name).metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode("run.sh"), 0o755);
        assert_eq!(mode("bin/tensai"), 0o755);
        assert_eq!(mode("vendor/a/build.sh"), 0o644);
    }

    #[test]
    fn an_archive_needs_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        check_place(&folder.path().join("a.zip")).unwrap();
        check_place(Path::new("a.zip")).unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        for path in ["none/a.zip", "file/a.zip", "."] {
            let error = check_place(&folder.path().join(path)).unwrap_err().to_string();
            assert!(error.contains(": cannot write: "), "{error}");
        }
    }

    #[test]
    fn an_archive_that_grows_too_large_is_not_unpacked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.zip");
        let zeros = |name: &str| (name.to_owned(), vec![0; 50_000]);
        assert!(write(&path, &["a", "b"].map(zeros).into()).unwrap() < 1000);
        let inside = folder.path().join("inside");
        let error = unpack_at_most(99_999, &path, &inside).unwrap_err().to_string();
        assert!(error.ends_with("expected files of at most 99999 bytes together, found more"));
        assert!(!inside.exists());
        assert_eq!(unpack_at_most(100_000, &path, &inside).unwrap(), ["a", "b"]);
    }

    #[test]
    fn files_that_are_no_archives_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.zip");
        fs::write(&path, "text").unwrap();
        let error = unpack(&path, folder.path()).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{}: ", path.display())), "{error}");
    }
}
