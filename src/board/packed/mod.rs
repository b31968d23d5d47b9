//! The fast simulator: all drops of a pack at once, on a field of four planes.
//!
//! * [`layout`]: the position of a cell in 256 bits;
//! * `encoding`: the content of a cell in four planes;
//! * [`Field`]: the planes, and their queries in plain words;
//! * `place`: all placements of a pack; `rounds`: the rounds of many chains at once;
//! * [`Children`], [`Workspace`]: the buffers for the results of a search;
//! * [`Drops`], [`Potentials`], `moves`: the entries that are compiled for each instruction set,
//!   and that [`super::dispatch`] calls.
//!
//! Entries are written once for all instruction sets. `notes/experiments/simulator.md` lists the
//! experiments, and `notes/simulator-limit.md` the distance from the limit of the processor.

mod children;
mod drops;
mod encoding;
mod field;
pub mod layout;
mod moves;
mod place;
mod potential;
mod rounds;

pub use children::Children;
pub use drops::Drops;
pub use field::{Field, FieldSummary};
pub use moves::{DropOne, Explode};
pub use potential::{Potentials, UnsettledPotential, Workspace};

use super::simd::Words;

/// The four planes of a field.
pub type Planes = [Words; 4];
