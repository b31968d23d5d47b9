//! Pages for browsers that are files, or that a server sends.
//!
//! Each page is one file that needs no network.
//!
//! * `front.rs`: the page on which games are played, watched and analysed, for its hosts; `script.rs`
//!   combines its modules; `policy.rs`: what the pages may load and run;
//! * [`Page`]: that page as a file of recorded games;
//! * [`league`], [`tuning`]: pages that need no script.

pub mod front;
mod games;
pub mod league;
mod policy;
mod script;
mod static_page;
pub mod tuning;

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

pub use self::games::{EmbeddedGame, Page};
use crate::record::{Destination, RecordError};

/// The beginning of every page, by which a file is recognised as a page.
const BEGIN: &str = "<!doctype html><!-- tensai view -->";

/// Checks that a page may be written to `path`: nothing is there, or a page, or a stream.
///
/// # Errors
/// Another file exists at `path`.
pub fn check_place(path: &Path) -> Result<(), RecordError> {
    let error = RecordError::file(path, "write");
    let Destination::File(file) = Destination::of(path).map_err(&error)? else { return Ok(()) };
    let mut begin = Vec::new();
    match fs::File::open(file) {
        Err(missing) if missing.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(other) => return Err(error(other)),
        Ok(file) => file.take(BEGIN.len() as u64).read_to_end(&mut begin).map_err(&error)?,
    };
    if begin == BEGIN.as_bytes() {
        return Ok(());
    }
    let reason = "it exists already and is not a page of games; only such pages are overwritten";
    Err(error(io::Error::new(io::ErrorKind::AlreadyExists, reason)))
}

/// The JSON of a value, safe inside a `script` element: it contains no `<`.
fn embed(value: &impl serde::Serialize) -> String {
    let json = serde_json::to_string(value).expect("what is embedded has strings for keys");
    json.replace('<', "\\u003c")
}
