//! The lines that a host writes about a request.

use serde::Serialize;
use serde_json::value::RawValue;

use super::{ClientError, ProgressReport};

/// A message of a host about a request, with its kind as the only key: any number of `progress`,
/// then one `result` or `error`.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Message<'a> {
    /// The request runs.
    Progress(&'a ProgressReport),
    /// The request has this result.
    Result(&'a RawValue),
    /// The request has no result.
    Error(&'a ClientError),
}

impl<'a> Message<'a> {
    /// The last message about a request.
    pub fn of(outcome: &'a Result<Box<RawValue>, ClientError>) -> Self {
        outcome.as_deref().map_or_else(Self::Error, Self::Result)
    }

    /// The message as JSON in one line, without a line break.
    pub fn json(&self) -> String {
        // The keys of all parts are strings, so that this cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}
