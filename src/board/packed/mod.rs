//! The fast simulator: all drops of a pack at once, on a field of four planes.
//!
//! * [`layout`]: where a cell lies in 256 bits; explained there, once;
//! * `encoding`: which planes say what a cell holds;
//! * [`Field`]: the planes, and what is asked of them in plain words;
//! * `place`: a pack put down in all ways; `rounds`: vanishing and falling, of many chains at once;
//! * [`Children`], [`Workspace`], `moves`: the entries that are compiled for each instruction set,
//!   and that [`super::dispatch`] calls.
//!
//! Entries are written once for all instruction sets. What was tried, and how far this is from what
//! the processor allows: `notes/experiments/simulator.md`, `notes/simulator-limit.md`.

mod children;
mod encoding;
mod field;
pub mod layout;
mod moves;
mod place;
mod potential;
mod rounds;

pub use children::{Children, Drops};
pub use field::Field;
pub use moves::{DropOne, Explode};
pub use potential::{Search, Workspace};

use super::simd::Words;

/// The four planes of a field.
pub type Planes = [Words; 4];
