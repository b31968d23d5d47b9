//! Beam search: the best chains that one player can build, many turns ahead.
//!
//! A layer holds the kept fields of one turn. The search tries all drops on all fields of a layer.
//! A drop that sets off a chain is an [`Attack`], and the search does not continue after it unless
//! the chain is short ([`LONGEST_STEP`]). Of the other fields, `beam/evaluation_filter.rs` chooses
//! the ones that are evaluated, and the next layer keeps the best of these.
//!
//! Fields are ordered by their potential ([`Field::potential`]) after the row that falls next, if
//! one does. If more rows are due, most slots of the layer go by the potential after rain, so that
//! the layer keeps fields whose trigger stands high enough to be set off after these rows. Fields
//! of equal potential are ordered by `beam/evaluation.rs`. Fields of one potential may take only a
//! part of the layer, and so may fields of one chain signature: this keeps fields of less potential
//! and different structure beside the best.
//!
//! The drops of a layer are tried in parallel: each thread takes some of the fields. The candidates
//! stand in the order of their fields, so that the result does not depend on the number of threads,
//! unless the budget runs out within a layer: the attacks of that layer are the ones that the
//! threads have found so far.

mod candidate;
mod candidates;
mod due_rain;
mod evaluation;
mod evaluation_filter;
mod features;
mod layer;
mod scratch;
mod select;
mod tree;
mod weights;

use std::cmp::Reverse;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;

use self::candidate::{Candidate, Origin, Rank};
use self::candidates::{CandidatePart, Candidates};
use self::due_rain::{DueRain, after_row};
pub use self::evaluation::FeatureWeights;
use self::evaluation_filter::EvaluationFilter;
pub use self::features::{FEATURES, NAMES};
use self::layer::{LayerOrigins, Trail};
use self::scratch::{Scratch, with_scratch};
use self::select::select;
pub use self::tree::Tree;
pub use self::weights::LEARNED;
use super::{Budget, Rain};
use crate::board::Field;
use crate::game::{Chain, DropColumns, Dropped, HEIGHT, Pack, Placement, Stock};

/// The position and the limits of a beam search.
#[derive(Clone, Debug)]
pub struct BeamRequest<'a> {
    /// The field before the first of the coming turns, before the row of that turn falls.
    pub field: Field,
    /// The packs of the coming turns.
    pub packs: &'a [Pack],
    /// The plies at which a row falls on `field`.
    pub rain: Rain,
    /// The number of turns to search, at most the number of `packs`.
    pub depth: usize,
    /// The drop columns that are tried. With fewer columns, a search goes deeper in the same time.
    pub positions: DropColumns,
}

/// A chain that can be set off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attack {
    /// One drop a turn; the last one sets off the chain.
    pub path: Vec<Placement>,
    /// The number of rounds.
    pub chain: Chain,
    /// The number blocks on the field after the chain.
    pub blocks_left: u32,
}

/// The result of a beam search.
#[derive(Clone, Debug, Default)]
pub struct BeamResult {
    /// The best attack of each turn, the coming turn first; `None` for a turn without an attack.
    pub attacks: Vec<Option<Attack>>,
    /// The first drop towards the best field of the deepest evaluated layer, and the potential of
    /// that field: the drop to play if no attack is good enough.
    pub building: Option<(Placement, Chain)>,
    /// The width of the last complete sweep.
    pub width: usize,
    /// The number of plies that at least one field survives without an attack.
    pub reached: usize,
}

/// The shortest chain that is an attack; a drop with a shorter chain only builds.
const SHORTEST_ATTACK: Chain = Chain(3);

/// The longest chain after which the search continues: under rain, such a chain may be the only way
/// to survive until a later attack.
pub const LONGEST_STEP: Chain = Chain(6);

/// The slots of a layer, in percent, that candidates of one potential take at most if no rows are
/// due. Experiments B-07, B-14.1.
const MAX_SAME_POTENTIAL_PERCENT: usize = 50;

/// As [`MAX_SAME_POTENTIAL_PERCENT`], if rows are due. Experiments B-07, B-12.
const MAX_SAME_POTENTIAL_PERCENT_UNDER_ROWS: usize = 30;

/// The width of the first sweep. It is small, so that a search has a result early.
const FIRST_WIDTH: usize = 4;

