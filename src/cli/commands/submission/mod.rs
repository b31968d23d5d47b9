//! The commands of the submission.

pub mod submit;
