//! Writing files: whole or not at all, and never over another file.
//!
//! * [`write_new`], [`write_over`]: files that belong together; [`Destination`]: a file or a stream;
//! * [`NewLines`]: a file of lines that is written while its lines are computed.

mod lines;
mod output;
mod related;

use std::path::Path;

pub use lines::NewLines;
pub use output::{Destination, Readers, folder_of, is_standard_output};
pub use related::{
    check_new, create_in_folder, replace_in_folder, try_write_new, write_new, write_over,
};

use super::official::{Replay, packs_path};
use super::{Record, RecordError, json_line};
use crate::game::Packs;

impl Record {
    /// Writes the record to a file, whole or not at all.
    ///
    /// # Errors
    /// The file system reports an error.
    pub fn write(&self, path: &Path) -> Result<(), RecordError> {
        write_over(path, &json_line(self))
    }
}

impl Replay {
    /// Writes the match to a file, and the packs of its games, in order, to files beside it
    /// ([`packs_path`]). All of the files are written or none, and no existing file is overwritten.
    ///
    /// # Errors
    /// A file exists already, or the file system reports an error.
    pub fn write(&self, path: &Path, packs: &[Packs]) -> Result<(), RecordError> {
        let packs = (1..).zip(packs);
        let packs = packs.map(|(game, packs)| (packs_path(path, game), packs.to_string()));
        let replay = (path.to_owned(), json_line(self));
        write_new([replay].into_iter().chain(packs))
    }
}
