//! Beam search: the best chains that one player can build, many turns ahead.
//!
//! A layer holds the kept fields of one turn. The search tries all drops on all fields of a layer.
//! A drop that sets off a chain of three rounds or more is an [`Attack`]. The search continues only
//! after chains of at most [`LONGEST_STEP`] rounds. Of the other fields,
//! `beam/evaluation_filter.rs` chooses the ones that are evaluated, and the next layer keeps the
//! best of these.
//!
//! Fields are ordered by their potential ([`Field::potential`]) after the row that falls next, if
//! one does. In a search under rows, most slots of a layer go to the longest potential, because a
//! long chain offsets the rows. In the other slots, a field that takes all due rows comes before a
//! field that does not, and most of these slots go by the potential after rain: these fields
//! survive, and their triggers stand high enough to be set off after the rows. Fields of equal
//! potential are ordered by `beam/features.rs`. Fields of one potential may take only a part of
//! the layer, and so may fields of one chain signature: this keeps fields of less potential and
//! different structure beside the best.
//!
//! The drops of a layer are tried in parallel: each thread takes some of the fields. The candidates
//! stand in the order of their fields, so that the result does not depend on the number of threads,
//! unless the budget runs out within a layer: the attacks of that layer are the ones that the
//! threads have found so far.

mod attack;
mod candidate;
mod evaluation_filter;
mod features;
mod groups;
mod layer;
mod select;
mod sweep;
mod tree;
mod weights;

pub use self::attack::{Attack, BeamResult, LONGEST_STEP};
use self::evaluation_filter::NARROW;
pub use self::features::{FEATURES, FeatureWeights, NAMES};
use self::layer::DROPS_OF_A_CANDIDATE;
use self::sweep::Sweep;
pub use self::tree::Tree;
pub use self::weights::LEARNED;
use super::{Budget, Rain};
use crate::board::Field;
use crate::game::{DropColumns, Dropped, Pack, Placement};

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
    pub columns: DropColumns,
}

impl BeamRequest<'_> {
    /// Whether rows are due in the search.
    const fn is_under_rows(&self) -> bool {
        self.rain.rows_from(0) > 0
    }
}

/// The width of the first sweep, unless the drops of the budget allow less than [`LAST_SWEEP`]. It
/// is small, so that a search has a result early.
const FIRST_WIDTH: usize = 4;

/// The factor between the widths of two sweeps, except for the last sweep ([`LAST_SWEEP`]).
const GROWTH: usize = 4;

/// If the rest of the budget allows less than this many times the width of the sweep before, the
/// next sweep is the last one, and as wide as the budget allows.
///
/// All sweeps before the last one take a twentieth to a quarter of the budget. Chains are longer
/// than with sweeps that double until the budget runs out within a sweep. Experiment B-05.
const LAST_SWEEP: usize = 20;

/// The part of its greatest possible cost that a sweep of a typical field books, unless it is
/// narrow. It is assumed until a sweep was measured. Chosen by hand; B-09 measured parts of 0.37 to
/// 0.5.
const TYPICAL_PART: f64 = 0.6;

/// The least ratio of the widths of two sweeps; a search ends rather than run a narrower sweep.
/// `GROWTH`, `LAST_SWEEP` and `LEAST_GROWTH` are chosen by hand.
const LEAST_GROWTH: f64 = 1.2;

/// The greatest width of a sweep. It limits the memory: a game of 180 s on one thread takes 300 MB.
///
/// Only the first turn of such a game reaches this width. Experiment T-05.
const WIDEST: usize = 1 << 17;

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

