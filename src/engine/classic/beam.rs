//! The seed's beam search, which all its beams are cases of.
//!
//! A field is worth what it can set off at once, not what some later pack might: all drops of the
//! next pack are tried on it. The layer is dealt out by the chain found so, the longest first, and
//! no length may take more than its cap; that keeps fields that are built otherwise. A drop that
//! sets off a chain is no end: the search goes on behind it.

use rayon::prelude::*;

use super::parameters::Shape;
use super::table::{TranspositionTable, fnv_1};
use crate::board::{ChildBuffer, Field};
use crate::game::{
    Chain, DropColumns, Dropped, Gauge, HEIGHT, OJAMA_ROW, Pack, Placement, Player, Stock,
};
use crate::search::Budget;

/// What makes a field worth following.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// Long chains.
    Chain {
        /// A field with a block in this row or above it is worth nothing.
        height_limit: Option<u8>,
    },
    /// A skill that blows up much.
    Skill,
}

/// A chain for the sake of which the others are dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// In the first layer that can set it off, only such fields are kept.
    pub chain: Chain,
    /// Fields whose chain is shorter by up to this are kept as well.
    pub kept: u8,
    /// The search ends with the layer that can set off this one; 0 for none.
    pub last: Chain,
}

/// What a beam is asked.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// Who builds, before the row that is due has fallen.
    pub player: Player<Field>,
    /// The other's stock.
    pub others_stock: Stock,
    /// The packs from the coming turn on.
    pub packs: &'a [Pack],
    /// How far and how wide; the time is the budget's.
    pub shape: Shape,
    /// Where packs may be dropped.
    pub positions: DropColumns,
    /// The first drop, if that is settled.
    pub first: Option<Placement>,
    /// So many ojama arrive at the end of the given ply.
    pub attack: Option<(usize, Stock)>,
    /// A chain to reach as soon as possible.
    pub target: Option<Target>,
    /// What it looks for.
    pub aim: Aim,
}

/// What a beam found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// The drops to the best field of the deepest layer.
    pub path: Vec<Placement>,
    /// Its value.
    pub value: i64,
    /// The turns after which the target can first be set off.
    pub target_depth: Option<usize>,
    /// For each depth, the longest chain that can be set off there; that of depth 0 now.
    pub longest: Vec<Chain>,
    /// Fields in the widest layer.
    pub widest: usize,
    /// Whether time or drops ran out.
    pub cut: bool,
    /// Fields met again.
    pub hits: u64,
}

impl Answer {
    /// The turns after which a chain of at least this length can be set off.
    pub fn depth_of(&self, chain: Chain) -> Option<usize> {
        self.longest.iter().position(|&longest| longest >= chain)
    }

    /// The longest chain at any depth.
    pub fn best(&self) -> Chain {
        self.longest.iter().copied().max().unwrap_or_default()
    }

    /// Layers behind the coming turn that were come to.
    pub fn depth(&self) -> usize {
        self.path.len()
    }
}

/// A field that is followed.
#[derive(Clone, Copy)]
struct Node {
    field: Field,
    /// Own stock less the other's.
    net: i64,
    gauge: Gauge,
    /// The longest chain that could be set off on the way here.
    best: Chain,
}

/// A field that may be followed: how it is made, and its value.
#[derive(Clone, Copy)]
struct Candidate {
    parent: u32,
    placement: Placement,
    /// Its length of chain, by which layers are dealt out; in skill mode the blocks blown up.
    class: u8,
    best: Chain,
    value: i64,
}

/// What a field can do at once.
struct Now {
    chain: Chain,
    /// Its worth: the ojama of the chain, then the blocks that it leaves.
    worth: i64,
}

