//! The items of [`super`] on Linux.

mod bot;
mod channel;
mod claims;
mod groups;
mod held_folder;
mod key;
mod pause;
mod processes;
mod program;
mod stream;
mod supervisor;

pub use bot::Bot;
pub use claims::{claim_core, usable_cores};
pub use groups::{cpu_quota, memory_groups};
pub use held_folder::{Lock, OpenFolder};
pub use key::key;
pub use program::command;
pub use supervisor::{exec_bot, supervise};
