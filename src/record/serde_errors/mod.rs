//! Errors of the parsers of JSON and TOML, without Rust's types and with the field of the file.
//!
//! The crates that parse these formats name Rust's types in their errors, such as
//! `expected struct Heading`, `as i128` or `number would be zero for non-zero type`. This module
//! rewords these errors and adds the field.

mod value_limit;

use serde::de::DeserializeOwned;

use self::value_limit::check_values;
use crate::util::input_file;
use crate::util::sanitize::{FOUND, LINE, visible};

/// Reads a value from JSON of at most [`input_file::VALUES`] values.
///
/// # Errors
/// Fails if `text` is not JSON, has more values, or is not a `T`. The message has the line and, if
/// known, the field, such as `turns[3].answers[0]`.
pub fn from_json<T: DeserializeOwned>(text: &[u8]) -> Result<T, String> {
    read_json(text).map_err(|(error, field)| json_error(&error, &field))
}

/// Reads the parameters of a request as [`from_json`] reads a file.
///
/// # Errors
/// As [`from_json`]. The message has no line, since programs write parameters on one line.
pub fn from_params<T: DeserializeOwned>(text: &[u8]) -> Result<T, String> {
    read_json(text).map_err(|(error, field)| {
        if !error.is_data() {
            return not_json(&error);
        }
        let message = reworded(&without_place(&error), "an object");
        match names_its_field(&message) || field == "." {
            true => visible(&message, LINE).to_string(),
            false => format!("`{}`: {}", visible(&field, LINE), visible(&message, LINE)),
        }
    })
}

/// The text of parameters, which are JSON, whatever they mean. No value of them is stored.
///
/// # Errors
/// Fails if `bytes` are not JSON.
pub fn params_text(bytes: Vec<u8>) -> Result<String, String> {
    serde_json::from_slice::<serde::de::IgnoredAny>(&bytes).map_err(|error| not_json(&error))?;
    String::from_utf8(bytes).map_err(|_| "the parameters are not JSON: not UTF-8".to_owned())
}

fn not_json(error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    format!("the parameters are not JSON: line {line}, column {column}")
}

/// Reads a value; an error comes with the field that it is about, `.` for the whole text.
fn read_json<T: DeserializeOwned>(text: &[u8]) -> Result<T, (serde_json::Error, String)> {
    let whole = |error| (error, ".".to_owned());
    check_values(text, input_file::VALUES).map_err(whole)?;
    let mut json = serde_json::Deserializer::from_slice(text);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let field = error.path().to_string();
        (error.into_inner(), field)
    })?;
    json.end().map_err(whole)?;
    Ok(value)
}

/// The message of an error without its line and column.
fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    message.strip_suffix(&place).unwrap_or(&message).to_owned()
}

fn json_error(error: &serde_json::Error, field: &str) -> String {
    let message = without_place(error);
    let (line, column) = (error.line(), error.column());
    if error.is_data() {
        return placed(line, field, &reworded(&message, "an object"));
    }
    if error.is_eof() {
        return format!("expected JSON, found the end of the text at line {line}, column {column}");
    }
    let message = visible(&message, LINE);
    format!("expected JSON, found a mistake at line {line}, column {column}: {message}")
}

/// Reads a value from TOML of at most [`input_file::BY_HAND`] bytes and
/// [`input_file::VALUES_BY_HAND`] values.
///
/// # Errors
/// Fails if `text` is not TOML, is longer, has more values, or is not a `T`. The message has the
/// line and, if known, the field, such as `engine[0].name`.
pub fn from_toml<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    input_file::check_length(text.len(), input_file::BY_HAND)?;
    // The parser builds all values before the first one can be counted. Each has one of these signs
    // before it; texts and comments have them too, but not that many.
    let signs = text.bytes().filter(|byte| b"=.,[{\n".contains(byte)).count();
    let most = input_file::VALUES_BY_HAND;
    if signs > most {
        return Err(format!(
            "expected at most {most} values, found {signs} of the signs `=.,[{{` and ends of lines"
        ));
    }
    let describe = |error: &toml::de::Error, field: &str| {
        let before = error.span().map_or("", |span| &text[..span.start.min(text.len())]);
        let message = error.message().trim().replace('\n', " ");
        placed(1 + before.matches('\n').count(), field, &reworded(&message, "a table"))
    };
    let toml = toml::Deserializer::parse(text).map_err(|error| describe(&error, "."))?;
    serde_path_to_error::deserialize(toml).map_err(|error| {
        let field = error.path().to_string();
        describe(&error.into_inner(), &field)
    })
}

/// Whether a message of serde names the field that it is about.
fn names_its_field(message: &str) -> bool {
    let starts = ["unknown field", "missing field", "duplicate field"];
    starts.iter().any(|start| message.starts_with(start))
}

/// Adds the line and the field to `message`, without the field if `message` names it.
fn placed(line: usize, field: &str, message: &str) -> String {
    let names_it = names_its_field(message);
    let is_whole = field == ".";
    let (message, field) = (visible(message, LINE), visible(field, LINE));
    match names_it || is_whole {
        true => format!("line {line}: {message}"),
        false => format!("line {line}, `{field}`: {message}"),
    }
}

