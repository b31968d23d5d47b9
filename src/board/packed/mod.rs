//! The fast simulator: all drops of a pack at once, on a field of four planes.
//!
//! * [`layout`]: the position of a cell in 256 bits;
//! * `encoding`: the content of a cell in four planes;
//! * [`Field`]: the planes, and their queries in plain words;
//! * `all_placements`: all placements of a pack; `rounds`: the rounds of many chains at once;
//! * `moves`: one drop, all drops of a pack, the skill;
//! * `potential`: the longest chain that the removal of one block sets off; `shared`: the chains of a
//!   field's triggers, followed for all drops of a pack at once.
//!
//! Entries ([`DropOne`], [`Drops`], [`Explode`], [`Potentials`]) are written once for all instruction
//! sets, and [`super::dispatch`] calls them. `notes/experiments/simulator.md` lists the experiments, and
//! `notes/simulator-limit.md` the distance from the limit of the processor.

mod encoding;
mod field;
pub mod layout;
mod moves;
mod placements;
mod potential;
mod rounds;
mod shared;

pub use field::{Field, FieldSummary};
pub use moves::{Children, DropOne, Drops, Explode};
pub use potential::{Potentials, UnstablePotential, Workspace};

use super::simd::Words;

/// The four planes of a field.
pub type Planes = [Words; 4];
