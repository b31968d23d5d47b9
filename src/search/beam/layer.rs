//! The layers of a beam search: what is kept of one, and how to find the way back.

use std::cmp::Reverse;

use fnv::{FnvHashMap, FnvHashSet};

use super::evaluation::Weights;
use super::tree::{Known, Tree};
use crate::board::{ChildBuffer, Field};
use crate::game::{Chain, HEIGHT, Pack, Placement, Potential};
use crate::search::Rain;

/// The part of a layer, in percent, that is kept for what lasts, while more rows are coming than
/// the next. Of 50, 75 and 90 the best by little: in 56 positions after attacks the chains found
/// are longer by 0.8 with 30,000 drops, by 0.6 with 900,000 and by 0.3 with six million, as with
/// six times the drops (B-06, B-12.1).
const PART_OF_LASTING: usize = 75;

/// The part of a layer, in percent, that fields may take whose longest chains have the same head,
/// as long as there are others: such fields resemble each other.
///
/// For 320 fields, five million drops and half a million under rows, chains on average by turn from
/// the empty field, from those of turn 8 and under rows: without this 11.01, 15.28 and 8.44; with
/// 12 % 11.03, 15.31 and 8.52; with 12 % of the same trigger, whatever follows, 11.04, 15.29 and
/// 8.46 (B-10, B-11.23).
const SHARE_OF_A_HEAD: usize = 12;

/// How the longest chain begins that is the potential of a field: the trigger and what vanishes in the second
/// round, hashed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct ChainSignature(u32);

impl ChainSignature {
    fn of(potential: &Potential) -> Self {
        let cell = potential
            .trigger
            .map_or(0, |(column, row)| (u32::from(column) << 8 | u32::from(row)) + 1);
        Self(potential.second.unwrap_or(0) as u32 ^ cell.wrapping_mul(0x9e37_79b9))
    }
}

/// Where a field of a layer comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// From a place in the layer before, by a drop.
    Drop(u32, Placement),
    /// From a place among the fields that are known for the layer.
    Known(u32),
}

/// A field of the next layer that may be kept.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Where it comes from.
    pub origin: Origin,
    /// Rows of those to come for which the tallest column has no room.
    short: Reverse<u32>,
    /// The chain of its potential.
    pub potential: Chain,
    /// What is left of that when the rows to come have fallen, or so many that the game is over.
    potential_after_rain: Chain,
    /// How the chain of its potential begins.
    head: ChainSignature,
    /// What ranks fields of the same potential.
    value: i32,
    hash: u64,
}

/// The rows that are still to fall after a ply.
#[derive(Clone, Copy, Debug)]
pub struct DueRain {
    rows: u32,
    /// Whether one of them falls before the next drop.
    is_next: bool,
}

impl DueRain {
    /// What a rain has left after a ply.
    pub fn after(ply: usize, rain: &Rain) -> Self {
        Self { rows: rain.rows_from(ply + 1), is_next: rain.falls_at(ply + 1) }
    }
}

impl Candidate {
    /// The field that a drop made of a parent, on which some rows are still to fall.
    ///
    /// Its potential counts after the row that falls before its next drop, which may bury the
    /// trigger: so 20 games were won and 10 lost against the potential before it.
    pub fn new(
        origin: Origin,
        field: &Field,
        coming: DueRain,
        weights: &Weights,
        room: &mut ChildBuffer,
    ) -> Self {
        let next_row = u32::from(coming.is_next);
        let tallest = u32::from(field.tallest());
        let until_over = (HEIGHT as u32 + 1).saturating_sub(tallest + next_row);
        let more = (coming.rows - next_row).min(until_over);
        let (found, potential_after_rain) =
            rained(*field, coming.is_next).potential_after(more as u8, room);
        let (potential, head) = (found.chain, ChainSignature::of(&found));
        // What falls must find room.
        let short = (tallest + coming.rows).saturating_sub(HEIGHT as u32);
        let (value, hash) = (weights.value(field, &found), field.hash());
        Self { origin, short: Reverse(short), potential, potential_after_rain, head, value, hash }
    }

    /// The same candidate as one of the fields that are known.
    pub const fn known(self, place: u32) -> Self {
        Self { origin: Origin::Known(place), ..self }
    }

    /// What is kept first: a field that will have room, then the longer potential, ...
    const fn group(&self) -> (Reverse<u32>, Chain) {
        (self.short, self.potential)
    }

    /// ... of the same potential the field of more value; the hash makes the order of equals the same
    /// every time.
    const fn rank(&self) -> (Chain, i32, u64) {
        (self.potential, self.value, self.hash)
    }

    /// The same by what lasts.
    const fn lasting_group(&self) -> (Reverse<u32>, Chain) {
        (self.short, self.potential_after_rain)
    }
}

