//! The layers of a beam search: what is kept of one, and how to find the way back.

use std::cmp::Reverse;

use fnv::{FnvHashMap, FnvHashSet};

use crate::game::{Chain, Field, HEIGHT, Pack, Placement};
use crate::search::Rain;

/// A field of the next layer that may be kept.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Its place in the layer that it comes from.
    pub parent: u32,
    /// The drop that makes it.
    pub placement: Placement,
    /// Rows of those to come for which the tallest column has no room.
    short: Reverse<u32>,
    /// The chain that it promises.
    pub promise: Chain,
    /// What ranks fields of the same promise.
    value: i32,
    hash: u64,
}

/// The rows that are still to fall after a ply.
#[derive(Clone, Copy, Debug)]
pub struct Coming {
    rows: u32,
    /// Whether one of them falls before the next drop.
    is_next: bool,
}

impl Coming {
    /// What a rain has left after a ply.
    pub fn after(ply: usize, rain: &Rain) -> Self {
        Self { rows: rain.rows_from(ply + 1), is_next: rain.falls_at(ply + 1) }
    }
}

impl Candidate {
    /// The field that a drop made of a parent, on which some rows are still to fall.
    ///
    /// What it promises counts after the row that falls before its next drop, which may bury the
    /// trigger: so 20 games were won and 10 lost against the promise before it.
    pub fn new<F: Field>(
        parent: u32,
        placement: Placement,
        field: &F,
        coming: Coming,
        room: &mut F::Room,
    ) -> Self {
        let mut next = *field;
        if coming.is_next {
            next.rain();
        }
        let promise = next.potential(room).chain;
        // What falls must find room.
        let short = (u32::from(field.tallest()) + coming.rows).saturating_sub(HEIGHT as u32);
        let (value, hash) = (tidiness(field), field.hash());
        Self { parent, placement, short: Reverse(short), promise, value, hash }
    }

    /// What is kept first: a field that will have room, then the longer promise, then the tidier
    /// field; the hash makes the order of equals the same every time.
    const fn rank(&self) -> (Reverse<u32>, Chain, i32, u64) {
        (self.short, self.promise, self.value, self.hash)
    }
}

/// Many blocks in an even field: more to build on, and further from the danger line.
fn tidiness<F: Field>(field: &F) -> i32 {
    let heights = field.heights().map(i32::from);
    let steps: i32 = heights.windows(2).map(|pair| (pair[0] - pair[1]).abs()).sum();
    4 * field.blocks() as i32 - steps
}

/// The candidates to keep, best first: no field twice, at most `most` with the same promise, at
/// most `width` in all.
pub fn select(mut candidates: Vec<Candidate>, width: usize, most: usize) -> Vec<Candidate> {
    candidates.sort_unstable_by(|a, b| {
        b.rank().cmp(&a.rank()).then_with(|| (a.parent, a.placement).cmp(&(b.parent, b.placement)))
    });
    let mut seen = FnvHashSet::default();
    let mut of_promise: FnvHashMap<Chain, usize> = FnvHashMap::default();
    let mut kept = Vec::with_capacity(width);
    for candidate in candidates {
        if kept.len() == width {
            break;
        }
        let count = of_promise.entry(candidate.promise).or_default();
        if *count < most && seen.insert(candidate.hash) {
            *count += 1;
            kept.push(candidate);
        }
    }
    kept
}

/// The fields of a layer, the coming row of ojama fallen already.
pub struct Layer<F>(Vec<F>);

impl<F: Field> Layer<F> {
    /// The layer of the one field that a search begins with.
    pub fn root(field: F, rain: bool) -> Self {
        Self(vec![rained(field, rain)])
    }

    /// Its fields.
    pub fn fields(&self) -> &[F] {
        &self.0
    }

    /// The next layer, of the kept candidates. Their drops are simulated again: that is cheaper
    /// than to keep the fields of all that are not chosen.
    pub fn descend(&self, kept: &[Candidate], pack: &Pack, rain: bool) -> Self {
        let field = |candidate: &Candidate| {
            let parent = &self.0[candidate.parent as usize];
            rained(parent.drop_pack(pack, candidate.placement).field, rain)
        };
        Self(kept.iter().map(field).collect())
    }
}

fn rained<F: Field>(mut field: F, rain: bool) -> F {
    if rain {
        field.rain();
    }
    field
}

/// For every layer but the first, where each of its fields comes from.
#[derive(Default)]
pub struct Trail(Vec<Vec<(u32, Placement)>>);

impl Trail {
    /// Adds a layer.
    pub fn push(&mut self, kept: &[Candidate]) {
        self.0.push(kept.iter().map(|candidate| (candidate.parent, candidate.placement)).collect());
    }

    /// The drops that lead to a field of the last layer.
    pub fn path_to(&self, field: u32) -> Vec<Placement> {
        let mut path = Vec::with_capacity(self.0.len() + 1);
        let mut at = field;
        for layer in self.0.iter().rev() {
            let (parent, placement) = layer[at as usize];
            path.push(placement);
            at = parent;
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Cells, Room as _};

    /// The 4 holds the 9 up from the 1; its last empty neighbour is where the next row falls.
    #[test]
    fn what_the_next_row_buries_is_no_promise() {
        let field: Cells = "9.........\n43........\n13........\n".parse().unwrap();
        let placement = Placement::all().next().unwrap();
        let promise = |rain: Rain| {
            let coming = Coming::after(0, &rain);
            let mut room = <Cells as Field>::Room::new();
            Candidate::new(0, placement, &field, coming, &mut room).promise
        };
        assert_eq!(promise(Rain::NONE), Chain(1));
        assert_eq!(promise(Rain::NONE.with(0)), Chain(1), "it has fallen");
        assert_eq!(promise(Rain::NONE.with(2)), Chain(1), "there is a drop before it");
        assert_eq!(promise(Rain::NONE.with(1)), Chain(0));
    }
}
