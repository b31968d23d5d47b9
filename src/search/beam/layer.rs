//! A layer of a beam search: its fields, and the drops on them.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;

use super::BeamRequest;
use super::attack::LONGEST_STEP;
use super::candidate::{Candidate, DueRain, Origin, Rank, after_row};
use super::evaluation_filter::EvaluationFilter;
use super::features::FeatureWeights;
use super::groups::CandidatePart;
use super::tree::KnownLayer;
use crate::board::{Backend, ChildBuffer, Field};
use crate::game::{Chain, DropColumns, HEIGHT, Pack, Placement};
use crate::search::Budget;

/// The shortest chain that is an attack; a drop with a shorter chain only builds.
const SHORTEST_ATTACK: Chain = Chain(3);

/// The drops that the budget books for an evaluated candidate: one for its drop, the others for its
/// evaluation, which takes as long as these.
pub const DROPS_OF_A_CANDIDATE: u64 = 16;

/// The results of the drops on some fields of a layer.
#[derive(Default)]
struct Part {
    candidates: CandidatePart,
    /// Whether the game continues after a drop whose chain is at most [`LONGEST_STEP`].
    survives: bool,
    /// The best attack; the first one of equal attacks.
    attack: Option<LayerAttack>,
}

/// The results of all drops on the fields of a layer.
#[derive(Default)]
pub struct LayerResult {
    /// The fields that the next layer may keep, in the order of the fields that they come from.
    pub candidates: Vec<CandidatePart>,
    /// Whether the game continues after a drop whose chain is at most [`LONGEST_STEP`].
    pub survives: bool,
    /// The best attack; the one from the best field of equal attacks.
    pub attack: Option<LayerAttack>,
    /// Whether the budget ran out before all drops were tried.
    pub is_cut_short: bool,
}

/// A chain that a drop on a field of a layer sets off.
#[derive(Clone, Copy)]
pub struct LayerAttack {
    /// The index of the field in the layer.
    pub parent: u32,
    /// The drop.
    pub placement: Placement,
    /// The number of rounds.
    pub chain: Chain,
    /// Number blocks on the field after the chain.
    pub blocks_left: u32,
}

impl LayerAttack {
    /// Whether the attack replaces `other`, which was found before it: it is better, or equal and
    /// from a better field.
    fn is_before(&self, other: &Self) -> bool {
        let rank = |attack: &Self| (attack.chain, attack.blocks_left, Reverse(attack.parent));
        rank(self) > rank(other)
    }
}

/// The least number of fields that a thread takes at once, because waking a thread takes as long as
/// trying the drops on several fields. Experiment B-17.
const LEAST_CHUNK: usize = 16;

/// The greatest number of fields that a thread takes at once: at the end of a layer, the other
/// threads wait for the last one. Experiment B-17.
const MOST_CHUNK: usize = 256;

/// The parts of a layer for each thread: more than one, because fields take different times.
/// Experiment B-17.
const CHUNKS_A_THREAD: usize = 8;

/// Returns the number of fields that a thread takes at once of a layer of `fields` fields.
fn chunk_of(fields: usize, threads: usize) -> usize {
    fields.div_ceil(CHUNKS_A_THREAD * threads.max(1)).clamp(LEAST_CHUNK, MOST_CHUNK)
}

/// Returns the index of the first candidate of the field of index `field`, whose drops have
/// [`Placement::COUNT`] indices. Known fields stand behind all drops.
pub const fn first_index(field: usize) -> u32 {
    (field * Placement::COUNT) as u32
}

// The drops on the fields of the widest layer, and as many known fields, have indices.
const _: () = assert!(super::WIDEST * (Placement::COUNT + 1) <= Rank::INDICES as usize);

/// The origins of a layer's fields. The drops are simulated again, because this is cheaper than to
/// store the fields of all candidates.
pub struct LayerOrigins<'a> {
    /// The fields of the layer before.
    pub parents: Vec<Field>,
    /// The candidates that the layer has kept.
    pub kept: Vec<Candidate>,
    /// The pack that was dropped.
    pub pack: &'a Pack,
    /// Whether a row of ojama falls after the drop.
    pub is_rain: bool,
    /// The known fields of the layer.
    pub known: Option<&'a KnownLayer>,
}

impl LayerOrigins<'_> {
    /// Computes `fields`, the fields of the layer from the index `first` on.
    pub fn fill(&self, first: usize, fields: &mut [Field]) {
        for (field, candidate) in fields.iter_mut().zip(&self.kept[first..]) {
            *field = match candidate.origin {
                Origin::Drop(parent, placement) => {
                    let parent = &self.parents[parent as usize];
                    after_row(parent.drop_pack(self.pack, placement).field, self.is_rain)
                }
                Origin::Known(index) => self
                    .known
                    .map(|known| known.field(index))
                    .expect("a candidate of a known layer"),
            };
        }
    }
}

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

/// The inputs with which a layer's drops are tried, equal for all fields of the layer.
pub struct LayerStep<'a> {
    weights: &'a FeatureWeights,
    pack: &'a Pack,
    columns: DropColumns,
    /// The rain after this ply; `None` at the last ply, whose drops are tried for attacks only and
    /// not evaluated.
    coming: Option<DueRain>,
    filter: EvaluationFilter,
    budget: &'a Budget,
    /// Whether the budget ran out before all drops were tried.
    is_cut_short: AtomicBool,
}

