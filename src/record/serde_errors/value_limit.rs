//! A limit of the values that a text of JSON may have.
//!
//! A value takes 2 bytes of text, and many times that in memory: an element of a list of texts takes
//! 24 bytes, and more while the list grows. [`check_values`] counts the elements of lists and the
//! entries of objects before any of them is stored. The content of an entry `info` counts as one value:
//! readers keep it as the text that it is.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Checks that a text is JSON with at most `most` values. What follows it is not read.
///
/// # Errors
/// It is no JSON, or has more values.
pub fn check_values(text: &[u8], most: usize) -> Result<(), serde_json::Error> {
    let left = Cell::new(most);
    ValueCount { most, left: &left }.deserialize(&mut serde_json::Deserializer::from_slice(text))
}

/// Counts the values of a part of the text.
#[derive(Clone, Copy)]
struct ValueCount<'a> {
    most: usize,
    /// The values that may still come.
    left: &'a Cell<usize>,
}

impl ValueCount<'_> {
    /// Counts a value.
    fn count<E: Error>(self) -> Result<(), E> {
        let left = self.left.get().checked_sub(1).ok_or_else(|| {
            let most = self.most;
            E::custom(format_args!("expected at most {most} values in all, found more"))
        })?;
        self.left.set(left);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for ValueCount<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueCount<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(self)?.is_some() {
            self.count()?;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while let Some(key) = fields.next_key::<Cow<'de, str>>()? {
            self.count()?;
            match &*key {
                "info" => drop(fields.next_value::<IgnoredAny>()?),
                _ => fields.next_value_seed(self)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_and_entries_are_counted_at_each_level() {
        let text = b"{\"1\":[1,[2.5,null,\"x\"]],\"2\":true,\"a\\n\":-1}";
        check_values(text, 8).unwrap();
        let refused = check_values(text, 7).unwrap_err().to_string();
        assert!(
            refused.starts_with("expected at most 7 values in all, found more at "),
            "{refused}"
        );
    }

    #[test]
    fn a_value_that_is_kept_as_text_counts_as_one() {
        check_values(b"{\"info\":[[1,2,3],{\"a\":[4,5,6]}]}", 1).unwrap();
    }
}
