//! The starter kits in `examples/`: the golden vectors are true, each kit's simulator passes them,
//! and each kit's bots play by the rules; so do the bots of the course.
#![cfg(all(feature = "arena", target_os = "linux"))]

mod cases;
mod course;
mod greedy;
mod kits;
#[path = "../running/mod.rs"]
mod running;
mod vectors;
