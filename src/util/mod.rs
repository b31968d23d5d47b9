//! Small modules outside the layers: any module may use them, and they depend only on each other.
//!
//! * [`clock`]: the source of the time, and a clock that tests move; [`duration`]: durations as users
//!   write them; [`numbers`]: counted nouns, and errors of numbers;
//! * [`sanitize`]: untrusted text made safe for a terminal; [`input_file`]: maximum sizes of
//!   untrusted files; [`suggestion`]: the nearest known word to a mistyped one;
//! * [`message`]: lines on standard error;
//! * [`cholesky`]: systems of linear equations; [`interval`]: the interval of a proportion;
//!   [`parallel`]: independent work on several threads;
//! * `system`: signals, streams and permissions of the operating system, with the feature `arena`.

pub mod cholesky;
pub mod clock;
pub mod duration;
pub mod input_file;
pub mod interval;
pub mod message;
pub mod numbers;
pub mod parallel;
pub mod sanitize;
pub mod suggestion;
#[cfg(feature = "arena")]
pub mod system;
