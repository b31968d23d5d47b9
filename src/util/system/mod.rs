//! Functions of the operating system that the standard library lacks: signals, streams that are no
//! files, permissions of new files, the browser.
//!
//! The file `linux.rs` has all functions. `elsewhere.rs` has the same functions for other systems,
//! with the abilities that every system has.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

pub mod stop;

#[cfg(not(target_os = "linux"))]
pub use elsewhere::*;
#[cfg(target_os = "linux")]
pub use linux::*;
