//! The zip of a submission.

use std::fs;
use std::path::Path;

use tensai::arena::submission::archive;

use super::FuzzTarget;
use crate::checks::message;

/// The zip that `submit --check` unpacks.
pub const ARCHIVE: FuzzTarget = FuzzTarget {
    // A deflated byte may become a thousand bytes, which are written to disk; only buffers are in
    // memory.
    memory: 16 << 20,
    iterations: 200,
    words: &[
        "PK\u{1}\u{2}",
        "PK\u{3}\u{4}",
        "PK\u{5}\u{6}",
        "../",
        "/",
        "run.sh",
        "compile.sh",
        "\0\0\0\0",
    ],
    ..FuzzTarget::new("archive", run)
};

/// Bytes of the files in a folder, and below it; links are not followed.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(about) if about.is_dir() => size(&entry.path()),
        Ok(about) => about.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

fn run(data: &[u8]) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let zip = folder.path().join("submission.zip");
    let inside = folder.path().join("inside");
    fs::write(&zip, data).unwrap();
    fs::create_dir(&inside).unwrap();
    let unpacked = archive::unpack(&zip, &inside);
    let mut entries: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    entries.sort();
    assert_eq!(entries, ["inside", "submission.zip"], "nothing is unpacked elsewhere");
    assert_eq!(fs::read(&zip).unwrap(), data, "the archive is as it was");
    // Deflate packs a thousand bytes into one at best.
    assert!(size(&inside) <= archive::LARGEST, "the disk is not filled");
    match unpacked {
        Ok(names) => {
            assert!(names.len() <= data.len());
            None
        }
        Err(error) => {
            let said = error.to_string();
            message(said.strip_prefix(&format!("{}: ", zip.display())).unwrap_or(&said))
        }
    }
}
