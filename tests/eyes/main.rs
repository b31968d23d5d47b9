//! Looking at games and fields, and a person's game, as processes.

mod analyse;
mod human;
mod replay;
mod run;
