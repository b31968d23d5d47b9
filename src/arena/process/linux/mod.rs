//! The items of [`super`] on Linux.

mod bot;
mod channel;
mod claims;
mod groups;
mod held_folder;
mod keeper;
mod key;
mod pause;
mod processes;
mod program;
mod stream;

pub use bot::Bot;
pub use claims::{claim_core, usable_cores};
pub use groups::{cpu_quota, memory_groups};
pub use held_folder::{Lock, OpenFolder};
pub use keeper::{become_bot, keep};
pub use key::key;
pub use program::command;
