//! Writes JSON Lines without holding them in memory.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use tempfile::TempPath;

use super::output::{Destination, Readers, folder_of, new_draft};
use crate::record::RecordError;
use crate::record::files::related::{check_new, destination, exists, make_folder};
use crate::util::system;

/// A new file, or a stream, to which values are written as JSON, one a line.
///
/// The file gets its name in [`NewLines::finish`]; without that, nothing is left of it.
pub struct NewLines {
    path: PathBuf,
    /// `None` once the reader of the stream has closed it.
    writer: Option<BufWriter<Box<dyn Write>>>,
    draft: Option<TempPath>,
}

impl NewLines {
    /// Begins to write to `path`. Missing folders are made.
    ///
    /// # Errors
    /// The file exists already, or the file system reports an error.
    pub fn create(path: &Path) -> Result<Self, RecordError> {
        let failed = RecordError::file(path, "write");
        check_new(path)?;
        let mut draft = None;
        let writer: Option<Box<dyn Write>> = match destination(path)? {
            Destination::StandardOutput => Some(Box::new(io::stdout())),
            Destination::Stream { path: stream, is_named } => {
                let stream = system::open_stream(&stream, is_named).map_err(failed)?;
                stream.map(|stream: File| Box::new(stream) as Box<dyn Write>)
            }
            Destination::File(_) => {
                make_folder(path, path)?;
                let (file, name) =
                    new_draft(folder_of(path), Readers::All).map_err(failed)?.into_parts();
                draft = Some(name);
                Some(Box::new(file))
            }
        };
        Ok(Self { path: path.to_owned(), writer: writer.map(BufWriter::new), draft })
    }

    /// Whether the reader of the stream has closed it, so that further lines are lost.
    pub const fn is_closed(&self) -> bool {
        self.writer.is_none()
    }

    /// Writes a value. A closed reader is not an error.
    ///
    /// # Errors
    /// The file system reports an error.
    pub fn line(&mut self, value: &impl Serialize) -> Result<(), RecordError> {
        self.with(|writer| writer.write_all(crate::record::json_line(value).as_bytes()))
    }

    /// Writes the remaining lines, and gives the file its name.
    ///
    /// # Errors
    /// The file exists by now, or the file system reports an error.
    pub fn finish(mut self) -> Result<(), RecordError> {
        self.with(Write::flush)?;
        self.writer = None;
        let Some(draft) = self.draft.take() else { return Ok(()) };
        draft.persist_noclobber(&self.path).map_err(|refused| {
            let source = match refused.error.kind() {
                io::ErrorKind::AlreadyExists => exists(),
                _ => refused.error,
            };
            RecordError::file(&self.path, "write")(source)
        })
    }

    fn with(
        &mut self,
        write: impl FnOnce(&mut BufWriter<Box<dyn Write>>) -> io::Result<()>,
    ) -> Result<(), RecordError> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        match write(writer) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                // The buffer is dropped unwritten, because its reader wants no more.
                drop(self.writer.take().map(BufWriter::into_parts));
                Ok(())
            }
            written => written.map_err(RecordError::file(&self.path, "write")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_gets_its_name_only_when_it_is_finished() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sub/lines");
        let mut lines = NewLines::create(&path).unwrap();
        lines.line(&1).unwrap();
        drop(lines);
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 0);
        let mut lines = NewLines::create(&path).unwrap();
        lines.line(&[1, 2]).unwrap();
        lines.line(&"x").unwrap();
        lines.finish().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "[1,2]\n\"x\"\n");
        assert!(NewLines::create(&path).is_err(), "no file is overwritten");
    }
}
