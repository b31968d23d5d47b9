//! Encodings of a field, and their simulators.
//!
//! * [`packed`]: [`Field`], four planes of 256 bits, which the search and the engine use;
//! * [`simd`]: 256 bits in a register, one file an instruction set; it holds all `unsafe` blocks;
//! * [`backend`]: [`Backend`], the simulator and instruction set of a process, chosen once;
//! * [`dispatch`]: the entry points, which run on a backend;
//! * [`comparison`]: the backends for comparisons, among them [`bitboard`], a plane for each content
//!   of a cell; not in a build of the bot alone.
//!
//! Above this module nothing is generic over encodings or instruction sets. `Field` has methods for
//! drops, the skill and potentials, which run on the process's backend; a [`ChildBuffer`] may name
//! another backend.

pub mod backend;
#[cfg(feature = "arena")]
pub mod bitboard;
#[cfg(feature = "arena")]
pub mod comparison;
pub mod dispatch;
pub mod packed;
pub mod processor;
pub mod simd;

pub use backend::Backend;
pub use dispatch::ChildBuffer;
pub use packed::{Field, FieldSummary};
