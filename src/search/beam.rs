//! Beam search: the best chains that one player can build, many turns ahead.
//!
//! Layer by layer, one a turn, all drops of all kept fields are tried. A drop that sets off a
//! chain is a [`Attack`] and ends there; of the other fields the most promising are kept, as far as
//! they are worth a look (`beam/evaluation_filter.rs`). To be promising is to hold a long chain that some block
//! could set off ([`Field::potential`]) after the row that falls next, if one does; where more rows
//! are coming, most of the layer is kept for what they leave of that, so that fields survive whose
//! trigger stands high enough to be set off when they have fallen. Fields of the same potential are
//! told apart by what else they are good for (`beam/evaluation.rs`). No length of chain may take more
//! than a part of the layer, nor may chains that begin in the same way, so that fields that
//! potential less but are built otherwise survive beside the best.
//!
//! The drops of a layer are tried in parallel, the columns on which packs fall being shared out
//! among the threads. The result does not depend on their number, unless the budget runs out within
//! a layer: of that one, attacks are taken as far as the threads have come.

mod evaluation;
mod evaluation_filter;
mod layer;
mod tree;

use std::cmp::Reverse;

use rayon::prelude::*;

pub use self::evaluation::{FEATURES, NAMES, Weights};
use self::evaluation_filter::EvaluationFilter;
use self::layer::{Candidate, DueRain, Layer, Origin, Trail};
pub use self::tree::Tree;
use super::{Budget, Rain};
use crate::board::{ChildBuffer, Field};
use crate::game::{Chain, DropColumns, Dropped, Pack, Placement, Stock};

/// What a beam search is asked.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The field before the first of the coming turns, its row of ojama not fallen yet.
    pub field: Field,
    /// The packs of the coming turns.
    pub packs: &'a [Pack],
    /// When ojama fall on the field.
    pub rain: Rain,
    /// Turns to look ahead; no further than packs are known.
    pub depth: usize,
    /// The positions at which packs may be dropped: fewer search deeper in the same time.
    pub positions: DropColumns,
}

/// A chain that can be set off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attack {
    /// How it is done: a drop a turn, the last one sets off the chain.
    pub path: Vec<Placement>,
    /// Its rounds.
    pub chain: Chain,
    /// Number blocks left on the field afterwards.
    pub blocks_left: u32,
}

/// What a beam search found.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The best attack of each turn, the coming one first; `None` where nothing was set off.
    pub attacks: Vec<Option<Attack>>,
    /// The first drop of the most promising field in the deepest layer that is ranked, and its
    /// potential: where to build if no attack is good enough.
    pub building: Option<(Placement, Chain)>,
    /// The width of the last sweep that was not cut short.
    pub width: usize,
    /// Plies that some field was found to survive without an attack.
    pub reached: usize,
}

/// A chain of fewer rounds is part of building: the search goes on behind it.
const SHORTEST_ATTACK: Chain = Chain(3);

/// A chain of at most so many rounds may also be a step on the way to another attack: under rain it
/// may be the way to survive.
pub const LONGEST_STEP: Chain = Chain(6);

/// The part of a layer that one length of chain may take, in percent; ...
///
/// Of 20, 30, 50 and 70, for 160 fields with rows to come (500,000 drops): chains of 8.35, 8.32,
/// 8.24 and 8.24 on average by turn. The main seed found 20 to 30 best for its beam.
const SHARE_OF_A_CHAIN: usize = 30;

/// ... and if no rows are to come. Of 30, 40, 50 and 70, from 160 empty fields (five million
/// drops): 10.74, 10.81, 10.86 and 10.86; as many from those of turn 8: 14.83, 14.89, 14.93 and
/// 14.94 (B-07, B-14.1).
const SHARE_OF_A_DRY_CHAIN: usize = 50;

/// The width of the first sweep, so that a search has an answer early.
const FIRST_WIDTH: usize = 4;

/// Each further sweep is so many times as wide, ...
const GROWTH: usize = 4;

/// ... unless what is left of the budget does not allow a width of so many times the last one: the
/// next sweep is the last then, and as wide as the budget allows. All sweeps before it take a
/// twentieth to a quarter of the budget. Against sweeps that double until the budget runs out in
/// one of them, chains are longer by 0.1 to 0.2 from the empty field, and by 0.1 to 0.3 with ojama
/// on it (B-05).
const LAST: usize = 20;

/// A sweep must be so many times as wide as the one before to be worth its while. This and the two
/// before it are chosen by hand.
const WIDER: f64 = 1.2;

