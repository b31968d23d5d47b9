//! Encodings of a field, and their simulators.
//!
//! * [`packed`]: four planes of 256 bits, [`Field`]: what search and engine work with;
//! * [`bitboard`]: a plane for each content of a cell, for comparisons;
//! * [`simd`]: 256 bits in a register, one file an instruction set; all `unsafe` code is there;
//! * [`dispatch`]: [`Kernel`], which simulator and instruction set a process uses, chosen once.
//!
//! Above this module nothing is generic over encodings or instruction sets. `Field` has methods for
//! drops, the skill and potentials, which call the process's kernel; a [`ChildBuffer`] may name another.

pub mod bitboard;
pub mod dispatch;
mod fastest;
pub mod packed;
pub mod simd;

pub use bitboard::BitBoard;
pub use dispatch::{ChildBuffer, Kernel};
pub use packed::Field;
