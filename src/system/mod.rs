//! What this program asks of the operating system beyond the standard library: signals, streams
//! that are no files, permissions of new files, the browser.
//!
//! The file `linux.rs` has all of it. Other systems have the same functions in `elsewhere.rs`, with
//! what every system can do.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(not(target_os = "linux"))]
pub use elsewhere::*;
#[cfg(target_os = "linux")]
pub use linux::*;