/// The factor between the widths of two sweeps, except for the last sweep ([`LAST`]).
const GROWTH: usize = 4;

/// If the rest of the budget allows less than this many times the width of the sweep before, the
/// next sweep is the last one, and as wide as the budget allows.
///
/// All sweeps before the last one take a twentieth to a quarter of the budget. Chains are longer
/// than with sweeps that double until the budget runs out within a sweep. Experiment B-05.
const LAST: usize = 20;

/// The least ratio of the widths of two sweeps; a search ends rather than run a narrower sweep.
/// `GROWTH`, `LAST` and `WIDER` are chosen by hand.
const WIDER: f64 = 1.2;

/// The greatest width of a sweep. It limits the memory: a game of 180 s on one thread takes 300 MB.
///
/// Only the first turn of such a game reaches this width, after 10 of its 13.5 s. A quarter of this
/// width left half of that time unused when all drops were evaluated.
const WIDEST: usize = 1 << 17;

impl Attack {
    /// The ply at which the chain is set off; 0 is the coming turn.
    pub fn ply(&self) -> usize {
        self.path.len() - 1
    }

    /// An attack with arbitrary drops, for tests that do not read the drops.
    #[cfg(test)]
    pub fn some(chain: u8, ply: usize) -> Self {
        let path = Placement::all().take(ply + 1).collect();
        Self { path, chain: Chain(chain), blocks_left: 0 }
    }

    /// A greater rank is better: the longer chain, then more blocks left to build on.
    fn rank(&self) -> (Chain, u32) {
        (self.chain, self.blocks_left)
    }
}

impl BeamResult {
    /// Returns, for each turn, the most ojama that one attack sends up to that turn. The coming
    /// turn is first.
    pub fn most_sent(&self) -> Vec<Stock> {
        let mut most = 0;
        let sent = self.attacks.iter().map(|attack| {
            most = most.max(attack.as_ref().map_or(0, |attack| attack.chain.ojama()));
            most
        });
        sent.collect()
    }

    /// Stores `attack` if it ranks above the stored attack of its turn, or if there is none.
    pub fn take(&mut self, attack: Attack) {
        self.replace(attack, |attack, known| attack.rank() > known.rank());
    }

    /// Stores `attack` unless the stored attack of its turn has a longer chain.
    pub fn prefer(&mut self, attack: Attack) {
        self.replace(attack, |attack, known| attack.chain >= known.chain);
    }

    /// Stores `attack` if `is_better` than the stored attack of its turn, or if there is none.
    /// Ignores an attack beyond the depth of the search.
    fn replace(&mut self, attack: Attack, is_better: impl FnOnce(&Attack, &Attack) -> bool) {
        if let Some(known) = self.attacks.get_mut(attack.ply())
            && known.as_ref().is_none_or(|known| is_better(&attack, known))
        {
            *known = Some(attack);
        }
    }
}

/// Plays the drops of `path` on `field` under `rain`, and yields the result of each drop. Ends with
/// the shorter of `packs` and `path`.
pub fn walk(
    mut field: Field,
    packs: &[Pack],
    path: &[Placement],
    rain: Rain,
) -> impl Iterator<Item = Dropped<Field>> {
    packs.iter().zip(path).enumerate().map(move |(ply, (pack, &placement))| {
        if rain.falls_at(ply) {
            field.rain();
        }
        let dropped = field.drop_pack(pack, placement);
        field = dropped.field;
        dropped
    })
}

/// Searches in sweeps of growing width until `budget` is spent or settled
/// ([`Budget::has_enough`]).
///
/// If the deadline of `budget` is the limit, the width of the last sweep depends on the clock.
pub fn search(request: &BeamRequest<'_>, budget: &Budget) -> BeamResult {
    search_by(FeatureWeights::learned(), request, budget)
}

/// As [`search`], with the evaluation `weights`.
pub fn search_by(
    weights: &FeatureWeights,
    request: &BeamRequest<'_>,
    budget: &Budget,
) -> BeamResult {
    sweeps(weights, request, &Tree::default(), budget, None)
}

