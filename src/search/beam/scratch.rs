//! The memory that a thread reuses from layer to layer and from search to search.

use std::cell::RefCell;

use crate::board::{Backend, ChildBuffer};
use crate::game::Placement;

/// The buffers with which a thread tries the drops of a layer. Creating them costs more time than
/// the first, narrow layers of a search.
pub struct Scratch {
    /// The children of one field, and the potentials of the evaluated children.
    pub buffer: ChildBuffer,
    /// The drops whose children are evaluated, in the order of the potentials.
    pub evaluated: Vec<Placement>,
}

/// Runs `work` with the scratch memory of this thread, for the process's backend.
pub fn with_scratch<R>(work: impl FnOnce(&mut Scratch) -> R) -> R {
    thread_local! {
        static SCRATCH: RefCell<Option<Box<Scratch>>> = const { RefCell::new(None) };
    }
    SCRATCH.with_borrow_mut(|scratch| {
        let backend = Backend::current();
        match scratch {
            Some(scratch) if scratch.buffer.backend() == backend => work(scratch),
            _ => {
                let buffer = ChildBuffer::of(backend);
                let evaluated = Vec::with_capacity(Placement::COUNT);
                work(scratch.insert(Box::new(Scratch { buffer, evaluated })))
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scratch_memory_of_a_thread_stays() {
        with_scratch(|scratch| scratch.evaluated.extend(Placement::all().take(3)));
        let kept = with_scratch(|scratch| scratch.evaluated.len());
        let other = std::thread::spawn(|| with_scratch(|scratch| scratch.evaluated.len()));
        assert_eq!((kept, other.join().unwrap()), (3, 0));
    }
}
