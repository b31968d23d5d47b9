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

use super::{Record, RecordError, json_line};

impl Record {
    /// Writes the record to a file, whole or not at all.
    ///
    /// # Errors
    /// The file system reports an error.
    pub fn write(&self, path: &Path) -> Result<(), RecordError> {
        write_over(path, &json_line(self))
    }
}