/// Searches layer by layer. The table is cleared first.
pub fn search(question: &Question<'_>, table: &mut TranspositionTable, budget: &Budget) -> Answer {
    table.clear();
    let player = &question.player;
    let net = player.stock as i64 - question.others_stock as i64;
    let root = Node { field: player.field, net, gauge: player.gauge, best: Chain(0) };
    let root = question.rained(root);
    let mut answer = Answer::default();
    let Some(pack) = question.packs.first() else { return answer };
    let now = can_fire(&root.field, pack, &mut ChildBuffer::new());
    answer.longest.push(now.map_or(Chain(0), |now| now.chain));

    let mut layer = vec![root];
    let mut trail: Vec<Vec<(u32, Placement)>> = Vec::new();
    let last = question.packs.len().saturating_sub(1);
    for ply in 0..question.shape.depth.min(last) {
        let (mut candidates, whole) = question.expand(&layer, ply, table, budget);
        answer.cut |= !whole;
        let Some(longest) = candidates.iter().map(|candidate| Chain(candidate.class)).max() else {
            break;
        };
        answer.longest.push(if question.aim == Aim::Skill { Chain(0) } else { longest });
        let reached = question.target.filter(|target| longest >= target.chain);
        if let Some(target) = reached.filter(|_| answer.target_depth.is_none()) {
            answer.target_depth = Some(ply + 1);
            let least = target.chain.0.saturating_sub(target.kept);
            candidates.retain(|candidate| candidate.class >= least);
        }
        let best = candidates.iter().max_by(|a, b| a.value.cmp(&b.value).then(b.order(a)));
        let best = *best.expect("the longest chain is among them");
        answer.path = path(&trail, best.parent);
        answer.path.push(best.placement);
        answer.value = best.value;
        if !whole || question.target.is_some_and(|t| t.last.0 > 0 && longest >= t.last) {
            break;
        }
        deal(&mut candidates, question.shape);
        answer.widest = answer.widest.max(candidates.len());
        layer = question.descend(&layer, &candidates, ply);
        trail.push(candidates.iter().map(|kept| (kept.parent, kept.placement)).collect());
    }
    answer.hits = table.hits();
    answer
}

impl Question<'_> {
    /// The row that is due falls.
    fn rained(&self, mut node: Node) -> Node {
        if node.net >= OJAMA_ROW as i64 {
            node.net -= OJAMA_ROW as i64;
            node.field.rain();
        }
        node
    }

    /// What a drop makes of a node, with the coming row fallen.
    fn child(&self, node: &Node, dropped: Dropped<Field>, ply: usize) -> Node {
        let arriving = self.attack.filter(|&(at, _)| at == ply).map_or(0, |(_, stock)| stock);
        let net = node.net - dropped.chain.ojama() as i64 + arriving as i64;
        let gauge = node.gauge.charged(dropped.chain);
        self.rained(Node { field: dropped.field, net, gauge, best: node.best })
    }

    /// The candidates of the next layer, and whether there was time for all.
    fn expand(
        &self,
        layer: &[Node],
        ply: usize,
        table: &TranspositionTable,
        budget: &Budget,
    ) -> (Vec<Candidate>, bool) {
        let positions = match self.first.filter(|_| ply == 0) {
            Some(first) => DropColumns { first: first.position, last: first.position },
            None => self.positions,
        };
        let parts = positions.split(rayon::current_num_threads());
        let parts: Vec<(Vec<Candidate>, bool)> = parts
            .into_par_iter()
            .map(|columns| self.try_columns(layer, columns, ply, table, budget))
            .collect();
        let whole = parts.iter().all(|(_, whole)| *whole);
        (parts.into_iter().flat_map(|(candidates, _)| candidates).collect(), whole)
    }

    /// The drops at some positions: a thread's part of the work.
    fn try_columns(
        &self,
        layer: &[Node],
        columns: DropColumns,
        ply: usize,
        table: &TranspositionTable,
        budget: &Budget,
    ) -> (Vec<Candidate>, bool) {
        let (pack, next) = (&self.packs[ply], &self.packs[ply + 1]);
        let mut room = ChildBuffer::new();
        let mut children: Vec<(Placement, Dropped<Field>)> = Vec::with_capacity(Placement::COUNT);
        let mut candidates = Vec::new();
        for (parent, node) in (0..).zip(layer) {
            node.field.children(pack, columns, &mut room);
            children.clear();
            children.extend(columns.placements().map(|drop| (drop, room.child(drop))));
            for &(placement, dropped) in &children {
                if self.first.is_some_and(|first| ply == 0 && first != placement)
                    || dropped.field.is_over()
                {
                    continue;
                }
                let child = self.child(node, dropped, ply);
                let key = [child.field.hash(), child.net as u64, ply as u64];
                if !table.is_new(fnv_1(key)) {
                    continue;
                }
                let made = Candidate { parent, placement, class: 0, best: child.best, value: 0 };
                candidates.extend(self.valued(made, &child, next, &mut room));
            }
            if !budget.spend((children.len() * (1 + Placement::COUNT)) as u64) {
                return (candidates, false);
            }
        }
        (candidates, true)
    }

    /// The candidate with its value; `None` if it is lost whatever is dropped.
    fn valued(
        &self,
        made: Candidate,
        node: &Node,
        next: &Pack,
        room: &mut ChildBuffer,
    ) -> Option<Candidate> {
        match self.aim {
            Aim::Chain { height_limit } => {
                let now = can_fire(&node.field, next, room)?;
                let best = node.best.max(now.chain);
                let too_high = height_limit.is_some_and(|limit| node.field.tallest() >= limit);
                // Seed: ojama of the longest chain on the way x 1000 + ojama of the chain now x
                // 100 + blocks left.
                let value = 1000 * best.ojama() as i64 + now.worth;
                let value = if too_high { 0 } else { value };
                Some(Candidate { class: now.chain.0, best, value, ..made })
            }
            // Seed: the beam's value is changed to one for an efficient skill, which it does not
            // give; published: (blocks blown up + blocks) x the gauge, up to what the skill needs.
            Aim::Skill => {
                let blown_up = node.field.explosion().0;
                let blocks = i64::from(blown_up) + i64::from(node.field.blocks());
                let value = blocks * i64::from(node.gauge.get().min(Gauge::SKILL));
                Some(Candidate { class: blown_up, value, ..made })
            }
        }
    }

    /// The next layer. Its drops are simulated again: cheaper than to keep all fields.
    fn descend(&self, layer: &[Node], kept: &[Candidate], ply: usize) -> Vec<Node> {
        let make = |candidate: &Candidate| {
            let node = &layer[candidate.parent as usize];
            let dropped = node.field.drop_pack(&self.packs[ply], candidate.placement);
            Node { best: candidate.best, ..self.child(node, dropped, ply) }
        };
        kept.par_iter().map(make).collect()
    }
}