impl<'a> LayerStep<'a> {
    /// The step of a search for `request` that tries the drops at `ply` on a layer of `fields`
    /// fields. At the last ply (`is_last`), drops are not evaluated.
    pub fn new(
        weights: &'a FeatureWeights,
        request: &BeamRequest<'a>,
        ply: usize,
        is_last: bool,
        fields: usize,
        budget: &'a Budget,
    ) -> Self {
        let pack = &request.packs[ply];
        Self {
            weights,
            pack,
            columns: request.columns,
            coming: (!is_last).then(|| DueRain::after(ply, &request.rain)),
            filter: EvaluationFilter::of(fields, pack),
            budget,
            is_cut_short: AtomicBool::new(false),
        }
    }

    /// Computes `fields`, the fields of the layer, from `origins`, if there are any, and tries all
    /// drops on them. The threads take parts of the layer.
    pub fn try_layer(
        &self,
        fields: &mut [Field],
        origins: Option<&LayerOrigins<'_>>,
    ) -> LayerResult {
        let chunk = chunk_of(fields.len(), rayon::current_num_threads());
        let parts = fields.par_chunks_mut(chunk).enumerate().with_max_len(1);
        let parts = parts.map(|(part, fields)| {
            if self.is_cut_short() {
                return Part::default();
            }
            let first = part * chunk;
            if let Some(origins) = origins {
                origins.fill(first, fields);
            }
            self.try_drops(fields, first)
        });
        let parts: Vec<Part> = parts.collect();
        let mut layer = LayerResult { is_cut_short: self.is_cut_short(), ..LayerResult::default() };
        for part in parts {
            layer.survives |= part.survives;
            layer.candidates.push(part.candidates);
            if let Some(found) = part.attack
                && layer.attack.is_none_or(|known| found.is_before(&known))
            {
                layer.attack = Some(found);
            }
        }
        layer
    }

    fn is_cut_short(&self) -> bool {
        self.is_cut_short.load(Relaxed)
    }

    /// Tries the drops on `fields`, which begin at the index `first` of the layer.
    fn try_drops(&self, fields: &[Field], first: usize) -> Part {
        let of_a_field = self.columns.placements().count() as u64;
        // About half of the drops are evaluated. The capacity for them is reserved at once, because
        // a growing vector needs twice the memory while it is copied.
        let most = fields.len() * of_a_field as usize;
        let mut candidates = Vec::with_capacity(if self.coming.is_some() { most / 2 } else { 0 });
        let mut part = Part::default();
        with_scratch(|scratch| {
            for (parent, field) in (first as u32..).zip(fields) {
                self.try_field(parent, field, scratch, &mut candidates, &mut part);
                let evaluated = scratch.evaluated.len() as u64 * (DROPS_OF_A_CANDIDATE - 1);
                if !self.budget.spend(of_a_field + evaluated) {
                    self.is_cut_short.store(true, Relaxed);
                    break;
                }
            }
        });
        part.candidates = CandidatePart::new(first_index(first), candidates);
        part
    }

    /// Tries the drops on `field`, the field of index `parent` in its layer.
    fn try_field(
        &self,
        parent: u32,
        field: &Field,
        Scratch { buffer, evaluated }: &mut Scratch,
        candidates: &mut Vec<Candidate>,
        part: &mut Part,
    ) {
        field.children(self.pack, self.columns, buffer);
        let summary = field.summary();
        // A drop adds at most two rows.
        let may_end = usize::from(summary.tallest()) + 2 > HEIGHT;
        buffer.clear_potentials();
        evaluated.clear();
        // The chains of the field serve its children after a drop without a chain; under rows this
        // saves no time. Experiment B-35.
        let has_no_rain = |coming: DueRain| coming.rows == 0;
        let is_shared = self.coming.is_some_and(has_no_rain) && !field.is_unstable();
        if is_shared {
            buffer.set_parent(field, self.pack);
        }
        for placement in self.columns.placements() {
            let child = buffer.child(placement);
            if may_end && child.field.is_over() {
                continue;
            }
            if child.chain <= LONGEST_STEP {
                part.survives = true;
                let coming = self.coming.filter(|_| self.filter.holds(parent, &summary, &child));
                if let Some(coming) = coming {
                    let (later, rows) = coming.prepare(&child.field);
                    if is_shared && child.chain == Chain(0) {
                        buffer.add_child_potential(&later, rows, placement);
                    } else {
                        buffer.add_potential(&later, rows);
                    }
                    evaluated.push(placement);
                }
            }
            if child.chain < SHORTEST_ATTACK {
                continue;
            }
            let (chain, blocks_left) = (child.chain, child.field.blocks());
            let attack = LayerAttack { parent, placement, chain, blocks_left };
            if part.attack.is_none_or(|known| attack.is_before(&known)) {
                part.attack = Some(attack);
            }
        }
        let Some(coming) = self.coming else { return };
        buffer.run_potentials();
        candidates.extend(evaluated.iter().enumerate().map(|(index, &placement)| {
            let hash = buffer.child(placement).field.hash();
            let origin = Origin::Drop(parent, placement);
            let (found, after) = (buffer.potential(index), buffer.summary(index));
            Candidate::new(origin, hash, coming, self.weights, found, after)
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_gets_several_parts_of_a_layer() {
        assert_eq!((chunk_of(0, 2), chunk_of(1, 16), chunk_of(100, 16)), (16, 16, 16));
        assert_eq!((chunk_of(2000, 2), chunk_of(10_000, 16)), (125, 79));
        assert_eq!((chunk_of(131_072, 1), chunk_of(131_072, 16)), (256, 256));
    }

    #[test]
    fn the_scratch_memory_of_a_thread_stays() {
        with_scratch(|scratch| scratch.evaluated.extend(Placement::all().take(3)));
        let kept = with_scratch(|scratch| scratch.evaluated.len());
        let other = std::thread::spawn(|| with_scratch(|scratch| scratch.evaluated.len()));
        assert_eq!((kept, other.join().unwrap()), (3, 0));
    }
}