/// Rewords a message of serde without Rust's types; `object` is the format's word for a map.
fn reworded(message: &str, object: &str) -> String {
    let split = |text: &str| {
        let (found, expected) = text.split_once(", expected ")?;
        Some((found.to_owned(), expected.to_owned()))
    };
    let kinds = ["invalid type: ", "invalid value: "];
    let wrong = kinds.iter().find_map(|kind| message.strip_prefix(kind));
    if let Some((found, wanted)) = wrong.and_then(split) {
        return format!(
            "expected {}, found {}",
            expected(&wanted, object),
            self::found(&found, object)
        );
    }
    if let Some((length, wanted)) = message.strip_prefix("invalid length ").and_then(split) {
        return format!("expected {}, found a list of {length}", expected(&wanted, object));
    }
    if let Some((variant, wanted)) = message.strip_prefix("unknown variant ").and_then(split) {
        return format!("expected {wanted}, found {}", visible(&variant, FOUND));
    }
    message.to_owned()
}

/// Rewords the expected type or phrase of a message of serde.
fn expected(wanted: &str, object: &str) -> String {
    let phrase = match wanted {
        "u8" => "a whole number from 0 to 255",
        "u16" | "u32" | "u64" | "u128" | "usize" => "a whole number from 0",
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a string" | "a borrowed string" => "a text",
        "path string" => "a path",
        "a sequence" => "a list",
        "a boolean" => "`true` or `false`",
        "a map" => object,
        "string or map" => return format!("a text or {object}"),
        _ if wanted.starts_with("a nonzero ") => "a whole number from 1",
        _ if wanted.starts_with("struct ") => object,
        _ => {
            let size = ["an array of length ", "a tuple of size "];
            let size = size.iter().find_map(|start| wanted.strip_prefix(start));
            return size.map_or_else(|| wanted.to_owned(), |size| format!("a list of {size}"));
        }
    };
    phrase.to_owned()
}

/// The maximum characters of a number that is shown as serde writes it: -2^127 in backquotes.
const LONGEST_NUMBER: usize = 42;

/// Rewords the found value of a message of serde.
fn found(found: &str, object: &str) -> String {
    let value = ["integer ", "floating point ", "boolean ", "character "];
    if let Some(value) = value.iter().find_map(|kind| found.strip_prefix(kind)) {
        let value = value.trim_end_matches(" as i128").trim_end_matches(" as u128");
        // The TOML crate writes 1e308 with 309 digits; `Debug` writes the exponent.
        let number = value.trim_matches('`').parse::<f64>().ok();
        let number = number.filter(|_| value.len() > LONGEST_NUMBER);
        return number.map_or_else(|| value.to_owned(), |number| format!("`{number:?}`"));
    }
    match found {
        "map" => object.to_owned(),
        "sequence" => "a list".to_owned(),
        "null" | "unit value" | "Option value" => "nothing".to_owned(),
        _ => match found.strip_prefix("string ") {
            Some(text) => format!("the text {}", visible(text, FOUND)),
            None => visible(found, FOUND).to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_number_is_shown_with_its_exponent() {
        type Keys = std::collections::BTreeMap<String, u8>;
        for (text, shown) in [("a = 1e308", "`1e308`"), ("a = -300", "`-300`")] {
            let refused = from_toml::<Keys>(text).unwrap_err();
            assert!(refused.ends_with(&format!("found {shown}")), "{refused}");
        }
    }

    #[test]
    fn errors_of_json_name_no_types_of_rust() {
        #[derive(serde::Deserialize, Debug)]
        struct Inner {
            #[expect(dead_code, reason = "only read")]
            pair: [u8; 2],
            #[expect(dead_code, reason = "only read")]
            count: std::num::NonZeroU64,
        }
        #[derive(serde::Deserialize, Debug)]
        struct Outer {
            #[expect(dead_code, reason = "only read")]
            list: Vec<Inner>,
        }
        let refused = |text: &str| from_json::<Outer>(text.as_bytes()).unwrap_err();
        for (text, message) in [
            ("", "expected JSON, found the end of the text at line 1, column 0"),
            ("{} 5", "line 1: missing field `list`"),
            ("[]", "line 1: expected an object, found a list of 0"),
            ("7", "line 1: expected an object, found `7`"),
            ("{\"list\": 5}", "line 1, `list`: expected a list, found `5`"),
            (
                "{\"list\": [{\"pair\": [1, 300], \"count\": 1}]}",
                "line 1, `list[0].pair[1]`: expected a whole number from 0 to 255, found `300`",
            ),
            (
                "{\"list\": [{\"pair\": [1, -3], \"count\": 1}]}",
                "line 1, `list[0].pair[1]`: expected a whole number from 0 to 255, found `-3`",
            ),
            (
                "{\"list\":\n[{\"pair\": [1], \"count\": 1}]}",
                "line 2, `list[0].pair`: expected a list of 2, found a list of 1",
            ),
            (
                "{\"list\": [{\"pair\": [1, 2], \"count\": 0}]}",
                "line 1, `list[0].count`: expected a whole number from 1, found `0`",
            ),
            (
                "{\"list\": [{\"pair\": \"no\", \"count\": 1}]}",
                "line 1, `list[0].pair`: expected a list of 2, found the text \"no\"",
            ),
        ] {
            assert_eq!(refused(text), message);
        }
        assert!(refused("{\"list\" 5}").starts_with("expected JSON, found a mistake at line 1, "));
        assert!(refused("{\"list\": []} 5").starts_with("expected JSON, found a mistake at "));
    }

    #[test]
    fn errors_of_toml_name_no_types_of_rust() {
        type Keys = std::collections::BTreeMap<String, Vec<u64>>;
        let refused = |text: &str| from_toml::<Keys>(text).unwrap_err();
        assert_eq!(
            refused("a = [1]\nb = [1, -1]\n"),
            "line 2, `b[1]`: expected a whole number from 0, found `-1`"
        );
        assert_eq!(refused("a = {}\n"), "line 1, `a`: expected a list, found a table");
        assert!(refused("a = \n").starts_with("line 1: "));
    }
}