impl Candidate {
    /// Between equals, the one found first.
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        (self.parent, self.placement).cmp(&(other.parent, other.placement))
    }
}

/// Leaves the candidates to be followed: the longest chains first, of each the best by value and
/// no more than the cap, and no more than the width in all.
fn deal(candidates: &mut Vec<Candidate>, shape: Shape) {
    candidates.sort_unstable_by(|a, b| {
        b.class.cmp(&a.class).then(b.value.cmp(&a.value)).then(a.order(b))
    });
    let mut of_class = [0usize; 256];
    candidates.retain(|candidate| {
        let count = &mut of_class[usize::from(candidate.class)];
        *count += 1;
        *count <= shape.cap
    });
    candidates.truncate(shape.width);
}

/// The drops to a field of the last layer.
fn path(trail: &[Vec<(u32, Placement)>], field: u32) -> Vec<Placement> {
    let mut at = field;
    let back = trail.iter().rev().map(|layer| {
        let (parent, placement) = layer[at as usize];
        at = parent;
        placement
    });
    let mut path: Vec<Placement> = back.collect();
    path.reverse();
    path
}

/// The best that the drops of a pack set off, by ojama sent and then by blocks left; `None` if
/// none of them is survived.
fn can_fire(field: &Field, pack: &Pack, room: &mut ChildBuffer) -> Option<Now> {
    field.children(pack, DropColumns::ALL, room);
    let in_danger = usize::from(field.tallest()) + 2 > HEIGHT;
    let blocks = i64::from(field.blocks());
    let falling = pack.codes().iter().filter(|&&code| code != 0).count() as i64;
    let mut best: Option<Now> = None;
    let mut consider = |placement: Placement, chain: Chain| {
        let sent = 100 * chain.ojama() as i64;
        // Each round takes at least two blocks: what cannot be better is not counted.
        let most = sent + blocks + falling - 2 * i64::from(chain.0);
        if best.as_ref().is_some_and(|best| most <= best.worth) {
            return;
        }
        let quiet = chain == Chain(0) && !in_danger;
        let left = if quiet {
            blocks + falling
        } else {
            let child = room.child(placement).field;
            if in_danger && child.is_over() {
                return;
            }
            i64::from(child.blocks())
        };
        let worth = sent + left;
        if best.as_ref().is_none_or(|best| worth > best.worth) {
            best = Some(Now { chain, worth });
        }
    };
    let chains = Placement::all().map(|placement| room.chain(placement));
    let longest = chains.max().unwrap_or_default();
    for placement in Placement::all().filter(|&drop| room.chain(drop) == longest) {
        consider(placement, longest);
    }
    for placement in Placement::all() {
        consider(placement, room.chain(placement));
    }
    best
}

/// The longest chain that a player can set off in the coming turn and survive.
pub fn longest_now(player: &Player<Field>, pack: &Pack) -> Chain {
    let field = player.rained();
    let mut room = ChildBuffer::new();
    field.children(pack, DropColumns::ALL, &mut room);
    let alive = Placement::all().filter(|&drop| !room.child(drop).field.is_over());
    alive.map(|drop| room.chain(drop)).max().unwrap_or_default()
}

#[cfg(test)]
mod tests;