/// As [`search`], with the fields of `known`, the tree of an earlier search, as further candidates.
/// Also returns the tree of this search. If rows are due, `known` is not used and the returned tree
/// is empty.
pub fn search_on(request: &BeamRequest<'_>, known: &Tree, budget: &Budget) -> (BeamResult, Tree) {
    let mut tree = Tree::default();
    let result = if request.rain.rows_from(0) > 0 {
        search(request, budget)
    } else {
        sweeps(FeatureWeights::learned(), request, known, budget, Some(&mut tree))
    };
    (result, tree)
}

/// Runs all sweeps. Stores the fields of the last complete sweep in `tree`, if one is given.
fn sweeps(
    weights: &FeatureWeights,
    request: &BeamRequest<'_>,
    known: &Tree,
    budget: &Budget,
    mut tree: Option<&mut Tree>,
) -> BeamResult {
    let depth = request.depth.min(request.packs.len());
    let mut result = BeamResult { attacks: vec![None; depth], ..BeamResult::default() };
    let mut next = Some(FIRST_WIDTH);
    while let Some(width) = next {
        let before = result.attacks.clone();
        let (begin, spent) = (budget.mark(), budget.spent());
        let mut kept = tree.as_ref().map(|_| Tree::default());
        let sweep = Sweep { weights, request, known, depth, width };
        let Some(most) = sweep.run(budget, &mut result, kept.as_mut()) else { break };
        if let (Some(tree), Some(kept)) = (&mut tree, kept) {
            **tree = kept;
        }
        result.width = width;
        if budget.has_enough(width, result.attacks != before) {
            break;
        }
        let part = (budget.spent() - spent) as f64 / most as f64;
        let left = budget.drops_left_since(&begin);
        next = next_width(width, affordable(request, depth, left, part));
    }
    result
}

/// Returns the greatest width of a sweep that books at most `drops`.
///
/// The first layer has one field, and each further layer has as many fields as the width. The
/// candidates of the last ply are not evaluated. `part` is the part, 0 to 1, that the sweep before
/// has booked of its greatest possible cost.
fn affordable(request: &BeamRequest<'_>, depth: usize, drops: u64, part: f64) -> usize {
    let placements = request.positions.placements().count().max(1) as f64;
    let ranked = part * DROPS_OF_A_CANDIDATE as f64 * placements;
    let of_a_width = ranked * depth.saturating_sub(2) as f64 + placements;
    ((drops as f64 - ranked) / of_a_width) as usize
}

/// Returns the width of the sweep after one of `width`, if the budget allows a width of `most`;
/// `None` if there is no further sweep.
fn next_width(width: usize, most: usize) -> Option<usize> {
    let next = if most < LAST * width { most } else { GROWTH * width }.min(WIDEST);
    (next as f64 >= WIDER * width as f64).then_some(next)
}

/// One sweep of a search.
struct Sweep<'a> {
    weights: &'a FeatureWeights,
    request: &'a BeamRequest<'a>,
    /// The fields of an earlier search.
    known: &'a Tree,
    depth: usize,
    width: usize,
}

