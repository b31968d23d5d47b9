//! A limit of the values that a text of JSON may have.
//!
//! A value takes 2 bytes of text, and many times that in memory: an element of a list of texts takes
//! 24 bytes, and more while the list grows. [`Limited`] counts the elements of lists and the entries
//! of objects while they are read, and fails at the first one beyond the limit. What is skipped, or
//! kept as the text that it is, counts as one value.

use std::cell::Cell;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};

/// The values that may still be read.
pub struct ValueLimit {
    most: usize,
    left: Cell<usize>,
}

impl ValueLimit {
    /// A limit of `most` values.
    pub const fn new(most: usize) -> Self {
        Self { most, left: Cell::new(most) }
    }

    /// Counts a value.
    fn count<E: Error>(&self) -> Result<(), E> {
        let left = self.left.get().checked_sub(1).ok_or_else(|| {
            let most = self.most;
            E::custom(format_args!("expected at most {most} values in all, found more"))
        })?;
        self.left.set(left);
        Ok(())
    }
}

/// A part of serde's machinery whose values count towards a limit.
pub struct Limited<'a, T> {
    inner: T,
    limit: &'a ValueLimit,
}

impl<'a, T> Limited<'a, T> {
    /// `inner`, limited.
    pub const fn new(inner: T, limit: &'a ValueLimit) -> Self {
        Self { inner, limit }
    }

    /// Another part, with the same limit.
    const fn with<U>(&self, inner: U) -> Limited<'a, U> {
        Limited { inner, limit: self.limit }
    }
}

/// Deserialises with the visitor limited, by the methods that differ for JSON. The others are all
/// [`Deserializer::deserialize_any`] there.
impl<'de, D: Deserializer<'de>> Deserializer<'de> for Limited<'_, D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = self.with(visitor);
        self.inner.deserialize_any(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = self.with(visitor);
        self.inner.deserialize_option(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = self.with(visitor);
        self.inner.deserialize_newtype_struct(name, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = self.with(visitor);
        self.inner.deserialize_enum(name, variants, visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_ignored_any(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier
    }
}

/// Forwards values that have no parts.
macro_rules! forward {
    ($($name:ident: $value:ty),*) => {
        $(fn $name<E: Error>(self, value: $value) -> Result<V::Value, E> {
            self.inner.$name(value)
        })*
    };
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Limited<'_, V> {
    type Value = V::Value;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.inner.expecting(formatter)
    }

    forward!(
        visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str,
        visit_borrowed_str: &'de str, visit_string: String
    );

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        let value = self.with(value);
        self.inner.visit_some(value)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        let value = self.with(value);
        self.inner.visit_newtype_struct(value)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<V::Value, A::Error> {
        let items = self.with(items);
        self.inner.visit_seq(items)
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<V::Value, A::Error> {
        let fields = self.with(fields);
        self.inner.visit_map(fields)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, value: A) -> Result<V::Value, A::Error> {
        let value = self.with(value);
        self.inner.visit_enum(value)
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Limited<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<S::Value, D::Error> {
        let value = self.with(value);
        self.inner.deserialize(value)
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Limited<'_, A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let seed = self.with(seed);
        let item = self.inner.next_element_seed(seed)?;
        if item.is_some() {
            self.limit.count()?;
        }
        Ok(item)
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Limited<'_, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        // A key is a text, which may stand for a number: no parts to count.
        self.inner.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.limit.count()?;
        let seed = self.with(seed);
        self.inner.next_value_seed(seed)
    }
}

impl<'de, 'a, A: EnumAccess<'de>> EnumAccess<'de> for Limited<'a, A> {
    type Error = A::Error;
    type Variant = Limited<'a, A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self::Variant), A::Error> {
        let limit = self.limit;
        let (name, content) = self.inner.variant_seed(seed)?;
        Ok((name, Limited::new(content, limit)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Limited<'_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        let seed = self.with(seed);
        self.inner.newtype_variant_seed(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = self.with(visitor);
        self.inner.tuple_variant(length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = self.with(visitor);
        self.inner.struct_variant(fields, visitor)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;
    use serde::de::DeserializeOwned;
    use serde_json::value::RawValue;

    use super::*;

    fn read<T: DeserializeOwned>(text: &str, most: usize) -> Result<T, String> {
        let limit = ValueLimit::new(most);
        let mut json = serde_json::Deserializer::from_str(text);
        T::deserialize(Limited::new(&mut json, &limit)).map_err(|error| error.to_string())
    }

    #[test]
    fn elements_and_entries_are_counted_at_each_level() {
        #[derive(Deserialize, PartialEq, Debug)]
        #[serde(rename_all = "snake_case")]
        enum Choice {
            Pair(u8, Vec<u8>),
            Named { list: Vec<u8> },
            One(Vec<u8>),
        }
        let text = "{\"1\":[1,[2.5,null,\"x\"]],\"2\":true}";
        assert!(read::<serde_json::Value>(text, 7).is_ok());
        let refused = read::<serde_json::Value>(text, 6).unwrap_err();
        assert!(
            refused.starts_with("expected at most 6 values in all, found more at "),
            "{refused}"
        );
        for (text, count) in [
            ("{\"pair\":[1,[1,2]]}", 4),
            ("{\"named\":{\"list\":[1,2]}}", 3),
            ("{\"one\":[1,2]}", 2),
        ] {
            assert!(read::<Choice>(text, count).is_ok(), "{text}");
            assert!(read::<Choice>(text, count - 1).is_err(), "{text}");
        }
        assert!(read::<Option<Vec<u8>>>("[1,2]", 1).is_err());
        assert!(read::<BTreeMap<u8, u8>>("{\"1\":2}", 1).is_ok(), "keys that are numbers");
    }

    #[test]
    fn a_value_that_is_skipped_or_kept_as_text_counts_as_one() {
        let list = "[[1,2,3],[4,5,6]]";
        assert!(read::<Vec<serde::de::IgnoredAny>>(list, 2).is_ok());
        // A raw value is an object of one entry to serde.
        assert!(read::<Vec<Box<RawValue>>>(list, 4).is_ok());
    }
}
