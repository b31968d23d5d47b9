//! The errors of requests.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::util::sanitize::{MESSAGE, visible};

/// The kind of a [`ApiError`], by which a page chooses what to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The method or its parameters are wrong.
    BadRequest,
    /// A game or a position is not one by the rules.
    BadPosition,
    /// An action is not allowed in its turn.
    Illegal,
    /// The request was stopped before its end.
    Stopped,
    /// The host runs as many requests as it allows.
    Busy,
    /// An engine of the host failed.
    Engine,
    /// An error of this program.
    Internal,
}

/// Why a request has no result.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, Error)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[error("{message}")]
pub struct ApiError {
    /// The kind.
    pub code: ErrorCode,
    /// The description, in one line for a person.
    pub message: String,
}

impl ApiError {
    /// An error of this kind; untrusted text in `message` is made visible.
    pub fn new(code: ErrorCode, message: impl AsRef<str>) -> Self {
        Self { code, message: visible(message.as_ref(), MESSAGE).to_string() }
    }

    /// [`ErrorCode::BadRequest`].
    pub fn bad_request(message: impl AsRef<str>) -> Self {
        Self::new(ErrorCode::BadRequest, message)
    }

    /// [`ErrorCode::BadPosition`].
    pub fn bad_position(message: impl AsRef<str>) -> Self {
        Self::new(ErrorCode::BadPosition, message)
    }

    /// [`ErrorCode::Illegal`].
    pub fn illegal(message: impl AsRef<str>) -> Self {
        Self::new(ErrorCode::Illegal, message)
    }

    /// [`ErrorCode::Stopped`].
    pub fn stopped() -> Self {
        Self::new(ErrorCode::Stopped, "the request was stopped")
    }

    /// [`ErrorCode::Internal`].
    pub fn internal(message: impl AsRef<str>) -> Self {
        Self::new(ErrorCode::Internal, message)
    }
}