/// Searches in sweeps of growing width until `budget` is spent or finds nothing new
/// ([`Budget::note_sweep`]).
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
    let result = if request.is_under_rows() {
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
    let most = affordable(request, depth, budget.drops_left(), TYPICAL_PART);
    let mut next = Some(first_width(most));
    // Set for the last sweep.
    let mut rest_since = (most < LAST_SWEEP).then(|| budget.mark());
    while let Some(width) = next {
        let before = result.attacks.clone();
        let (begin, spent) = (budget.mark(), budget.spent());
        let mut kept = tree.as_ref().map(|_| Tree::default());
        let sweep = Sweep { weights, request, known, depth, width, rest_since };
        let Some(most) = sweep.run(budget, &mut result, kept.as_mut()) else { break };
        if let (Some(tree), Some(kept)) = (&mut tree, kept) {
            **tree = kept;
        }
        result.width = width;
        if budget.note_sweep(width, result.attacks != before) {
            break;
        }
        let part = (budget.spent() - spent) as f64 / most as f64;
        let part = if width < NARROW { TYPICAL_PART } else { part };
        let left = budget.drops_left_since(&begin);
        let most = affordable(request, depth, left, part);
        next = next_width(width, most);
        rest_since = (most < LAST_SWEEP * width).then_some(begin);
    }
    result
}

/// Returns the greatest width of a sweep that books at most `drops`.
///
/// The first layer has one field, and each further layer has as many fields as the width. The
/// candidates of the last ply are not evaluated, all candidates of narrow layers are. `part` is the
/// part, 0 to 1, that a wider sweep books of its greatest possible cost.
fn affordable(request: &BeamRequest<'_>, depth: usize, drops: u64, part: f64) -> usize {
    let placements = request.columns.placements().count().max(1) as f64;
    let of_a_field = DROPS_OF_A_CANDIDATE as f64 * placements;
    let width = |part: f64| {
        let of_a_width = part * of_a_field * depth.saturating_sub(2) as f64 + placements;
        ((drops as f64 - of_a_field) / of_a_width) as usize
    };
    let wide = width(part);
    if wide < NARROW { width(1.0) } else { wide }
}

/// Returns the width of the first sweep, if the drops of the budget allow a width of `most`.
fn first_width(most: usize) -> usize {
    if most < LAST_SWEEP { most.max(1) } else { FIRST_WIDTH }
}

/// Returns the width of the sweep after one of `width`, if the budget allows a width of `most`;
/// `None` if there is no further sweep.
fn next_width(width: usize, most: usize) -> Option<usize> {
    let next = if most < LAST_SWEEP * width { most } else { GROWTH * width }.min(WIDEST);
    (next as f64 >= LEAST_GROWTH * width as f64).then_some(next)
}

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
    fn the_first_sweep_fits_the_budget() {
        for (most, width) in
            [(0, 1), (3, 3), (19, 19), (20, FIRST_WIDTH), (usize::MAX, FIRST_WIDTH)]
        {
            assert_eq!(first_width(most), width, "{most}");
        }
        let packs = Packs::from_seed(5);
        for (drops, rows) in [(8_000, 0), (12_000, 0), (12_000, 3)] {
            let request = BeamRequest {
                field: Field::EMPTY,
                packs: packs.from_turn(0),
                rain: Rain::rows(2, rows),
                depth: 10,
                columns: DropColumns::ALL,
            };
            assert_eq!(search(&request, &Budget::new(drops, None)).reached, 10, "{drops}, {rows}");
        }
    }

    #[test]
    fn a_budget_of_drops_is_used_up() {
        let packs = Packs::from_seed(5);
        let request = BeamRequest {
            field: Field::EMPTY,
            packs: packs.from_turn(0),
            rain: Rain::rows(2, 3),
            depth: 6,
            columns: DropColumns::ALL,
        };
        for drops in [30_000, 100_000, 300_000] {
            let budget = Budget::new(drops, None);
            let result = search(&request, &budget);
            // When the budget runs out, each thread still finishes its present field.
            let most = drops + rayon::current_num_threads() as u64 * 36 * DROPS_OF_A_CANDIDATE;
            assert!((drops * 3 / 4..most).contains(&budget.spent()), "{}", budget.spent());
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
            columns: DropColumns::ALL,
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
}
