//! Tunes parameters of an engine by games (SPSA).
//!
//! In each iteration the parameters are shifted up or down at random, and the engine with the
//! shifted parameters plays the engine with the opposite shift, or both play the same opponents on
//! the same packs. The parameters then move towards the side that scored more.
//!
//! * [`Parameter`]: a parameter with its start, range and stride, and how the engine gets its
//!   value;
//! * [`Spsa`]: the shifts and steps;
//! * [`Tuning`]: the definition and the path so far, the file `tuning.json`;
//! * [`TuningFolder`]: plays iterations; a tuning that was stopped goes on.

mod parameter;
mod spsa;
mod tuning_folder;
mod tuning_json;

pub use parameter::Parameter;
pub use spsa::Spsa;
pub use tuning_folder::TuningFolder;
pub use tuning_json::{Iteration, Tuning};
