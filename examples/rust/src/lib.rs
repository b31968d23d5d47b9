//! A starter kit for bots of CODE VS Reborn: the rules and the protocol, without dependencies.

pub mod field;
pub mod protocol;
pub mod simulator;
