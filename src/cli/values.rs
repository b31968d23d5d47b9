//! Parsers of values that have names. The library's types list the names, each with a line of help.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::board::Backend;

/// The parser of one of `values`: its name, its line of help, and itself.
pub fn named<T: Copy + Send + Sync + 'static>(
    values: &'static [(&'static str, &'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let names = values.iter().map(|&(name, help, _)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(names).map(|given| {
        let value = values.iter().find(|(name, ..)| *name == given);
        value.expect("clap passes only possible values").2
    })
}

/// The parser of a backend, which this processor must be able to run.
pub fn backend() -> impl TypedValueParser<Value = Backend> {
    named(Backend::all()).try_map(|backend| backend.ok_or("this processor lacks its instructions"))
}
