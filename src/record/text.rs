//! The text of files that are JSON with a format and a version.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::record::serde_errors::from_json;
use crate::util::sanitize::quoted;

/// A value as the text of a file: JSON on one line.
pub fn json_line(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).expect("records and replays have strings for keys");
    json + "\n"
}

/// Parses a JSON value that contains its format and version. These are checked first, because a
/// later version may have other fields.
///
/// # Errors
/// The text has another format or a later version, or is no such value; the message says which.
pub fn parse<T: DeserializeOwned>(text: &[u8], format: &str, version: u32) -> Result<T, String> {
    #[derive(Deserialize)]
    struct Heading {
        format: String,
        version: u32,
    }
    let heading: Heading = from_json(text)?;
    if heading.format != format {
        return Err(format!("expected format `{format}`, found {}", quoted(&heading.format)));
    }
    if heading.version > version {
        let found = heading.version;
        return Err(format!("expected version {version} or earlier, found {found}"));
    }
    from_json(text)
}
