//! `tensai serve` and `match --serve` as processes: who may ask, who takes too much, what ends.

mod client;
mod crowd;
mod ending;
mod engines;
mod live;
mod security;
