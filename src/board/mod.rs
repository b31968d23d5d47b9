//! Encodings of a field, and their simulators.
//!
//! * [`packed`]: [`Field`], four planes of 256 bits, which the search and the engine use;
//! * [`bitboard`]: a plane for each content of a cell, for comparisons;
//! * [`simd`]: 256 bits in a register, one file an instruction set; it holds all `unsafe` blocks;
//! * [`dispatch`]: [`Kernel`], the simulator and instruction set of a process, chosen once.
//!
//! Above this module nothing is generic over encodings or instruction sets. `Field` has methods for
//! drops, the skill and potentials, which call the process's kernel; a [`ChildBuffer`] may name
//! another kernel.

pub mod backend;
pub mod bitboard;
pub mod dispatch;
mod fastest;
pub mod packed;
pub mod simd;

pub use bitboard::BitBoard;
pub use dispatch::{ChildBuffer, Kernel};
pub use packed::{Field, FieldSummary};
