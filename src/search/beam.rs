//! Beam search: the best chains that one player can build, many turns ahead.
//!
//! Layer by layer, one a turn, all drops of all kept fields are tried. A drop that sets off a
//! chain is a [`Strike`] and ends there; of the other fields the most promising are kept. To be
//! promising is to hold a long chain that some block could set off ([`Field::potential`]), and no
//! length of chain may take more than a part of the layer, so that fields that promise less but
//! are built otherwise survive beside the best.
//!
//! The drops of a layer are tried in parallel, a task for each column on which a pack can fall.
//! Its result does not depend on the number of threads.

mod layer;

use std::ops::RangeInclusive;

use rayon::prelude::*;

use self::layer::{Candidate, Layer, Trail};
use super::{Budget, Rain};
use crate::game::{Chain, Field, Pack, Placement, Position};

/// What a beam search is asked.
#[derive(Clone, Debug)]
pub struct Question<'a, F> {
    /// The field before the first of the coming turns, its row of ojama not fallen yet.
    pub field: F,
    /// The packs of the coming turns.
    pub packs: &'a [Pack],
    /// When ojama fall on the field.
    pub rain: Rain,
    /// Turns to look ahead; no further than packs are known.
    pub depth: usize,
    /// The positions at which packs may be dropped: fewer search deeper in the same time.
    pub positions: RangeInclusive<u8>,
}

/// A chain that can be set off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strike {
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
    /// The best strike of each turn, the coming one first; `None` where nothing was set off.
    pub strikes: Vec<Option<Strike>>,
    /// The first drop of the most promising field in the deepest layer, and what it promises:
    /// where to build if no strike is good enough.
    pub building: Option<(Placement, Chain)>,
    /// The width of the last sweep that was not cut short.
    pub width: usize,
}

/// A chain of fewer rounds is part of building: the search goes on behind it.
const SHORTEST_STRIKE: Chain = Chain(3);

/// The part of a layer that one length of chain may take, in percent. The main seed found 20 to 30
/// best for its beam.
const SHARE_OF_A_CHAIN: usize = 30;

/// The width of the first sweep. Each further one is twice as wide, until the budget is spent: so
/// a search has an answer early, and spends at most as much on sweeps before the last as on it.
const FIRST_WIDTH: usize = 4;

/// No sweep is wider: its layers would not fit in the memory that the bot may use.
const WIDEST: usize = 1 << 15;

impl Strike {
    /// Turns until it is set off: 0 is the coming one.
    pub fn ply(&self) -> usize {
        self.path.len() - 1
    }

    /// Longer chains first, then those that leave more to build on.
    fn rank(&self) -> (Chain, u32) {
        (self.chain, self.blocks_left)
    }
}

impl Answer {
    /// The longest chain among the strikes of the coming `plies` turns.
    pub fn longest_within(&self, plies: usize) -> Chain {
        let strikes = self.strikes.iter().take(plies).flatten();
        strikes.map(|strike| strike.chain).max().unwrap_or_default()
    }

    fn take(&mut self, ply: usize, strike: Strike) {
        let best = &mut self.strikes[ply];
        if best.as_ref().is_none_or(|best| strike.rank() > best.rank()) {
            *best = Some(strike);
        }
    }
}

/// Searches in sweeps of growing width until the budget is spent.
pub fn search<F: Field>(question: &Question<'_, F>, budget: &Budget) -> Answer {
    let depth = question.depth.min(question.packs.len());
    let mut answer = Answer { strikes: vec![None; depth], ..Answer::default() };
    let mut width = FIRST_WIDTH;
    while width <= WIDEST && sweep(question, depth, width, budget, &mut answer) {
        answer.width = width;
        width *= 2;
    }
    answer
}

/// One sweep; false if the budget ran out in it.
fn sweep<F: Field>(
    question: &Question<'_, F>,
    depth: usize,
    width: usize,
    budget: &Budget,
    answer: &mut Answer,
) -> bool {
    let mut trail = Trail::default();
    let mut layer = Layer::root(question.field, question.rain.falls_at(0));
    for (ply, pack) in question.packs.iter().take(depth).enumerate() {
        let positions: Vec<Position> =
            question.positions.clone().filter_map(Position::new).collect();
        let columns: Vec<Column> = positions
            .par_iter()
            .map(|&position| try_column(&layer, pack, position, budget))
            .collect();
        let mut candidates = Vec::new();
        let mut complete = true;
        for column in columns {
            complete &= column.complete;
            candidates.extend(column.candidates);
            if let Some((parent, placement, chain, blocks_left)) = column.strike {
                let mut path = trail.path_to(parent);
                path.push(placement);
                answer.take(ply, Strike { path, chain, blocks_left });
            }
        }
        if !complete {
            return false;
        }
        let kept = layer::select(candidates, width, width * SHARE_OF_A_CHAIN / 100);
        let Some(best) = kept.first() else { break };
        let path = trail.path_to(best.parent);
        let first = path.first().copied().unwrap_or(best.placement);
        answer.building = Some((first, best.promise));
        layer = layer.descend(&kept, pack, question.rain.falls_at(ply + 1));
        trail.push(&kept);
    }
    true
}

/// What the drops at one position make of a layer.
struct Column {
    candidates: Vec<Candidate>,
    /// The best chain set off: parent in the layer, drop, chain, number blocks left.
    strike: Option<(u32, Placement, Chain, u32)>,
    complete: bool,
}

fn try_column<F: Field>(
    layer: &Layer<F>,
    pack: &Pack,
    position: Position,
    budget: &Budget,
) -> Column {
    let mut column = Column { candidates: Vec::new(), strike: None, complete: true };
    let mut children = Vec::with_capacity(4);
    for (parent, field) in (0..).zip(layer.fields()) {
        children.clear();
        field.children_at(pack, position, &mut children);
        for (child, &rotation) in children.iter().zip(&crate::game::Rotation::ALL) {
            let placement = Placement { position, rotation };
            if child.chain >= SHORTEST_STRIKE {
                if column.strike.is_none_or(|(_, _, chain, _)| child.chain >= chain) {
                    let strike = (parent, placement, child.chain, child.field.blocks());
                    let better =
                        |old: &(u32, Placement, Chain, u32)| (strike.2, strike.3) > (old.2, old.3);
                    if column.strike.as_ref().is_none_or(better) && !child.field.is_over() {
                        column.strike = Some(strike);
                    }
                }
            } else if !child.field.is_over() {
                column.candidates.push(Candidate::new(parent, placement, &child.field));
            }
        }
        // A potential simulates about as many falls as a pack has ways to drop.
        if !budget.spend(4 * 8) {
            column.complete = false;
            break;
        }
    }
    column
}
