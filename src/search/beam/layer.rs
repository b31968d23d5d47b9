//! The layers of a beam search: the selection of the kept fields, and the paths to them.

use std::cmp::Reverse;

use fnv::{FnvHashMap, FnvHashSet};
use rayon::prelude::*;

use super::evaluation::{Evaluation, Weights};
use super::tree::{Known, Tree};
use crate::board::{Field, Summary};
use crate::game::{Chain, HEIGHT, Pack, Placement, Potential};
use crate::search::Rain;

/// The part of a layer, in percent, that is filled by the potential after rain, if rows are due
/// after the next one. Experiments B-06, B-12.1.
const PART_OF_LASTING: usize = 75;

/// The part of a layer, in percent, that fields of one chain signature may take while there are
/// other fields: fields of equal signature are similar. Experiments B-10, B-11.23.
const SHARE_OF_A_HEAD: usize = 12;

/// The least number of drops that a thread simulates at once for the next layer. Chosen by hand.
const LEAST_DROPS: usize = 256;

/// A hash of the start of a field's longest potential chain: the trigger cell and the blocks that
/// vanish in the second round.
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

/// The origin of a field of a layer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// A drop on the field of this index in the layer before.
    Drop(u32, Placement),
    /// The field of this index among the known fields of the layer.
    Known(u32),
}

/// A field of the next layer that may be kept.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The origin of the field.
    pub origin: Origin,
    /// The number of due rows that do not fit on the tallest column.
    short: Reverse<u32>,
    /// The longest potential chain after the next row.
    pub potential: Chain,
    /// The longest potential chain after all due rows, or after the rows that end the game.
    potential_after_rain: Chain,
    /// The signature of the chain of `potential`.
    head: ChainSignature,
    /// The evaluation that orders fields of equal potential.
    evaluation: Evaluation,
    hash: u64,
}

/// The rows that are still to fall after a ply.
#[derive(Clone, Copy, Debug)]
pub struct DueRain {
    rows: u32,
    /// Whether a row falls before the next drop.
    is_next: bool,
}

impl DueRain {
    /// The rows of `rain` after `ply`.
    pub fn after(ply: usize, rain: &Rain) -> Self {
        Self { rows: rain.rows_from(ply + 1), is_next: rain.falls_at(ply + 1) }
    }
}

impl DueRain {
    /// `field` after the row that falls before the next drop, if one does, and the number of
    /// further rows that fall, or that end the game.
    #[inline]
    pub fn prepare(self, field: &Field) -> (Field, u8) {
        if self.rows == 0 {
            return (*field, 0);
        }
        let next_row = u32::from(self.is_next);
        let until_over = (HEIGHT as u32 + 1).saturating_sub(u32::from(field.tallest()) + next_row);
        let more = (self.rows - next_row).min(until_over);
        (rained(*field, self.is_next), more as u8)
    }

    /// The summary of the field before [`Self::prepare`], from the summary of the field after it.
    #[inline]
    fn before(self, mut after: Summary) -> Summary {
        after.heights.iter_mut().for_each(|height| *height -= u8::from(self.is_next));
        after
    }
}

impl Candidate {
    /// The candidate with the field of `hash`, on which the rows of `coming` are still to fall.
    ///
    /// `found` has the potentials of the field that [`DueRain::prepare`] returns, and `after` its
    /// summary: after the row that falls before the next drop, because that row may bury the
    /// trigger, and after all rows.
    #[inline]
    pub fn new(
        origin: Origin,
        hash: u64,
        coming: DueRain,
        weights: &Weights,
        (found, potential_after_rain): (Potential, Chain),
        after: &Summary,
    ) -> Self {
        let field = coming.before(*after);
        // The due rows must fit on the tallest column.
        let short = (u32::from(field.tallest()) + coming.rows).saturating_sub(HEIGHT as u32);
        Self {
            origin,
            short: Reverse(short),
            potential: found.chain,
            potential_after_rain,
            head: ChainSignature::of(&found),
            evaluation: weights.evaluate(&field, &found),
            hash,
        }
    }

    /// The candidate with the origin of a known field at index `place`.
    pub const fn known(self, place: u32) -> Self {
        Self { origin: Origin::Known(place), ..self }
    }

    /// The order of the groups: fewer missing rows first, then the longer potential.
    const fn group(&self) -> (Reverse<u32>, Chain) {
        (self.short, self.potential)
    }

    /// The order within a group: the greater evaluation first. `hash` makes the order of equal
    /// evaluations deterministic.
    const fn rank(&self) -> (Chain, Evaluation, u64) {
        (self.potential, self.evaluation, self.hash)
    }

    /// As [`Self::group`], with the potential after rain.
    const fn lasting_group(&self) -> (Reverse<u32>, Chain) {
        (self.short, self.potential_after_rain)
    }
}

/// Selects the at most `width` candidates that the beam keeps, without duplicates (equal hashes).
///
/// The slots are filled in three passes, the best candidates first:
///
/// 1. If rows are due after the next one: [`PART_OF_LASTING`] percent of the slots, by the
///    potential after rain.
/// 2. The rest, by potential.
/// 3. The slots that the limit on signatures left empty, by potential, without that limit.
///
/// In each pass, at most `percent` percent of the slots go to one chain length. In the first two
/// passes, at most [`SHARE_OF_A_HEAD`] percent of `width` go to one chain signature.
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