/// The candidates to keep, of a layer of so many: no field twice; first, should more rows be coming
/// than the next, those whose potential lasts, then those that potential most, both best first, of each
/// so many percent at most with the same potential, and of all a part at most with the same head.
/// What room is then left goes to whichever potential most.
pub fn select(candidates: &[Candidate], width: usize, percent: usize) -> Vec<Candidate> {
    let mut kept = Kept {
        candidates,
        all: Vec::with_capacity(width),
        seen: FnvHashSet::default(),
        of_head: FnvHashMap::default(),
        most_of_head: (width * SHARE_OF_A_HEAD / 100).max(1),
        full: Vec::new(),
    };
    if candidates.iter().any(|candidate| candidate.potential_after_rain != candidate.potential) {
        kept.take(Candidate::lasting_group, width * PART_OF_LASTING / 100, percent);
    }
    kept.take(Candidate::group, width - kept.all.len(), percent);
    kept.most_of_head = usize::MAX;
    kept.full.clear();
    kept.take(Candidate::group, width - kept.all.len(), percent);
    kept.all
}

/// What is kept of a layer's candidates.
struct Kept<'a> {
    candidates: &'a [Candidate],
    all: Vec<Candidate>,
    /// The hashes of what is kept.
    seen: FnvHashSet<u64>,
    /// How many are kept with each head, ...
    of_head: FnvHashMap<ChainSignature, usize>,
    /// ... how many may be ...
    most_of_head: usize,
    /// ... and the few heads that have had their part.
    full: Vec<ChainSignature>,
}

impl Kept<'_> {
    /// Keeps so many more, if there are: the best groups first, of each its best, and so many percent
    /// at most of the same chain. No more is put in order than is kept, which most groups are not.
    fn take(
        &mut self,
        group: fn(&Candidate) -> (Reverse<u32>, Chain),
        width: usize,
        percent: usize,
    ) {
        if width == 0 {
            return;
        }
        let most = (width * percent / 100).max(1);
        let mut groups: FnvHashMap<_, Vec<u32>> = FnvHashMap::default();
        for (place, candidate) in (0..).zip(self.candidates) {
            groups.entry(group(candidate)).or_default().push(place);
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_unstable_by_key(|&(group, _)| Reverse(group));
        let end = self.all.len() + width;
        let mut of_chain: FnvHashMap<Chain, usize> = FnvHashMap::default();
        for ((_, chain), places) in groups {
            let count = of_chain.entry(chain).or_default();
            *count += self.best_of(places, (most - *count).min(end - self.all.len()));
        }
    }

    /// Keeps so many of a group at most, its best; returns how many.
    fn best_of(&mut self, mut rest: Vec<u32>, most: usize) -> usize {
        let candidates = self.candidates;
        let candidate = |place: u32| &candidates[place as usize];
        let order = |&a: &u32, &b: &u32| {
            let [a, b] = [a, b].map(candidate);
            b.rank().cmp(&a.rank()).then(a.origin.cmp(&b.origin))
        };
        let before = self.all.len();
        let end = before + most;
        while self.all.len() < end {
            // Whose head has had its part need not be put in order any more.
            rest.retain(|&place| !self.full.contains(&candidate(place).head));
            if rest.is_empty() {
                break;
            }
            // Some more than are wanted, as a few fields come up twice.
            let wanted = end - self.all.len();
            let count = (wanted + wanted / 8 + 64).min(rest.len());
            if count < rest.len() {
                rest.select_nth_unstable_by(count, order);
            }
            let others = rest.split_off(count);
            rest.sort_unstable_by(order);
            for candidate in rest.into_iter().map(candidate) {
                if self.all.len() == end {
                    break;
                }
                if !self.full.contains(&candidate.head) && self.seen.insert(candidate.hash) {
                    self.keep(candidate);
                }
            }
            rest = others;
        }
        self.all.len() - before
    }

    fn keep(&mut self, candidate: &Candidate) {
        self.all.push(*candidate);
        let count = self.of_head.entry(candidate.head).or_default();
        *count += 1;
        if *count >= self.most_of_head {
            self.full.push(candidate.head);
        }
    }
}

/// The fields of a layer, the coming row of ojama fallen already.
pub struct Layer(Vec<Field>);

impl Layer {
    /// The layer of the one field that a search begins with.
    pub fn root(field: Field, rain: bool) -> Self {
        Self(vec![rained(field, rain)])
    }

    /// Its fields.
    pub fn fields(&self) -> &[Field] {
        &self.0
    }

    /// The next layer, of the kept candidates. Their drops are simulated again: that is cheaper
    /// than to keep the fields of all that are not chosen.
    pub fn descend(
        &self,
        kept: &[Candidate],
        pack: &Pack,
        rain: bool,
        known: Option<&Known>,
    ) -> Self {
        let field = |candidate: &Candidate| match candidate.origin {
            Origin::Drop(parent, placement) => {
                rained(self.0[parent as usize].drop_pack(pack, placement).field, rain)
            }
            Origin::Known(place) => {
                known.map(|known| known.field(place)).expect("a candidate of a known layer")
            }
        };
        Self(kept.iter().map(field).collect())
    }
}