/// No sweep is wider, for the memory's sake: a game of 180 s takes 300 MB with it on one thread. Only
/// the first turn of such a game comes so far, in 10 of its 13.5 s; with a quarter of it, before
/// drops were left unranked, it had half of its time left over.
const WIDEST: usize = 1 << 17;

impl Attack {
    /// Turns until it is set off: 0 is the coming one.
    pub fn ply(&self) -> usize {
        self.path.len() - 1
    }

    /// Some attack, for tests of what does not look at its drops.
    #[cfg(test)]
    pub fn some(chain: u8, ply: usize) -> Self {
        let path = Placement::all().take(ply + 1).collect();
        Self { path, chain: Chain(chain), blocks_left: 0 }
    }

    /// Longer chains first, then those that leave more to build on.
    fn rank(&self) -> (Chain, u32) {
        (self.chain, self.blocks_left)
    }
}

impl Answer {
    /// The most ojama that one attack sends by each turn, the coming one first.
    pub fn most_sent(&self) -> Vec<Stock> {
        let mut most = 0;
        let sent = self.attacks.iter().map(|attack| {
            most = most.max(attack.as_ref().map_or(0, |attack| attack.chain.ojama()));
            most
        });
        sent.collect()
    }

    /// Takes up an attack if none so good is known for its turn; of equals, the known one stays.
    pub fn take(&mut self, attack: Attack) {
        self.replace(attack, |attack, known| attack.rank() > known.rank());
    }

    /// Takes up an attack unless a longer chain is known for its turn.
    pub fn prefer(&mut self, attack: Attack) {
        self.replace(attack, |attack, known| attack.chain >= known.chain);
    }

    /// An attack later than was looked ahead is left out.
    fn replace(&mut self, attack: Attack, is_better: impl FnOnce(&Attack, &Attack) -> bool) {
        if let Some(known) = self.attacks.get_mut(attack.ply())
            && known.as_ref().is_none_or(|known| is_better(&attack, known))
        {
            *known = Some(attack);
        }
    }
}

/// What drops, played one after the other, make of a field on which rows fall; as far as packs are
/// known.
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

/// Searches in sweeps of growing width until the budget is spent, or has enough.
///
/// Where time is what limits, the width of the last sweep depends on the clock.
pub fn search(question: &Question<'_>, budget: &Budget) -> Answer {
    search_by(Weights::learned(), question, budget)
}

/// The same, by other weights.
pub fn search_by(weights: &Weights, question: &Question<'_>, budget: &Budget) -> Answer {
    sweeps(weights, question, &Tree::default(), budget, None)
}

/// The same, going on from the fields that an earlier search has kept; also those that this one
/// keeps. Under rows that are to come nothing is gone on from or kept.
pub fn search_on(question: &Question<'_>, known: &Tree, budget: &Budget) -> (Answer, Tree) {
    let mut tree = Tree::default();
    let answer = if question.rain.rows_from(0) > 0 {
        search(question, budget)
    } else {
        sweeps(Weights::learned(), question, known, budget, Some(&mut tree))
    };
    (answer, tree)
}

/// All sweeps; what the last one has kept is put into the tree, if one is given.
fn sweeps(
    weights: &Weights,
    question: &Question<'_>,
    known: &Tree,
    budget: &Budget,
    mut tree: Option<&mut Tree>,
) -> Answer {
    let depth = question.depth.min(question.packs.len());
    let mut answer = Answer { attacks: vec![None; depth], ..Answer::default() };
    let mut next = Some(FIRST_WIDTH);
    while let Some(width) = next {
        let before = answer.attacks.clone();
        let (begin, spent) = (budget.mark(), budget.spent());
        let mut kept = tree.as_ref().map(|_| Tree::default());
        let sweep = Sweep { weights, question, known, depth, width };
        let Some(most) = sweep.run(budget, &mut answer, kept.as_mut()) else { break };
        if let (Some(tree), Some(kept)) = (&mut tree, kept) {
            **tree = kept;
        }
        answer.width = width;
        if budget.has_enough(width, answer.attacks != before) {
            break;
        }
        let part = (budget.spent() - spent) as f64 / most as f64;
        let left = budget.drops_left_since(&begin);
        next = next_width(width, affordable(question, depth, left, part));
    }
    answer
}

/// How wide a sweep can be that is booked as so much at most, as its layers are full but for the
/// first, which is one field; after the last nothing is ranked. Of the drops before it, so much of
/// all that they could be booked as is.
fn affordable(question: &Question<'_>, depth: usize, drops: u64, part: f64) -> usize {
    let placements = question.positions.placements().count().max(1) as f64;
    let ranked = part * DROPS_OF_A_CANDIDATE as f64 * placements;
    let of_a_width = ranked * depth.saturating_sub(2) as f64 + placements;
    ((drops as f64 - ranked) / of_a_width) as usize
}

