//! A strict validator of JSON Schema 2020-12, for the keywords that `docs/schemas` uses. It fails
//! on any other keyword, so that each part of a schema is checked. Stricter than the standard, it
//! refuses an object's member that the schema does not name, so that each member is documented.
//!
//! `format` is only a note here: the numbers' limits are in `minimum` and `maximum`.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

/// The folder of the files that `.ci/schemas` checks, too: by Python's `jsonschema`.
const KEPT: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/schemas");

/// Asserts that `value` fits the schema `docs/schemas/NAME.json`, and keeps it as the file `sample`
/// for `.ci/schemas`.
pub fn assert_fits(name: &str, sample: &str, value: &Value) {
    keep(name, sample, value);
    let faults = faults(&schema(name), value);
    assert!(faults.is_empty(), "{sample}: not as in docs/schemas/{name}.json: {faults:#?}");
}

/// Reads a schema.
pub fn schema(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/schemas/{name}.json"));
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Writes `value` as `sample` into `folder`, the name of its schema. In `altered/NAME`, a file must
/// not fit the schema.
pub fn keep(folder: &str, sample: &str, value: &Value) {
    let folder = Path::new(KEPT).join(folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(sample).with_extension("json"), value.to_string()).unwrap();
}

/// Returns the differences of `value` from `schema`, one line each, with the place as a JSON
/// Pointer.
///
/// # Panics
/// The schema has a keyword, or a form of one, that this validator does not know.
pub fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    Validator { root: schema }.check(schema, value, "", &mut faults);
    faults
}

struct Validator<'a> {
    root: &'a Value,
}

impl Validator<'_> {
    /// Adds the faults of `value`, which stands at `place`.
    fn check(&self, schema: &Value, value: &Value, place: &str, faults: &mut Vec<String>) {
        let schema = match schema {
            Value::Bool(true) => return,
            Value::Bool(false) => return faults.push(format!("{place}: not allowed")),
            schema => schema.as_object().expect("a schema is an object or a Boolean"),
        };
        for (keyword, rule) in schema {
            let mut require = |fits: bool| {
                if !fits {
                    faults.push(format!("{place}: {value} does not fit `{keyword}`: {rule}"));
                }
            };
            match keyword.as_str() {
                "$defs" | "$schema" | "default" | "description" | "format" | "title" => {}
                "type" => require(match rule {
                    Value::Array(types) => types.iter().any(|kind| is_of_type(value, kind)),
                    kind => is_of_type(value, kind),
                }),
                "const" => require(value == rule),
                "enum" => require(array(rule).contains(value)),
                "minimum" => require(value.as_f64().is_none_or(|it| it >= number(rule))),
                "maximum" => require(value.as_f64().is_none_or(|it| it <= number(rule))),
                "minLength" => require(length(value).is_none_or(|it| it >= number(rule))),
                "maxLength" => require(length(value).is_none_or(|it| it <= number(rule))),
                "minItems" => {
                    require(value.as_array().is_none_or(|it| it.len() as f64 >= number(rule)))
                }
                "maxItems" => {
                    require(value.as_array().is_none_or(|it| it.len() as f64 <= number(rule)))
                }
                "required" => require(value.as_object().is_none_or(|object| {
                    array(rule).iter().all(|name| object.contains_key(name.as_str().unwrap()))
                })),
                "anyOf" => require(self.fitting(rule, value, place) > 0),
                "oneOf" => require(self.fitting(rule, value, place) == 1),
                "$ref" => self.check(self.definition(rule), value, place, faults),
                "properties" | "additionalProperties" | "patternProperties" => {}
                "prefixItems" | "items" => {}
                unknown => panic!("{place}: unknown keyword `{unknown}`: {rule}"),
            }
        }
        if let Some(object) = value.as_object() {
            self.check_members(schema, object, place, faults);
        }
        if let Some(items) = value.as_array() {
            self.check_items(schema, items, place, faults);
        }
    }

    /// `properties`, `patternProperties` for names of digits, and `additionalProperties` for all
    /// others.
    fn check_members(
        &self,
        schema: &Map<String, Value>,
        object: &Map<String, Value>,
        place: &str,
        faults: &mut Vec<String>,
    ) {
        let named = schema.get("properties").map(|named| named.as_object().unwrap());
        let of_digits = schema.get("patternProperties").map(|patterns| {
            let patterns = patterns.as_object().unwrap();
            assert!(patterns.keys().eq(["^\\d+$"]), "{place}: unknown patterns: {patterns:?}");
            &patterns["^\\d+$"]
        });
        for (name, member) in object {
            let place = format!("{place}/{name}");
            let known = named.and_then(|named| named.get(name));
            let has_digits = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
            let known = known.or_else(|| of_digits.filter(|_| has_digits));
            match known.or_else(|| schema.get("additionalProperties")) {
                Some(schema) => self.check(schema, member, &place, faults),
                None if named.is_some() => faults.push(format!("{place}: not in the schema")),
                None => {}
            }
        }
    }

    /// `prefixItems`, and `items` for those after them.
    fn check_items(
        &self,
        schema: &Map<String, Value>,
        items: &[Value],
        place: &str,
        faults: &mut Vec<String>,
    ) {
        let first = schema.get("prefixItems").map_or(&[][..], array);
        for (index, item) in items.iter().enumerate() {
            if let Some(schema) = first.get(index).or_else(|| schema.get("items")) {
                self.check(schema, item, &format!("{place}/{index}"), faults);
            }
        }
    }

    /// The number of schemas of `rule` that the value fits.
    fn fitting(&self, rule: &Value, value: &Value, place: &str) -> usize {
        let fits = |schema: &&Value| {
            let mut faults = Vec::new();
            self.check(schema, value, place, &mut faults);
            faults.is_empty()
        };
        array(rule).iter().filter(fits).count()
    }

    /// The schema to which `$ref` refers.
    fn definition(&self, rule: &Value) -> &Value {
        let pointer = rule.as_str().unwrap().strip_prefix('#').expect("a place in this schema");
        self.root.pointer(pointer).unwrap_or_else(|| panic!("no {pointer} in the schema"))
    }
}

fn is_of_type(value: &Value, kind: &Value) -> bool {
    match kind.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        // A number without a fraction is an integer, as 1.0.
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        unknown => panic!("unknown type `{unknown}`"),
    }
}

fn array(rule: &Value) -> &[Value] {
    rule.as_array().unwrap()
}

fn number(rule: &Value) -> f64 {
    rule.as_f64().unwrap()
}

/// The number of characters of a string.
fn length(value: &Value) -> Option<f64> {
    value.as_str().map(|text| text.chars().count() as f64)
}
