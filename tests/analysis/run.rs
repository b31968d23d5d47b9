//! Running the program, also for a game to look at.

use std::path::{Path, PathBuf};

pub use crate::checked::{refused, said};
pub use crate::running::{run, tensai};

/// Plays a game of two bots, given as words of engines; its record.
pub fn play(folder: &Path, engines: [&[&str]; 2]) -> PathBuf {
    let [first, second] = engines;
    let arguments =
        [&["match", "--records", "games", "--seed", "4", "--engine"], first, &["--engine"], second];
    said(folder, &arguments.concat(), "");
    folder.join("games/0001.json")
}
