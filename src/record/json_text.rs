//! The text of files that are JSON, and JSON of others that is kept as the text that they wrote.

use std::fmt::{self, Debug, Display, Formatter};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::record::serde_errors::from_json;
use crate::util::sanitize::quoted;

/// JSON without the spaces between its parts, such as what a bot says about a turn (`info {...}`).
///
/// It stays text: parsed, it would take up to 140 times as much memory.
#[derive(Clone, Serialize)]
#[serde(transparent)]
pub struct JsonText(Box<RawValue>);

/// The longest text that is parsed, in bytes: that of the longest line of a bot.
const LONGEST_PARSED: usize = 1 << 16;

impl JsonText {
    /// The text, if it is JSON.
    pub fn new(json: &str) -> Option<Self> {
        serde_json::from_str::<&RawValue>(json).ok().map(|json| Self::compact(json.get()))
    }

    /// The text of valid JSON, without spaces and line breaks between its parts: a record is one
    /// line.
    fn compact(json: &str) -> Self {
        let mut inside = Inside::default();
        let is_kept = |c: &char| inside.text(*c) || !c.is_ascii_whitespace();
        let mut kept = String::with_capacity(json.len());
        kept.extend(json.chars().filter(is_kept));
        // It is JSON as before, so that this cannot fail.
        Self(RawValue::from_string(kept).unwrap_or_else(|_| RawValue::NULL.to_owned()))
    }

    /// The JSON.
    pub fn text(&self) -> &str {
        self.0.get()
    }

    /// The parsed value; `null` if it is too long or nested too deeply for a bot's line.
    pub fn value(&self) -> Value {
        let text = Some(self.text()).filter(|text| text.len() <= LONGEST_PARSED);
        text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    }

    /// The levels of arrays and objects; 0 for a number or a text.
    pub fn levels(&self) -> usize {
        let mut inside = Inside::default();
        let (mut level, mut most) = (0_usize, 0);
        for c in self.text().chars().filter(|&c| !inside.text(c)) {
            match c {
                '[' | '{' => level += 1,
                ']' | '}' => level -= 1,
                _ => {}
            }
            most = most.max(level);
        }
        most
    }
}

/// Tells which characters of JSON belong to a text in quotes.
#[derive(Default)]
struct Inside {
    is_text: bool,
    is_escaped: bool,
}

impl Inside {
    /// Whether the next character belongs to a text; its last quote does not.
    fn text(&mut self, c: char) -> bool {
        match c {
            _ if self.is_escaped => self.is_escaped = false,
            '\\' if self.is_text => self.is_escaped = true,
            '"' => self.is_text = !self.is_text,
            _ => {}
        }
        self.is_text
    }
}

impl PartialEq for JsonText {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Eq for JsonText {}

impl Display for JsonText {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl Debug for JsonText {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::compact(Box::<RawValue>::deserialize(deserializer)?.get()))
    }
}

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

#[cfg(test)]
impl schemars::JsonSchema for JsonText {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        Value::schema_name()
    }

    fn inline_schema() -> bool {
        Value::inline_schema()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Value::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_keeps_all_but_the_spaces_between_its_parts() {
        let text = |json: &str| JsonText::new(json).map(|info| info.text().to_owned());
        let spaced = " { \"a b\" : [ 1.50 ,\n\t-0 ] , \"\\\" \\\\\" :\t\" , \" } ";
        assert_eq!(text(spaced).as_deref(), Some("{\"a b\":[1.50,-0],\"\\\" \\\\\":\" , \"}"));
        assert_eq!(text("{"), None);
        assert_eq!(text("1 2"), None);
    }

    #[test]
    fn levels_are_those_outside_of_texts() {
        let levels = |json: &str| JsonText::new(json).unwrap().levels();
        assert_eq!(levels("7"), 0);
        assert_eq!(levels("\"[[[\""), 0);
        assert_eq!(levels("[{\"a\":[]},{\"\\\"[\":1}]"), 3);
        assert_eq!(levels(&format!("{}{}", "[".repeat(10_000), "]".repeat(10_000))), 10_000);
    }

    #[test]
    fn values_that_no_line_has_are_not_parsed() {
        let value = |json: &str| JsonText::new(json).unwrap().value();
        assert_eq!(value("{\"turn\": 3}")["turn"], 3);
        assert_eq!(value(&format!("[{}0]", "0,".repeat(LONGEST_PARSED / 2))), Value::Null);
        assert_eq!(value(&format!("{}{}", "[".repeat(200), "]".repeat(200))), Value::Null);
    }
}
