//! The items of [`super`] on Linux.

mod bot;
mod channel;
mod claims;
mod groups;
mod keeper;
mod key;
mod lock;
mod open_folder;
mod pause;
mod processes;
mod program;
mod stream;

pub use bot::Bot;
pub use claims::{claim_core, usable_cores};
pub use groups::{cpu_quota, memory_groups};
pub use keeper::{become_bot, keep};
pub use key::key;
pub use lock::Lock;
pub use open_folder::OpenFolder;
pub use program::command;