impl Sweep<'_> {
    /// Runs the sweep and stores the kept fields in `tree`, if one is given.
    ///
    /// Returns the drops that the sweep would have booked if all candidates before the last ply
    /// were evaluated, or `None` if the budget ran out within the sweep.
    fn run(
        &self,
        budget: &Budget,
        result: &mut BeamResult,
        mut tree: Option<&mut Tree>,
    ) -> Option<u64> {
        let Sweep { weights, request, known, depth, width } = *self;
        let mut trail = Trail::new(known);
        let mut fields = vec![after_row(request.field, request.rain.falls_at(0))];
        let mut origins: Option<LayerOrigins<'_>> = None;
        let placements = request.positions.placements().count() as u64;
        let of_a_field = |is_last| placements * if is_last { 1 } else { DROPS_OF_A_CANDIDATE };
        let mut building = None;
        let mut most = 0;
        let max_same_potential_percent = if request.rain.rows_from(0) == 0 {
            MAX_SAME_POTENTIAL_PERCENT
        } else {
            MAX_SAME_POTENTIAL_PERCENT_UNDER_ROWS
        };
        for (ply, pack) in request.packs.iter().take(depth).enumerate() {
            let is_last = ply > 0 && ply + 1 == depth;
            let coming = (!is_last).then(|| DueRain::after(ply, &request.rain));
            let filter = EvaluationFilter::of(fields.len(), pack);
            let positions = request.positions;
            let is_cut_short = AtomicBool::new(false);
            let step = LayerStep { weights, pack, positions, coming, filter, budget, is_cut_short };
            let chunk = chunk_of(fields.len(), rayon::current_num_threads());
            let parts = fields.par_chunks_mut(chunk).enumerate().with_max_len(1);
            let parts = parts.map(|(part, fields)| {
                if step.is_cut_short() {
                    return Part::default();
                }
                let first = part * chunk;
                if let Some(origins) = &origins {
                    origins.fill(first, fields);
                }
                step.try_drops(fields, first)
            });
            let parts: Vec<Part> = parts.collect();
            let mut candidates = Vec::new();
            let mut attack: Option<LayerAttack> = None;
            let mut survives = false;
            for part in parts {
                survives |= part.survives;
                candidates.push(part.candidates);
                if let Some(found) = part.attack
                    && attack.is_none_or(|known| found.is_before(&known))
                {
                    attack = Some(found);
                }
            }
            if let Some(LayerAttack { parent, placement, chain, blocks_left }) = attack {
                let mut path = trail.path_to(parent);
                path.push(placement);
                result.take(Attack { path, chain, blocks_left });
            }
            if step.is_cut_short() {
                result.building = result.building.or(building);
                return None;
            }
            if let (Some(tree), Some(LayerOrigins { kept, .. })) = (&mut tree, &origins) {
                tree.push(kept, &fields, |place| trail.path_to(place));
            }
            most += fields.len() as u64 * of_a_field(is_last);
            if !survives {
                break;
            }
            result.reached = result.reached.max(ply + 1);
            if is_last || candidates.iter().all(CandidatePart::is_empty) {
                break;
            }
            let known = known.layer(ply);
            let of_known = known.into_iter().flat_map(|known| known.candidates(width));
            candidates.push(CandidatePart::new(first_place(fields.len()), of_known.collect()));
            let candidates = Candidates::new(candidates);
            let kept = select(&candidates, width, max_same_potential_percent);
            trail.push(&kept);
            if let (Some(&first), Some(best)) = (trail.path_to(0).first(), kept.first()) {
                building = Some((first, best.potential));
            }
            let parents = mem::replace(&mut fields, vec![Field::EMPTY; kept.len()]);
            let is_rain = request.rain.falls_at(ply + 1);
            origins = Some(LayerOrigins { parents, kept, pack, is_rain, known });
        }
        result.building = building;
        Some(most)
    }
}

/// The results of the drops on some fields of a layer.
#[derive(Default)]
struct Part {
    candidates: CandidatePart,
    /// Whether the game continues after a drop whose chain is at most [`LONGEST_STEP`].
    survives: bool,
    /// The best attack; the first one of equal attacks.
    attack: Option<LayerAttack>,
}

/// A chain that a drop on a field of a layer sets off.
#[derive(Clone, Copy)]
struct LayerAttack {
    /// The index of the field in the layer.
    parent: u32,
    placement: Placement,
    chain: Chain,
    /// The number blocks on the field after the chain.
    blocks_left: u32,
}

impl LayerAttack {
    /// Whether the attack replaces `other`, which was found before it: it is better, or equal and
    /// from a better field.
    fn is_before(&self, other: &Self) -> bool {
        let rank = |attack: &Self| (attack.chain, attack.blocks_left, Reverse(attack.parent));
        rank(self) > rank(other)
    }
}

/// The least number of fields that a thread takes at once: it takes about 50 µs to wake a thread,
/// and 10 µs to try the drops on a field. Experiment B-17.
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

/// Returns the place of the first candidate of the field of index `field`, whose drops have
/// [`Placement::COUNT`] places. Known fields stand behind all drops.
const fn first_place(field: usize) -> u32 {
    (field * Placement::COUNT) as u32
}

// The drops on the fields of the widest layer, and as many known fields, have places.
const _: () = assert!(WIDEST * (Placement::COUNT + 1) <= Rank::PLACES as usize);

/// The inputs with which a layer's drops are tried, equal for all fields of the layer.
struct LayerStep<'a> {
    weights: &'a FeatureWeights,
    pack: &'a Pack,
    positions: DropColumns,
    /// The rain after this ply; `None` at the last ply, whose drops are tried for attacks only and
    /// not evaluated.
    coming: Option<DueRain>,
    filter: EvaluationFilter,
    budget: &'a Budget,
    /// Whether the budget ran out before all drops were tried.
    is_cut_short: AtomicBool,
}