/// The width of the sweep after one, if `most` can be afforded; `None` if it was the last.
fn next_width(width: usize, most: usize) -> Option<usize> {
    let next = if most < LAST * width { most } else { GROWTH * width }.min(WIDEST);
    (next as f64 >= WIDER * width as f64).then_some(next)
}

/// One sweep of a search.
struct Sweep<'a> {
    weights: &'a Weights,
    question: &'a Question<'a>,
    /// Fields that are known beforehand.
    known: &'a Tree,
    depth: usize,
    width: usize,
}

impl Sweep<'_> {
    /// Runs it, and puts what it keeps into a tree; what it would have been booked as if all its
    /// drops but the last were ranked. `None` if the budget ran out in it.
    fn run(
        &self,
        budget: &Budget,
        answer: &mut Answer,
        mut tree: Option<&mut Tree>,
    ) -> Option<u64> {
        let Sweep { weights, question, known, depth, width } = *self;
        let mut trail = Trail::new(known);
        let mut layer = Layer::root(question.field, question.rain.falls_at(0));
        let placements = question.positions.placements().count() as u64;
        let of_a_field = |is_last| placements * if is_last { 1 } else { DROPS_OF_A_CANDIDATE };
        let mut building = None;
        let mut most = 0;
        let is_dry = question.rain.rows_from(0) == 0;
        let share = if is_dry { SHARE_OF_A_DRY_CHAIN } else { SHARE_OF_A_CHAIN };
        for (ply, pack) in question.packs.iter().take(depth).enumerate() {
            let is_last = ply > 0 && ply + 1 == depth;
            let coming = (!is_last).then(|| DueRain::after(ply, &question.rain));
            let parts = question.positions.split(rayon::current_num_threads());
            let columns: Vec<Columns> = parts
                .into_par_iter()
                .map(|positions| try_columns(weights, &layer, pack, positions, coming, budget))
                .collect();
            let mut candidates = Vec::new();
            let mut attack: Option<LayerAttack> = None;
            let (mut complete, mut survives) = (true, false);
            for column in columns {
                complete &= column.complete;
                survives |= column.survives;
                if candidates.is_empty() {
                    candidates = column.candidates;
                } else {
                    candidates.extend(column.candidates);
                }
                if let Some(found) = column.attack
                    && attack.is_none_or(|known| found.is_before(&known))
                {
                    attack = Some(found);
                }
            }
            if let Some(LayerAttack { parent, placement, chain, blocks_left }) = attack {
                let mut path = trail.path_to(parent);
                path.push(placement);
                answer.take(Attack { path, chain, blocks_left });
            }
            if !complete {
                answer.building = answer.building.or(building);
                return None;
            }
            most += layer.fields().len() as u64 * of_a_field(is_last);
            if !survives {
                break;
            }
            answer.reached = answer.reached.max(ply + 1);
            if is_last || candidates.is_empty() {
                break;
            }
            let known = known.layer(ply);
            candidates.extend(known.into_iter().flat_map(|known| known.candidates(width)));
            let kept = layer::select(&candidates, width, share);
            layer = layer.descend(&kept, pack, question.rain.falls_at(ply + 1), known);
            trail.push(&kept);
            if let (Some(&first), Some(best)) = (trail.path_to(0).first(), kept.first()) {
                building = Some((first, best.potential));
            }
            if let Some(tree) = &mut tree {
                tree.push(&kept, &layer, &trail);
            }
        }
        answer.building = building;
        Some(most)
    }
}

/// What the drops at some positions make of a layer.
struct Columns {
    candidates: Vec<Candidate>,
    /// Whether the game goes on after some drop that is no attack.
    survives: bool,
    /// The best chain set off; of equals, the first.
    attack: Option<LayerAttack>,
    complete: bool,
}

/// A chain that a drop on a field of a layer sets off.
#[derive(Clone, Copy)]
struct LayerAttack {
    /// The field's place in the layer.
    parent: u32,
    placement: Placement,
    chain: Chain,
    /// Number blocks left.
    blocks_left: u32,
}

impl LayerAttack {
    /// Whether it is better than one at positions further left, or as good and from a better field.
    fn is_before(&self, other: &Self) -> bool {
        let rank = |attack: &Self| (attack.chain, attack.blocks_left, Reverse(attack.parent));
        rank(self) > rank(other)
    }
}