fn rained(mut field: Field, rain: bool) -> Field {
    if rain {
        field.rain();
    }
    field
}

/// For every layer but the first, where each of its fields comes from.
pub struct Trail<'a> {
    layers: Vec<Vec<Origin>>,
    known: &'a Tree,
}

impl<'a> Trail<'a> {
    /// Of a search that knows some fields beforehand.
    pub const fn new(known: &'a Tree) -> Self {
        Self { layers: Vec::new(), known }
    }

    /// Adds a layer.
    pub fn push(&mut self, kept: &[Candidate]) {
        self.layers.push(kept.iter().map(|candidate| candidate.origin).collect());
    }

    /// The drops that lead to a field of the last layer.
    pub fn path_to(&self, field: u32) -> Vec<Placement> {
        let mut path = Vec::with_capacity(self.layers.len() + 1);
        let mut at = field;
        for (ply, layer) in self.layers.iter().enumerate().rev() {
            match layer[at as usize] {
                Origin::Drop(parent, placement) => {
                    path.push(placement);
                    at = parent;
                }
                Origin::Known(place) => {
                    let known = self.known.layer(ply).map(|known| known.path(place));
                    path.extend(known.into_iter().flatten().rev());
                    break;
                }
            }
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Field;

    /// Without the 4 the 9 falls on the 1: low down, or on four blocks more.
    const LOW: &str = "9.........\n4.........\n1...222222\n";
    const HIGH: &str =
        "9.........\n4.........\n1.........\n3.........\n3.........\n3.........\n3.........\n";

    fn candidate(parent: u32, drawing: &str, rows: u64) -> Candidate {
        let field: Field = drawing.parse().unwrap();
        let coming = DueRain::after(0, &Rain::rows(1, rows));
        let placement = Placement::all().next().unwrap();
        Candidate::new(
            Origin::Drop(parent, placement),
            &field,
            coming,
            Weights::learned(),
            &mut ChildBuffer::new(),
        )
    }

    fn parents(kept: &[Candidate]) -> Vec<u32> {
        let parent = |candidate: &Candidate| match candidate.origin {
            Origin::Drop(parent, _) => parent,
            Origin::Known(_) => unreachable!("nothing is known"),
        };
        kept.iter().map(parent).collect()
    }

    #[test]
    fn what_is_promised_lasts_until_rows_lie_beside_it() {
        let potentials = |drawing, rows| {
            let Candidate { potential, potential_after_rain, .. } = candidate(0, drawing, rows);
            (potential.0, potential_after_rain.0)
        };
        assert_eq!(potentials(LOW, 1), (1, 1), "none after the next");
        assert_eq!(potentials(LOW, 3), (1, 0));
        assert_eq!(potentials(HIGH, 3), (1, 1));
        assert_eq!(potentials(HIGH, 7), (1, 0));
        let tall = ".........3\n".repeat(12) + "9........3\n4........3\n1........3\n";
        assert_eq!(potentials(&tall, 3), (1, 1), "the game is over before it is closed in");
    }

    #[test]
    fn most_of_a_layer_is_kept_for_what_lasts() {
        let kept = |rows, width| {
            let candidates = vec![candidate(0, LOW, rows), candidate(1, HIGH, rows)];
            parents(&select(&candidates, width, 100))
        };
        assert_eq!((kept(0, 4), kept(0, 1)), (vec![0, 1], vec![0]), "more blocks first");
        assert_eq!((kept(3, 4), kept(3, 2)), (vec![1, 0], vec![1, 0]));
    }

    /// The first two fields have more blocks than the third, and chains of the same head.
    #[test]
    fn of_fields_with_the_same_head_few_are_kept_if_there_are_others() {
        let low = LOW.replace("1...", "1..2");
        let all: Vec<_> =
            (0..).zip([&low[..], LOW, HIGH]).map(|(at, field)| candidate(at, field, 0)).collect();
        let kept = |count, width| parents(&select(&all[..count], width, 100));
        assert_eq!((kept(3, 2), kept(3, 3)), (vec![0, 2], vec![0, 2, 1]));
        assert_eq!(kept(2, 2), [0, 1], "there is no other");
    }

    /// The 4 holds the 9 up from the 1; its last empty neighbour is where the next row falls.
    #[test]
    fn what_the_next_row_buries_is_no_promise() {
        let field: Field = "9.........\n43........\n13........\n".parse().unwrap();
        let placement = Placement::all().next().unwrap();
        let potential = |rain: Rain| {
            let coming = DueRain::after(0, &rain);
            let mut room = ChildBuffer::new();
            let weights = Weights::learned();
            Candidate::new(Origin::Drop(0, placement), &field, coming, weights, &mut room).potential
        };
        assert_eq!(potential(Rain::NONE), Chain(1));
        assert_eq!(potential(Rain::NONE.with(0)), Chain(1), "it has fallen");
        assert_eq!(potential(Rain::NONE.with(2)), Chain(1), "there is a drop before it");
        assert_eq!(potential(Rain::NONE.with(1)), Chain(0));
    }
}