impl LayerStep<'_> {
    fn is_cut_short(&self) -> bool {
        self.is_cut_short.load(Relaxed)
    }

    /// Tries the drops on `fields`, which begin at the index `first` of the layer.
    fn try_drops(&self, fields: &[Field], first: usize) -> Part {
        let of_a_field = self.positions.placements().count() as u64;
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
        part.candidates = CandidatePart::new(first_place(first), candidates);
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
        field.children(self.pack, self.positions, buffer);
        let summary = field.summary();
        // A drop adds at most two rows.
        let may_end = usize::from(summary.tallest()) + 2 > HEIGHT;
        buffer.clear_potentials();
        evaluated.clear();
        for placement in self.positions.placements() {
            let child = buffer.child(placement);
            if may_end && child.field.is_over() {
                continue;
            }
            if child.chain <= LONGEST_STEP {
                part.survives = true;
                let coming = self.coming.filter(|_| self.filter.holds(parent, &summary, &child));
                if let Some(coming) = coming {
                    let (later, rows) = coming.prepare(&child.field);
                    buffer.add_potential(&later, rows);
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

/// The drops that a candidate is booked as: its own drop, and its evaluation, which takes as long
/// as the others.
const DROPS_OF_A_CANDIDATE: u64 = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Cells, Packs};

    #[test]
    fn the_last_sweep_takes_the_rest_of_the_budget() {
        for (most, next) in [(usize::MAX, 64), (320, 64), (319, 319), (30, 30)] {
            assert_eq!(next_width(16, most), Some(next), "{most}");
        }
        assert_eq!((next_width(16, 19), next_width(16, 0)), (None, None));
        assert_eq!(next_width(WIDEST / 2, usize::MAX), Some(WIDEST));
        assert_eq!(next_width(WIDEST, usize::MAX), None);
    }

    #[test]
    fn a_budget_of_drops_is_used_up() {
        let packs = Packs::from_seed(5);
        let request = BeamRequest {
            field: Field::EMPTY,
            packs: packs.from_turn(0),
            rain: Rain::rows(2, 3),
            depth: 6,
            positions: DropColumns::ALL,
        };
        for drops in [30_000, 100_000, 300_000] {
            let budget = Budget::new(drops, None);
            let result = search(&request, &budget);
            // When the budget runs out, each thread still finishes its present field.
            let most = drops + rayon::current_num_threads() as u64 * 36 * DROPS_OF_A_CANDIDATE;
            assert!((drops / 2..most).contains(&budget.spent()), "{}", budget.spent());
            assert_eq!(result.reached, 6);
        }
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        let packs = Packs::from_seed(6);
        let request = BeamRequest {
            field: Field::from_cells(&Cells::EMPTY),
            packs: packs.from_turn(0),
            rain: Rain::NONE,
            depth: 10,
            positions: DropColumns::ALL,
        };
        let by = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| search(&request, &Budget::new(2_000_000, None)))
        };
        let alone = by(1);
        assert!(alone.attacks.iter().flatten().count() > 5);
        for threads in [2, 3, 7, 16] {
            let result = by(threads);
            assert_eq!((result.attacks, result.building), (alone.attacks.clone(), alone.building));
        }
    }

    #[test]
    fn each_thread_gets_several_parts_of_a_layer() {
        assert_eq!((chunk_of(0, 2), chunk_of(1, 16), chunk_of(100, 16)), (16, 16, 16));
        assert_eq!((chunk_of(2000, 2), chunk_of(10_000, 16)), (125, 79));
        assert_eq!((chunk_of(131_072, 1), chunk_of(131_072, 16)), (256, 256));
    }

    #[test]
    fn an_attack_sends_the_ojama_of_its_chain() {
        let attack = |chain| Some(Attack { path: Vec::new(), chain: Chain(chain), blocks_left: 0 });
        let sent = |attacks| BeamResult { attacks, ..BeamResult::default() }.most_sent();
        assert_eq!(sent(vec![None, attack(12)]), [0, 45]);
        assert_eq!(sent(vec![attack(12), attack(11), None]), [45; 3], "by each turn");
    }
}