/// Tries the drops at some positions. Rows may still be coming after this ply; `None` if it is the
/// last, after which only attacks count and nothing is ranked.
fn try_columns(
    weights: &Weights,
    layer: &Layer,
    pack: &Pack,
    positions: DropColumns,
    coming: Option<DueRain>,
    budget: &Budget,
) -> Columns {
    // With room for the half that is ranked as a rule: to grow up to it would take twice as much for
    // a moment.
    let most = layer.fields().len() * positions.placements().count();
    let candidates = Vec::with_capacity(if coming.is_some() { most / 2 } else { 0 });
    let mut columns = Columns { candidates, survives: false, attack: None, complete: true };
    let ranked = EvaluationFilter::of(layer.fields().len(), pack);
    let mut room = ChildBuffer::new();
    let mut children = Vec::with_capacity(Placement::COUNT);
    for (parent, field) in (0..).zip(layer.fields()) {
        field.children(pack, positions, &mut room);
        children.clear();
        let mut candidates = 0;
        children.extend(positions.placements().map(|placement| (placement, room.child(placement))));
        for (placement, child) in &children {
            if child.field.is_over() {
                continue;
            }
            if child.chain <= LONGEST_STEP {
                columns.survives = true;
                if let Some(coming) = coming.filter(|_| ranked.holds(parent, field, child)) {
                    let origin = Origin::Drop(parent, *placement);
                    columns.candidates.push(Candidate::new(
                        origin,
                        &child.field,
                        coming,
                        weights,
                        &mut room,
                    ));
                    candidates += 1;
                }
            }
            if child.chain < SHORTEST_ATTACK {
                continue;
            }
            let (chain, blocks_left) = (child.chain, child.field.blocks());
            let attack = LayerAttack { parent, placement: *placement, chain, blocks_left };
            if columns.attack.is_none_or(|known| attack.is_before(&known)) {
                columns.attack = Some(attack);
            }
        }
        if !budget.spend(children.len() as u64 + candidates * (DROPS_OF_A_CANDIDATE - 1)) {
            columns.complete = false;
            break;
        }
    }
    columns
}

/// What a candidate is booked as: its drop, and its potential, which takes as long as so many.
const DROPS_OF_A_CANDIDATE: u64 = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Cells, Packs};

    #[test]
    fn the_last_sweep_takes_what_is_left() {
        for (most, next) in [(usize::MAX, 64), (320, 64), (319, 319), (30, 30)] {
            assert_eq!(next_width(16, most), Some(next), "{most}");
        }
        assert_eq!((next_width(16, 19), next_width(16, 0)), (None, None));
        assert_eq!(next_width(WIDEST / 2, usize::MAX), Some(WIDEST));
        assert_eq!(next_width(WIDEST, usize::MAX), None);
    }

    #[test]
    fn drops_are_used_up_where_they_are_counted() {
        let packs = Packs::from_seed(5);
        let question = Question {
            field: Field::EMPTY,
            packs: packs.from_turn(0),
            rain: Rain::rows(2, 3),
            depth: 6,
            positions: DropColumns::ALL,
        };
        for drops in [30_000, 100_000, 300_000] {
            let budget = Budget::new(drops, None);
            let answer = search(&question, &budget);
            // A sweep that is wider than it should be ends with the field at hand.
            let most = drops + rayon::current_num_threads() as u64 * 36 * DROPS_OF_A_CANDIDATE;
            assert!((drops / 2..most).contains(&budget.spent()), "{}", budget.spent());
            assert_eq!(answer.reached, 6);
        }
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        let packs = Packs::from_seed(6);
        let question = Question {
            field: Field::from_cells(&Cells::EMPTY),
            packs: packs.from_turn(0),
            rain: Rain::NONE,
            depth: 10,
            positions: DropColumns::ALL,
        };
        let by = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| search(&question, &Budget::new(2_000_000, None)))
        };
        let alone = by(1);
        assert!(alone.attacks.iter().flatten().count() > 5);
        for threads in [2, 3, 7] {
            let answer = by(threads);
            assert_eq!((answer.attacks, answer.building), (alone.attacks.clone(), alone.building));
        }
    }

    #[test]
    fn an_attack_sends_what_its_chain_does() {
        let attack = |chain| Some(Attack { path: Vec::new(), chain: Chain(chain), blocks_left: 0 });
        let sent = |attacks| Answer { attacks, ..Answer::default() }.most_sent();
        assert_eq!(sent(vec![None, attack(12)]), [0, 45]);
        assert_eq!(sent(vec![attack(12), attack(11), None]), [45; 3], "by each turn");
    }
}
