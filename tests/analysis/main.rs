//! Looking at games and fields, and a person's game, as processes.
#![cfg(all(feature = "arena", target_os = "linux"))]

mod analyse;
#[path = "../running/checked.rs"]
mod checked;
mod human;
#[path = "../running/official.rs"]
mod official;
mod replay;
mod run;
#[path = "../running/mod.rs"]
mod running;