/// The kept candidates of a layer.
struct Kept<'a> {
    candidates: &'a [Candidate],
    all: Vec<Candidate>,
    /// The hashes of the kept candidates.
    seen: FnvHashSet<u64>,
    /// The number of kept candidates by signature.
    of_head: FnvHashMap<ChainSignature, usize>,
    /// The greatest number of kept candidates of one signature.
    most_of_head: usize,
    /// The few signatures that have reached `most_of_head`.
    full: Vec<ChainSignature>,
}

impl Kept<'_> {
    /// Keeps at most `width` more candidates, the best groups and their best candidates first, and
    /// at most `percent` percent of `width` for one chain length. Sorts only about the candidates
    /// that it keeps, because most groups are not kept.
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

    /// Keeps the at most `most` best candidates of the group `rest`; returns their number.
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
            // Candidates of full signatures need not be sorted.
            rest.retain(|&place| !self.full.contains(&candidate(place).head));
            if rest.is_empty() {
                break;
            }
            // Sorts a few more than are wanted, because the group may hold duplicates.
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

/// The fields of a layer, after the row of ojama of its ply has fallen.
pub struct Layer(Vec<Field>);

impl Layer {
    /// The first layer of a search, which holds `field` alone.
    pub fn root(field: Field, rain: bool) -> Self {
        Self(vec![rained(field, rain)])
    }

    /// The fields of the layer.
    pub fn fields(&self) -> &[Field] {
        &self.0
    }

    /// Returns the next layer, with the fields of `kept`. Their drops are simulated again, because
    /// this is cheaper than to store the fields of all candidates.
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
        Self(kept.par_iter().with_min_len(LEAST_DROPS).map(field).collect())
    }
}

fn rained(mut field: Field, rain: bool) -> Field {
    if rain {
        field.rain();
    }
    field
}

/// The origin of each field, for every layer but the first.
pub struct Trail<'a> {
    layers: Vec<Vec<Origin>>,
    known: &'a Tree,
}

impl<'a> Trail<'a> {
    /// The trail of a search that starts with the tree `known`.
    pub const fn new(known: &'a Tree) -> Self {
        Self { layers: Vec::new(), known }
    }

    /// Adds a layer.
    pub fn push(&mut self, kept: &[Candidate]) {
        self.layers.push(kept.iter().map(|candidate| candidate.origin).collect());
    }

    /// Returns the drops that lead to the field of index `field` in the last layer.
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
    use crate::board::{ChildBuffer, Field};

    /// Without the 4, the 9 falls on the 1. In `HIGH`, the 1 lies on four more blocks.
    const LOW: &str = "9.........\n4.........\n1...222222\n";
    const HIGH: &str =
        "9.........\n4.........\n1.........\n3.........\n3.........\n3.........\n3.........\n";

    fn candidate(parent: u32, drawing: &str, rows: u64) -> Candidate {
        let field: Field = drawing.parse().unwrap();
        let coming = DueRain::after(0, &Rain::rows(1, rows));
        evaluated(parent, &field, coming)
    }

    fn evaluated(parent: u32, field: &Field, coming: DueRain) -> Candidate {
        let placement = Placement::all().next().unwrap();
        let (later, rows) = coming.prepare(field);
        let found = later.potential_after(rows, &mut ChildBuffer::new());
        let (origin, weights) = (Origin::Drop(parent, placement), Weights::learned());
        Candidate::new(origin, field.hash(), coming, weights, found, &later.summary())
    }

    fn parents(kept: &[Candidate]) -> Vec<u32> {
        let parent = |candidate: &Candidate| match candidate.origin {
            Origin::Drop(parent, _) => parent,
            Origin::Known(_) => unreachable!("nothing is known"),
        };
        kept.iter().map(parent).collect()
    }

    #[test]
    fn rows_beside_the_trigger_end_the_potential_after_rain() {
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
    fn most_slots_go_to_the_potential_after_rain() {
        let kept = |rows, width| {
            let candidates = vec![candidate(0, LOW, rows), candidate(1, HIGH, rows)];
            parents(&select(&candidates, width, 100))
        };
        assert_eq!((kept(0, 4), kept(0, 1)), (vec![0, 1], vec![0]), "more blocks first");
        assert_eq!((kept(3, 4), kept(3, 2)), (vec![1, 0], vec![1, 0]));
    }

    /// The first two fields have more blocks than the third, and equal chain signatures.
    #[test]
    fn few_fields_of_equal_signature_are_kept_if_there_are_others() {
        let low = LOW.replace("1...", "1..2");
        let all: Vec<_> =
            (0..).zip([&low[..], LOW, HIGH]).map(|(at, field)| candidate(at, field, 0)).collect();
        let kept = |count, width| parents(&select(&all[..count], width, 100));
        assert_eq!((kept(3, 2), kept(3, 3)), (vec![0, 2], vec![0, 2, 1]));
        assert_eq!(kept(2, 2), [0, 1], "there is no other");
    }

    /// The 4 holds the 9 above the 1; the next row fills its last empty neighbour.
    #[test]
    fn a_trigger_that_the_next_row_buries_has_no_potential() {
        let field: Field = "9.........\n43........\n13........\n".parse().unwrap();
        let potential = |rain: Rain| evaluated(0, &field, DueRain::after(0, &rain)).potential;
        assert_eq!(potential(Rain::NONE), Chain(1));
        assert_eq!(potential(Rain::NONE.with(0)), Chain(1), "it has fallen");
        assert_eq!(potential(Rain::NONE.with(2)), Chain(1), "there is a drop before it");
        assert_eq!(potential(Rain::NONE.with(1)), Chain(0));
    }
}
