//! The arena and its tools as processes.
#![cfg(all(feature = "arena", target_os = "linux"))]

mod bot_inputs;
mod check_bot;
#[path = "../running/checked.rs"]
mod checked;
mod endings;
mod game_files;
mod interference;
mod league;
mod learn_tools;
mod logs;
mod match_folder;
mod matches;
mod misbehaving;
mod model;
mod odd_folders;
#[path = "../running/official.rs"]
mod official;
mod openings;
mod packs_tools;
mod parts;
mod record_tools;
mod run;
#[path = "../running/mod.rs"]
mod running;
mod schemas;
mod serve;
mod stats_tools;
mod terminal;
mod tournaments;
mod trust;
mod tune_tools;
mod untrusted_text;
#[path = "../schemas/mod.rs"]
mod validator;
mod view_tools;
