//! `tensai serve` and `match --serve` as processes: who may ask, who takes too much, what ends.
#![cfg(all(feature = "arena", target_os = "linux"))]

mod client;
mod crowd;
mod ending;
mod engines;
mod live;
#[path = "../running/mod.rs"]
#[expect(dead_code, reason = "what other tests run")]
mod running;
mod security;
#[path = "../schemas/mod.rs"]
mod validator;
